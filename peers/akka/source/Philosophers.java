/*
 * philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat.
 *
 * Who is denied asks again at once. How often forks were used stands in an array that only who has a fork writes to.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.Arrays;
import java.util.List;

final class Philosophers extends Workload {
    private static final int NOBODY = -1;

    private final Parameter philosophers;
    private final Parameter meals;

    /** To a philosopher. */
    private enum Word {
        ASK,
        DENIED,
        EAT
    }

    /** To the arbitrator; each philosopher has one of the first two, for all that it sends. */
    private sealed interface Request {}

    private record Hungry(int number, ActorRef<Word> from) implements Request {}

    private record Done(int number) implements Request {}

    private enum Leave implements Request {
        LEAVE
    }

    private static final class Philosopher implements Actor<Word> {
        private final ActorRef<Request> arbitrator;
        private final long[] used; // by fork
        private final int left, right; // forks
        private final long last; // how many meals it has
        private final Ends ends;
        private final Done done;
        private Hungry hungry;
        private long eaten;

        Philosopher(ActorRef<Request> arbitrator, long[] used, int number, long last, Ends ends) {
            this.arbitrator = arbitrator;
            this.used = used;
            this.left = number;
            this.right = (number + 1) % used.length;
            this.last = last;
            this.ends = ends;
            this.done = new Done(number);
        }

        @Override
        public Behavior<Word> onMessage(ActorContext<Word> context, Word word) {
            if (word == Word.EAT)
                return eat(context);
            if (hungry == null)
                hungry = new Hungry(left, context.getSelf());
            arbitrator.tell(hungry);
            return Behaviors.same();
        }

        private Behavior<Word> eat(ActorContext<Word> context) {
            used[left]++;
            used[right]++;
            arbitrator.tell(done);
            if (++eaten < last) {
                context.getSelf().tell(Word.ASK);
                return Behaviors.same();
            }
            arbitrator.tell(Leave.LEAVE);
            return ends.stopped();
        }
    }

    private static final class Arbitrator implements Actor<Request> {
        private final int[] held; // by fork: by whom
        private final Ends ends;
        private int eating; // philosophers that have not left
        private long wrong; // forks that came back from another than had them

        Arbitrator(int philosophers, Ends ends) {
            this.held = new int[philosophers];
            this.eating = philosophers;
            this.ends = ends;
            Arrays.fill(held, NOBODY);
        }

        @Override
        public Behavior<Request> onMessage(ActorContext<Request> context, Request request) {
            if (request instanceof Hungry hungry)
                hungry.from.tell(give(hungry.number, right(hungry.number)) ? Word.EAT : Word.DENIED);
            else if (request instanceof Done done)
                takeBack(done.number, right(done.number));
            else if (--eating == 0)
                return ends.stopped();
            return Behaviors.same();
        }

        private int right(int number) {
            return (number + 1) % held.length;
        }

        private boolean give(int number, int right) {
            if (held[number] != NOBODY || held[right] != NOBODY)
                return false;
            held[number] = held[right] = number;
            return true;
        }

        private void takeBack(int number, int right) {
            if (held[number] != number || held[right] != number)
                wrong++;
            held[number] = held[right] = NOBODY;
        }
    }

    private Philosophers(Parameter philosophers, Parameter meals) {
        super(
                "philosophers",
                "philosophers ask an arbitrator for their two forks until they get them, and eat",
                "meal",
                philosophers,
                meals);
        this.philosophers = philosophers;
        this.meals = meals;
    }

    @Override
    void check(Options options) {
        options.scaled(meals);
    }

    @Override
    long run(Run run) {
        int count = (int) philosophers.number();
        long last = run.scaled(meals);
        long[] used = new long[count];
        Ends ends = new Ends(count + 1L);
        Arbitrator arbitrator = new Arbitrator(count, ends);
        ActorRef<Request> actor = run.spawn(arbitrator);
        List<ActorRef<Word>> table = run.spawn(count, i -> new Philosopher(actor, used, i, last, ends));

        run.span.start();
        for (ActorRef<Word> philosopher : table)
            philosopher.tell(Word.ASK);
        run.awaitLast(ends);
        run.span.stop();

        long due = 2 * last + run.falsify;
        for (int i = 0; i < count; i++)
            if (used[i] != due)
                run.wrong("fork %d was used %d times in place of %d", i, used[i], due);
        if (arbitrator.wrong != 0)
            run.wrong("%d times forks came back from another than had them", arbitrator.wrong);
        return count * last;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Philosophers(
                        Parameter.count("philosophers", 20, "at a round table, a fork between two"),
                        Parameter.amount("meals", 10_000, "of each philosopher; --scale multiplies it")),
                arguments);
    }
}
