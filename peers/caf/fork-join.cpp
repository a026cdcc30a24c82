// fork-join: one source sends to many actors in turn.
#include "system.hpp"

namespace {

template <bool typed> using receiver_kind = kind<typed, takes<task>>;
template <bool typed> using source_kind = kind<typed, takes<begin>>;

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t actors, std::uint64_t messages)
        : run{its_run}, last{messages}, receivers(actors), received(actors), ready{actors + 1} {
    }

    program &run;
    const std::uint64_t last; // how many messages each receives
    std::vector<typename receiver_kind<typed>::handle> receivers;
    std::vector<std::uint64_t> received; // by receivers that have ended
    countdown ready;
};

template <bool typed> class receiver : public receiver_kind<typed>::base {
    using base = typename receiver_kind<typed>::base;

  public:
    receiver(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](task) {
            if (++received_ == all_.last)
                this->quit();
        }};
    }

    void on_exit() override {
        all_.received[number_] = received_;
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t received_ = 0;
};

template <bool typed> class source : public source_kind<typed>::base {
    using base = typename source_kind<typed>::base;

  public:
    source(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](begin) {
            for (std::uint64_t i = 0; i < all_.last; i++)
                for (const auto &each : all_.receivers)
                    deal(this, all_.run, each, task_v);
            this->quit();
        }};
    }

  private:
    plan<typed> &all_;
};

template <bool typed> std::uint64_t fork(program &run, std::uint64_t actors, std::uint64_t messages) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, actors, messages};
    for (std::uint64_t i = 0; i < actors; i++)
        all.receivers[i] = system.spawn<receiver<typed>>(all, i);
    auto from = system.spawn<source<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(from, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    for (std::uint64_t i = 0; i < actors; i++)
        if (!run.expect(all.received[i], messages, "messages were received by actor " + std::to_string(i)))
            break;
    return actors * messages;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t actors = 1000, messages = 10000;
    program run{"fork-join",
                "one source sends to many actors in turn",
                "message",
                {
                    {"actors", actors, "that receive"},
                    {"messages", messages, "to each of them; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(messages);
        return run.typed() ? fork<true>(run, actors, scaled) : fork<false>(run, actors, scaled);
    });
}
