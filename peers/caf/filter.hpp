// Rings of samples that delay and filter, and the same computed in another way: the arithmetic of filter-bank.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

class delay_line {
  public:
    explicit delay_line(std::size_t size) : places_(size) {
    }

    // Keeps a value, and gives the one that came `size` values before; at first zeros.
    double replace(double value) {
        std::swap(value, places_[at_]);
        at_ = (at_ + 1) % places_.size();
        full_ |= at_ == 0;
        return value;
    }

    const std::vector<double> &places() const {
        return places_;
    }
    bool full() const {
        return full_;
    }

  private:
    std::vector<double> places_;
    std::size_t at_ = 0;
    bool full_ = false;
};

// The first or the second filter of a channel: the coefficients are Savina's.
inline std::vector<double> coefficients(std::size_t which, std::size_t size, std::size_t channels,
                                        std::size_t channel) {
    std::vector<double> all(size);
    auto width = static_cast<double>(size), count = static_cast<double>(channels), j = static_cast<double>(channel);
    for (std::size_t place = 0; place < size; place++) {
        auto i = static_cast<double>(place);
        all[place] = which == 0 ? i * width + j * count + j + i + j + 1 : i * j + j * j + j + i;
    }
    return all;
}

// Gives nothing before its ring is full; then multiplies the ring, from its first place, by its coefficients.
class filter {
  public:
    explicit filter(std::vector<double> factors) : ring_{factors.size()}, factors_{std::move(factors)} {
    }

    // Keeps a value; false if the ring is not full yet. Otherwise the value becomes what the filter gives.
    bool keep(double &value) {
        ring_.replace(value);
        if (!ring_.full())
            return false;
        const std::vector<double> &places = ring_.places();
        double sum = 0;
        for (std::size_t i = 0; i < places.size(); i++)
            sum += places[i] * factors_[places.size() - 1 - i];
        value = sum;
        return true;
    }

  private:
    delay_line ring_;
    std::vector<double> factors_;
};

// Each sum from the one before, in place of from all of a ring. What is given in all is added to the total.
inline std::vector<double> filter_again(const std::vector<double> &values, const std::vector<double> &factors,
                                        double &total) {
    std::size_t size = factors.size();
    std::vector<double> given;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); i++) {
        double leaving = i < size ? 0 : values[i - size];
        sum += (values[i] - leaving) * factors[size - 1 - i % size];
        if (i + 1 >= size) {
            given.push_back(sum);
            total += sum;
        }
    }
    return given;
}

// What a channel makes of the values; what each of its filters gave in all is added to the totals.
inline std::vector<double> flow_again(std::vector<double> values, std::size_t columns, std::size_t channels,
                                      std::size_t channel, std::array<double, 2> &totals) {
    for (std::size_t which = 0; which < 2; which++) {
        std::size_t samples = values.size();
        values.insert(values.begin(), columns - 1, 0.0); // the delay
        values.resize(samples);
        values = filter_again(values, coefficients(which, columns, channels, channel), totals[which]);
        for (std::size_t i = 0; which == 0 && i < values.size(); i++)
            if (i % columns != 0)
                values[i] = 0;
    }
    return values;
}

// As near as rounding permits.
inline bool is_about(double value, double due) {
    return std::fabs(value - due) <= 1e-9 * std::fabs(due);
}
