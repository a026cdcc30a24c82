// cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through.
//
// Each node asks the root whether it may have children. The root draws lots, in the order in which it is asked, and
// permits none any more when there would be too many nodes. When all are answered a traversal goes down, at which each
// node computes, and then a termination: a node ends when its children have. Nodes are spawned lazily: one is scheduled
// when its first message comes.
#include "draw.hpp"
#include "system.hpp"
#include "work.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr std::uint64_t attempt_steps = 100;

// It is to ask; a node asks the root; it may have children, who compute so many steps; a child has children; the
// traversal; the termination; what a child and all below it were and did: nodes, steps, nodes that have children.
template <bool typed>
using node_kind = kind<typed, takes<begin>, takes<may_grow, caf::strong_actor_ptr>, takes<task, std::uint64_t>,
                       takes<increment>, takes<turn>, takes<leave>, takes<std::uint64_t, std::uint64_t, std::uint64_t>>;

struct amounts {
    std::uint64_t nodes = 200000, branching = 10, mean = 500, deviation = 100;
};

enum stream : std::uint64_t { lots, turns, lengths };

struct sums {
    std::uint64_t nodes = 0, steps = 0, updates = 0;
};

// Who may have children: a function of how many asked before. The root's, and once more that of the check.
class lottery {
  public:
    lottery(const program &run, const amounts &how_much) : seed_{run.seed()}, how_much_{how_much} {
    }

    // Whether a node of a tree that has so many may have children.
    bool permits(std::uint64_t size) {
        return size + how_much_.branching <= how_much_.nodes && lower_below(draw(seed_, lots, drawn_++), 2) == 1;
    }

    // How long the children of the next permit are to compute: normally distributed.
    std::uint64_t steps() {
        constexpr double most = UINT32_MAX;
        auto turn = static_cast<double>(upper_below(draw(seed_, turns, permitted_), UINT32_MAX));
        auto length = static_cast<double>(1 + upper_below(draw(seed_, lengths, permitted_), UINT32_MAX));
        permitted_++;
        double deviates = std::sqrt(-2 * std::log(length / most)) * std::cos(6.283185307179586 * turn / most);
        double steps = static_cast<double>(how_much_.mean) + static_cast<double>(how_much_.deviation) * deviates;
        return static_cast<std::uint64_t>(std::fmax(1, std::round(steps)));
    }

  private:
    const std::uint64_t seed_;
    const amounts how_much_;
    std::uint64_t drawn_ = 0, permitted_ = 0;
};

template <bool typed> struct plan {
    plan(const program &run, const amounts &its_amounts) : how_much{its_amounts}, lots{run, how_much} {
    }

    const amounts how_much; // nodes: scaled
    typename node_kind<typed>::handle root;
    lottery lots;                      // this and the next are the root's
    std::uint64_t size = 1, asked = 0; // nodes; questions that it has answered
    sums found;                        // below the root, when it has ended
    countdown ready{1};
};

template <bool typed> class node : public node_kind<typed>::base {
    using base = typename node_kind<typed>::base;
    using handle = typename node_kind<typed>::handle;

  public:
    // The root has no parent.
    node(caf::actor_config &config, plan<typed> &all, handle parent, std::uint64_t steps)
        : base{config}, all_{all}, parent_{std::move(parent)}, steps_{steps} {
    }

    typename base::behavior_type make_behavior() override {
        if (!parent_)
            all_.ready.arrive();
        return {
            [this](begin) {
                if (!parent_) {
                    all_.size += all_.how_much.branching;
                    grow(all_.lots.steps());
                    return;
                }
                compute(attempt_steps);
                send(this, all_.root, may_grow_v, caf::actor_cast<caf::strong_actor_ptr>(this));
            },
            [this](may_grow, const caf::strong_actor_ptr &who) { answer(caf::actor_cast<handle>(who)); },
            [this](task, std::uint64_t steps) {
                send(this, parent_, increment_v);
                grow(steps);
            },
            [this](increment) { below_.updates++; },
            [this](turn) {
                compute(steps_);
                below_.steps += steps_;
                pass_on(turn_v);
            },
            [this](leave) {
                pass_on(leave_v);
                if (children_.empty())
                    end();
            },
            [this](std::uint64_t nodes, std::uint64_t steps, std::uint64_t updates) {
                below_.nodes += nodes;
                below_.steps += steps;
                below_.updates += updates;
                if (--missing_ == 0)
                    end();
            },
        };
    }

    void on_exit() override {
        children_.clear();
    }

  private:
    void grow(std::uint64_t steps) {
        missing_ = all_.how_much.branching;
        for (std::uint64_t i = 0; i < missing_; i++) {
            auto self = caf::actor_cast<handle>(this);
            children_.push_back(this->template spawn<node, caf::lazy_init>(all_, std::move(self), steps));
        }
        pass_on(begin_v);
    }

    // The root's.
    void answer(const handle &who) {
        if (all_.lots.permits(all_.size)) {
            all_.size += all_.how_much.branching;
            send(this, who, task_v, all_.lots.steps());
        }
        if (++all_.asked + 1 != all_.size)
            return;
        pass_on(turn_v);
        pass_on(leave_v);
    }

    template <class Message> void pass_on(Message message) {
        for (const auto &each : children_)
            send(this, each, message);
    }

    void end() {
        if (parent_)
            send(this, parent_, below_.nodes + 1, below_.steps, below_.updates);
        else
            all_.found = below_;
        this->quit();
    }

    plan<typed> &all_;
    const handle parent_;
    const std::uint64_t steps_;
    std::vector<handle> children_;
    std::uint64_t missing_ = 0; // reports
    sums below_;
};

// Draws all lots again, and compares.
template <bool typed> void check(program &run, const plan<typed> &all) {
    lottery again{run, all.how_much};
    const std::uint64_t branching = all.how_much.branching;
    sums due{branching, branching * again.steps(), 0};
    for (std::uint64_t left = branching; left != 0; left--)
        if (again.permits(1 + due.nodes)) {
            due.nodes += branching;
            due.steps += branching * again.steps();
            due.updates++;
            left += branching;
        }
    run.expect(all.found.nodes, due.nodes, "nodes are below the root");
    run.expect(all.found.steps, due.steps, "steps were computed");
    run.expect(all.found.updates, due.updates, "nodes below the root had children");
}

template <bool typed> std::uint64_t grow(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    all.root = system.spawn<node<typed>>(all, typename node_kind<typed>::handle{}, std::uint64_t{0});
    all.ready.wait();
    run.start_clock();
    send_by_main(all.root, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(run, all);
    return all.size;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{
        "cobwebbed-tree",
        "a tree of actors grows by chance until it is large enough, and is gone through",
        "node",
        {
            {"nodes", how_much.nodes, "at most, but the root has children anyway; --scale multiplies it", {}, 2},
            {"branching", how_much.branching, "children of a node that has any", {}, 1, UINT32_MAX},
            {"mean", how_much.mean, "steps of a node's computation", {}, 1, UINT32_MAX},
            {"deviation", how_much.deviation, "of them, the standard one", {}, 0, UINT32_MAX},
        }};
    return run.main(argc, argv, [&] {
        amounts scaled = how_much;
        scaled.nodes = run.scaled(how_much.nodes);
        if (scaled.nodes > UINT32_MAX)
            run.refuse("--nodes " + std::to_string(how_much.nodes) + ": with --scale they must be under 2^32");
        return run.typed() ? grow<true>(run, scaled) : grow<false>(run, scaled);
    });
}
