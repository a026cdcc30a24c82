/*
 * fork-join: one source sends to many actors in turn.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.List;

final class ForkJoin extends Workload {
    private final Parameter actors;
    private final Parameter messages;

    private enum Task {
        TASK
    }

    private enum Start {
        START
    }

    private static final class Receiver implements Actor<Task> {
        private final long last;
        private final Ends ends;
        private long received;

        Receiver(long last, Ends ends) {
            this.last = last;
            this.ends = ends;
        }

        @Override
        public Behavior<Task> onMessage(ActorContext<Task> context, Task task) {
            return ++received == last ? ends.stopped() : Behaviors.same();
        }
    }

    private record Source(List<ActorRef<Task>> receivers, long messages, Ends ends) implements Actor<Start> {
        @Override
        public Behavior<Start> onMessage(ActorContext<Start> context, Start start) {
            for (long i = 0; i < messages; i++)
                for (ActorRef<Task> receiver : receivers)
                    receiver.tell(Task.TASK);
            return ends.stopped();
        }
    }

    private ForkJoin(Parameter actors, Parameter messages) {
        super("fork-join", "one source sends to many actors in turn", "message", actors, messages);
        this.actors = actors;
        this.messages = messages;
    }

    @Override
    void check(Options options) {
        options.scaled(messages);
    }

    @Override
    long run(Run run) {
        int count = (int) actors.number();
        long last = run.scaled(messages);
        Ends ends = new Ends(count + 1);
        Receiver[] receivers = new Receiver[count];
        List<ActorRef<Task>> all = run.spawn(count, i -> receivers[i] = new Receiver(last, ends));
        ActorRef<Start> source = run.spawn(new Source(all, last, ends));

        run.span.start();
        source.tell(Start.START);
        run.awaitLast(ends);
        run.span.stop();

        for (int i = 0; i < count; i++)
            if (receivers[i].received != last + run.falsify)
                run.wrong("actor %d received %d messages in place of %d", i, receivers[i].received, last + run.falsify);
        return count * last;
    }

    public static void main(String[] arguments) {
        Program.main(
                new ForkJoin(
                        Parameter.count("actors", 1000, "that receive"),
                        Parameter.amount("messages", 10_000, "to each of them; --scale multiplies it")),
                arguments);
    }
}
