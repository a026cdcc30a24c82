/*
 * dynamic: a new actor and a new message for every send, both given up after it.
 *
 * self: each behaviour asks for the next actor, so that one message is in flight. main: the main thread asks for all.
 * An actor's parent outlives it, so the guardian, not the last actor, makes the next one.
 */
package actorbench;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import java.util.concurrent.atomic.LongAdder;

final class Dynamic extends Workload {
    private final Parameter sends;
    private final Parameter source;

    private record Parcel(long number) {} // of the send, from 1

    /** The actors have no state: their behaviour is one, made before. */
    private static final class Receiver implements Actor<Parcel> {
        private final Run run;
        private final long last; // up to which number the next actor is asked for
        private final Ends ends;
        private final LongAdder received = new LongAdder();
        private final Behavior<Parcel> behaviour;

        Receiver(Run run, long last, Ends ends) {
            this.run = run;
            this.last = last;
            this.ends = ends;
            this.behaviour = run.behaviour(this);
        }

        void send(long number) {
            run.spawnFor(behaviour, new Parcel(number));
        }

        @Override
        public Behavior<Parcel> onMessage(ActorContext<Parcel> context, Parcel parcel) {
            received.increment();
            if (parcel.number < last)
                send(parcel.number + 1);
            return ends.stopped();
        }
    }

    private Dynamic(Parameter sends, Parameter source) {
        super("dynamic", "a new actor and a new message for every send", "send", sends, source);
        this.sends = sends;
        this.source = source;
    }

    @Override
    void check(Options options) {
        options.scaled(sends);
    }

    @Override
    long run(Run run) {
        long expected = run.scaled(sends);
        boolean self = source.is("self");
        Ends ends = new Ends(expected);
        Receiver receiver = new Receiver(run, self ? expected : 0, ends);

        run.span.start();
        for (long number = 1; number <= (self ? 1 : expected); number++)
            receiver.send(number);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, "messages were received", receiver.received.sum(), expected);
        verify(run, "actors ended", ends.counted(), expected);
        return expected;
    }

    private static void verify(Run run, String what, long counted, long expected) {
        if (counted != expected + run.falsify)
            run.wrong("%d %s in place of %d", counted, what, expected + run.falsify);
    }

    public static void main(String[] arguments) {
        Program.main(
                new Dynamic(
                        Parameter.amount("sends", 20_000_000, "messages, and actors, in all"),
                        Parameter.choice("source", "who sends: each actor to the next, or the main thread", "self", "main")),
                arguments);
    }
}
