/*
 * matrix: Z = X Y, an actor a row of X: work for the workers, few messages.
 *
 * The inner loop is the plain one: a row of X times a column of Y. X, Y and Z are shared arrays; each actor writes its own
 * row of Z. The elements are small integers, so that Z is exact, and the check is a proof but for one case in 2^31.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import java.util.Arrays;
import java.util.List;

final class Matrix extends Workload {
    private static final int MOST_ROWS = 46_340; // whose square fits an array
    private static final long PRIME = 0x7fffffff;

    private final Parameter rows;

    private record RowWork(int row) {}

    private static final class Matrices {
        private final long seed;
        private final int size;
        private final int[] x, y, z;

        Matrices(int size, long seed) {
            this.size = size;
            this.seed = seed;
            long elements = (long) size * size;
            x = new int[size * size];
            y = new int[size * size];
            z = new int[size * size];
            for (int i = 0; i < elements; i++) {
                x[i] = element(i);
                y[i] = element(elements + i);
            }
        }

        private int element(long position) {
            return (int) Long.remainderUnsigned(scramble(position), 19) - 9;
        }

        /* A number that depends on the seed and the position (the finaliser of splitmix64). */
        private long scramble(long position) {
            long value = position * 0x9e3779b97f4a7c15L + seed;
            value = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
            value = (value ^ (value >>> 27)) * 0x94d049bb133111ebL;
            return value ^ (value >>> 31);
        }

        void multiplyRow(int row) {
            int[] x = this.x, y = this.y, z = this.z;
            int size = this.size, start = row * size;
            for (int column = 0; column < size; column++) {
                int sum = 0;
                for (int i = 0; i < size; i++)
                    sum += x[start + i] * y[i * size + column];
                z[start + column] = sum;
            }
        }

        /* Freivalds' check: X (Y r) = Z r for a random vector r, modulo the prime 2^31 - 1. */
        boolean productIsRight(int falsify) {
            long[] r = new long[size];
            for (int i = 0; i < size; i++)
                r[i] = Long.remainderUnsigned(scramble(2L * size * size + i), PRIME);
            long[] expected = times(x, times(y, r)), found = times(z, r);
            expected[0] = (expected[0] + falsify) % PRIME;
            return Arrays.equals(expected, found);
        }

        private long[] times(int[] matrix, long[] vector) {
            long[] product = new long[size];
            for (int row = 0; row < size; row++) {
                long sum = 0;
                for (int i = 0; i < size; i++)
                    sum = (sum + Math.floorMod(matrix[row * size + i], PRIME) * vector[i]) % PRIME;
                product[row] = sum;
            }
            return product;
        }
    }

    private record Multiplier(Matrices matrices, Ends ends) implements Actor<RowWork> {
        @Override
        public Behavior<RowWork> onMessage(ActorContext<RowWork> context, RowWork work) {
            matrices.multiplyRow(work.row);
            return ends.stopped();
        }
    }

    private Matrix(Parameter rows) {
        super("matrix", "Z = X Y, an actor a row", "row", rows);
        this.rows = rows;
    }

    private long size(double scale) {
        return Math.max(1, Math.round(rows.number() * Math.cbrt(scale)));
    }

    @Override
    void check(Options options) {
        if (size(options.scale()) > MOST_ROWS)
            options.refuse("%d rows are too many: an array of the JVM holds at most %d squared", size(options.scale()), MOST_ROWS);
    }

    @Override
    long run(Run run) {
        int size = (int) size(run.scale());
        Matrices matrices = new Matrices(size, run.seed);
        Ends ends = new Ends(size);
        Multiplier multiplier = new Multiplier(matrices, ends);
        List<ActorRef<RowWork>> actors = run.spawn(size, row -> multiplier);

        run.span.start();
        for (int row = 0; row < size; row++)
            actors.get(row).tell(new RowWork(row));
        run.awaitLast(ends);
        run.span.stop();

        if (!matrices.productIsRight(run.falsify))
            run.wrong("Z is not the product of X and Y");
        return size;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Matrix(Parameter.amount("rows", 3072, "of each matrix, and as many columns; --scale multiplies its cube")),
                arguments);
    }
}
