// philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat.
//
// Forks are plain memory that only who has them may write to. Who is denied asks again at once.
#include "system.hpp"

namespace {

template <bool typed> using philosopher_kind = kind<typed, takes<begin>, takes<denied>, takes<eat>>;
// Who is hungry, who has eaten; that one leaves.
template <bool typed>
using arbitrator_kind = kind<typed, takes<hungry, std::uint64_t>, takes<done, std::uint64_t>, takes<leave>>;

constexpr std::uint64_t nobody = UINT64_MAX;

struct fork_of_two {
    std::uint64_t held = nobody; // by whom; the arbitrator's
    std::uint64_t used = 0;      // who has it adds 1
};

template <bool typed> struct plan {
    plan(std::uint64_t count, std::uint64_t meals) : last{meals}, philosophers(count), forks(count), ready{count + 1} {
    }

    fork_of_two &left(std::uint64_t number) {
        return forks[number];
    }
    fork_of_two &right(std::uint64_t number) {
        return forks[(number + 1) % forks.size()];
    }

    const std::uint64_t last; // meals of each
    std::vector<typename philosopher_kind<typed>::handle> philosophers;
    typename arbitrator_kind<typed>::handle the_arbitrator;
    std::vector<fork_of_two> forks;
    std::uint64_t wrong = 0; // forks that came back from another than had them
    countdown ready;
};

template <bool typed> class philosopher : public philosopher_kind<typed>::base {
    using base = typename philosopher_kind<typed>::base;

  public:
    philosopher(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) { ask(); },
            [this](denied) { ask(); },
            [this](eat) {
                all_.left(number_).used++;
                all_.right(number_).used++;
                send(this, all_.the_arbitrator, done_v, number_);
                if (++eaten_ < all_.last) {
                    send(this, this, begin_v);
                    return;
                }
                send(this, all_.the_arbitrator, leave_v);
                this->quit();
            },
        };
    }

  private:
    void ask() {
        send(this, all_.the_arbitrator, hungry_v, number_);
    }

    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t eaten_ = 0;
};

template <bool typed> class arbitrator : public arbitrator_kind<typed>::base {
    using base = typename arbitrator_kind<typed>::base;

  public:
    arbitrator(caf::actor_config &config, plan<typed> &all)
        : base{config}, all_{all}, missing_{all.philosophers.size()} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](hungry, std::uint64_t who) {
                fork_of_two &left = all_.left(who), &right = all_.right(who);
                if (left.held != nobody || right.held != nobody) {
                    send(this, all_.philosophers[who], denied_v);
                    return;
                }
                left.held = right.held = who;
                send(this, all_.philosophers[who], eat_v);
            },
            [this](done, std::uint64_t who) {
                fork_of_two &left = all_.left(who), &right = all_.right(who);
                all_.wrong += left.held != who || right.held != who;
                left.held = right.held = nobody;
            },
            [this](leave) {
                if (--missing_ == 0)
                    this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // philosophers that still eat
};

template <bool typed> std::uint64_t dine(program &run, std::uint64_t philosophers, std::uint64_t meals) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{philosophers, meals};
    all.the_arbitrator = system.spawn<arbitrator<typed>>(all);
    for (std::uint64_t i = 0; i < philosophers; i++)
        all.philosophers[i] = system.spawn<philosopher<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.philosophers)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    for (std::uint64_t i = 0; i < philosophers; i++)
        if (!run.expect(all.forks[i].used, 2 * meals, "times fork " + std::to_string(i) + " was used"))
            break;
    if (all.wrong != 0)
        run.wrong(std::to_string(all.wrong) + " times forks came back from another than had them");
    return philosophers * meals;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t philosophers = 20, meals = 10000;
    program run{"philosophers",
                "philosophers ask an arbitrator for their two forks until they get them, and eat",
                "meal",
                {
                    {"philosophers", philosophers, "at a round table, a fork between two"},
                    {"meals", meals, "of each philosopher; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(meals);
        return run.typed() ? dine<true>(run, philosophers, scaled) : dine<false>(run, philosophers, scaled);
    });
}
