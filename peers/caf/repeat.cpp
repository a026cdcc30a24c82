// repeat: a client fans out to its servers, each answers, and again. All answers go to one mailbox, the client's.
#include "system.hpp"

namespace {

// A server is asked with the number of the round, from 1; it answers with its own number and the round.
template <bool typed> using server_kind = kind<typed, takes<std::uint32_t>>;
template <bool typed> using client_kind = kind<typed, takes<begin>, takes<std::uint32_t, std::uint32_t>>;

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t server_count, std::uint64_t rounds)
        : run{its_run}, last_round{rounds}, servers(server_count), ready{server_count + 1} {
    }

    program &run;
    const std::uint64_t last_round;
    typename client_kind<typed>::handle client;
    std::vector<typename server_kind<typed>::handle> servers;
    countdown ready;
    std::uint64_t answers = 0; // once the client has ended
    std::uint64_t wrong = 0;   // answers of another round, or the second of one
};

template <bool typed> class server : public server_kind<typed>::base {
    using base = typename server_kind<typed>::base;

  public:
    server(caf::actor_config &config, plan<typed> &all, std::uint32_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint32_t round) { deal(this, all_.run, all_.client, number_, round); }};
    }

  private:
    plan<typed> &all_;
    const std::uint32_t number_;
};

template <bool typed> class client : public client_kind<typed>::base {
    using base = typename client_kind<typed>::base;

  public:
    client(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, answered_round_(all.servers.size()) {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) { begin_round(); },
            [this](std::uint32_t server, std::uint32_t round) { receive(server, round); },
        };
    }

    void on_exit() override {
        all_.answers = answers_;
        all_.wrong = wrong_;
    }

  private:
    void begin_round() {
        round_++;
        missing_ = all_.servers.size();
        for (const auto &each : all_.servers)
            deal(this, all_.run, each, round_);
    }

    void receive(std::uint32_t server, std::uint32_t round) {
        answers_++;
        if (round != round_ || answered_round_[server] == round)
            wrong_++;
        answered_round_[server] = round;
        if (--missing_ != 0)
            return;
        if (round_ < all_.last_round) {
            begin_round();
            return;
        }
        all_.run.stop_clock();
        for (const auto &each : all_.servers)
            this->send_exit(each, caf::exit_reason::user_shutdown);
        this->quit();
    }

    plan<typed> &all_;
    std::uint32_t round_ = 0;
    std::uint64_t missing_ = 0; // answers of this round
    std::uint64_t answers_ = 0; // in all
    std::uint64_t wrong_ = 0;
    std::vector<std::uint32_t> answered_round_; // by server
};

template <bool typed> std::uint64_t ask(program &run, std::uint64_t servers, std::uint64_t rounds) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, servers, rounds};
    all.client = system.spawn<client<typed>>(all);
    for (std::uint64_t i = 0; i < servers; i++)
        all.servers[i] = system.spawn<server<typed>>(all, static_cast<std::uint32_t>(i));
    all.ready.wait();
    run.start_clock();
    send_by_main(all.client, begin_v);
    system.await_all_actors_done();
    if (all.wrong != 0)
        run.wrong(std::to_string(all.wrong) + " answers were of another round, or came twice");
    run.expect(all.answers, servers * rounds, "answers came");
    return 2 * servers * rounds;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t servers = 100000, rounds = 200;
    program run{"repeat",
                "a client fans out to its servers, each answers, again and again",
                "message",
                {
                    {"servers", servers, "actors that answer the client"},
                    {"rounds", rounds, "requests to each server; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(rounds);
        if (servers > UINT32_MAX || scaled > UINT32_MAX)
            run.refuse("--servers and rounds must each be under 2^32");
        return run.typed() ? ask<true>(run, servers, scaled) : ask<false>(run, servers, scaled);
    });
}
