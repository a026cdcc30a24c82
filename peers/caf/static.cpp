// static: one actor and one message; how long does a send take?
//
// CAF has no message that is sent as it is: every send makes an envelope. The message, an atom, is a value in it.
#include "system.hpp"

namespace {

struct plan {
    const std::uint64_t expected;
    const bool to_itself;
    countdown ready{1};
    std::uint64_t received = 0; // once the actor has ended
};

template <bool typed> using receiver_kind = kind<typed, takes<tick>>;

template <bool typed> class receiver : public receiver_kind<typed>::base {
    using base = typename receiver_kind<typed>::base;

  public:
    receiver(caf::actor_config &config, plan &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](tick) {
            if (++received_ == all_.expected)
                this->quit();
            else if (all_.to_itself)
                send(this, this, tick_v);
        }};
    }

    void on_exit() override {
        all_.received = received_;
    }

  private:
    plan &all_;
    std::uint64_t received_ = 0;
};

template <bool typed> void send_all(program &run, plan &all) {
    settings config{run};
    caf::actor_system system{config};
    auto actor = system.spawn<receiver<typed>>(all);
    all.ready.wait();
    run.start_clock();
    for (std::uint64_t i = 0; i < (all.to_itself ? 1 : all.expected); i++)
        send_by_main(actor, tick_v);
    system.await_all_actors_done();
    run.stop_clock();
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t sends = 100000000, source = 0;
    program run{"static",
                "one actor, one message",
                "send",
                {
                    {"sends", sends, "messages in all"},
                    {"source", source, "who sends: the actor to itself, or the main thread", {"self", "main"}},
                }};
    return run.main(argc, argv, [&] {
        plan all{run.scaled(sends), source == 0};
        run.typed() ? send_all<true>(run, all) : send_all<false>(run, all);
        run.expect(all.received, all.expected, "messages were received");
        return all.expected;
    });
}
