// sleeping-barber: customers wait for a barber in a room with too few chairs, and come again, at once, if it is full.
//
// A customer hears from the room and from the barber, which no order binds: that it is to wait may come after that it is
// done. So its visit says how often it was spoken to, and it ends when it has heard all of it. Customers are spawned
// lazily, by the factory: one is scheduled when it is first spoken to.
#include "draw.hpp"
#include "system.hpp"
#include "work.hpp"

#include <algorithm>
#include <deque>

namespace {

constexpr std::uint64_t least_work = 10; // in steps; a random part is added

struct amounts {
    std::uint64_t haircuts = 5000, chairs = 1000, haircut_work = 1000, arrival_work = 1000;
};

enum stream : std::uint64_t { arrivals, haircuts };

// Whose visit; how often the customer was spoken to before.
struct visitor {
    std::uint64_t customer, spoken;
};

// The room is full, so often was it spoken to; it is to wait; its haircut begins; is done, so often was it spoken to.
template <bool typed>
using customer_kind = kind<typed, takes<full, std::uint64_t>, takes<seated>, takes<begin>, takes<done, std::uint64_t>>;
// The doors open; a visitor who was sent away; one is served.
template <bool typed>
using factory_kind = kind<typed, takes<begin>, takes<visit, std::uint64_t, std::uint64_t>, takes<done>>;
// A visitor; the barber wants the next; nobody comes any more.
template <bool typed>
using room_kind = kind<typed, takes<visit, std::uint64_t, std::uint64_t>, takes<turn>, takes<leave>>;
// A visitor; nobody waits; nobody comes any more.
template <bool typed>
using barber_kind = kind<typed, takes<visit, std::uint64_t, std::uint64_t>, takes<idle>, takes<leave>>;

template <bool typed> struct plan {
    plan(program &its_run, const amounts &its_amounts)
        : run{its_run}, how_much{its_amounts}, customers(how_much.haircuts),
          had(how_much.haircuts), satisfied{its_run.workers()}, ready{3} {
    }

    program &run;
    const amounts how_much; // haircuts: scaled
    typename factory_kind<typed>::handle the_factory;
    typename room_kind<typed>::handle the_room;
    typename barber_kind<typed>::handle the_barber;
    std::vector<typename customer_kind<typed>::handle> customers; // who has a visit of one may read it
    std::vector<std::uint32_t> had;                               // haircuts, by customer; the barber's
    tally satisfied;                                              // customers
    std::uint64_t sent_away = 0, returned = 0, most_waited = 0;   // the room's, the factory's, the room's
    countdown ready;
};

template <bool typed> class customer : public customer_kind<typed>::base {
    using base = typename customer_kind<typed>::base;

  public:
    customer(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        return {
            [this](full, std::uint64_t spoken) {
                send(this, all_.the_factory, visit_v, number_, spoken);
                hear();
            },
            [this](seated) { hear(); },
            [this](begin) {
                begun_ = true;
                hear();
            },
            [this](done, std::uint64_t spoken) {
                due_ = spoken;
                send(this, all_.the_factory, done_v);
                hear();
            },
        };
    }

    void on_exit() override {
        if (begun_)
            all_.satisfied.add();
    }

  private:
    void hear() {
        if (++heard_ == due_)
            this->quit();
    }

    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t heard_ = 0, due_ = UINT64_MAX; // known when it is done
    bool begun_ = false;
};

template <bool typed> class factory : public factory_kind<typed>::base {
    using base = typename factory_kind<typed>::base;

  public:
    factory(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, missing_{all.how_much.haircuts} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                for (std::uint64_t i = 0; i < all_.customers.size(); i++) {
                    all_.customers[i] = this->template spawn<customer<typed>, caf::lazy_init>(all_, i);
                    send(this, all_.the_room, visit_v, i, std::uint64_t{0});
                    compute(least_work + upper_below(draw(all_.run.seed(), arrivals, i), all_.how_much.arrival_work));
                }
            },
            [this](visit, std::uint64_t who, std::uint64_t spoken) {
                all_.returned++;
                send(this, all_.the_room, visit_v, who, spoken);
            },
            [this](done) {
                if (--missing_ != 0)
                    return;
                send(this, all_.the_room, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // customers that are not served
};

template <bool typed> class room : public room_kind<typed>::base {
    using base = typename room_kind<typed>::base;

  public:
    room(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](visit, std::uint64_t who, std::uint64_t spoken) {
                admit({who, spoken});
            },
            [this](turn) {
                if (waiting_.empty()) {
                    send(this, all_.the_barber, idle_v);
                    barber_sleeps_ = true;
                    end_if_closed();
                } else {
                    visitor next = waiting_.front();
                    waiting_.pop_front();
                    send(this, all_.the_barber, visit_v, next.customer, next.spoken);
                }
            },
            [this](leave) { // the barber may still be about to ask for the next
                closes_ = true;
                end_if_closed();
            },
        };
    }

  private:
    void admit(visitor comes) {
        const auto &who = all_.customers[comes.customer];
        if (waiting_.size() == all_.how_much.chairs) {
            all_.sent_away++;
            send(this, who, full_v, comes.spoken + 1);
            return;
        }
        bool wakes = std::exchange(barber_sleeps_, false);
        waiting_.push_back({comes.customer, comes.spoken + !wakes});
        all_.most_waited = std::max<std::uint64_t>(all_.most_waited, waiting_.size());
        if (wakes)
            send(this, this, turn_v);
        else
            send(this, who, seated_v);
    }

    void end_if_closed() {
        if (!closes_ || !barber_sleeps_)
            return;
        send(this, all_.the_barber, leave_v);
        this->quit();
    }

    plan<typed> &all_;
    std::deque<visitor> waiting_;
    bool barber_sleeps_ = true, closes_ = false;
};

template <bool typed> class barber : public barber_kind<typed>::base {
    using base = typename barber_kind<typed>::base;

  public:
    barber(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](visit, std::uint64_t who, std::uint64_t spoken) {
                send(this, all_.customers[who], begin_v);
                compute(least_work + upper_below(draw(all_.run.seed(), haircuts, cuts_++), all_.how_much.haircut_work));
                all_.had[who]++;
                send(this, all_.customers[who], done_v, spoken + 2);
                send(this, all_.the_room, turn_v);
            },
            [](idle) {},
            [this](leave) { this->quit(); },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t cuts_ = 0;
};

template <bool typed> void check(const plan<typed> &all) {
    const amounts &due = all.how_much;
    for (std::uint64_t i = 0; i < due.haircuts; i++)
        if (!all.run.expect(all.had[i], 1, "haircuts of customer " + std::to_string(i)))
            break;
    all.run.expect(all.satisfied.sum(), due.haircuts, "customers ended after their haircut");
    all.run.expect(all.returned, all.sent_away, "customers came again");
    if (all.most_waited > due.chairs)
        all.run.wrong(std::to_string(all.most_waited) + " waited on " + std::to_string(due.chairs) + " chairs");
}

template <bool typed> std::uint64_t serve(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    all.the_barber = system.spawn<barber<typed>>(all);
    all.the_room = system.spawn<room<typed>>(all);
    all.the_factory = system.spawn<factory<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_factory, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return how_much.haircuts;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"sleeping-barber",
                "customers wait for a barber in a room with too few chairs, and come again if it is full",
                "haircut",
                {
                    {"haircuts", how_much.haircuts, "one a customer; --scale multiplies it"},
                    {"chairs", how_much.chairs, "in the waiting room"},
                    {"haircut-work",
                     how_much.haircut_work,
                     "random part of a haircut's work: under so many multiplications",
                     {},
                     1,
                     UINT32_MAX},
                    {"arrival-work", how_much.arrival_work, "the same between two customers", {}, 1, UINT32_MAX},
                }};
    return run.main(argc, argv, [&] {
        amounts scaled = how_much;
        scaled.haircuts = run.scaled(how_much.haircuts);
        if (scaled.haircuts > UINT32_MAX)
            run.refuse("--haircuts " + std::to_string(how_much.haircuts) + ": with --scale they must be under 2^32");
        return run.typed() ? serve<true>(run, scaled) : serve<false>(run, scaled);
    });
}
