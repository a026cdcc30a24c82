/*
 * sor: an actor for each point of a grid exchanges its value with its neighbours, again and again (successive
 * over-relaxation).
 *
 * Red and black as on a chessboard: in every round the red points send their values to their neighbours, and each black one
 * that has them all sends its new value back. The points of the two halves of the grid report to two actors, of whom one
 * reports to the other.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class Sor extends Workload {
    private static final int NEIGHBOURS = 4, NONE = -1;
    private static final double OMEGA = 1.25;

    private final Parameter side;
    private final Parameter rounds;

    private sealed interface Event {}

    /** From a point to its neighbours, or its last one to the actor of its half. */
    private record Sample(int from, double value) implements Event {}

    private enum Signal implements Event {
        BEGIN,
        DONE // from a half to the other
    }

    /* A point's next value. The sum has an order, so that rounding does not depend on the schedule. */
    private static double relax(double value, double up, double left, double right, double down) {
        return 0.25 * OMEGA * (up + left + right + down) + (1 - OMEGA) * value;
    }

    private static double firstValue(long seed, int row, int column) {
        return (Draw.draw(seed, row, column) >>> 11) * 0x1p-53 * 1e-6;
    }

    private static final class Point implements Actor<Event> {
        private final List<ActorRef<Event>> points; // by rows; filled before the first message
        private final ActorRef<Event> half;
        private final int number;
        private final boolean red;
        private final long last; // round
        private final Ends ends;
        private final int[] neighbours; // NONE: the grid ends there
        private final double[] values = new double[NEIGHBOURS]; // theirs; 0 where the grid ends
        private double value;
        private int count; // of neighbours
        private int missing; // values that the next one needs, a black one's first also the beginning
        private long done; // rounds

        Point(Run run, List<ActorRef<Event>> points, ActorRef<Event> half, int number, int side, long last, Ends ends) {
            int row = number / side, column = number % side;
            this.points = points;
            this.half = half;
            this.number = number;
            this.red = (row + column) % 2 == 0;
            this.last = last;
            this.ends = ends;
            this.neighbours = new int[] {
                row > 0 ? number - side : NONE,
                column > 0 ? number - 1 : NONE,
                column + 1 < side ? number + 1 : NONE,
                row + 1 < side ? number + side : NONE
            };
            this.value = firstValue(run.seed, row, column);
            for (int neighbour : neighbours)
                count += neighbour == NONE ? 0 : 1;
            missing = count + (red ? 0 : 1);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Sample sample) {
                for (int i = 0; i < NEIGHBOURS; i++)
                    if (neighbours[i] == sample.from)
                        values[i] = sample.value;
            } else if (red) {
                return endRound();
            }
            if (--missing != 0)
                return Behaviors.same();
            value = relax(value, values[0], values[1], values[2], values[3]);
            missing = count;
            return endRound();
        }

        private Behavior<Event> endRound() {
            Sample own = new Sample(number, value);
            done++;
            if (red || done < last)
                for (int neighbour : neighbours)
                    if (neighbour != NONE)
                        points.get(neighbour).tell(own);
            if (done < last)
                return Behaviors.same();
            half.tell(own);
            return ends.stopped();
        }
    }

    private static final class Half implements Actor<Event> {
        private final List<ActorRef<Event>> points; // all, by rows; filled before the first message
        private final int side, first, end; // columns: end is none of its own
        private final double[] results; // of all points
        private final ActorRef<Event> other; // whom it tells that it has done; null: nobody
        private final Ends ends;
        private int missing; // reports

        Half(List<ActorRef<Event>> points, int side, int first, int end, double[] results, ActorRef<Event> other, Ends ends) {
            this.points = points;
            this.side = side;
            this.first = first;
            this.end = end;
            this.results = results;
            this.other = other;
            this.ends = ends;
            this.missing = side * (end - first) + (other == null ? 1 : 0);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event == Signal.BEGIN) {
                for (int row = 0; row < side; row++)
                    for (int column = first; column < end; column++)
                        points.get(row * side + column).tell(Signal.BEGIN);
                return Behaviors.same();
            }
            if (event instanceof Sample sample)
                results[sample.from] = sample.value;
            if (--missing != 0)
                return Behaviors.same();
            if (other != null)
                other.tell(Signal.DONE);
            return ends.stopped();
        }
    }

    private Sor(Parameter side, Parameter rounds) {
        super("sor", "an actor for each point of a grid exchanges its value with its neighbours", "message", side, rounds);
        this.side = side;
        this.rounds = rounds;
    }

    @Override
    void check(Options options) {
        options.scaled(rounds);
    }

    @Override
    long run(Run run) {
        int width = (int) side.number(), count = width * width, middle = width / 2;
        long last = run.scaled(rounds);
        double[] results = new double[count];
        Ends ends = new Ends(count + 2L);
        List<ActorRef<Event>> points = new ArrayList<>(count);
        ActorRef<Event> left = run.spawn(new Half(points, width, 0, middle, results, null, ends));
        ActorRef<Event> right = run.spawn(new Half(points, width, middle, width, results, left, ends));
        points.addAll(run.spawn(
                count, i -> new Point(run, points, i % width < middle ? left : right, i, width, last, ends)));

        run.span.start();
        left.tell(Signal.BEGIN);
        right.tell(Signal.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, results, width, last);
        return 2L * width * (width - 1) * (2 * last - 1); // each pair of neighbours, there and back
    }

    /* The same by one loop, the black points first. */
    private static void verify(Run run, double[] results, int side, long last) {
        double[] grid = new double[results.length];
        for (int i = 0; i < grid.length; i++)
            grid[i] = firstValue(run.seed, i / side, i % side);
        for (long turn = 1; turn < 2 * last; turn++)
            for (int row = 0; row < side; row++)
                for (int column = (int) ((row + turn) % 2); column < side; column += 2) {
                    int at = row * side + column;
                    double up = row > 0 ? grid[at - side] : 0, left = column > 0 ? grid[at - 1] : 0;
                    double right = column + 1 < side ? grid[at + 1] : 0, down = row + 1 < side ? grid[at + side] : 0;
                    grid[at] = relax(grid[at], up, left, right, down);
                }
        grid[0] += run.falsify;
        for (int i = 0; i < grid.length; i++)
            if (results[i] != grid[i])
                run.wrong("point %d has the value %s in place of %s", i, results[i], grid[i]);
    }

    public static void main(String[] arguments) {
        Program.main(
                new Sor(
                        Parameter.whole("side", 20, "2", "46340", "points of the grid, each way"),
                        Parameter.amount("rounds", 100, "values of each point; --scale multiplies it")),
                arguments);
    }
}
