/*
 * The channels of filter-bank and the actors on both sides of them: branches, which give each sample to every channel, an
 * actor for each thing that a channel does, the integrator, the combiner and the sink.
 *
 * Last comes an end, which each actor passes on as it ends.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class Channels {
    private static final int STAGES = 7; // actors of a channel
    private static final int OTHERS = 4; // branches, integrator, combiner, sink

    final Ends ends;
    final ActorRef<Event> first;

    private final int width; // of the filters
    private final List<Filtering> filters = new ArrayList<>(); // by channel, the second before the first
    private final Sink sink;

    sealed interface Event {}

    record Sample(double value) implements Event {}

    /** What came of a sample in a channel. */
    private record Tagged(int channel, double value) implements Event {}

    /** What came of a sample in all channels. */
    private record Collection(double[] values) implements Event {}

    enum End implements Event {
        END
    }

    private abstract static class Stage implements Actor<Event> {
        private final List<ActorRef<Event>> next;
        private final Ends ends;
        private int missing; // ends: one of each actor before it

        Stage(List<ActorRef<Event>> next, int before, Ends ends) {
            this.next = next;
            this.missing = before;
            this.ends = ends;
        }

        abstract void take(Event event);

        final void pass(Event event) {
            for (int i = 0; i < next.size(); i++)
                next.get(i).tell(event);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event != End.END) {
                take(event);
                return Behaviors.same();
            }
            if (--missing != 0)
                return Behaviors.same();
            pass(event);
            return ends.stopped();
        }
    }

    /** Passes on what comes: the branches, and the bank at a channel's beginning. */
    private static final class Passing extends Stage {
        Passing(List<ActorRef<Event>> next, Ends ends) {
            super(next, 1, ends);
        }

        @Override
        void take(Event event) {
            pass(event);
        }
    }

    private static final class Delaying extends Stage {
        private final Filter ring;

        Delaying(ActorRef<Event> next, int size, Ends ends) {
            super(List.of(next), 1, ends);
            this.ring = Filter.delay(size);
        }

        @Override
        void take(Event event) {
            pass(new Sample(ring.replace(((Sample) event).value)));
        }
    }

    private static final class Filtering extends Stage {
        private final Filter filter;
        private double total; // of what it gave

        Filtering(ActorRef<Event> next, Filter filter, Ends ends) {
            super(List.of(next), 1, ends);
            this.filter = filter;
        }

        @Override
        void take(Event event) {
            filter.replace(((Sample) event).value);
            if (!filter.isFull())
                return;
            double product = filter.product();
            total += product;
            pass(new Sample(product));
        }
    }

    private static final class Sampling extends Stage {
        private static final Sample ZERO = new Sample(0);

        private final int width;
        private int received;

        Sampling(ActorRef<Event> next, int width, Ends ends) {
            super(List.of(next), 1, ends);
            this.width = width;
        }

        @Override
        void take(Event event) {
            pass(received++ % width == 0 ? event : ZERO);
        }
    }

    private static final class Tagging extends Stage {
        private final int channel;

        Tagging(ActorRef<Event> next, int channel, Ends ends) {
            super(List.of(next), 1, ends);
            this.channel = channel;
        }

        @Override
        void take(Event event) {
            pass(new Tagged(channel, ((Sample) event).value));
        }
    }

    private static final class Integrating extends Stage {
        /** Of the channels that have given theirs. */
        private static final class Partial {
            private final double[] values;
            private long present; // a bit a channel

            Partial(int channels) {
                values = new double[channels];
            }
        }

        private final int channels;
        private final ArrayDeque<Partial> partials = new ArrayDeque<>(); // of samples in their order

        Integrating(ActorRef<Event> next, int channels, Ends ends) {
            super(List.of(next), channels, ends);
            this.channels = channels;
        }

        @Override
        void take(Event event) {
            Tagged tagged = (Tagged) event;
            Partial lacking = lacking(1L << tagged.channel);
            lacking.present |= 1L << tagged.channel;
            lacking.values[tagged.channel] = tagged.value;
            if (partials.element().present == -1L >>> (Long.SIZE - channels))
                pass(new Collection(partials.remove().values));
        }

        private Partial lacking(long bit) {
            for (Partial partial : partials)
                if ((partial.present & bit) == 0)
                    return partial;
            partials.add(new Partial(channels));
            return partials.getLast();
        }
    }

    private static final class Combining extends Stage {
        Combining(ActorRef<Event> next, Ends ends) {
            super(List.of(next), 1, ends);
        }

        @Override
        void take(Event event) {
            double sum = 0;
            for (double value : ((Collection) event).values)
                sum += value;
            pass(new Sample(sum));
        }
    }

    private static final class Sink extends Stage {
        private final double[] sums;
        private int received;

        Sink(int samples, Ends ends) {
            super(List.of(), 1, ends);
            this.sums = new double[samples];
        }

        @Override
        void take(Event event) {
            sums[received++] = ((Sample) event).value;
        }
    }

    /** Makes the actors, for so many samples and filters of so many columns, at least 2; at most 64 channels. */
    Channels(Run run, int channels, int columns, int samples) {
        width = columns;
        ends = new Ends((long) STAGES * channels + OTHERS);
        sink = new Sink(samples, ends);
        ActorRef<Event> integrator =
                run.spawn(new Integrating(run.spawn(new Combining(run.spawn(sink), ends)), channels, ends));
        List<ActorRef<Event>> banks = new ArrayList<>();
        for (int channel = 0; channel < channels; channel++) {
            ActorRef<Event> next = run.spawn(new Tagging(integrator, channel, ends));
            next = run.spawn(filtering(next, Filter.second(width, channel)));
            next = run.spawn(new Delaying(next, width - 1, ends));
            next = run.spawn(new Sampling(next, width, ends));
            next = run.spawn(filtering(next, Filter.first(width, channels, channel)));
            next = run.spawn(new Delaying(next, width - 1, ends));
            banks.add(run.spawn(new Passing(List.of(next), ends)));
        }
        first = run.spawn(new Passing(banks, ends));
    }

    private Filtering filtering(ActorRef<Event> next, Filter filter) {
        filters.add(new Filtering(next, filter, ends));
        return filters.get(filters.size() - 1);
    }

    /** Computes the same in another way, and compares as near as rounding permits. */
    void verify(Run run, double[] values) {
        double[] due = new double[Math.max(0, values.length - 2 * (width - 1))];
        for (int i = 0; i < filters.size(); i += 2) {
            double[] flowing = again(run, filters.get(i + 1), values);
            for (int at = 0; at < flowing.length; at++)
                flowing[at] = at % width == 0 ? flowing[at] : 0;
            flowing = again(run, filters.get(i), flowing);
            for (int at = 0; at < flowing.length; at++)
                due[at] += flowing[at];
        }
        int expected = due.length + run.falsify;
        if (sink.received != expected)
            run.wrong("%d sums came in place of %d", sink.received, expected);
        for (int i = 0; i < due.length; i++)
            if (!isAbout(sink.sums[i], due[i]))
                run.wrong("sum %d is %g in place of %g", i, sink.sums[i], due[i]);
    }

    /* What a delay and a filter make of values. */
    private double[] again(Run run, Filtering filtering, double[] values) {
        double[] delayed = new double[values.length];
        System.arraycopy(values, 0, delayed, width - 1, values.length - (width - 1));
        double[] given = filtering.filter.again(delayed);
        double total = Arrays.stream(given).sum();
        if (!isAbout(filtering.total, total))
            run.wrong("a filter gave %g in all in place of %g", filtering.total, total);
        return given;
    }

    private static boolean isAbout(double value, double due) {
        return Math.abs(value - due) <= 1e-9 * Math.abs(due);
    }
}
