/*
 * counting: a producer streams increments to a counter, then asks it for its count.
 *
 * Timed until the producer has the answer.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;

final class Counting extends Workload {
    private final Parameter messages;

    /** What the counter receives. */
    private sealed interface Command {}

    private enum Increment implements Command {
        INCREMENT
    }

    private record Inquiry(ActorRef<Event> from) implements Command {}

    /** What the producer receives. */
    private sealed interface Event {}

    private enum Start implements Event {
        START
    }

    private record Count(long count) implements Event {}

    private static final class Counter implements Actor<Command> {
        private final Ends ends;
        private long count;

        Counter(Ends ends) {
            this.ends = ends;
        }

        @Override
        public Behavior<Command> onMessage(ActorContext<Command> context, Command command) {
            if (command instanceof Inquiry inquiry) {
                inquiry.from.tell(new Count(count));
                return ends.stopped();
            }
            count++;
            return Behaviors.same();
        }
    }

    private static final class Producer implements Actor<Event> {
        private final ActorRef<Command> counter;
        private final long increments;
        private final Span span;
        private final Ends ends;
        private long answer;

        Producer(ActorRef<Command> counter, long increments, Span span, Ends ends) {
            this.counter = counter;
            this.increments = increments;
            this.span = span;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Count count) {
                span.stop();
                answer = count.count;
                return ends.stopped();
            }
            for (long i = 0; i < increments; i++)
                counter.tell(Increment.INCREMENT);
            counter.tell(new Inquiry(context.getSelf()));
            return Behaviors.same();
        }
    }

    private Counting(Parameter messages) {
        super("counting", "a producer streams increments to a counter, then asks it for its count", "message", messages);
        this.messages = messages;
    }

    @Override
    void check(Options options) {
        options.scaled(messages);
    }

    @Override
    long run(Run run) {
        long increments = run.scaled(messages);
        Ends ends = new Ends(2);
        Producer producer = new Producer(run.spawn(new Counter(ends)), increments, run.span, ends);
        ActorRef<Event> actor = run.spawn(producer);

        run.span.start();
        actor.tell(Start.START);
        ends.await();

        if (producer.answer != increments + run.falsify)
            run.wrong("the counter answered %d in place of %d", producer.answer, increments + run.falsify);
        return increments;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Counting(Parameter.amount("messages", 10_000_000, "increments; --scale multiplies it")), arguments);
    }
}
