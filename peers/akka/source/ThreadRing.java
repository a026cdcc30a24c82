/*
 * thread-ring: a token goes round a ring of actors; one message is in flight at a time.
 *
 * Timed until the last hop.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class ThreadRing extends Workload {
    private final Parameter actors;
    private final Parameter hops;

    private sealed interface Event {}

    private record Token(long hopsLeft) implements Event {}

    private enum End implements Event {
        END
    }

    private static final class Node implements Actor<Event> {
        private final List<ActorRef<Event>> ring; // filled before the first message
        private final int next;
        private final Span span;
        private final Ends ends;
        private long received;

        Node(List<ActorRef<Event>> ring, int next, Span span, Ends ends) {
            this.ring = ring;
            this.next = next;
            this.span = span;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (!(event instanceof Token token))
                return ends.stopped();
            received++;
            if (token.hopsLeft > 1) {
                ring.get(next).tell(new Token(token.hopsLeft - 1));
                return Behaviors.same();
            }
            span.stop();
            for (ActorRef<Event> node : ring) // nothing else is in flight to them
                node.tell(End.END);
            return Behaviors.same();
        }
    }

    private ThreadRing(Parameter actors, Parameter hops) {
        super("thread-ring", "a token goes round a ring of actors", "hop", actors, hops);
        this.actors = actors;
        this.hops = hops;
    }

    @Override
    void check(Options options) {
        options.scaled(hops);
    }

    @Override
    long run(Run run) {
        int count = (int) actors.number();
        long last = run.scaled(hops);
        Ends ends = new Ends(count);
        Node[] nodes = new Node[count];
        List<ActorRef<Event>> ring = new ArrayList<>(count);
        ring.addAll(run.spawn(count, i -> nodes[i] = new Node(ring, (i + 1) % count, run.span, ends)));

        run.span.start();
        ring.get(0).tell(new Token(last));
        ends.await();

        for (int i = 0; i < count; i++) {
            long due = last / count + (i < last % count ? 1 : 0) + run.falsify;
            if (nodes[i].received != due)
                run.wrong("actor %d had the token %d times in place of %d", i, nodes[i].received, due);
        }
        return last;
    }

    public static void main(String[] arguments) {
        Program.main(
                new ThreadRing(
                        Parameter.count("actors", 1000, "in the ring"),
                        Parameter.amount("hops", 10_000_000, "of the token; --scale multiplies it")),
                arguments);
    }
}
