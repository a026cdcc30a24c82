/*
 * apsp: the shortest paths between all nodes of a graph, by an actor for each block of the matrix of distances.
 *
 * Floyd and Warshall's algorithm, a step a node. In each step every actor sends its block to all actors of its row and of its
 * column of blocks, and goes on when it has all theirs. What is sent is where the block lies: nobody is two steps ahead of
 * another, so that two copies of a block, each written in every second step, are enough.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class Apsp extends Workload {
    private static final int MOST_NODES = 46_340; // whose square fits an array

    private final Parameter nodes;
    private final Parameter block;
    private final Parameter heaviest;

    private sealed interface Event {}

    /** A block as it is before a step; its distances by rows. */
    private record Part(int row, int column, int step, long[] distances) implements Event {}

    private enum Begin implements Event {
        BEGIN
    }

    /** How the matrix is cut. */
    private record Grid(int blocks, int width) {
        int size() {
            return blocks * width;
        }

        /* Actors in a block's row and column, itself left out. */
        int others() {
            return 2 * (blocks - 1);
        }
    }

    /** What an actor knows of every second step. */
    private static final class Step {
        private final long[] own;
        private int missing; // parts of others; before the first step the beginning, too
        private long[] row, column; // where the step's node's distances are, in this block's columns, and in its rows
        private int rowAt, columnAt; // from where on

        Step(int elements, int missing) {
            this.own = new long[elements];
            this.missing = missing;
        }
    }

    private static final class Block implements Actor<Event> {
        private final Grid grid;
        private final int row, column; // of blocks
        private final List<ActorRef<Event>> all; // by rows; filled before the first message
        private final Ends ends;
        private final Step[] steps;
        private int step; // that is to be done

        Block(Grid grid, int number, List<ActorRef<Event>> all, Ends ends, long[] graph) {
            this.grid = grid;
            this.row = number / grid.blocks;
            this.column = number % grid.blocks;
            this.all = all;
            this.ends = ends;
            int width = grid.width;
            this.steps = new Step[] {new Step(width * width, grid.others() + 1), new Step(width * width, grid.others())};
            for (int i = 0; i < width; i++)
                System.arraycopy(graph, (row * width + i) * grid.size() + column * width, steps[0].own, i * width, width);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            int meant = 0;
            if (event instanceof Part part) {
                keep(part);
                meant = part.step;
            } else {
                send();
            }
            if (--steps[meant % 2].missing != 0)
                return Behaviors.same();
            doStep();
            if (step == grid.size())
                return ends.stopped();
            send();
            return Behaviors.same();
        }

        private Part own() {
            return new Part(row, column, step, steps[step % 2].own);
        }

        private void send() {
            Part own = own();
            for (int i = 0; i < grid.blocks; i++)
                if (i != row)
                    all.get(i * grid.blocks + column).tell(own);
            for (int i = 0; i < grid.blocks; i++)
                if (i != column)
                    all.get(row * grid.blocks + i).tell(own);
        }

        /* Keeps what the step needs of a part: of another's in the same row or column of blocks, or of its own. */
        private void keep(Part part) {
            Step kept = steps[part.step % 2];
            int pivot = part.step / grid.width, at = part.step % grid.width;
            if (part.row == pivot && part.column == column) {
                kept.row = part.distances;
                kept.rowAt = at * grid.width;
            }
            if (part.column == pivot && part.row == row) {
                kept.column = part.distances;
                kept.columnAt = at;
            }
        }

        private void doStep() {
            keep(own());
            Step now = steps[step % 2];
            long[] from = now.own, to = steps[(step + 1) % 2].own, byRow = now.row;
            int width = grid.width, rowAt = now.rowAt;
            for (int i = 0; i < width; i++) {
                long there = now.column[now.columnAt + i * width];
                for (int j = 0; j < width; j++)
                    to[i * width + j] = Math.min(from[i * width + j], there + byRow[rowAt + j]);
            }
            now.missing = grid.others();
            step++;
        }

        private long found(int node, int other) {
            int width = grid.width;
            return steps[step % 2].own[node % width * width + other % width];
        }
    }

    private Apsp(Parameter nodes, Parameter block, Parameter heaviest) {
        super(
                "apsp", "the shortest paths in a graph, by an actor for each block of the distances", "message",
                nodes, block, heaviest);
        this.nodes = nodes;
        this.block = block;
        this.heaviest = heaviest;
    }

    private long blocks(double scale) {
        return Math.max(2, Math.round(nodes.number() / block.number() * Math.cbrt(scale)));
    }

    @Override
    void check(Options options) {
        if (nodes.number() % block.number() != 0 || nodes.number() == block.number())
            options.refuse("--block %d must divide --nodes %d, and be less", block.number(), nodes.number());
        if (blocks(options.scale()) > MOST_NODES / block.number())
            options.refuse(
                    "%d nodes are too many: an array of the JVM holds at most %d squared",
                    blocks(options.scale()) * block.number(), MOST_NODES);
    }

    @Override
    long run(Run run) {
        Grid grid = new Grid((int) blocks(run.scale()), (int) block.number());
        int count = grid.blocks * grid.blocks;
        long[] graph = graph(run.seed, grid.size(), heaviest.number());
        Ends ends = new Ends(count);
        Block[] blocks = new Block[count];
        List<ActorRef<Event>> all = new ArrayList<>(count);
        all.addAll(run.spawn(count, i -> blocks[i] = new Block(grid, i, all, ends, graph)));

        run.span.start();
        for (ActorRef<Event> actor : all)
            actor.tell(Begin.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, grid, blocks, graph);
        return (long) grid.size() * count * grid.others();
    }

    /* Every two nodes have an edge. */
    private static long[] graph(long seed, int size, long heaviest) {
        long[] distances = new long[size * size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < i; j++)
                distances[i * size + j] = distances[j * size + i] = 1 + Draw.upperBelow(Draw.draw(seed, i, j), heaviest);
        return distances;
    }

    /* Every actor's block must be a block of what one loop finds. */
    private static void verify(Run run, Grid grid, Block[] blocks, long[] graph) {
        int size = grid.size();
        for (int node = 0; node < size; node++)
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++)
                    graph[i * size + j] = Math.min(graph[i * size + j], graph[i * size + node] + graph[node * size + j]);
        graph[0] += run.falsify;
        long wrong = 0;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                if (blocks[i / grid.width * grid.blocks + j / grid.width].found(i, j) != graph[i * size + j])
                    wrong++;
        if (wrong != 0)
            run.wrong("%d of %d distances are not those of one loop", wrong, graph.length);
    }

    public static void main(String[] arguments) {
        Program.main(
                new Apsp(
                        Parameter.whole("nodes", 300, "2", "1000000000000", "of the graph; --scale multiplies its cube"),
                        Parameter.amount("block", 50, "nodes that a block has, each way; divides --nodes"),
                        Parameter.whole("heaviest", 100, "1", "4294967295", "weight of an edge: 1 to that")),
                arguments);
    }
}
