// nqueens: actors look for the places of queens that do not attack each other, until there are enough.
//
// A master deals boards out to searchers in turn. A searcher puts one queen more on a board, at every safe place, and
// gives these boards to the master; from --threshold queens on it searches the board to its end, and reports each
// solution. Each try compares all queens with all. When there are enough solutions the master deals out no more; what
// searchers have by then they still search.
#include "system.hpp"

#include <algorithm>

namespace {

// By row, of the first rows.
using places = std::vector<std::uint32_t>;

// So many of the size x size places of the first two queens are searched of a board; its queens.
using board_taken = takes<task, std::uint64_t, places>;
// It begins; a board to be dealt out; a solution; a board is done; a searcher has ended.
template <bool typed>
using master_kind = kind<typed, takes<begin>, board_taken, takes<solution>, takes<done>, takes<leave>>;
template <bool typed> using searcher_kind = kind<typed, board_taken, takes<leave>>;

struct amounts {
    std::uint64_t size = 12, searchers = 20, threshold = 4, solutions = 1500000;
    std::uint64_t starts = 0; // places of the first two queens, in all

    std::uint64_t starts_from(std::uint64_t start) const {
        return std::min(starts - start, size * size);
    }
};

template <bool typed> struct plan {
    explicit plan(const amounts &its_amounts)
        : how_much{its_amounts}, searchers(how_much.searchers), ready{how_much.searchers + 1} {
    }

    const amounts how_much;
    typename master_kind<typed>::handle the_master;
    std::vector<typename searcher_kind<typed>::handle> searchers;
    std::uint64_t begun = 0, found = 0; // boards, solutions; the master's
    countdown ready;
};

template <bool typed> class master : public master_kind<typed>::base {
    using base = typename master_kind<typed>::base;

  public:
    master(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, missing_{all.how_much.searchers} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        const amounts &how_much = all_.how_much;
        return {
            [this, &how_much](begin) {
                for (std::uint64_t start = 0; start < how_much.starts; start += how_much.size * how_much.size)
                    deal_out(how_much.starts_from(start), {});
            },
            [this](task, std::uint64_t starts, const places &queens) { deal_out(starts, queens); },
            [this](solution) { all_.found++; },
            [this](done) { // a board's boards and solutions have come before
                if (++done_ == all_.begun)
                    for (const auto &each : all_.searchers)
                        send(this, each, leave_v);
            },
            [this](leave) {
                if (--missing_ == 0)
                    this->quit();
            },
        };
    }

  private:
    void deal_out(std::uint64_t starts, const places &queens) {
        if (all_.found < all_.how_much.solutions)
            send(this, all_.searchers[all_.begun++ % all_.searchers.size()], task_v, starts, queens);
    }

    plan<typed> &all_;
    std::uint64_t done_ = 0, missing_; // boards; searchers that have not ended
};

bool is_safe(const places &queens) {
    for (std::size_t row = 0; row < queens.size(); row++)
        for (std::size_t other = row + 1; other < queens.size(); other++) {
            std::size_t rows = other - row, one = queens[row], two = queens[other];
            if (one == two || one + rows == two || two + rows == one)
                return false;
        }
    return true;
}

template <bool typed> class searcher : public searcher_kind<typed>::base {
    using base = typename searcher_kind<typed>::base;

  public:
    searcher(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](task, std::uint64_t starts, const places &given) {
                starts_ = starts;
                places queens = given;
                if (queens.size() < std::min(all_.how_much.threshold, all_.how_much.size))
                    extend(queens, [this, &queens] { send(this, all_.the_master, task_v, starts_, queens); });
                else
                    search(queens);
                send(this, all_.the_master, done_v);
            },
            [this](leave) {
                send(this, all_.the_master, leave_v);
                this->quit();
            },
        };
    }

  private:
    bool is_searched(const places &queens) const {
        return queens.size() != 2 || queens[0] * all_.how_much.size + queens[1] < starts_;
    }

    // Calls `take` with each safe board that has one queen more.
    template <class Take> void extend(places &queens, const Take &take) {
        const std::size_t row = queens.size();
        for (queens.push_back(0); queens[row] < all_.how_much.size; queens[row]++)
            if (is_safe(queens) && is_searched(queens))
                take();
        queens.pop_back();
    }

    void search(places &queens) {
        if (queens.size() == all_.how_much.size)
            send(this, all_.the_master, solution_v);
        else
            extend(queens, [this, &queens] { search(queens); });
    }

    plan<typed> &all_;
    std::uint64_t starts_ = 0; // of the board
};

// What there is to be found, by sets of the columns and diagonals that are attacked.
struct due {
    const amounts &how_much;
    std::uint64_t boards = 0, solutions = 0;

    void count(std::uint64_t starts, std::uint64_t row, std::uint64_t first, std::uint64_t columns, std::uint64_t left,
               std::uint64_t right) {
        solutions += row == how_much.size;
        boards += row <= how_much.threshold;
        for (std::uint64_t place = 0; row < how_much.size && place < how_much.size; place++) {
            std::uint64_t bit = std::uint64_t{1} << place;
            if (((columns | left | right) & bit) == 0 && (row != 1 || first * how_much.size + place < starts))
                count(starts, row + 1, row == 0 ? place : first, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }
};

// Exactly all if there are too few; otherwise how many are found is up to the schedule.
template <bool typed> void check(program &run, const plan<typed> &all) {
    const amounts &how_much = all.how_much;
    due due{how_much};
    for (std::uint64_t start = 0; start < how_much.starts; start += how_much.size * how_much.size)
        due.count(how_much.starts_from(start), 0, 0, 0, 0, 0);
    std::uint64_t enough = std::min(due.solutions, how_much.solutions);
    std::uint64_t least = due.solutions < how_much.solutions ? due.boards : 1;
    run.expect(all.found, std::clamp(all.found, enough, due.solutions), "solutions were found");
    run.expect(all.begun, std::clamp(all.begun, least, due.boards), "boards were searched");
}

template <bool typed> std::uint64_t look(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{how_much};
    all.the_master = system.spawn<master<typed>>(all);
    for (auto &each : all.searchers)
        each = system.spawn<searcher<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_master, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(run, all);
    return all.begun;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"nqueens",
                "actors look for the places of queens that do not attack each other, until there are enough",
                "board",
                {
                    {"size",
                     how_much.size,
                     "of the board, and queens; --scale multiplies the share that is searched",
                     {},
                     1,
                     20},
                    {"searchers", how_much.searchers, "actors that search"},
                    {"threshold", how_much.threshold, "queens from which on a board is searched to its end"},
                    {"solutions", how_much.solutions, "that are enough"},
                }};
    return run.main(argc, argv, [&] {
        how_much.starts = run.scaled(how_much.size * how_much.size);
        return run.typed() ? look<true>(run, how_much) : look<false>(run, how_much);
    });
}
