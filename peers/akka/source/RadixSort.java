/*
 * radix-sort: numbers go down a chain of actors, each of which sorts them by a bit.
 *
 * An actor passes on at once what has a 0 there, and keeps back what has a 1 until all have come. A number is one message
 * all the way, from the source to the collector.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class RadixSort extends Workload {
    private final Parameter numbers;
    private final Parameter bits;

    private record Number(long value) {}

    private enum Begin {
        BEGIN
    }

    /** The numbers, before they are sorted. */
    private record Numbers(long seed, int count, int bits) {
        long at(int position) {
            return Draw.draw(seed, 0, position) >>> (64 - bits);
        }
    }

    private record Source(Numbers numbers, ActorRef<Number> first, Ends ends) implements Actor<Begin> {
        @Override
        public Behavior<Begin> onMessage(ActorContext<Begin> context, Begin begin) {
            for (int i = 0; i < numbers.count; i++)
                first.tell(new Number(numbers.at(i)));
            return ends.stopped();
        }
    }

    private static final class Sorter implements Actor<Number> {
        private final int bit, last; // which it sorts by; how many numbers come
        private final ActorRef<Number> next;
        private final Ends ends;
        private final List<Number> kept = new ArrayList<>();
        private int received;

        Sorter(int bit, int last, ActorRef<Number> next, Ends ends) {
            this.bit = bit;
            this.last = last;
            this.next = next;
            this.ends = ends;
        }

        @Override
        public Behavior<Number> onMessage(ActorContext<Number> context, Number number) {
            if ((number.value >>> bit & 1) == 0)
                next.tell(number);
            else
                kept.add(number);
            if (++received < last)
                return Behaviors.same();
            kept.forEach(next::tell);
            return ends.stopped();
        }
    }

    private static final class Collector implements Actor<Number> {
        private final long[] taken;
        private final Ends ends;
        private int count;

        Collector(int numbers, Ends ends) {
            this.taken = new long[numbers];
            this.ends = ends;
        }

        @Override
        public Behavior<Number> onMessage(ActorContext<Number> context, Number number) {
            taken[count++] = number.value;
            return count == taken.length ? ends.stopped() : Behaviors.same();
        }
    }

    private RadixSort(Parameter numbers, Parameter bits) {
        super("radix-sort", "numbers go down a chain of actors, each of which sorts them by a bit", "message", numbers, bits);
        this.numbers = numbers;
        this.bits = bits;
    }

    @Override
    void check(Options options) {
        if (options.scaled(numbers) > 2_000_000_000L)
            options.refuse("--numbers %d: with --scale they must be at most 2 x 10^9", numbers.number());
    }

    @Override
    long run(Run run) {
        int amount = (int) run.scaled(numbers), width = (int) bits.number();
        Numbers all = new Numbers(run.seed, amount, width);
        Ends ends = new Ends(width + 2L);
        Collector collector = new Collector(amount, ends);
        ActorRef<Number> next = run.spawn(collector);
        for (int bit = width - 1; bit >= 0; bit--)
            next = run.spawn(new Sorter(bit, amount, next, ends));
        ActorRef<Begin> source = run.spawn(new Source(all, next, ends));

        run.span.start();
        source.tell(Begin.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, collector.taken, all);
        return amount * (width + 1L);
    }

    /* The same numbers, sorted by the language's own means: as they have no sign, with the highest bit turned. */
    private static void verify(Run run, long[] taken, Numbers numbers) {
        long[] due = new long[taken.length];
        for (int i = 0; i < due.length; i++)
            due[i] = numbers.at(i) ^ Long.MIN_VALUE;
        Arrays.sort(due);
        due[0] += run.falsify;
        for (int i = 0; i < due.length; i++)
            if (taken[i] != (due[i] ^ Long.MIN_VALUE))
                run.wrong("number %d of %d is not what it is when all are sorted", i, due.length);
    }

    public static void main(String[] arguments) {
        Program.main(
                new RadixSort(
                        Parameter.amount("numbers", 100_000, "to be sorted; --scale multiplies it"),
                        Parameter.whole("bits", 60, "1", "64", "of each number, and actors that sort")),
                arguments);
    }
}
