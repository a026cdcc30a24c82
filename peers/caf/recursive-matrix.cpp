// recursive-matrix: Z = X Y, halved into tasks that a master sends to the actor of their block of Z.
//
// A task of more than --threshold elements becomes eight, two for each quarter of Z, which go to the master; it sends
// each to the actor that the task's place in Z says, so that no two actors write to the same block.
#include "draw.hpp"
#include "system.hpp"

#include <algorithm>
#include <cmath>

namespace {

// A product to be added to a block of Z: X's rows and inner columns times Y's inner rows and columns; of each the
// first, and how many.
using product_taken =
    takes<task, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
template <bool typed> using multiplier_kind = kind<typed, product_taken, takes<leave>>;
template <bool typed> using master_kind = kind<typed, product_taken, takes<done>>;

struct range {
    std::uint64_t first, count;

    range half(bool second) const {
        return second ? range{first + count / 2, count - count / 2} : range{first, count / 2};
    }
    std::uint64_t end() const {
        return first + count;
    }
};

struct product {
    range rows, columns, inner;
};

struct amounts {
    std::uint64_t rows = 1024, threshold = 16384, actors = 20;
};

template <bool typed> struct plan {
    plan(const program &run, const amounts &its_amounts)
        : how_much{its_amounts}, size{how_much.rows}, x(size * size), y(size * size), z(size * size),
          multipliers(how_much.actors), ready{how_much.actors + 1} {
        for (std::uint64_t i = 0; i < size * size; i++) {
            x[i] = static_cast<double>(upper_below(draw(run.seed(), 0, i), 19)) - 9;
            y[i] = static_cast<double>(upper_below(draw(run.seed(), 1, i), 19)) - 9;
        }
    }

    const amounts how_much; // rows: scaled
    const std::uint64_t size;
    std::vector<double> x, y, z; // by rows
    typename master_kind<typed>::handle the_master;
    std::vector<typename multiplier_kind<typed>::handle> multipliers;
    std::uint64_t done_tasks = 0; // the master's
    countdown ready;
};

template <class Self, class Receiver> void send_task(Self *self, const Receiver &receiver, const product &what) {
    send(self, receiver, task_v, what.rows.first, what.rows.count, what.columns.first, what.columns.count,
         what.inner.first, what.inner.count);
}

template <bool typed> class multiplier : public multiplier_kind<typed>::base {
    using base = typename multiplier_kind<typed>::base;

  public:
    multiplier(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](task, std::uint64_t row, std::uint64_t rows, std::uint64_t column, std::uint64_t columns,
                   std::uint64_t first, std::uint64_t count) {
                product what{{row, rows}, {column, columns}, {first, count}};
                if (rows * columns > all_.how_much.threshold)
                    split(what);
                else
                    multiply(what);
                send(this, all_.the_master, done_v);
            },
            [this](leave) { this->quit(); },
        };
    }

  private:
    void split(const product &whole) {
        for (unsigned i = 0; i < 8; i++)
            send_task(this, all_.the_master,
                      {whole.rows.half(i & 4), whole.columns.half(i & 2), whole.inner.half(i & 1)});
    }

    void multiply(const product &what) {
        const std::uint64_t size = all_.size;
        const double *x = all_.x.data(), *y = all_.y.data();
        double *z = all_.z.data();
        for (std::uint64_t row = what.rows.first; row < what.rows.end(); row++)
            for (std::uint64_t column = what.columns.first; column < what.columns.end(); column++)
                for (std::uint64_t i = what.inner.first; i < what.inner.end(); i++)
                    z[row * size + column] += x[row * size + i] * y[i * size + column];
    }

    plan<typed> &all_;
};

template <bool typed> class master : public master_kind<typed>::base {
    using base = typename master_kind<typed>::base;

  public:
    master(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](task, std::uint64_t row, std::uint64_t rows, std::uint64_t column, std::uint64_t columns,
                   std::uint64_t first, std::uint64_t count) {
                sent_++;
                send_task(this, all_.multipliers[(row + column) % all_.multipliers.size()],
                          {{row, rows}, {column, columns}, {first, count}});
            },
            [this](done) { // what the task became has come before
                if (++all_.done_tasks != sent_)
                    return;
                for (const auto &each : all_.multipliers)
                    send(this, each, leave_v);
                this->quit();
            },
        };
    }

  private:
    plan<typed> &all_;
    std::uint64_t sent_ = 0; // tasks
};

std::vector<double> times(const std::vector<double> &matrix, const std::vector<double> &vector) {
    std::vector<double> result(vector.size());
    for (std::size_t row = 0; row < vector.size(); row++)
        for (std::size_t i = 0; i < vector.size(); i++)
            result[row] += matrix[row * vector.size() + i] * vector[i];
    return result;
}

constexpr std::uint64_t most_rows = 8192, vector_bound = 1 << 20;

// Freivalds' check: X (Y r) = Z r for a random vector r of whole numbers; up to most_rows all is exact in doubles.
template <bool typed> void check(program &run, const plan<typed> &all) {
    std::vector<double> r(all.size);
    for (std::uint64_t i = 0; i < all.size; i++)
        r[i] = static_cast<double>(upper_below(draw(run.seed(), 2, i), vector_bound));
    std::vector<double> due = times(all.x, times(all.y, r)), found = times(all.z, r);
    std::uint64_t right = 0;
    for (std::uint64_t row = 0; row < all.size; row++)
        right += found[row] == due[row];
    run.expect(right, all.size, "rows of Z are right");
}

template <bool typed> std::uint64_t multiply(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    all.the_master = system.spawn<master<typed>>(all);
    for (auto &each : all.multipliers)
        each = system.spawn<multiplier<typed>>(all);
    all.ready.wait();
    run.start_clock();
    std::uint64_t first = 0;
    send_by_main(all.the_master, task_v, first, all.size, first, all.size, first, all.size);
    system.await_all_actors_done();
    run.stop_clock();
    check(run, all);
    return all.done_tasks;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"recursive-matrix",
                "Z = X Y, halved into tasks that a master sends to the actor of their block of Z",
                "task",
                {
                    {"rows", how_much.rows, "of each matrix, and as many columns; --scale multiplies its cube"},
                    {"threshold", how_much.threshold, "elements of a block of Z that is not cut any more"},
                    {"actors", how_much.actors, "that multiply"},
                }};
    return run.main(argc, argv, [&] {
        amounts scaled = how_much;
        double rows = std::fmax(1, std::round(static_cast<double>(how_much.rows) * std::cbrt(run.scale())));
        if (rows > most_rows)
            run.refuse("--rows " + std::to_string(how_much.rows) + ": with --scale they must be at most " +
                       std::to_string(most_rows) + ", which can be checked exactly");
        scaled.rows = static_cast<std::uint64_t>(rows);
        return run.typed() ? multiply<true>(run, scaled) : multiply<false>(run, scaled);
    });
}
