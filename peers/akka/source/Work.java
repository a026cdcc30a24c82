/*
 * Computation of a given length: a chain of multiplications, each of which needs the one before.
 */
package actorbench;

final class Work {
    private static final long TRIAL = 1_000_000;
    private static final int TRIALS = 20;

    /* Written when the result is the one in 2^64 that is looked for, so that the chain must be computed. */
    private static volatile long never;

    private Work() {}

    static void compute(long steps) {
        long value = steps | 1;
        for (long i = 0; i < steps; i++)
            value = value * 6364136223846793005L + i;
        if (value == 0)
            never++;
    }

    /** How many steps take so many nanoseconds here: by the shortest of some trials, of which the first compile it. */
    static long stepsOf(long ns) {
        long best = Long.MAX_VALUE;
        for (int trial = 0; trial < TRIALS; trial++) {
            long begun = System.nanoTime();
            compute(TRIAL);
            best = Math.min(best, System.nanoTime() - begun);
        }
        return Math.max(1, Math.round((double) ns * TRIAL / best));
    }
}
