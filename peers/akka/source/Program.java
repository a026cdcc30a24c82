/*
 * The course of a program: options, warm-up, the timed run, the record, the exit status.
 */
package actorbench;

import java.util.Locale;

final class Program {
    private static final double WARM_NS = 2e9; // the length of a run that warms up
    private static final double FIRST_SHARE = 1.0 / 65536, MOST_GROWTH = 256;

    private final Workload workload;
    private final Options options;
    private final int workers;

    private Program(Workload workload, String[] arguments) {
        this.workload = workload;
        this.options = new Options(workload, arguments);
        this.workers = options.workers(Runtime.getRuntime().availableProcessors());
    }

    static void main(Workload workload, String[] arguments) {
        Locale.setDefault(Locale.ROOT); // numbers are written in one way
        System.exit(new Program(workload, arguments).measure());
    }

    private int measure() {
        Report report = new Report(workload, options, workers);
        report.note("workers are the threads of the default dispatcher's fork-join pool");
        if (workers > Runtime.getRuntime().availableProcessors())
            report.note("oversubscribed: more workers than CPUs at hand");
        report.note(warmUp());
        System.gc(); // what the warm-up left is no part of the work
        try (Run run = new Run(options, workers, 1)) {
            report.operations = workload.run(run);
            report.span = run.span;
            report.problem = run.problem();
            report.measured = run.measured;
        }
        report.print();
        return report.problem == null ? 0 : 1;
    }

    /* The workload itself, by shares of the work that grow until a run takes about 2 s or is as large as the timed one;
     * a run of this size is done twice. */
    private String warmUp() {
        int runs = 1;
        double share = FIRST_SHARE;
        double ns = warmBy(share);
        while (share < 1 && ns < WARM_NS / 2) {
            share = Math.min(1, share * Math.min(MOST_GROWTH, WARM_NS / ns));
            ns = warmBy(share);
            runs++;
        }
        ns = warmBy(share);
        return String.format("warmed up by %d runs, the last two of %.3g of the work, the last in %.2f s", runs + 1, share, ns / 1e9);
    }

    private double warmBy(double share) {
        try (Run run = new Run(options, workers, share)) {
            workload.run(run);
            return run.span.elapsedNs();
        }
    }
}
