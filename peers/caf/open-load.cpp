// open-load: messages come at random times, at a share of what all workers could serve. A message is its number.
#include "draw.hpp"
#include "system.hpp"
#include "work.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <sys/prctl.h>
#include <time.h>

namespace {

using clock_type = std::chrono::steady_clock;
using std::chrono::nanoseconds;

template <bool typed> using server_kind = kind<typed, takes<std::uint64_t>, takes<done>>;

enum stream : std::uint64_t { times, receivers };

// How many steps take so many nanoseconds here: by the shortest of some trials.
std::uint64_t steps_of(std::uint64_t ns) {
    constexpr std::uint64_t steps = 1000000;
    auto best = std::numeric_limits<std::int64_t>::max();
    for (int trial = 0; trial < 20; trial++) {
        auto start = clock_type::now();
        compute(steps);
        best = std::min<std::int64_t>(best, nanoseconds{clock_type::now() - start}.count());
    }
    double share = static_cast<double>(ns) / static_cast<double>(best);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(share * steps)));
}

struct request {
    nanoseconds from_start{}; // when it is due
    clock_type::time_point due;
    nanoseconds waited{}, late{};
    std::uint64_t received = 0;
};

struct plan {
    plan(std::uint64_t actors, std::uint64_t messages) : requests(messages), disordered(actors), ready{actors} {
    }

    std::vector<request> requests;
    std::vector<std::uint64_t> disordered; // messages after later ones, by servers that have ended
    std::uint64_t steps = 0;
    countdown ready;
};

template <bool typed> class server : public server_kind<typed>::base {
    using base = typename server_kind<typed>::base;

  public:
    server(caf::actor_config &config, plan &all, std::uint64_t number) : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](std::uint64_t number) {
                request &asked = all_.requests[number];
                asked.waited = clock_type::now() - asked.due;
                asked.received++;
                disordered_ += number < next_;
                next_ = number + 1;
                compute(all_.steps);
            },
            [this](done) { this->quit(); },
        };
    }

    void on_exit() override {
        all_.disordered[number_] = disordered_;
    }

  private:
    plan &all_;
    const std::uint64_t number_;
    std::uint64_t next_ = 0, disordered_ = 0;
};

// Draws when all are due, on average one in so many nanoseconds.
void draw_times(const program &run, plan &all, double mean) {
    double at = 0.0;
    for (std::uint64_t i = 0; i < all.requests.size(); i++) {
        double share = (static_cast<double>(draw(run.seed(), times, i) >> 11) + 1.0) * 0x1p-53;
        at -= mean * std::log(share);
        all.requests[i].from_start = nanoseconds{static_cast<std::int64_t>(at)};
    }
}

// Returns how much later than due it is.
nanoseconds wait_until(clock_type::time_point due, bool spins) {
    for (;;) {
        nanoseconds late = clock_type::now() - due;
        if (late.count() >= 0)
            return late;
        if (!spins) {
            timespec nap{-late.count() / 1000000000, -late.count() % 1000000000};
            nanosleep(&nap, nullptr); // an early end leads back here
        }
    }
}

// Sorts the times; puts percentiles of them into the record.
void measure(program &run, const std::string &what, std::vector<nanoseconds> all,
             const std::vector<std::pair<const char *, double>> &percentiles) {
    std::sort(all.begin(), all.end());
    for (const auto &[name, percent] : percentiles) {
        auto rank = static_cast<std::size_t>(std::ceil(percent / 100.0 * static_cast<double>(all.size())));
        run.measure(what + name + "_ns", static_cast<double>(all[std::max<std::size_t>(rank, 1) - 1].count()));
    }
}

void judge(program &run, const plan &all) {
    for (std::uint64_t i = 0; i < all.requests.size(); i++)
        if (!run.expect(all.requests[i].received, 1, "times message " + std::to_string(i) + " was received"))
            break;
    for (std::uint64_t found : all.disordered)
        if (found != 0)
            run.wrong(std::to_string(found) + " messages were received after later ones");
    std::vector<nanoseconds> waited, late;
    for (const request &one : all.requests) {
        waited.push_back(one.waited);
        late.push_back(one.late);
    }
    measure(run, "lateness_", late, {{"p50", 50.0}, {"p99", 99.0}});
    measure(run, "latency_", waited,
            {{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p999", 99.9}, {"p9999", 99.99}, {"max", 100.0}});
}

struct parameters {
    std::uint64_t actors = 64, messages = 100000, load = 70, work = 20000, on = 0, sender = 0;
};

template <bool typed> std::uint64_t serve(program &run, const parameters &asked) {
    std::uint64_t messages = run.scaled(asked.messages);
    plan all{asked.actors, messages};
    all.steps = steps_of(asked.work);
    auto each = static_cast<double>(asked.work) * 100.0;
    draw_times(run, all, each / (static_cast<double>(asked.load) * static_cast<double>(run.workers())));
    settings config{run};
    caf::actor_system system{config};
    std::vector<typename server_kind<typed>::handle> servers;
    for (std::uint64_t i = 0; i < asked.actors; i++)
        servers.push_back(system.spawn<server<typed>>(all, i));
    all.ready.wait();
    prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul); // where it can't be set, main is later, and that is told
    run.start_clock();
    auto start = clock_type::now();
    for (std::uint64_t i = 0; i < messages; i++) {
        request &next = all.requests[i];
        next.due = start + next.from_start;
        next.late = wait_until(next.due, asked.sender == 1);
        send_by_main(servers[lower_below(draw(run.seed(), receivers, i), asked.actors)], i);
    }
    for (const auto &one : servers)
        send_by_main(one, done_v);
    system.await_all_actors_done();
    run.stop_clock();
    judge(run, all);
    return messages;
}

} // namespace

int main(int argc, char **argv) {
    parameters asked;
    program run{"open-load",
                "messages come at random times, at a share of what all workers could serve",
                "message",
                {
                    {"actors", asked.actors, "that are sent to, each as likely as any other"},
                    {"messages", asked.messages, "sent to them all; --scale multiplies it"},
                    {"load", asked.load, "percent of what all workers could serve"},
                    {"work", asked.work, "nanoseconds of computation for each message"},
                    {"on", asked.on, "whose the actors are: every worker's", {"all"}},
                    {"sender", asked.sender, "what main does until a message is due", {"sleep", "spin"}},
                }};
    return run.main(argc, argv, [&] { return run.typed() ? serve<true>(run, asked) : serve<false>(run, asked); });
}
