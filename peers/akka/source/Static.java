/*
 * static: one actor and one message, both made before; how long does a send take?
 *
 * self: the actor sends the message on to itself. main: the main thread sends it again and again.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;

final class Static extends Workload {
    private final Parameter sends;
    private final Parameter source;

    private enum Parcel {
        PARCEL
    }

    private static final class Receiver implements Actor<Parcel> {
        private final long expected;
        private final boolean sendsOn;
        private final Ends ends;
        private long received;

        Receiver(long expected, boolean sendsOn, Ends ends) {
            this.expected = expected;
            this.sendsOn = sendsOn;
            this.ends = ends;
        }

        @Override
        public Behavior<Parcel> onMessage(ActorContext<Parcel> context, Parcel parcel) {
            if (++received == expected)
                return ends.stopped();
            if (sendsOn)
                context.getSelf().tell(parcel);
            return Behaviors.same();
        }
    }

    private Static(Parameter sends, Parameter source) {
        super("static", "one actor, one message, made once", "send", sends, source);
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
        Ends ends = new Ends(1);
        Receiver receiver = new Receiver(expected, self, ends);
        ActorRef<Parcel> actor = run.spawn(receiver);

        run.span.start();
        for (long i = 0; i < (self ? 1 : expected); i++)
            actor.tell(Parcel.PARCEL);
        run.awaitLast(ends);
        run.span.stop();

        if (receiver.received != expected + run.falsify)
            run.wrong("%d messages were received in place of %d", receiver.received, expected + run.falsify);
        return expected;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Static(
                        Parameter.amount("sends", 100_000_000, "messages in all"),
                        Parameter.choice("source", "who sends: the actor to itself, or the main thread", "self", "main")),
                arguments);
    }
}
