/*
 * actor-creation: spawners make many actors that are all alive at once, and end them.
 *
 * Timed until the last of these has ended; the spawners, their parents, outlive them.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

final class ActorCreation extends Workload {
    private final Parameter actors;
    private final Parameter spawners;

    /** A child's first message, and its last. */
    private enum Call {
        GREETING,
        FAREWELL
    }

    /** To a spawner: make your share, end it. */
    private enum Order {
        MAKE,
        END
    }

    /** To the coordinator: a share is made. */
    private enum Made {
        MADE
    }

    private static final class Child implements Actor<Call> {
        private final LongAdder ended; // that had received their first message
        private final Ends ends;
        private boolean greeted;

        Child(LongAdder ended, Ends ends) {
            this.ended = ended;
            this.ends = ends;
        }

        @Override
        public Behavior<Call> onMessage(ActorContext<Call> context, Call call) {
            if (call == Call.GREETING) {
                greeted = true;
                return Behaviors.same();
            }
            if (greeted)
                ended.increment();
            return ends.stopped();
        }
    }

    private static final class Spawner implements Actor<Order> {
        private final Run run;
        private final long share;
        private final ActorRef<Made> coordinator;
        private final LongAdder ended;
        private final Ends ends;
        private final List<ActorRef<Call>> children = new ArrayList<>();

        Spawner(Run run, long share, ActorRef<Made> coordinator, LongAdder ended, Ends ends) {
            this.run = run;
            this.share = share;
            this.coordinator = coordinator;
            this.ended = ended;
            this.ends = ends;
        }

        @Override
        public Behavior<Order> onMessage(ActorContext<Order> context, Order order) {
            if (order == Order.END) {
                for (ActorRef<Call> child : children)
                    child.tell(Call.FAREWELL);
                return Behaviors.same();
            }
            for (long i = 0; i < share; i++) {
                ActorRef<Call> child = context.spawnAnonymous(run.behaviour(new Child(ended, ends)));
                children.add(child);
                child.tell(Call.GREETING);
            }
            coordinator.tell(Made.MADE);
            return Behaviors.same();
        }
    }

    /** Ends the children when all shares are made. */
    private static final class Coordinator implements Actor<Made> {
        private final List<ActorRef<Order>> spawners; // filled before the first message
        private int made;

        Coordinator(List<ActorRef<Order>> spawners) {
            this.spawners = spawners;
        }

        @Override
        public Behavior<Made> onMessage(ActorContext<Made> context, Made message) {
            if (++made == spawners.size())
                for (ActorRef<Order> spawner : spawners)
                    spawner.tell(Order.END);
            return Behaviors.same();
        }
    }

    private ActorCreation(Parameter actors, Parameter spawners) {
        super(
                "actor-creation",
                "spawners make many actors that are all alive at once, and end them",
                "actor",
                actors,
                spawners);
        this.actors = actors;
        this.spawners = spawners;
    }

    @Override
    void check(Options options) {
        options.scaled(actors);
    }

    @Override
    long run(Run run) {
        long total = run.scaled(actors);
        int count = spawners.number() == 0 ? run.workers : (int) spawners.number();
        LongAdder ended = new LongAdder();
        Ends ends = new Ends(total);
        List<ActorRef<Order>> all = new ArrayList<>(count);
        ActorRef<Made> coordinator = run.spawn(new Coordinator(all));
        all.addAll(run.spawn(count, i -> {
            long share = total / count + (i < total % count ? 1 : 0);
            return new Spawner(run, share, coordinator, ended, ends);
        }));

        run.span.start();
        for (ActorRef<Order> spawner : all)
            spawner.tell(Order.MAKE);
        ends.await();
        run.span.stop();

        if (ended.sum() != total + run.falsify)
            run.wrong("%d actors in place of %d ended after their first message", ended.sum(), total + run.falsify);
        return total;
    }

    public static void main(String[] arguments) {
        Program.main(
                new ActorCreation(
                        Parameter.amount("actors", 1_000_000, "alive at once; --scale multiplies it"),
                        Parameter.whole("spawners", 0, "0", "2000000000", "actors that make them; 0: as many as workers")),
                arguments);
    }
}
