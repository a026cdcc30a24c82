/*
 * An option that takes a value: a parameter of a workload, an option of the system, or one that every program has.
 */
package actorbench;

import java.math.BigInteger;
import java.util.List;

abstract class Parameter {
    final String name; // without the dashes
    final String help; // one line
    String text; // the value; at first the default

    private Parameter(String name, String initial, String help) {
        this.name = name;
        this.help = help;
        this.text = initial;
    }

    /** What may be given, as help shows it: "N", "self|main". */
    abstract String usage();

    /** What may be given, in words, for who gave something else. */
    abstract String wanted();

    abstract boolean allows(String given);

    /** The value in JSON. */
    abstract String json();

    long number() {
        return new BigInteger(text).longValue();
    }

    boolean is(String choice) {
        return text.equals(choice);
    }

    /** A whole number from `minimum` to `maximum`; up to 2^64 - 1, of which number() is the bits. */
    static Parameter whole(String name, long initial, String minimum, String maximum, String help) {
        BigInteger least = new BigInteger(minimum), most = new BigInteger(maximum);
        return new Parameter(name, Long.toString(initial), help) {
            @Override
            String usage() {
                return "N";
            }

            @Override
            String wanted() {
                return "a whole number from " + least + " to " + most;
            }

            @Override
            boolean allows(String given) {
                if (!given.matches("[0-9]{1,30}"))
                    return false;
                BigInteger number = new BigInteger(given);
                return number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
            }

            @Override
            String json() {
                return new BigInteger(text).toString();
            }
        };
    }

    /** How much of something: at least 1. */
    static Parameter amount(String name, long initial, String help) {
        return whole(name, initial, "1", "1000000000000", help);
    }

    /** How many objects: at least 1, and no more than an array of the JVM can hold. */
    static Parameter count(String name, long initial, String help) {
        return whole(name, initial, "1", "2000000000", help);
    }

    /** One of some words, the first being the default. */
    static Parameter choice(String name, String help, String... choices) {
        return new Parameter(name, choices[0], help) {
            @Override
            String usage() {
                return String.join("|", choices);
            }

            @Override
            String wanted() {
                return usage();
            }

            @Override
            boolean allows(String given) {
                return List.of(choices).contains(given);
            }

            @Override
            String json() {
                return '"' + text + '"';
            }
        };
    }

    /** A number over 0. */
    static Parameter factor(String name, String help) {
        return new Parameter(name, "1", help) {
            @Override
            String usage() {
                return "F";
            }

            @Override
            String wanted() {
                return "a number over 0, such as 0.02";
            }

            @Override
            boolean allows(String given) {
                if (!given.matches("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?"))
                    return false;
                double number = Double.parseDouble(given);
                return number > 0 && Double.isFinite(number);
            }

            @Override
            String json() {
                double number = Double.parseDouble(text);
                return number == Math.rint(number) && number < 1e15 ? Long.toString((long) number) : Double.toString(number);
            }
        };
    }
}
