// fibonacci: actors compute a Fibonacci number by its recursion, an actor a call.
//
// As dynamic's they are spawned lazily: one is scheduled when its question comes, not once more before.
#include "system.hpp"

namespace {

constexpr std::uint64_t largest = 46; // whose tree has under 2^32 actors

// Which number is asked for; an answer.
template <bool typed> using adder_kind = kind<typed, takes<task, std::uint64_t>, takes<std::uint64_t>>;

template <bool typed> class adder : public adder_kind<typed>::base {
    using base = typename adder_kind<typed>::base;
    using handle = typename adder_kind<typed>::handle;

  public:
    // Main asks if there is no asker: the answer then goes to its place.
    adder(caf::actor_config &config, handle asker, std::uint64_t &place)
        : base{config}, asker_{std::move(asker)}, place_{place} {
    }

    typename base::behavior_type make_behavior() override {
        return {
            [this](task, std::uint64_t index) {
                if (index <= 2) {
                    reply(1);
                    return;
                }
                for (std::uint64_t i = 1; i <= 2; i++)
                    send(this, this->template spawn<adder, caf::lazy_init>(caf::actor_cast<handle>(this), place_),
                         task_v, index - i);
            },
            [this](std::uint64_t part) {
                sum_ += part;
                if (--missing_ == 0)
                    reply(sum_);
            },
        };
    }

  private:
    void reply(std::uint64_t value) {
        if (asker_)
            send(this, asker_, value);
        else
            place_ = value;
        this->quit();
    }

    const handle asker_;
    std::uint64_t &place_;
    std::uint64_t sum_ = 0; // of the answers
    unsigned missing_ = 2;
};

std::uint64_t fibonacci(std::uint64_t index) {
    std::uint64_t last = 0, value = 1;
    for (; index > 1; index--)
        last = std::exchange(value, last + value);
    return value;
}

template <bool typed> std::uint64_t grow(program &run, std::uint64_t number, std::uint64_t trees) {
    settings config{run};
    caf::actor_system system{config};
    std::uint64_t due = fibonacci(number), right = 0;
    run.start_clock();
    for (std::uint64_t i = 0; i < trees; i++) {
        std::uint64_t found = 0;
        send_by_main(system.spawn<adder<typed>, caf::lazy_init>(typename adder_kind<typed>::handle{}, std::ref(found)),
                     task_v, number);
        system.await_all_actors_done();
        right += found == due;
    }
    run.stop_clock();
    run.expect(right, trees, "trees gave the right number");
    return trees * (2 * due - 1);
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t number = 25, trees = 1;
    program run{
        "fibonacci",
        "actors compute a Fibonacci number by its recursion, an actor a call",
        "actor",
        {
            {"number", number, "which Fibonacci number; twice that many actors a tree, less one", {}, 1, largest},
            {"trees", trees, "one after the other; --scale multiplies it"},
        }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(trees);
        return run.typed() ? grow<true>(run, number, scaled) : grow<false>(run, number, scaled);
    });
}
