/*
 * cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through.
 *
 * Each node asks the root whether it may have children, and the root draws lots: which nodes have children depends on the
 * schedule, but not how many. When all are answered, a traversal goes down, at which each node computes, and then a
 * termination; a node ends when all its children have reported.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class CobwebbedTree extends Workload {
    private static final int ATTEMPT_STEPS = 100;
    private static final long MOST = 0xffffffffL;

    private final Parameter nodes;
    private final Parameter branching;
    private final Parameter mean;
    private final Parameter deviation;

    private sealed interface Event {}

    private enum Order implements Event {
        ATTEMPT,
        TRAVERSE,
        TERMINATE,
        UPDATE // to a parent: a child has children
    }

    /** From a node to the root. */
    private record Request(ActorRef<Event> from) implements Event {}

    /** The root's answer to who may have children, with the steps that these are to compute. */
    private record Permit(long steps) implements Event {}

    /** To a parent: what a child and all below it were and did. */
    private record Report(long nodes, long steps, long updates) implements Event {}

    /** How the tree grows. */
    private record Rules(long seed, long most, int branching, long mean, long deviation) {
        /* Whether a tree of that size may become larger. */
        boolean fits(long size) {
            return size + branching <= most;
        }

        boolean drawsLot(long number) {
            return Draw.lowerBelow(Draw.draw(seed, 0, number), 2) == 1;
        }

        /* How long the children of a permit are to compute: normally distributed. */
        long steps(long permit) {
            double turn = 2 * Math.PI * Draw.upperBelow(Draw.draw(seed, 1, permit), MOST) / MOST;
            double share = (double) (1 + Draw.upperBelow(Draw.draw(seed, 2, permit), MOST)) / MOST;
            return Math.max(1, Math.round(mean + deviation * Math.sqrt(-2 * Math.log(share)) * Math.cos(turn)));
        }
    }

    /** What the root and the other nodes share. */
    private abstract static class Parent implements Actor<Event> {
        final Run run;
        final Rules rules;
        long nodes, steps, updates; // below it, as far as reported
        private final List<ActorRef<Event>> children = new ArrayList<>(0);
        private int missing; // reports

        Parent(Run run, Rules rules) {
            this.run = run;
            this.rules = rules;
        }

        final void grow(ActorContext<Event> context, ActorRef<Event> root, long childSteps) {
            missing = rules.branching;
            for (int i = 0; i < rules.branching; i++) {
                Node child = new Node(run, rules, root, context.getSelf(), childSteps);
                children.add(context.spawnAnonymous(run.behaviour(child)));
            }
            passOn(Order.ATTEMPT);
        }

        final void passOn(Order order) {
            for (ActorRef<Event> child : children)
                child.tell(order);
        }

        final boolean isLeaf() {
            return children.isEmpty();
        }

        /* Whether that was the last. */
        final boolean add(Report report) {
            nodes += report.nodes;
            steps += report.steps;
            updates += report.updates;
            return --missing == 0;
        }
    }

    private static final class Node extends Parent {
        private final ActorRef<Event> root, parent;
        private final long own; // steps

        Node(Run run, Rules rules, ActorRef<Event> root, ActorRef<Event> parent, long own) {
            super(run, rules);
            this.root = root;
            this.parent = parent;
            this.own = own;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Report report)
                return add(report) ? end() : Behaviors.same();
            if (event instanceof Permit permit) {
                parent.tell(Order.UPDATE);
                grow(context, root, permit.steps);
            } else if (event == Order.ATTEMPT) {
                Work.compute(ATTEMPT_STEPS);
                root.tell(new Request(context.getSelf()));
            } else if (event == Order.UPDATE) {
                updates++;
            } else if (event == Order.TRAVERSE) {
                Work.compute(own);
                steps += own;
                passOn(Order.TRAVERSE);
            } else {
                passOn(Order.TERMINATE);
                return isLeaf() ? end() : Behaviors.same();
            }
            return Behaviors.same();
        }

        private Behavior<Event> end() {
            parent.tell(new Report(nodes + 1, steps, updates));
            return Behaviors.stopped();
        }
    }

    private static final class Root extends Parent {
        private final Ends ends;
        private long size; // nodes
        private long asking; // nodes whose question it has not heard
        private long lots, permits; // drawn and given, with the permit for its own children

        Root(Run run, Rules rules, Ends ends) {
            super(run, rules);
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Report report)
                return add(report) ? ends.stopped() : Behaviors.same();
            if (event instanceof Request request) {
                answer(request);
            } else if (event == Order.ATTEMPT) {
                size = 1 + rules.branching;
                asking = rules.branching;
                grow(context, context.getSelf(), rules.steps(permits++));
            } else {
                updates++;
            }
            return Behaviors.same();
        }

        private void answer(Request request) {
            asking--;
            if (rules.fits(size) && rules.drawsLot(lots++)) {
                size += rules.branching;
                asking += rules.branching;
                request.from.tell(new Permit(rules.steps(permits++)));
            }
            if (asking == 0) {
                passOn(Order.TRAVERSE);
                passOn(Order.TERMINATE);
            }
        }
    }

    private CobwebbedTree(Parameter nodes, Parameter branching, Parameter mean, Parameter deviation) {
        super(
                "cobwebbed-tree",
                "a tree of actors grows by chance until it is large enough, and is gone through",
                "node",
                nodes, branching, mean, deviation);
        this.nodes = nodes;
        this.branching = branching;
        this.mean = mean;
        this.deviation = deviation;
    }

    @Override
    void check(Options options) {
        if (options.scaled(nodes) > MOST)
            options.refuse("--nodes %d: with --scale they must be under 2^32", nodes.number());
    }

    @Override
    long run(Run run) {
        Rules rules = new Rules(
                run.seed, run.scaled(nodes), (int) branching.number(), mean.number(), deviation.number());
        Ends ends = new Ends(1); // the root's comes after those of all below it
        Root root = new Root(run, rules, ends);
        ActorRef<Event> actor = run.spawn(root);

        run.span.start();
        actor.tell(Order.ATTEMPT);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, root, rules);
        return root.size;
    }

    /* Draws all lots again. */
    private static void verify(Run run, Root root, Rules rules) {
        long nodes = rules.branching, steps = rules.branching * rules.steps(0), updates = 0, lot = 0;
        for (long left = nodes; left != 0; left--)
            if (rules.fits(1 + nodes) && rules.drawsLot(lot++)) {
                steps += rules.branching * rules.steps(++updates);
                nodes += rules.branching;
                left += rules.branching;
            }
        nodes += run.falsify;
        if (root.nodes != nodes || root.steps != steps || root.updates != updates)
            run.wrong(
                    "%d nodes below the root computed %d steps, and %d had children, in place of %d, %d, %d",
                    root.nodes, root.steps, root.updates, nodes, steps, updates);
    }

    public static void main(String[] arguments) {
        Program.main(
                new CobwebbedTree(
                        Parameter.whole(
                                "nodes", 200_000, "2", "1000000000000",
                                "at most, but the root has children anyway; --scale multiplies it"),
                        Parameter.count("branching", 10, "children of a node that has any"),
                        Parameter.whole("mean", 500, "1", "4294967295", "steps of a node's computation"),
                        Parameter.whole("deviation", 100, "0", "4294967295", "of them, the standard one")),
                arguments);
    }
}
