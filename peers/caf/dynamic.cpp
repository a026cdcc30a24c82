// dynamic: a new actor and a new message for every send, both given up after it.
//
// Actors are spawned lazily: one is scheduled when its message comes, not once more before, to take up its behaviour.
#include "system.hpp"

namespace {

struct plan {
    const std::uint64_t expected;
    const bool by_actors; // each makes the next
    tally received, ended;
    countdown last; // of actors that each make the next
};

// Its message is the number of the send, from 1.
template <bool typed> using receiver_kind = kind<typed, takes<std::uint64_t>>;

template <bool typed> class receiver : public receiver_kind<typed>::base {
    using base = typename receiver_kind<typed>::base;

  public:
    receiver(caf::actor_config &config, plan &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        return {[this](std::uint64_t number) {
            all_.received.add();
            last_ = all_.by_actors && number == all_.expected;
            if (all_.by_actors && !last_) {
                auto next = this->template spawn<receiver<typed>, caf::lazy_init>(all_);
                send(this, next, number + 1);
            }
            this->quit();
        }};
    }

    void on_exit() override {
        all_.ended.add();
        if (last_)
            all_.last.arrive();
    }

  private:
    plan &all_;
    bool last_ = false;
};

template <bool typed> void send_all(program &run, plan &all) {
    settings config{run};
    caf::actor_system system{config};
    run.start_clock();
    for (std::uint64_t number = 1; number <= (all.by_actors ? 1 : all.expected); number++)
        send_by_main(system.spawn<receiver<typed>, caf::lazy_init>(all), number);
    all.last.wait(); // before the next line: CAF wakes who waits there whenever but one actor is left, here at each end
    system.await_all_actors_done();
    run.stop_clock();
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t sends = 20000000, source = 0;
    program run{"dynamic",
                "a new actor and a new message for every send",
                "send",
                {
                    {"sends", sends, "messages, and actors, in all"},
                    {"source", source, "who sends: each actor to the next, or the main thread", {"self", "main"}},
                }};
    return run.main(argc, argv, [&] {
        plan all{run.scaled(sends), source == 0, tally{run.workers()}, tally{run.workers()}, countdown{source == 0}};
        run.typed() ? send_all<true>(run, all) : send_all<false>(run, all);
        run.expect(all.received.sum(), all.expected, "messages were received");
        run.expect(all.ended.sum(), all.expected, "actors ended");
        return all.expected;
    });
}
