/*
 * ping-pong: pairs of actors; in each a message goes to and fro, `rounds` times. All pairs at once.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class PingPong extends Workload {
    private final Parameter pairs;
    private final Parameter rounds;

    /** Sent to and fro; holds where the answer goes. */
    private record Ball(ActorRef<Ball> from) {}

    private static final class Player implements Actor<Ball> {
        private final long last;
        private final boolean answersLast; // the second player keeps the last ball
        private final Ends ends;
        private Ball own; // the one message that this player sends
        private long received;

        Player(long last, boolean answersLast, Ends ends) {
            this.last = last;
            this.answersLast = answersLast;
            this.ends = ends;
        }

        @Override
        public Behavior<Ball> onMessage(ActorContext<Ball> context, Ball ball) {
            if (own == null)
                own = new Ball(context.getSelf());
            if (++received < last || answersLast)
                ball.from.tell(own);
            return received == last ? ends.stopped() : Behaviors.same();
        }
    }

    private PingPong(Parameter pairs, Parameter rounds) {
        super("ping-pong", "a message goes to and fro between two actors, in each of some pairs", "message", pairs, rounds);
        this.pairs = pairs;
        this.rounds = rounds;
    }

    @Override
    void check(Options options) {
        options.scaled(rounds);
    }

    @Override
    long run(Run run) {
        int count = (int) pairs.number();
        long last = run.scaled(rounds);
        Ends ends = new Ends(2L * count);
        List<Player> players = new ArrayList<>(2 * count);
        List<ActorRef<Ball>> first = spawn(run, count, last, true, ends, players);
        List<ActorRef<Ball>> second = spawn(run, count, last, false, ends, players);

        run.span.start();
        for (int pair = 0; pair < count; pair++)
            first.get(pair).tell(new Ball(second.get(pair)));
        run.awaitLast(ends);
        run.span.stop();

        for (Player player : players)
            if (player.received != last + run.falsify)
                run.wrong("an actor received %d messages in place of %d", player.received, last + run.falsify);
        return 2 * count * last;
    }

    private static List<ActorRef<Ball>> spawn(
            Run run, int count, long last, boolean answersLast, Ends ends, List<Player> players) {
        return run.spawn(count, pair -> {
            Player player = new Player(last, answersLast, ends);
            players.add(player);
            return player;
        });
    }

    public static void main(String[] arguments) {
        Program.main(
                new PingPong(
                        Parameter.whole("pairs", 1, "1", "1000000000", "pairs of actors"),
                        Parameter.amount("rounds", 10_000_000, "times that the message goes to and fro; --scale multiplies it")),
                arguments);
    }
}
