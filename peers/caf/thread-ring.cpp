// thread-ring: a token goes round a ring of actors; one message is in flight at a time: how many hops are left.
#include "system.hpp"

namespace {

template <bool typed> using node_kind = kind<typed, takes<std::uint64_t>>;

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t actors) : run{its_run}, nodes(actors), received(actors), ready{actors} {
    }

    program &run;
    std::vector<typename node_kind<typed>::handle> nodes;
    std::vector<std::uint64_t> received; // by nodes that have ended
    countdown ready;
};

template <bool typed> class node : public node_kind<typed>::base {
    using base = typename node_kind<typed>::base;

  public:
    node(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number}, next_{all.nodes[(number + 1) % all.nodes.size()]} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint64_t hops_left) {
            received_++;
            if (hops_left > 1) {
                send(this, next_, hops_left - 1);
                return;
            }
            all_.run.stop_clock();
            for (const auto &each : all_.nodes) // nothing else is in flight to them
                this->send_exit(each, caf::exit_reason::user_shutdown);
        }};
    }

    void on_exit() override {
        all_.received[number_] = received_;
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    const typename node_kind<typed>::handle &next_; // made by now, or before the first message
    std::uint64_t received_ = 0;
};

template <bool typed> std::uint64_t pass(program &run, std::uint64_t actors, std::uint64_t hops) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, actors};
    for (std::uint64_t i = 0; i < actors; i++)
        all.nodes[i] = system.spawn<node<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.nodes[0], hops);
    system.await_all_actors_done();
    for (std::uint64_t i = 0; i < actors; i++)
        if (!run.expect(all.received[i], hops / actors + (i < hops % actors),
                        "times actor " + std::to_string(i) + " had the token"))
            break;
    return hops;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t actors = 1000, hops = 10000000;
    program run{"thread-ring",
                "a token goes round a ring of actors",
                "hop",
                {
                    {"actors", actors, "in the ring"},
                    {"hops", hops, "of the token; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(hops);
        return run.typed() ? pass<true>(run, actors, scaled) : pass<false>(run, actors, scaled);
    });
}
