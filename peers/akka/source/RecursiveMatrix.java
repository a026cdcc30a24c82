/*
 * recursive-matrix: Z = X Y, halved again and again: tasks go through a master to the actor of their block of Z.
 *
 * A task of more than `threshold` elements becomes eight, two for each quarter of Z. The elements are small integers, so that
 * doubles hold them and their sums exactly, in whatever order a block's tasks come. X, Y and Z are shared arrays.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class RecursiveMatrix extends Workload {
    private static final int MOST_ROWS = 8192; // whose check is exact
    private static final int ELEMENTS = 19, VECTOR_BOUND = 1 << 20;

    private final Parameter rows;
    private final Parameter threshold;
    private final Parameter actors;

    private record Range(int first, int count) {
        Range half(boolean second) {
            int half = count / 2;
            return second ? new Range(first + half, count - half) : new Range(first, half);
        }

        int end() {
            return first + count;
        }
    }

    private sealed interface Event {}

    /** A product to be added to a block of Z: X's rows and inner columns times Y's inner rows and columns. */
    private record Task(Range rows, Range columns, Range inner) implements Event {
        long elements() {
            return (long) rows.count * columns.count;
        }

        Task part(int number) {
            return new Task(rows.half((number & 4) != 0), columns.half((number & 2) != 0), inner.half((number & 1) != 0));
        }
    }

    private enum Signal implements Event {
        DONE, // to the master
        END // to a multiplier
    }

    private static final class Matrices {
        private final long seed;
        private final int size;
        private final double[] x, y, z;

        Matrices(int size, long seed) {
            this.seed = seed;
            this.size = size;
            x = new double[size * size];
            y = new double[size * size];
            z = new double[size * size];
            for (int i = 0; i < z.length; i++) {
                x[i] = Draw.upperBelow(Draw.draw(seed, 0, i), ELEMENTS) - 9;
                y[i] = Draw.upperBelow(Draw.draw(seed, 1, i), ELEMENTS) - 9;
            }
        }

        void multiply(Task block) {
            double[] x = this.x, y = this.y, z = this.z;
            int size = this.size;
            for (int row = block.rows.first; row < block.rows.end(); row++)
                for (int column = block.columns.first; column < block.columns.end(); column++)
                    for (int i = block.inner.first; i < block.inner.end(); i++)
                        z[row * size + column] += x[row * size + i] * y[i * size + column];
        }

        /* Freivalds' check: X (Y r) = Z r for a random vector r, of whole numbers under 2^20; all is exact in doubles. */
        boolean productIsRight(int falsify) {
            double[] r = new double[size], yTimesR = new double[size];
            for (int i = 0; i < size; i++)
                r[i] = Draw.upperBelow(Draw.draw(seed, 2, i), VECTOR_BOUND);
            for (int row = 0; row < size; row++)
                yTimesR[row] = dot(y, row, r);
            boolean right = true;
            for (int row = 0; row < size; row++)
                right &= dot(x, row, yTimesR) + falsify == dot(z, row, r);
            return right;
        }

        private double dot(double[] matrix, int row, double[] vector) {
            double sum = 0;
            for (int i = 0; i < size; i++)
                sum += matrix[row * size + i] * vector[i];
            return sum;
        }
    }

    private static final class Multiplier implements Actor<Event> {
        private final Matrices matrices;
        private final long threshold;
        private final ActorRef<Event> master;
        private final Ends ends;

        Multiplier(Matrices matrices, long threshold, ActorRef<Event> master, Ends ends) {
            this.matrices = matrices;
            this.threshold = threshold;
            this.master = master;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (!(event instanceof Task task))
                return ends.stopped();
            if (task.elements() <= threshold)
                matrices.multiply(task);
            else
                for (int i = 0; i < 8; i++)
                    master.tell(task.part(i));
            master.tell(Signal.DONE);
            return Behaviors.same();
        }
    }

    private static final class Master implements Actor<Event> {
        private final List<ActorRef<Event>> multipliers; // filled before the first message
        private final Ends ends;
        private long sent, done; // tasks

        Master(List<ActorRef<Event>> multipliers, Ends ends) {
            this.multipliers = multipliers;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Task task) {
                sent++;
                multipliers.get((task.rows.first + task.columns.first) % multipliers.size()).tell(task);
                return Behaviors.same();
            }
            if (++done != sent) // what a task became has come before the signal of its end
                return Behaviors.same();
            for (ActorRef<Event> multiplier : multipliers)
                multiplier.tell(Signal.END);
            return ends.stopped();
        }
    }

    private RecursiveMatrix(Parameter rows, Parameter threshold, Parameter actors) {
        super(
                "recursive-matrix",
                "Z = X Y, halved into tasks that a master sends to the actor of their block of Z",
                "task",
                rows, threshold, actors);
        this.rows = rows;
        this.threshold = threshold;
        this.actors = actors;
    }

    private long size(double scale) {
        return Math.max(1, Math.round(rows.number() * Math.cbrt(scale)));
    }

    @Override
    void check(Options options) {
        if (size(options.scale()) > MOST_ROWS)
            options.refuse("%d rows are too many: at most %d can be checked exactly", size(options.scale()), MOST_ROWS);
    }

    @Override
    long run(Run run) {
        int size = (int) size(run.scale()), count = (int) actors.number();
        Matrices matrices = new Matrices(size, run.seed);
        Ends ends = new Ends(count + 1L);
        List<ActorRef<Event>> multipliers = new ArrayList<>(count);
        Master master = new Master(multipliers, ends);
        ActorRef<Event> actor = run.spawn(master);
        multipliers.addAll(run.spawn(count, i -> new Multiplier(matrices, threshold.number(), actor, ends)));
        Range all = new Range(0, size);

        run.span.start();
        actor.tell(new Task(all, all, all));
        run.awaitLast(ends);
        run.span.stop();

        if (!matrices.productIsRight(run.falsify))
            run.wrong("Z is not the product of X and Y");
        return master.done;
    }

    public static void main(String[] arguments) {
        Program.main(
                new RecursiveMatrix(
                        Parameter.amount("rows", 1024, "of each matrix, and as many columns; --scale multiplies its cube"),
                        Parameter.amount("threshold", 16_384, "elements of a block of Z that is not cut any more"),
                        Parameter.count("actors", 20, "that multiply")),
                arguments);
    }
}
