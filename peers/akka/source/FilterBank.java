/*
 * filter-bank: samples flow through channels of two filters each, and what comes of them is added up.
 *
 * A producer lets a source give one sample after another. In a channel each is delayed, filtered, replaced by zero but for one
 * of `columns`, delayed and filtered again, by an actor each: a new message wherever its value changes.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;

final class FilterBank extends Workload {
    private static final int VALUES = 1000; // of samples: 0, 1, 2, ..., and again
    private static final long MOST_SAMPLES = 1_000_000_000;

    private final Parameter columns;
    private final Parameter samples;
    private final Parameter channels;

    private enum Turn {
        TURN
    }

    private sealed interface ToSource {}

    private record Give(ActorRef<Turn> producer) implements ToSource {}

    private enum End implements ToSource {
        END
    }

    private static final class Producer implements Actor<Turn> {
        private final ActorRef<ToSource> source;
        private final int samples;
        private final Ends ends;
        private Give give; // the one message that it sends
        private int given;

        Producer(ActorRef<ToSource> source, int samples, Ends ends) {
            this.source = source;
            this.samples = samples;
            this.ends = ends;
        }

        @Override
        public Behavior<Turn> onMessage(ActorContext<Turn> context, Turn turn) {
            if (given == 0)
                give = new Give(context.getSelf());
            if (given++ < samples) {
                source.tell(give);
                return Behaviors.same();
            }
            source.tell(End.END);
            return ends.stopped();
        }
    }

    private static final class Source implements Actor<ToSource> {
        private final ActorRef<Channels.Event> branches;
        private final Ends ends;
        private int given; // samples

        Source(ActorRef<Channels.Event> branches, Ends ends) {
            this.branches = branches;
            this.ends = ends;
        }

        @Override
        public Behavior<ToSource> onMessage(ActorContext<ToSource> context, ToSource message) {
            if (message instanceof Give give) {
                branches.tell(new Channels.Sample(value(given++)));
                give.producer.tell(Turn.TURN);
                return Behaviors.same();
            }
            branches.tell(Channels.End.END);
            return ends.stopped();
        }
    }

    private FilterBank(Parameter columns, Parameter samples, Parameter channels) {
        super(
                "filter-bank",
                "samples flow through channels of two filters each, and what comes of them is added up",
                "sample",
                columns, samples, channels);
        this.columns = columns;
        this.samples = samples;
        this.channels = channels;
    }

    private static double value(int sample) {
        return sample % VALUES;
    }

    private long width(double scale) {
        return Math.max(2, Math.round(columns.number() * Math.sqrt(scale)));
    }

    private long amount(double scale) {
        return Math.max(2 * width(scale) - 1, Math.round(samples.number() * Math.sqrt(scale)));
    }

    @Override
    void check(Options options) {
        if (samples.number() < 2 * columns.number() - 1)
            options.refuse(
                    "--samples %d: at least 2 x the columns - 1, which are %d, so that any come to the end",
                    samples.number(), columns.number());
        if (amount(options.scale()) > MOST_SAMPLES)
            options.refuse("%d samples are too many: at most %d", amount(options.scale()), MOST_SAMPLES);
    }

    @Override
    long run(Run run) {
        int width = (int) width(run.scale()), amount = (int) amount(run.scale());
        Ends ends = new Ends(2);
        Channels actors = new Channels(run, (int) channels.number(), width, amount);
        ActorRef<ToSource> source = run.spawn(new Source(actors.first, ends));
        ActorRef<Turn> producer = run.spawn(new Producer(source, amount, ends));

        run.span.start();
        producer.tell(Turn.TURN);
        ends.await();
        run.awaitLast(actors.ends);
        run.span.stop();

        double[] values = new double[amount];
        for (int i = 0; i < amount; i++)
            values[i] = value(i);
        actors.verify(run, values);
        return amount;
    }

    public static void main(String[] arguments) {
        Program.main(
                new FilterBank(
                        Parameter.whole("columns", 16_384, "2", "500000000", "samples that a filter looks at"),
                        Parameter.whole(
                                "samples", 34_816, "3", "1000000000",
                                "at least 2 x --columns - 1; --scale multiplies --columns x --samples"),
                        Parameter.whole("channels", 8, "1", "64", "of two filters each")),
                arguments);
    }
}
