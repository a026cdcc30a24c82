// matrix: Z = X Y, an actor a row of X: work for the workers, few messages. The actors share the matrices.
#include "../../workloads/common/product.h"
#include "system.hpp"

#include <algorithm>
#include <cmath>

namespace {

// A number that depends on the seed and the position (the finaliser of splitmix64).
std::uint64_t scramble(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t value = position * 0x9e3779b97f4a7c15 + seed;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

constexpr std::uint64_t prime = 0x7fffffff;

// The largest size whose products cannot overflow: elements are -9 to 9.
constexpr std::uint64_t largest_size = INT32_MAX / 81;

using numbers = std::vector<std::int32_t>;
using residues = std::vector<std::uint64_t>; // modulo the prime

struct plan {
    plan(std::uint64_t rows, std::uint64_t its_seed)
        : size{rows}, seed{its_seed}, x(size * size), y(size * size), z(size * size), ready{rows} {
        for (std::uint64_t i = 0; i < size * size; i++) {
            x[i] = element(i);
            y[i] = element(size * size + i);
        }
    }

    std::int32_t element(std::uint64_t position) const {
        return static_cast<std::int32_t>(scramble(seed, position) % 19) - 9;
    }

    void fill(std::uint64_t row) {
        for (std::uint64_t column = 0; column < size; column++)
            z[row * size + column] = product_element(size, &x[row * size], &y[column]);
    }

    residues times(const numbers &matrix, const residues &vector) const {
        residues product(size);
        for (std::uint64_t row = 0; row < size; row++) {
            std::uint64_t sum = 0;
            for (std::uint64_t i = 0; i < size; i++) {
                std::int64_t each = matrix[row * size + i] % std::int64_t{prime};
                each += each < 0 ? std::int64_t{prime} : 0;
                sum = (sum + static_cast<std::uint64_t>(each) * vector[i]) % prime;
            }
            product[row] = sum;
        }
        return product;
    }

    // Freivalds' check: X (Y r) = Z r for a random vector r, modulo 2^31 - 1; its first row is to have `more`.
    bool product_is_right(std::uint64_t more) const {
        residues r(size);
        for (std::uint64_t i = 0; i < size; i++)
            r[i] = scramble(seed, 2 * size * size + i) % prime;
        residues expected = times(x, times(y, r));
        expected[0] = (expected[0] + more) % prime;
        return times(z, r) == expected;
    }

    const std::uint64_t size, seed;
    numbers x, y, z;
    countdown ready;
};

// Its message is the number of its row.
template <bool typed> using multiplier_kind = kind<typed, takes<std::uint64_t>>;

template <bool typed> class multiplier : public multiplier_kind<typed>::base {
    using base = typename multiplier_kind<typed>::base;

  public:
    multiplier(caf::actor_config &config, plan &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint64_t row) {
            all_.fill(row);
            this->quit();
        }};
    }

  private:
    plan &all_;
};

template <bool typed> void multiply(program &run, plan &all) {
    settings config{run};
    caf::actor_system system{config};
    std::vector<typename multiplier_kind<typed>::handle> actors;
    for (std::uint64_t row = 0; row < all.size; row++)
        actors.push_back(system.spawn<multiplier<typed>>(all));
    all.ready.wait();
    run.start_clock();
    for (std::uint64_t row = 0; row < all.size; row++)
        send_by_main(actors[row], row);
    system.await_all_actors_done();
    run.stop_clock();
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t rows = 3072;
    program run{"matrix",
                "Z = X Y, an actor a row",
                "row",
                {{"rows", rows, "of each matrix, and as many columns; --scale multiplies its cube"}}};
    return run.main(argc, argv, [&] {
        double scaled = std::max(1.0, std::round(static_cast<double>(rows) * std::cbrt(run.scale())));
        if (scaled > static_cast<double>(largest_size))
            run.refuse(std::to_string(rows) + " rows, scaled, are too many: at most " + std::to_string(largest_size) +
                       " can be multiplied without overflow");
        plan all{static_cast<std::uint64_t>(scaled), run.seed()};
        run.typed() ? multiply<true>(run, all) : multiply<false>(run, all);
        if (!all.product_is_right(run.falsified()))
            run.wrong("Z is not the product of X and Y");
        return all.size;
    });
}
