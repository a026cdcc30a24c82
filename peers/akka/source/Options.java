/*
 * The command line of a workload's program: read, checked, and explained by --help.
 */
package actorbench;

import java.util.ArrayList;
import java.util.List;

final class Options {
    static final int BAD_USAGE = 2;

    final Parameter workers = Parameter.whole("workers", 0, "0", "4096", "0: as many as CPUs may be used");
    final Parameter scale = Parameter.factor("scale", "multiplies the amount of work");
    final Parameter seed = Parameter.whole("seed", 1, "0", "18446744073709551615", "of its random numbers");

    /* The system's own. */
    final Parameter throughput =
            Parameter.whole("throughput", 50, "1", "1000000000", "messages that an actor may take in a row");
    final Parameter style = Parameter.choice(
            "style", "how behaviours are written: Behaviors.receive, or AbstractBehavior", "functional", "object");
    final Parameter gc = Parameter.choice("gc", "the garbage collector", "parallel", "g1", "serial");
    final List<Parameter> own = List.of(throughput, style, gc);

    boolean json;
    boolean falsify; // hidden: expect one more than there will be, so that a test sees the check fail

    private final Workload workload;

    /** Reads the command line; does not return from --help or bad usage. */
    Options(Workload workload, String[] arguments) {
        this.workload = workload;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("--"))
                throw refuse("\"%.40s\" is no option: see --help", argument);
            String name = argument.substring(2);
            switch (name) {
                case "json" -> json = true;
                case "falsify" -> falsify = true;
                case "help" -> {
                    printHelp();
                    System.exit(0);
                }
                default -> {
                    Parameter parameter = find(name);
                    if (i + 1 == arguments.length)
                        throw refuse("--%s needs a value: see --help", name);
                    String given = arguments[++i];
                    if (!parameter.allows(given))
                        throw refuse("--%s cannot be \"%.40s\": it is %s", name, given, parameter.wanted());
                    parameter.text = given;
                }
            }
        }
        workload.check(this);
    }

    /** Ends the program with one line on standard error; `throw refuse(...)` where the compiler must know. */
    Error refuse(String format, Object... values) {
        System.err.println(workload.name + ": " + String.format(format, values));
        System.exit(BAD_USAGE);
        return new AssertionError();
    }

    double scale() {
        return Double.parseDouble(scale.text);
    }

    /** How many workers are asked for; `at hand` CPUs if the number is left open. */
    int workers(int atHand) {
        return workers.number() == 0 ? atHand : (int) workers.number();
    }

    /** `amount` of work times --scale, rounded, at least 1. */
    long scaled(Parameter amount) {
        double scaled = amount.number() * scale();
        if (scaled > 1e15)
            throw refuse("--scale %s is too large: it asks for %.6g units of work", scale.text, scaled);
        return Math.max(1, Math.round(scaled));
    }

    private List<Parameter> all() {
        List<Parameter> all = new ArrayList<>(workload.parameters);
        all.addAll(own);
        all.addAll(List.of(workers, scale, seed));
        return all;
    }

    private Parameter find(String name) {
        List<String> names = new ArrayList<>();
        for (Parameter parameter : all()) {
            if (parameter.name.equals(name))
                return parameter;
            names.add("--" + parameter.name);
        }
        throw refuse("there is no option --%.40s: the options are %s, --json, --help", name, String.join(", ", names));
    }

    private void printHelp() {
        System.out.printf("%s: %s%n%nIts parameters%n", workload.name, workload.summary);
        workload.parameters.forEach(Options::print);
        System.out.printf("%nOptions of every program%n");
        List.of(scale, seed, workers).forEach(Options::print);
        System.out.printf("  %-38s %s%n", "--json", "print the record, one line of JSON");
        System.out.printf("  %-38s %s%n", "--help", "print this");
        System.out.printf("%nOptions of %s%n", Peer.NAME);
        own.forEach(Options::print);
    }

    private static void print(Parameter parameter) {
        String usage = "--" + parameter.name + " " + parameter.usage();
        System.out.printf("  %-38s %s (%s)%n", usage, parameter.help, parameter.text);
    }
}
