// big: each actor of a group pings others at random, one ping at a time; many to many.
#include "system.hpp"

#include "draw.hpp"

namespace {

// A ping and a pong say whose they are.
template <bool typed>
using member_kind = kind<typed, takes<begin>, takes<ping, std::uint64_t>, takes<pong, std::uint64_t>>;
template <bool typed> using sink_kind = kind<typed, takes<done>>;

// Whom an actor pings at a time: any but itself.
std::uint64_t recipient(const program &run, std::uint64_t sender, std::uint64_t number, std::uint64_t actors) {
    std::uint64_t other = upper_below(draw(run.seed(), sender, number), actors - 1);
    return other + (other >= sender);
}

struct tallied {
    std::uint64_t sent = 0, pinged = 0; // pings of its own; of others
    std::uint64_t wrong = 0;            // pongs of another than was asked
};

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t actors, std::uint64_t pings)
        : run{its_run}, last{pings}, members(actors), found(actors), ready{actors + 1} {
    }

    program &run;
    const std::uint64_t last; // how many pings each sends
    std::vector<typename member_kind<typed>::handle> members;
    typename sink_kind<typed>::handle the_sink;
    std::vector<tallied> found; // by members that have ended
    countdown ready;
};

template <bool typed> class member : public member_kind<typed>::base {
    using base = typename member_kind<typed>::base;

  public:
    member(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) { ask(); },
            [this](ping, std::uint64_t from) {
                tally_.pinged++;
                send(this, all_.members[from], pong_v, number_);
            },
            [this](pong, std::uint64_t from) {
                if (from != asked_)
                    tally_.wrong++;
                if (tally_.sent < all_.last)
                    ask();
                else
                    send(this, all_.the_sink, done_v);
            },
        };
    }

    void on_exit() override {
        all_.found[number_] = tally_;
    }

  private:
    void ask() {
        asked_ = recipient(all_.run, number_, tally_.sent++, all_.members.size());
        send(this, all_.members[asked_], ping_v, number_);
    }

    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t asked_ = 0; // whose pong is due
    tallied tally_;
};

// Hears of each who has had all its pongs; the others go on answering. Then nothing is in flight any more.
template <bool typed> class sink : public sink_kind<typed>::base {
    using base = typename sink_kind<typed>::base;

  public:
    sink(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, missing_{all.members.size()} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](done) {
            if (--missing_ != 0)
                return;
            all_.run.stop_clock();
            for (const auto &each : all_.members)
                this->send_exit(each, caf::exit_reason::user_shutdown);
            this->quit();
        }};
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // members that still ask
};

// Draws all recipients again, and compares.
template <bool typed> void check(const plan<typed> &all) {
    std::vector<std::uint64_t> due(all.members.size());
    for (std::uint64_t i = 0; i < due.size(); i++)
        for (std::uint64_t number = 0; number < all.last; number++)
            due[recipient(all.run, i, number, due.size())]++;
    for (std::uint64_t i = 0; i < due.size(); i++) {
        const tallied &found = all.found[i];
        if (!all.run.expect(found.pinged, due[i], "pings were received by actor " + std::to_string(i)))
            break;
        if (found.sent != all.last || found.wrong != 0) {
            all.run.wrong("actor " + std::to_string(i) + " sent " + std::to_string(found.sent) + " pings, and " +
                          std::to_string(found.wrong) + " pongs came from another than it asked");
            break;
        }
    }
}

template <bool typed> std::uint64_t play(program &run, std::uint64_t actors, std::uint64_t pings) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, actors, pings};
    all.the_sink = system.spawn<sink<typed>>(all);
    for (std::uint64_t i = 0; i < actors; i++)
        all.members[i] = system.spawn<member<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.members)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    check(all);
    return 2 * actors * pings;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t actors = 500, pings = 50000;
    program run{"big",
                "each actor of a group pings others at random, one ping at a time",
                "message",
                {
                    {"actors", actors, "in the group", {}, 2, UINT32_MAX},
                    {"pings", pings, "from each of them; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(pings);
        if (scaled > UINT32_MAX)
            run.refuse("--pings " + std::to_string(pings) + ": with --scale they must be under 2^32");
        return run.typed() ? play<true>(run, actors, scaled) : play<false>(run, actors, scaled);
    });
}
