/*
 * big: each actor of a group pings others at random, one ping at a time; many to many.
 *
 * Timed until the sink has heard of each that all its pongs have come; till then the others go on answering.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class Big extends Workload {
    private final Parameter actors;
    private final Parameter pings;

    private sealed interface Event {}

    /* A ping and a pong say whose they are; each member has one of either, for all that it sends. */
    private record Ping(int from) implements Event {}

    private record Pong(int from) implements Event {}

    private enum Signal implements Event {
        BEGIN,
        END
    }

    private enum Done {
        DONE
    }

    private static final class Member implements Actor<Event> {
        private final List<ActorRef<Event>> group; // filled before the first message
        private final int number;
        private final long last; // how many pings it sends
        private final long seed;
        private final ActorRef<Done> sink;
        private final Ends ends;
        private final Ping ping;
        private final Pong pong;
        private int asked; // whose pong is due
        private long sent; // pings
        private long pinged; // pings received
        private long wrong; // pongs of somebody else

        Member(List<ActorRef<Event>> group, int number, long last, long seed, ActorRef<Done> sink, Ends ends) {
            this.group = group;
            this.number = number;
            this.last = last;
            this.seed = seed;
            this.sink = sink;
            this.ends = ends;
            this.ping = new Ping(number);
            this.pong = new Pong(number);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Ping ping) {
                pinged++;
                group.get(ping.from).tell(pong);
            } else if (event instanceof Pong pong) {
                if (pong.from != asked)
                    wrong++;
                if (sent < last)
                    ask();
                else
                    sink.tell(Done.DONE);
            } else if (event == Signal.BEGIN) {
                ask();
            } else {
                return ends.stopped();
            }
            return Behaviors.same();
        }

        private void ask() {
            asked = recipient(seed, number, sent++, group.size());
            group.get(asked).tell(ping);
        }
    }

    private static final class Sink implements Actor<Done> {
        private final List<ActorRef<Event>> group;
        private final Span span;
        private final Ends ends;
        private int heard; // of how many members

        Sink(List<ActorRef<Event>> group, Span span, Ends ends) {
            this.group = group;
            this.span = span;
            this.ends = ends;
        }

        @Override
        public Behavior<Done> onMessage(ActorContext<Done> context, Done done) {
            if (++heard < group.size())
                return Behaviors.same();
            span.stop();
            for (ActorRef<Event> member : group)
                member.tell(Signal.END);
            return ends.stopped();
        }
    }

    private Big(Parameter actors, Parameter pings) {
        super("big", "each actor of a group pings others at random, one ping at a time", "message", actors, pings);
        this.actors = actors;
        this.pings = pings;
    }

    @Override
    void check(Options options) {
        if (options.scaled(pings) > 0xffffffffL)
            options.refuse("--pings %d: with --scale they must be under 2^32", pings.number());
    }

    /* Whom an actor pings at a time: any but itself. */
    private static int recipient(long seed, int sender, long number, int actors) {
        int other = Draw.upperBelow(Draw.draw(seed, sender, number), actors - 1);
        return other >= sender ? other + 1 : other;
    }

    @Override
    long run(Run run) {
        int count = (int) actors.number();
        long last = run.scaled(pings);
        Ends ends = new Ends(count + 1);
        Member[] members = new Member[count];
        List<ActorRef<Event>> group = new ArrayList<>(count);
        ActorRef<Done> sink = run.spawn(new Sink(group, run.span, ends));
        group.addAll(run.spawn(count, i -> members[i] = new Member(group, i, last, run.seed, sink, ends)));

        run.span.start();
        for (ActorRef<Event> member : group)
            member.tell(Signal.BEGIN);
        ends.await();

        verify(run, members, last);
        return 2 * count * last;
    }

    /* Draws all recipients again, and compares. */
    private static void verify(Run run, Member[] members, long last) {
        long[] due = new long[members.length];
        for (int i = 0; i < members.length; i++)
            for (long number = 0; number < last; number++)
                due[recipient(run.seed, i, number, members.length)]++;
        for (Member member : members) {
            long expected = due[member.number] + run.falsify;
            if (member.pinged != expected || member.sent != last || member.wrong != 0)
                run.wrong(
                        "actor %d received %d pings in place of %d, sent %d in place of %d, and %d pongs came from another than was asked",
                        member.number, member.pinged, expected, member.sent, last, member.wrong);
        }
    }

    public static void main(String[] arguments) {
        Program.main(
                new Big(
                        Parameter.whole("actors", 500, "2", "1000000000", "in the group"),
                        Parameter.amount("pings", 50_000, "from each of them; --scale multiplies it")),
                arguments);
    }
}
