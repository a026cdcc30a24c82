/*
 * fibonacci: actors compute a Fibonacci number by its recursion, an actor a call; one tree of them after the other.
 *
 * Timed until the last tree's root has stopped, which the system lets it do after all below it.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;

final class Fibonacci extends Workload {
    private final Parameter number;
    private final Parameter trees;

    private sealed interface Event {}

    private record Question(int index) implements Event {}

    private record Answer(long value) implements Event {}

    private static final class Adder implements Actor<Event> {
        private final Run run;
        private final ActorRef<Event> parent; // null: it is the root, and main reads the sum
        private final Ends ends; // the root's
        private long sum;
        private int missing; // answers

        Adder(Run run, ActorRef<Event> parent, Ends ends) {
            this.run = run;
            this.parent = parent;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Question question)
                divide(context, question.index);
            else if (event instanceof Answer answer)
                add(answer.value);
            return missing == 0 ? end() : Behaviors.same();
        }

        private void divide(ActorContext<Event> context, int index) {
            if (index <= 2) {
                sum = 1;
                return;
            }
            missing = 2;
            for (int i = 1; i <= 2; i++) {
                Adder child = new Adder(run, context.getSelf(), ends);
                context.spawnAnonymous(run.behaviour(child)).tell(new Question(index - i));
            }
        }

        private void add(long value) {
            sum += value;
            missing--;
        }

        private Behavior<Event> end() {
            if (parent == null)
                return ends.stopped();
            parent.tell(new Answer(sum));
            return Behaviors.stopped();
        }
    }

    private Fibonacci(Parameter number, Parameter trees) {
        super(
                "fibonacci", "actors compute a Fibonacci number by its recursion, an actor a call", "actor",
                number, trees);
        this.number = number;
        this.trees = trees;
    }

    @Override
    void check(Options options) {
        options.scaled(trees);
    }

    @Override
    long run(Run run) {
        int index = (int) number.number();
        long repeats = run.scaled(trees), value = fibonacci(index), due = value + run.falsify, wrong = 0;

        run.span.start();
        for (long i = 0; i < repeats; i++) {
            Ends ends = new Ends(1);
            Adder root = new Adder(run, null, ends);
            run.spawnFor(run.behaviour(root), new Question(index));
            ends.await();
            wrong += root.sum == due ? 0 : 1;
        }
        run.span.stop();

        if (wrong != 0)
            run.wrong("%d trees of %d gave another number than %d", wrong, repeats, due);
        return repeats * (2 * value - 1);
    }

    private static long fibonacci(int index) {
        long last = 0, value = 1;
        for (int i = 1; i < index; i++) {
            long next = last + value;
            last = value;
            value = next;
        }
        return value;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Fibonacci(
                        Parameter.whole(
                                "number", 25, "1", "46",
                                "which Fibonacci number; each tree has twice that many actors, less one"),
                        Parameter.amount("trees", 1, "one after the other; --scale multiplies it")),
                arguments);
    }
}
