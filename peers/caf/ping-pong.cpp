// ping-pong: a message goes to and fro between the two actors of a pair; all pairs play at once.
#include "system.hpp"

namespace {

template <bool typed> using player_kind = kind<typed, takes<ball>>;

template <bool typed> struct plan {
    plan(std::uint64_t pairs, std::uint64_t rounds)
        : last_round{rounds}, players(2 * pairs), received(2 * pairs), ready{2 * pairs} {
    }

    const std::uint64_t last_round;
    std::vector<typename player_kind<typed>::handle> players; // two a pair, next to each other; the first serves
    std::vector<std::uint64_t> received;                      // by players that have ended
    countdown ready;
};

template <bool typed> class player : public player_kind<typed>::base {
    using base = typename player_kind<typed>::base;

  public:
    player(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number}, partner_{all.players[number ^ 1]} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](ball) {
            bool last = ++received_ == all_.last_round;
            if (!last || !serves()) // the one who serves keeps the ball of the last round
                send(this, partner_, ball_v);
            if (last)
                this->quit();
        }};
    }

    void on_exit() override {
        all_.received[number_] = received_;
    }

  private:
    bool serves() const {
        return number_ % 2 == 0;
    }

    plan<typed> &all_;
    const std::uint64_t number_;
    const typename player_kind<typed>::handle &partner_; // made by now, or before the first message
    std::uint64_t received_ = 0;
};

template <bool typed> std::uint64_t play(program &run, std::uint64_t pairs, std::uint64_t rounds) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{pairs, rounds};
    for (std::uint64_t i = 0; i < 2 * pairs; i++)
        all.players[i] = system.spawn<player<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (std::uint64_t i = 0; i < 2 * pairs; i += 2)
        send_by_main(all.players[i + 1], ball_v); // as if the first had served
    system.await_all_actors_done();
    run.stop_clock();
    for (std::uint64_t i = 0; i < 2 * pairs; i++)
        if (!run.expect(all.received[i], rounds, "messages were received by player " + std::to_string(i)))
            break;
    return 2 * pairs * rounds;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t pairs = 1, rounds = 10000000;
    program run{"ping-pong",
                "a message goes to and fro between two actors, in each of some pairs",
                "message",
                {
                    {"pairs", pairs, "pairs of actors"},
                    {"rounds", rounds, "times that the message goes to and fro; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(rounds);
        return run.typed() ? play<true>(run, pairs, scaled) : play<false>(run, pairs, scaled);
    });
}
