// counting: a producer streams increments to a counter, then asks it for its count.
#include "system.hpp"

namespace {

template <bool typed> using counter_kind = kind<typed, takes<increment>, takes<how_many>>;
template <bool typed> using producer_kind = kind<typed, takes<begin>, takes<std::uint64_t>>;

template <bool typed> struct plan {
    program &run;
    const std::uint64_t increments;
    typename counter_kind<typed>::handle the_counter{};
    typename producer_kind<typed>::handle the_producer{};
    countdown ready{2};
    std::uint64_t answer = 0;
};

template <bool typed> class counter : public counter_kind<typed>::base {
    using base = typename counter_kind<typed>::base;

  public:
    counter(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](increment) { count_++; },
            [this](how_many) {
                send(this, all_.the_producer, count_);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t count_ = 0;
};

template <bool typed> class producer : public producer_kind<typed>::base {
    using base = typename producer_kind<typed>::base;

  public:
    producer(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                for (std::uint64_t i = 0; i < all_.increments; i++)
                    send(this, all_.the_counter, increment_v);
                send(this, all_.the_counter, how_many_v);
            },
            [this](std::uint64_t count) {
                all_.run.stop_clock();
                all_.answer = count;
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
};

template <bool typed> std::uint64_t count(program &run, std::uint64_t increments) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, increments};
    all.the_counter = system.spawn<counter<typed>>(all);
    all.the_producer = system.spawn<producer<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_producer, begin_v);
    system.await_all_actors_done();
    run.expect(all.answer, increments, "increments were counted");
    return increments;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t messages = 10000000;
    program run{"counting",
                "a producer streams increments to a counter, then asks it for its count",
                "message",
                {{"messages", messages, "increments; --scale multiplies it"}}};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(messages);
        return run.typed() ? count<true>(run, scaled) : count<false>(run, scaled);
    });
}
