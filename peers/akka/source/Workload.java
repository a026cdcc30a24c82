/*
 * A workload: its parameters, and one run of it on an actor system that is up.
 *
 * Each workload's class has a main method that hands itself to the Program; its options, record and exit statuses are
 * then those of every other program.
 */
package actorbench;

import java.util.List;

abstract class Workload {
    final String name;
    final String summary; // one line for --help
    final String unit; // what is counted
    final List<Parameter> parameters;

    Workload(String name, String summary, String unit, Parameter... parameters) {
        this.name = name;
        this.summary = summary;
        this.unit = unit;
        this.parameters = List.of(parameters);
    }

    /** Refuses parameters that do not fit together. */
    void check(Options options) {}

    /** Makes the actors, times their work, checks what came of it; how many operations were done. */
    abstract long run(Run run);
}
