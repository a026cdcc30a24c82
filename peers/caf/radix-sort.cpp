// radix-sort: numbers go down a chain of actors, each of which sorts them by a bit: passes on at once what has a 0 there,
// and keeps back what has a 1 until all have come. Every number is a message of its own, all the way.
#include "draw.hpp"
#include "system.hpp"

#include <algorithm>

namespace {

template <bool typed> using sorter_kind = kind<typed, takes<std::uint64_t>>; // the collector's, too
template <bool typed> using source_kind = kind<typed, takes<begin>>;

struct plan {
    plan(program &its_run, std::uint64_t numbers, std::uint64_t its_bits)
        : run{its_run}, amount{numbers}, bits{its_bits}, ready{bits + 2} {
        collected.reserve(amount);
    }

    // The number at a position before they are sorted.
    std::uint64_t number(std::uint64_t position) const {
        return draw(run.seed(), 0, position) >> (64 - bits);
    }

    program &run;
    const std::uint64_t amount, bits;
    std::vector<std::uint64_t> collected; // the collector's
    countdown ready;
};

template <bool typed> class collector : public sorter_kind<typed>::base {
    using base = typename sorter_kind<typed>::base;

  public:
    collector(caf::actor_config &config, plan &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint64_t number) {
            all_.collected.push_back(number);
            if (all_.collected.size() == all_.amount)
                this->quit();
        }};
    }

  private:
    plan &all_;
};

template <bool typed> class sorter : public sorter_kind<typed>::base {
    using base = typename sorter_kind<typed>::base;
    using handle = typename sorter_kind<typed>::handle;

  public:
    sorter(caf::actor_config &config, plan &all, std::uint64_t bit, handle next)
        : base{config}, all_{all}, bit_{bit}, next_{std::move(next)} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint64_t number) {
            if ((number >> bit_ & 1) == 0)
                send(this, next_, number);
            else
                kept_.push_back(number);
            if (++received_ < all_.amount)
                return;
            for (std::uint64_t each : kept_)
                send(this, next_, each);
            this->quit();
        }};
    }

  private:
    plan &all_;
    const std::uint64_t bit_;
    const handle next_;
    std::vector<std::uint64_t> kept_;
    std::uint64_t received_ = 0;
};

template <bool typed> class source : public source_kind<typed>::base {
    using base = typename source_kind<typed>::base;
    using handle = typename sorter_kind<typed>::handle;

  public:
    source(caf::actor_config &config, plan &all, handle first) : base{config}, all_{all}, first_{std::move(first)} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](begin) {
            for (std::uint64_t i = 0; i < all_.amount; i++)
                send(this, first_, all_.number(i));
            this->quit();
        }};
    }

  private:
    plan &all_;
    const handle first_;
};

// Sorts the same again, and compares.
void check(const plan &all) {
    std::vector<std::uint64_t> due(all.amount);
    for (std::uint64_t i = 0; i < all.amount; i++)
        due[i] = all.number(i);
    std::sort(due.begin(), due.end());
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < all.collected.size(); i++)
        right += all.collected[i] == due[i];
    all.run.expect(right, all.amount, "numbers came where they belong");
}

template <bool typed> std::uint64_t sort(program &run, std::uint64_t amount, std::uint64_t bits) {
    settings config{run};
    caf::actor_system system{config};
    plan all{run, amount, bits};
    typename sorter_kind<typed>::handle first = system.spawn<collector<typed>>(all);
    for (std::uint64_t bit = bits; bit-- > 0;)
        first = system.spawn<sorter<typed>>(all, bit, first);
    auto from = system.spawn<source<typed>>(all, std::move(first));
    all.ready.wait();
    run.start_clock();
    send_by_main(from, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return amount * (bits + 1);
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t numbers = 100000, bits = 60;
    program run{"radix-sort",
                "numbers go down a chain of actors, each of which sorts them by a bit",
                "message",
                {
                    {"numbers", numbers, "to be sorted; --scale multiplies it"},
                    {"bits", bits, "of each number, and actors that sort", {}, 1, 64},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(numbers);
        if (scaled > UINT32_MAX)
            run.refuse("--numbers " + std::to_string(numbers) + ": with --scale they must be under 2^32");
        return run.typed() ? sort<true>(run, scaled, bits) : sort<false>(run, scaled, bits);
    });
}
