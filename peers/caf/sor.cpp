// sor: an actor for each point of a grid exchanges its value with its neighbours, again and again.
//
// Red and black as on a chessboard: in every round the red points send their values to their neighbours, and each black
// one that has them all sends its new value back. So no point is a round ahead of a neighbour. The points of either
// half of the grid report to an actor, of whom one reports to the other.
#include "draw.hpp"
#include "system.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

// It begins; a neighbour's number and value.
template <bool typed> using point_kind = kind<typed, takes<begin>, takes<std::uint64_t, double>>;
// The same, of a point's last value; all of the other half have reported.
template <bool typed> using half_kind = kind<typed, takes<begin>, takes<std::uint64_t, double>, takes<done>>;

constexpr std::uint64_t none = UINT64_MAX;
using around = std::array<std::uint64_t, 4>; // neighbours' numbers, or none

struct grid {
    explicit grid(const program &run, std::uint64_t points_each_way) : side{points_each_way}, values(side * side) {
        for (std::uint64_t i = 0; i < values.size(); i++)
            values[i] = std::ldexp(static_cast<double>(draw(run.seed(), i / side, i % side) >> 11), -53) * 1e-6;
    }

    bool red(std::uint64_t number) const {
        return (number / side + number % side) % 2 == 0;
    }

    around neighbours(std::uint64_t number) const {
        std::uint64_t row = number / side, column = number % side;
        return {row > 0 ? number - side : none, column > 0 ? number - 1 : none, column + 1 < side ? number + 1 : none,
                row + 1 < side ? number + side : none};
    }

    const std::uint64_t side;
    std::vector<double> values; // of the points, by rows
};

// A point's next value; its neighbours', 0 where the grid ends, are added up in order, so that there is one result.
double relax(double value, const std::array<double, 4> &neighbours) {
    constexpr double omega = 1.25;
    double sum = 0;
    for (double each : neighbours)
        sum += each;
    return 0.25 * omega * sum + (1 - omega) * value;
}

template <bool typed> struct plan {
    plan(const program &run, std::uint64_t side, std::uint64_t rounds)
        : last{rounds}, first{run, side}, points(side * side), results(side * side), ready{side * side + 2} {
    }

    // The half that a point belongs to.
    std::size_t half_of(std::uint64_t number) const {
        return number % first.side >= first.side / 2;
    }

    const std::uint64_t last; // round
    const grid first;
    std::vector<typename point_kind<typed>::handle> points; // by rows
    std::array<typename half_kind<typed>::handle, 2> halves;
    std::vector<double> results; // of points, by their half
    countdown ready;
};

template <bool typed> class point : public point_kind<typed>::base {
    using base = typename point_kind<typed>::base;

  public:
    point(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number},
          neighbours_{all.first.neighbours(number)}, red_{all.first.red(number)}, value_{all.first.values[number]} {
        for (std::uint64_t each : neighbours_)
            count_ += each != none;
        missing_ = count_ + !red_;
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                if (red_)
                    end_round();
                else
                    note();
            },
            [this](std::uint64_t from, double value) {
                auto found = std::find(neighbours_.begin(), neighbours_.end(), from);
                values_[static_cast<std::size_t>(found - neighbours_.begin())] = value;
                note();
            },
        };
    }

  private:
    void note() {
        if (--missing_ != 0)
            return;
        value_ = relax(value_, values_);
        missing_ = count_;
        end_round();
    }

    void end_round() {
        rounds_++;
        for (std::uint64_t each : neighbours_)
            if (each != none && (red_ || rounds_ < all_.last)) // black ones' last value is for nobody
                send(this, all_.points[each], number_, value_);
        if (rounds_ < all_.last)
            return;
        send(this, all_.halves[all_.half_of(number_)], number_, value_);
        this->quit();
    }

    plan<typed> &all_;
    const std::uint64_t number_;
    const around neighbours_;
    const bool red_;
    double value_;
    std::array<double, 4> values_{}; // the neighbours'
    unsigned count_ = 0, missing_;   // neighbours; values that the next one needs, black ones' first also the beginning
    std::uint64_t rounds_ = 0;       // done
};

template <bool typed> class half : public half_kind<typed>::base {
    using base = typename half_kind<typed>::base;

  public:
    half(caf::actor_config &config, plan<typed> &all, std::size_t index)
        : base{config}, all_{all}, index_{index}, missing_{index == 0} {
        for (std::uint64_t i = 0; i < all.points.size(); i++)
            missing_ += all.half_of(i) == index;
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                for (std::uint64_t i = 0; i < all_.points.size(); i++)
                    if (all_.half_of(i) == index_)
                        send(this, all_.points[i], begin_v);
            },
            [this](std::uint64_t from, double value) {
                all_.results[from] = value;
                note();
            },
            [this](done) { note(); },
        };
    }

  private:
    void note() {
        if (--missing_ != 0)
            return;
        if (index_ == 1)
            send(this, all_.halves[0], done_v);
        this->quit();
    }

    plan<typed> &all_;
    const std::size_t index_;
    std::uint64_t missing_; // reports
};

// The same by one loop, the black points first.
template <bool typed> void check(program &run, const plan<typed> &all) {
    grid due = all.first;
    for (std::uint64_t turn = 1; turn < 2 * all.last; turn++)
        for (std::uint64_t i = 0; i < due.values.size(); i++) {
            if (due.red(i) != (turn % 2 == 0))
                continue;
            std::array<double, 4> values{};
            around neighbours = due.neighbours(i);
            for (std::size_t which = 0; which < values.size(); which++)
                values[which] = neighbours[which] == none ? 0 : due.values[neighbours[which]];
            due.values[i] = relax(due.values[i], values);
        }
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < due.values.size(); i++)
        right += all.results[i] == due.values[i];
    run.expect(right, due.values.size(), "points have the values of one loop");
}

template <bool typed> std::uint64_t relax_all(program &run, std::uint64_t side, std::uint64_t rounds) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, side, rounds};
    for (std::size_t i = 0; i < all.halves.size(); i++)
        all.halves[i] = system.spawn<half<typed>>(all, i);
    for (std::uint64_t i = 0; i < all.points.size(); i++)
        all.points[i] = system.spawn<point<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.halves)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(run, all);
    return 2 * side * (side - 1) * (2 * rounds - 1); // each pair of neighbours, there and back
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t side = 20, rounds = 100;
    program run{"sor",
                "an actor for each point of a grid exchanges its value with its neighbours",
                "message",
                {
                    {"side", side, "points of the grid, each way", {}, 2, UINT16_MAX},
                    {"rounds", rounds, "values of each point; --scale multiplies it"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(rounds);
        return run.typed() ? relax_all<true>(run, side, scaled) : relax_all<false>(run, side, scaled);
    });
}
