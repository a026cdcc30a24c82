// bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply.
//
// The source of a transfer awaits the reply to its request: until then it handles nothing else, and what comes meanwhile
// stays in its mailbox. A target's number is higher than its source's, so that no accounts wait for each other in a circle.
#include "draw.hpp"
#include "system.hpp"

namespace {

// A transfer: its number, its amount, its target. An amount to be added, which is replied to.
template <bool typed>
using account_kind =
    kind<typed, takes<transfer, std::uint64_t, std::uint64_t, std::uint64_t>, answers<done, credit, std::uint64_t>>;
// All are to be made; one is.
template <bool typed> using teller_kind = kind<typed, takes<begin>, takes<done>>;

struct amounts {
    std::uint64_t accounts = 1000, transactions = 50000;
};

// As the suite draws them: the source is of the lower four fifths.
struct transaction {
    transaction(const program &run, std::uint64_t accounts, std::uint64_t number) {
        std::uint64_t drawn = draw(run.seed(), 0, number);
        source = upper_below(drawn, accounts / 10 * 8);
        std::uint64_t further = lower_below(drawn, accounts - source);
        target = source + (further == 0 ? 1 : further);
        amount = 1 + upper_below(draw(run.seed(), 1, number), 1000);
    }

    std::uint64_t source, target, amount;
};

// How an account has changed, modulo 2^64: none is overdrawn.
struct change {
    std::uint64_t balance = 0;
    std::uint64_t overtaken = 0; // replies that came after a later one
};

template <bool typed> struct plan {
    plan(program &its_run, const amounts &its_amounts)
        : run{its_run}, how_much{its_amounts}, accounts(how_much.accounts),
          changes(how_much.accounts), ready{how_much.accounts + 1} {
    }

    program &run;
    const amounts how_much; // transactions: scaled
    std::vector<typename account_kind<typed>::handle> accounts;
    typename teller_kind<typed>::handle the_teller;
    std::vector<change> changes; // of accounts that have ended
    countdown ready;
};

template <bool typed> class account : public account_kind<typed>::base {
    using base = typename account_kind<typed>::base;

  public:
    account(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](transfer, std::uint64_t number, std::uint64_t amount, std::uint64_t target) {
                change_.balance -= amount;
                ask(this, all_.accounts[target], credit_v, amount).await([this, number](done) {
                    change_.overtaken += number < next_;
                    next_ = number + 1;
                    send(this, all_.the_teller, done_v);
                });
            },
            [this](credit, std::uint64_t amount) {
                change_.balance += amount;
                return done_v;
            },
        };
    }

    void on_exit() override {
        all_.changes[number_] = change_;
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t next_ = 0; // transfer that may be replied to
    change change_;
};

template <bool typed> class teller : public teller_kind<typed>::base {
    using base = typename teller_kind<typed>::base;

  public:
    teller(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, missing_{all.how_much.transactions} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                for (std::uint64_t i = 0; i < all_.how_much.transactions; i++) {
                    transaction each{all_.run, all_.accounts.size(), i};
                    send(this, all_.accounts[each.source], transfer_v, i, each.amount, each.target);
                }
            },
            [this](done) {
                if (--missing_ != 0)
                    return;
                for (const auto &each : all_.accounts)
                    this->send_exit(each, caf::exit_reason::user_shutdown);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // transactions
};

// Draws all transactions again, and compares.
template <bool typed> void check(const plan<typed> &all) {
    std::vector<std::uint64_t> due(all.accounts.size());
    for (std::uint64_t i = 0; i < all.how_much.transactions; i++) {
        transaction each{all.run, due.size(), i};
        due[each.source] -= each.amount;
        due[each.target] += each.amount;
    }
    for (std::uint64_t i = 0; i < due.size(); i++) {
        const change &found = all.changes[i];
        if (!all.run.expect(found.balance, due[i], "(modulo 2^64) is the change of account " + std::to_string(i)))
            break;
        if (found.overtaken != 0) {
            all.run.wrong("account " + std::to_string(i) + " had replies after later ones");
            break;
        }
    }
}

template <bool typed> std::uint64_t deal_out(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    all.the_teller = system.spawn<teller<typed>>(all);
    for (std::uint64_t i = 0; i < how_much.accounts; i++)
        all.accounts[i] = system.spawn<account<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_teller, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return how_much.transactions;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"bank-transaction",
                "a teller has accounts transfer money to each other; an account waits for the other's reply",
                "transaction",
                {
                    {"accounts", how_much.accounts, "that transfer to each other", {}, 10, UINT32_MAX},
                    {"transactions", how_much.transactions, "in all; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        amounts scaled = how_much;
        scaled.transactions = run.scaled(how_much.transactions);
        if (scaled.transactions > UINT32_MAX)
            run.refuse("--transactions " + std::to_string(how_much.transactions) +
                       ": with --scale they must be under 2^32");
        return run.typed() ? deal_out<true>(run, scaled) : deal_out<false>(run, scaled);
    });
}
