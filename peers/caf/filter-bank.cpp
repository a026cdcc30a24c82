// filter-bank: samples flow through channels of two filters each, and what comes of them is added up.
//
// A producer lets a source give one sample after another to what channels.hpp describes.
#include "channels.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr std::uint64_t most_channels = 64;

// A sample's value.
double value_of(std::uint64_t sample) {
    return static_cast<double>(sample % 1000);
}

template <bool typed> class producer : public producer_kind<typed>::base {
    using base = typename producer_kind<typed>::base;

  public:
    producer(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, left_{all.how_much.samples} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](turn) {
            if (left_ == 0) {
                send(this, all_.the_source, leave_v);
                this->quit();
                return;
            }
            left_--;
            send(this, all_.the_source, turn_v);
        }};
    }

  private:
    plan<typed> &all_;
    std::uint64_t left_; // samples
};

template <bool typed> class source : public source_kind<typed>::base {
    using base = typename source_kind<typed>::base;

  public:
    source(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](turn) {
                send(this, all_.the_branches, value_of(given_++));
                send(this, all_.the_producer, turn_v);
            },
            [this](leave) {
                send(this, all_.the_branches, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t given_ = 0; // samples
};

// Computes the same in another way, and compares.
template <bool typed> void check(const plan<typed> &all) {
    const amounts &how_much = all.how_much;
    std::vector<double> values(how_much.samples), due;
    for (std::uint64_t i = 0; i < how_much.samples; i++)
        values[i] = value_of(i);
    for (std::uint64_t channel = 0; channel < how_much.channels; channel++) {
        std::array<double, 2> totals{};
        std::vector<double> flown = flow_again(values, how_much.columns, how_much.channels, channel, totals);
        due.resize(flown.size());
        std::transform(due.begin(), due.end(), flown.begin(), due.begin(), std::plus<>{});
        for (std::size_t which = 0; which < 2; which++)
            if (!is_about(all.totals[channel][which], totals[which]))
                all.run.wrong("filter " + std::to_string(which + 1) + " of channel " + std::to_string(channel) +
                              " gave " + std::to_string(all.totals[channel][which]) + " in all in place of " +
                              std::to_string(totals[which]));
    }
    all.run.expect(all.sums.size(), due.size(), "sums came");
    for (std::size_t i = 0; i < std::min(due.size(), all.sums.size()); i++)
        if (!is_about(all.sums[i], due[i])) {
            all.run.wrong("sum " + std::to_string(i) + " is " + std::to_string(all.sums[i]) + " in place of " +
                          std::to_string(due[i]));
            break;
        }
}

template <bool typed> std::uint64_t flow(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    make_channels(system, all);
    all.the_source = system.spawn<source<typed>>(all);
    all.the_producer = system.spawn<producer<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_producer, turn_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return how_much.samples;
}

// The time grows with the columns times the samples: --scale changes both, so that samples come to the end with any.
amounts scaled(const program &run, amounts how_much) {
    double factor = std::sqrt(run.scale());
    auto times = [factor](std::uint64_t amount) {
        return static_cast<std::uint64_t>(std::llround(std::fmin(1e15, static_cast<double>(amount) * factor)));
    };
    how_much.columns = std::max<std::uint64_t>(2, times(how_much.columns));
    how_much.samples = std::max<std::uint64_t>(2 * how_much.columns - 1, times(how_much.samples));
    return how_much;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"filter-bank",
                "samples flow through channels of two filters each, and what comes of them is added up",
                "sample",
                {
                    {"columns", how_much.columns, "samples that a filter looks at", {}, 2, UINT32_MAX},
                    {"samples",
                     how_much.samples,
                     "at least 2 x --columns - 1; --scale multiplies --columns x --samples",
                     {},
                     3,
                     UINT32_MAX},
                    {"channels", how_much.channels, "of two filters each", {}, 1, most_channels},
                }};
    return run.main(argc, argv, [&] {
        if (how_much.samples < 2 * how_much.columns - 1)
            run.refuse("--columns " + std::to_string(how_much.columns) + " --samples " +
                       std::to_string(how_much.samples) +
                       ": the samples must be at least 2 x the columns - 1, so that any come to the end");
        amounts much = scaled(run, how_much);
        return run.typed() ? flow<true>(run, much) : flow<false>(run, much);
    });
}
