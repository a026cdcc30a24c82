// The channels of filter-bank, and the actors on both sides of them.
//
// Branches give each sample to every channel. There it goes through a bank, is delayed, filtered, replaced by zero but for
// one of `columns`, delayed and filtered again, and tagged: an actor each. The integrator collects what comes of a sample
// in all channels, the combiner adds it up for the sink. Last comes that it ends, which each passes on.
#pragma once

#include <deque>
#include <functional>

#include "filter.hpp"
#include "system.hpp"

template <bool typed> using producer_kind = kind<typed, takes<turn>>;
template <bool typed> using source_kind = kind<typed, takes<turn>, takes<leave>>;
template <bool typed> using stage_kind = kind<typed, takes<double>, takes<leave>>; // a sample, or the sink's sum
template <bool typed> using integrator_kind = kind<typed, takes<std::uint64_t, double>, takes<leave>>; // of a channel
template <bool typed> using combiner_kind = kind<typed, takes<std::vector<double>>, takes<leave>>;

struct amounts {
    std::uint64_t columns = 16384, samples = 34816, channels = 8;
};

template <bool typed> struct plan {
    plan(program &its_run, const amounts &its_amounts)
        : run{its_run}, how_much{its_amounts}, branches(how_much.channels),
          totals(how_much.channels), ready{7 * how_much.channels + 6} {
    }

    program &run;
    const amounts how_much; // columns and samples: scaled
    typename producer_kind<typed>::handle the_producer;
    typename source_kind<typed>::handle the_source;
    typename stage_kind<typed>::handle the_branches, the_sink;
    std::vector<typename stage_kind<typed>::handle> branches; // the first stage of each channel
    typename integrator_kind<typed>::handle the_integrator;
    typename combiner_kind<typed>::handle the_combiner;
    std::vector<std::array<double, 2>> totals; // of what each filter gave, by channel: the filter's
    std::vector<double> sums;                  // the sink's
    countdown ready;
};

template <bool typed> class branching : public stage_kind<typed>::base {
    using base = typename stage_kind<typed>::base;

  public:
    branching(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](double sample) {
                for (const auto &each : all_.branches)
                    send(this, each, sample);
            },
            [this](leave) {
                for (const auto &each : all_.branches)
                    send(this, each, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
};

// Changes a sample; false if nothing is to be passed on.
using change = std::function<bool(double &)>;

template <bool typed> class stage : public stage_kind<typed>::base {
    using base = typename stage_kind<typed>::base;
    using handle = typename stage_kind<typed>::handle;

  public:
    stage(caf::actor_config &config, plan<typed> &all, change what, handle next)
        : base{config}, all_{all}, change_{std::move(what)}, next_{std::move(next)} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](double sample) {
                if (change_(sample))
                    send(this, next_, sample);
            },
            [this](leave) {
                send(this, next_, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    change change_;
    const handle next_;
};

template <bool typed> class tagger : public stage_kind<typed>::base {
    using base = typename stage_kind<typed>::base;

  public:
    tagger(caf::actor_config &config, plan<typed> &all, std::uint64_t channel)
        : base{config}, all_{all}, channel_{channel} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](double sample) { send(this, all_.the_integrator, channel_, sample); },
            [this](leave) {
                send(this, all_.the_integrator, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    const std::uint64_t channel_;
};

template <bool typed> class integrator : public integrator_kind<typed>::base {
    using base = typename integrator_kind<typed>::base;

  public:
    integrator(caf::actor_config &config, plan<typed> &all)
        : base{config}, all_{all}, received_(all.how_much.channels), missing_{all.how_much.channels} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](std::uint64_t channel, double sample) { collect(channel, sample); },
            [this](leave) {
                if (--missing_ != 0)
                    return;
                send(this, all_.the_combiner, leave_v);
                this->quit();
            },
        };
    }

  private:
    struct collection {
        std::vector<double> values; // by channel
        std::uint64_t missing;      // channels
    };

    void collect(std::uint64_t channel, double sample) {
        std::uint64_t place = received_[channel]++ - passed_on_;
        if (place == waiting_.size())
            waiting_.push_back({std::vector<double>(received_.size()), received_.size()});
        collection &at = waiting_[place];
        at.values[channel] = sample;
        if (--at.missing != 0)
            return;
        send(this, all_.the_combiner, at.values); // the first: channels do not overtake themselves
        waiting_.pop_front();
        passed_on_++;
    }

    plan<typed> &all_;
    std::vector<std::uint64_t> received_;   // samples, by channel
    std::uint64_t passed_on_ = 0, missing_; // collections; channels that have not ended
    std::deque<collection> waiting_;
};

template <bool typed> class combiner : public combiner_kind<typed>::base {
    using base = typename combiner_kind<typed>::base;

  public:
    combiner(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](const std::vector<double> &values) {
                double sum = 0;
                for (double value : values)
                    sum += value;
                send(this, all_.the_sink, sum);
            },
            [this](leave) {
                send(this, all_.the_sink, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
};

template <bool typed> class sink : public stage_kind<typed>::base {
    using base = typename stage_kind<typed>::base;

  public:
    sink(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](double sum) { all_.sums.push_back(sum); },
            [this](leave) { this->quit(); },
        };
    }

  private:
    plan<typed> &all_;
};

// A channel's actors, from the last to the first, which is given.
template <bool typed>
typename stage_kind<typed>::handle make_channel(caf::actor_system &system, plan<typed> &all, std::uint64_t channel) {
    std::uint64_t columns = all.how_much.columns, channels = all.how_much.channels;
    typename stage_kind<typed>::handle first = system.spawn<tagger<typed>>(all, channel);
    auto put_before = [&](change what) { first = system.spawn<stage<typed>>(all, std::move(what), first); };
    for (std::size_t which : {1, 0}) {
        double &total = all.totals[channel][which];
        put_before([ring = filter{coefficients(which, columns, channels, channel)}, &total](double &sample) mutable {
            if (!ring.keep(sample))
                return false;
            total += sample;
            return true;
        });
        put_before([line = delay_line{columns - 1}](double &sample) mutable {
            sample = line.replace(sample);
            return true;
        });
        if (which == 1) // between the filters
            put_before([columns, received = std::uint64_t{0}](double &sample) mutable {
                if (received++ % columns != 0)
                    sample = 0;
                return true;
            });
    }
    put_before([](double &) { return true; }); // the bank
    return first;
}

template <bool typed> void make_channels(caf::actor_system &system, plan<typed> &all) {
    all.the_sink = system.spawn<sink<typed>>(all);
    all.the_combiner = system.spawn<combiner<typed>>(all);
    all.the_integrator = system.spawn<integrator<typed>>(all);
    for (std::uint64_t channel = 0; channel < all.how_much.channels; channel++)
        all.branches[channel] = make_channel(system, all, channel);
    all.the_branches = system.spawn<branching<typed>>(all);
}
