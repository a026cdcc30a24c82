// executor: floods the workers with messages among groups of actors, whose members send to each other in turn.
#include "system.hpp"

namespace {

template <bool typed> using member_kind = kind<typed, takes<token>>;

template <bool typed> struct plan {
    plan(std::uint64_t actors, std::uint64_t group_size, std::uint64_t last_message)
        : group{group_size}, last{last_message}, members(actors), received(actors), ready{actors} {
    }

    const std::uint64_t group; // how many actors are in one
    const std::uint64_t last;  // how many messages an actor receives
    std::vector<typename member_kind<typed>::handle> members;
    std::vector<std::uint64_t> received; // by actors that have ended
    countdown ready;
};

template <bool typed> class member : public member_kind<typed>::base {
    using base = typename member_kind<typed>::base;

  public:
    member(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number}, group_{&all.members[number - number % all.group]} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](token) {
            if (++received_ == all_.last) {
                this->quit();
                return;
            }
            send(this, group_[next_], token_v);
            if (++next_ == all_.group)
                next_ = 0;
        }};
    }

    void on_exit() override {
        all_.received[number_] = received_;
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    const typename member_kind<typed>::handle *const group_; // its group's first
    std::uint64_t next_ = 0;                                 // whom of its group it sends to next
    std::uint64_t received_ = 0;
};

template <bool typed>
std::uint64_t flood(program &run, std::uint64_t actors, std::uint64_t group, std::uint64_t rounds) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{actors, group, rounds * group + 1};
    for (std::uint64_t i = 0; i < actors; i++)
        all.members[i] = system.spawn<member<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.members)
        send_by_main(each, token_v);
    system.await_all_actors_done();
    run.stop_clock();
    for (std::uint64_t i = 0; i < actors; i++)
        if (!run.expect(all.received[i], all.last, "messages were received by actor " + std::to_string(i)))
            break;
    return actors * all.last;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t actors = 40000, group = 100, rounds = 400;
    program run{"executor",
                "groups of actors whose members send to each other in turn",
                "message",
                {
                    {"actors", actors, "in all"},
                    {"group", group, "actors in a group; divides the actors"},
                    {"rounds", rounds, "messages of each member to each; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        if (actors % group != 0)
            run.refuse("--actors " + std::to_string(actors) + " --group " + std::to_string(group) +
                       ": the group must divide the actors");
        std::uint64_t scaled = run.scaled(rounds);
        return run.typed() ? flood<true>(run, actors, group, scaled) : flood<false>(run, actors, group, scaled);
    });
}
