/*
 * repeat: a client fans out to its servers, each answers, and again; all answers go to the client's mailbox.
 *
 * Timed until the last answer of the last round is there.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.List;

final class Repeat extends Workload {
    private final Parameter servers;
    private final Parameter rounds;

    /** What the client receives. */
    private sealed interface Event {}

    private enum Start implements Event {
        START
    }

    private record Answer(int server, int round) implements Event {}

    /** From the client to all servers: one message a round. */
    private record Request(int round, ActorRef<Event> client) {}

    private record Server(int number) implements Actor<Request> {
        @Override
        public Behavior<Request> onMessage(ActorContext<Request> context, Request request) {
            request.client.tell(new Answer(number, request.round));
            return Behaviors.same();
        }
    }

    private static final class Client implements Actor<Event> {
        private final List<ActorRef<Request>> servers;
        private final int lastRound;
        private final Span span;
        private final Ends ends;
        private final int[] answeredRound; // by server
        private int round;
        private int missing; // answers of this round
        private long wrong; // answers of another round, or the second of one
        private long answers; // in all

        Client(List<ActorRef<Request>> servers, int lastRound, Span span, Ends ends) {
            this.servers = servers;
            this.lastRound = lastRound;
            this.span = span;
            this.ends = ends;
            this.answeredRound = new int[servers.size()];
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Answer answer) {
                take(answer);
                if (--missing != 0)
                    return Behaviors.same();
            }
            if (round == lastRound) {
                span.stop();
                return ends.stopped();
            }
            Request request = new Request(++round, context.getSelf());
            missing = servers.size();
            for (ActorRef<Request> server : servers)
                server.tell(request);
            return Behaviors.same();
        }

        private void take(Answer answer) {
            answers++;
            if (answer.round != round || answeredRound[answer.server] == answer.round)
                wrong++;
            answeredRound[answer.server] = answer.round;
        }
    }

    private Repeat(Parameter servers, Parameter rounds) {
        super("repeat", "a client fans out to its servers, each answers, again and again", "message", servers, rounds);
        this.servers = servers;
        this.rounds = rounds;
    }

    @Override
    void check(Options options) {
        if (options.scaled(rounds) > Integer.MAX_VALUE)
            options.refuse("--rounds %d: with --scale there are too many: they must be under 2^31", rounds.number());
    }

    @Override
    long run(Run run) {
        int count = (int) servers.number(), lastRound = (int) run.scaled(rounds);
        Ends ends = new Ends(1);
        Client client = new Client(run.spawn(count, Server::new), lastRound, run.span, ends);
        ActorRef<Event> actor = run.spawn(client);

        run.span.start();
        actor.tell(Start.START);
        ends.await();

        if (client.wrong != 0)
            run.wrong("%d answers were of another round, or came twice", client.wrong);
        long expected = (long) count * (lastRound + run.falsify);
        if (client.answers != expected)
            run.wrong("%d answers came in place of %d", client.answers, expected);
        return 2L * count * lastRound;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Repeat(
                        Parameter.count("servers", 100_000, "actors that answer the client"),
                        Parameter.amount("rounds", 200, "requests to each server; --scale multiplies it")),
                arguments);
    }
}
