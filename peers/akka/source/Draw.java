/*
 * Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.
 */
package actorbench;

final class Draw {
    private Draw() {}

    /** The number at `position` of a stream, both under 2^32, without a state (the finaliser of splitmix64). */
    static long draw(long seed, long stream, long position) {
        long number = (stream << 32 | position) * 0x9e3779b97f4a7c15L + seed;
        number = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        number = (number ^ (number >>> 27)) * 0x94d049bb133111ebL;
        return number ^ (number >>> 31);
    }

    /** 0 .. bound - 1, from the upper half of a number that was drawn. */
    static int upperBelow(long number, int bound) {
        return (int) ((number >>> 32) * bound >>> 32);
    }

    /** 0 .. bound - 1, from its lower half. */
    static int lowerBelow(long number, int bound) {
        return (int) ((number & 0xffffffffL) * bound >>> 32);
    }

    /** The same for a bound that may be as large as 2^32 - 1. */
    static long upperBelow(long number, long bound) {
        return (number >>> 32) * bound >>> 32;
    }

    static long lowerBelow(long number, long bound) {
        return (number & 0xffffffffL) * bound >>> 32;
    }
}
