// apsp: the shortest paths between all nodes of a graph, by an actor for each block of the matrix of distances.
//
// Floyd and Warshall's algorithm, a step a node. In each step every actor sends its block to all actors of its row and
// of its column of blocks, and goes on when it has all theirs. Blocks are shared, not copied: a message says whose it
// is and of which step. An actor may be a step ahead of another, but not two, so that two copies of a block are enough.
#include "draw.hpp"
#include "system.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

// It begins; whose part, of which step.
template <bool typed> using block_kind = kind<typed, takes<begin>, takes<task, std::uint64_t, std::uint64_t>>;

struct amounts {
    std::uint64_t nodes = 300, block = 50, heaviest = 100;
};

// By rows; every two nodes have an edge.
std::vector<std::uint64_t> draw_graph(const program &run, std::uint64_t nodes, std::uint64_t heaviest) {
    std::vector<std::uint64_t> distances(nodes * nodes);
    for (std::uint64_t i = 0; i < nodes; i++)
        for (std::uint64_t j = 0; j < i; j++)
            distances[i * nodes + j] = distances[j * nodes + i] = upper_below(draw(run.seed(), i, j), heaviest) + 1;
    return distances;
}

template <bool typed> struct plan {
    plan(program &its_run, const amounts &how_much)
        : run{its_run}, nodes{how_much.nodes}, width{how_much.block}, blocks{nodes / width}, distances{draw_graph(
                                                                                                 run, nodes,
                                                                                                 how_much.heaviest)},
          copies(2 * nodes * nodes), actors(blocks * blocks), ready{blocks * blocks} {
    }

    // A block as it is before a step: width x width, by rows.
    std::uint64_t *part(std::uint64_t actor, std::uint64_t step) {
        return &copies[(2 * actor + step % 2) * width * width];
    }

    // Messages that an actor receives in a step.
    std::uint64_t others() const {
        return 2 * (blocks - 1);
    }

    program &run;
    const std::uint64_t nodes, width, blocks;               // width: of a block; blocks: in a row
    const std::vector<std::uint64_t> distances;             // the graph's
    std::vector<std::uint64_t> copies;                      // two a block, which its actor writes
    std::vector<typename block_kind<typed>::handle> actors; // by rows
    countdown ready;
};

template <bool typed> class block : public block_kind<typed>::base {
    using base = typename block_kind<typed>::base;

  public:
    block(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number}, row_{number / all.blocks}, column_{number % all.blocks} {
        steps_[0].missing = all.others() + 1; // the beginning, too
        steps_[1].missing = all.others();
        std::uint64_t *own = all.part(number, 0);
        for (std::uint64_t i = 0; i < all.width; i++)
            std::copy_n(&all.distances[(row_ * all.width + i) * all.nodes + column_ * all.width], all.width,
                        &own[i * all.width]);
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                send_part();
                note(0);
            },
            [this](task, std::uint64_t from, std::uint64_t step) {
                keep(from, step);
                note(step);
            },
        };
    }

  private:
    // What it knows of every second step.
    struct known {
        std::uint64_t missing; // parts of others
        // The step's node's, as far as they lie in this block's columns, and in its rows.
        const std::uint64_t *row = nullptr, *column = nullptr;
    };

    void send_part() {
        for (std::uint64_t i = 0; i < all_.blocks; i++)
            if (i != row_)
                send(this, all_.actors[i * all_.blocks + column_], task_v, number_, step_);
        for (std::uint64_t i = 0; i < all_.blocks; i++)
            if (i != column_)
                send(this, all_.actors[row_ * all_.blocks + i], task_v, number_, step_);
    }

    // Keeps what the step needs of a part, of its own, too.
    void keep(std::uint64_t from, std::uint64_t step) {
        const std::uint64_t *given = all_.part(from, step);
        std::uint64_t pivot = step / all_.width, inner = step % all_.width;
        if (from == pivot * all_.blocks + column_)
            steps_[step % 2].row = &given[inner * all_.width];
        if (from == row_ * all_.blocks + pivot)
            steps_[step % 2].column = &given[inner];
    }

    // Something that this step needs, or the next one, has come.
    void note(std::uint64_t step) {
        if (--steps_[step % 2].missing != 0)
            return;
        do_step();
        if (step_ == all_.nodes)
            this->quit();
        else
            send_part();
    }

    void do_step() {
        keep(number_, step_);
        const std::uint64_t width = all_.width, *own = all_.part(number_, step_);
        std::uint64_t *next = all_.part(number_, step_ + 1);
        known &now = steps_[step_ % 2];
        for (std::uint64_t i = 0; i < width; i++)
            for (std::uint64_t j = 0; j < width; j++)
                next[i * width + j] = std::min(own[i * width + j], now.column[i * width] + now.row[j]);
        now.missing = all_.others();
        step_++;
    }

    plan<typed> &all_;
    const std::uint64_t number_, row_, column_; // row and column: of blocks
    std::uint64_t step_ = 0;                    // that is to be done
    std::array<known, 2> steps_;
};

// Every block must be a block of what one loop finds.
template <bool typed> void check(plan<typed> &all) {
    const std::uint64_t size = all.nodes, width = all.width;
    std::vector<std::uint64_t> due = all.distances;
    for (std::uint64_t node = 0; node < size; node++)
        for (std::uint64_t i = 0; i < size; i++)
            for (std::uint64_t j = 0; j < size; j++)
                due[i * size + j] = std::min(due[i * size + j], due[i * size + node] + due[node * size + j]);
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < size; i++)
        for (std::uint64_t j = 0; j < size; j++) {
            const std::uint64_t *found = all.part(i / width * all.blocks + j / width, size);
            right += found[i % width * width + j % width] == due[i * size + j];
        }
    all.run.expect(right, size * size, "distances are those of one loop");
}

template <bool typed> std::uint64_t find(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    for (std::uint64_t i = 0; i < all.actors.size(); i++)
        all.actors[i] = system.spawn<block<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.actors)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return all.nodes * all.actors.size() * all.others();
}

constexpr std::uint64_t most_nodes = 50000;

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"apsp",
                "the shortest paths in a graph, by an actor for each block of the distances",
                "message",
                {
                    {"nodes", how_much.nodes, "of the graph; --scale multiplies its cube", {}, 2},
                    {"block", how_much.block, "nodes that a block has, each way; divides --nodes"},
                    {"heaviest", how_much.heaviest, "weight of an edge: 1 to that", {}, 1, UINT32_MAX},
                }};
    return run.main(argc, argv, [&] {
        if (how_much.nodes % how_much.block != 0 || how_much.nodes == how_much.block)
            run.refuse("--block " + std::to_string(how_much.block) + " must divide --nodes " +
                       std::to_string(how_much.nodes) + ", and be less");
        double blocks = std::round(static_cast<double>(how_much.nodes / how_much.block) * std::cbrt(run.scale()));
        double nodes = std::fmax(2, blocks) * static_cast<double>(how_much.block);
        if (nodes > most_nodes)
            run.refuse("--nodes " + std::to_string(how_much.nodes) + ": with --scale they must be at most " +
                       std::to_string(most_nodes));
        amounts scaled = how_much;
        scaled.nodes = static_cast<std::uint64_t>(nodes);
        return run.typed() ? find<true>(run, scaled) : find<false>(run, scaled);
    });
}
