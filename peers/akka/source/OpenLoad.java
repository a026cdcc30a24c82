/*
 * open-load: messages come at random times, at a share of what all workers could serve.
 *
 * Main, a thread beside the workers, sends each message when it is due; a message's latency is from then to the start of its
 * behaviour.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

final class OpenLoad extends Workload {
    private static final int STREAM_OF_TIMES = 0, STREAM_OF_RECEIVERS = 1;

    private final Parameter actors, messages, load, work, on, sender;

    private sealed interface Command {}

    private record Request(int number) implements Command {}

    private enum Done implements Command {
        DONE
    }

    /** What is known of the messages, by their numbers: times in ns, those of due from the first instant. */
    private static final class Plan {
        final long[] due, waited, late;
        final int[] received;
        final long steps;
        long start;

        Plan(int count, long steps) {
            due = new long[count];
            waited = new long[count];
            late = new long[count];
            received = new int[count];
            this.steps = steps;
        }
    }

    private static final class Server implements Actor<Command> {
        private final Plan plan;
        private final Ends ends;
        private int next;
        private long disordered; // requests that came after a later one

        Server(Plan plan, Ends ends) {
            this.plan = plan;
            this.ends = ends;
        }

        @Override
        public Behavior<Command> onMessage(ActorContext<Command> context, Command command) {
            if (!(command instanceof Request request))
                return ends.stopped();
            int number = request.number;
            plan.waited[number] = System.nanoTime() - plan.start - plan.due[number];
            plan.received[number]++;
            if (number < next)
                disordered++;
            next = number + 1;
            Work.compute(plan.steps);
            return Behaviors.same();
        }
    }

    private OpenLoad(Parameter actors, Parameter messages, Parameter load, Parameter work, Parameter on, Parameter sender) {
        super(
                "open-load",
                "messages come at random times, at a share of what all workers could serve",
                "message",
                actors,
                messages,
                load,
                work,
                on,
                sender);
        this.actors = actors;
        this.messages = messages;
        this.load = load;
        this.work = work;
        this.on = on;
        this.sender = sender;
    }

    @Override
    void check(Options options) {
        if (options.scaled(messages) > Integer.MAX_VALUE)
            throw options.refuse("--messages %s is too much: an array of the JVM holds no more than 2^31", messages.text);
    }

    @Override
    long run(Run run) {
        int count = (int) run.scaled(messages);
        Plan plan = new Plan(count, Work.stepsOf(work.number()));
        drawTimes(run, plan);
        Server[] servers = new Server[(int) actors.number()];
        Ends ends = new Ends(servers.length);
        List<ActorRef<Command>> all = run.spawn(servers.length, i -> servers[i] = new Server(plan, ends));

        napOnTime();
        run.span.start();
        plan.start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            plan.late[i] = awaitTime(plan.start + plan.due[i]);
            long drawn = Draw.draw(run.seed, STREAM_OF_RECEIVERS, i);
            all.get(Draw.lowerBelow(drawn, servers.length)).tell(new Request(i));
        }
        for (ActorRef<Command> server : all)
            server.tell(Done.DONE);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, plan, servers);
        measure(run, plan);
        return count;
    }

    /** Draws when all are due: exponential gaps, on average as long as the load asks for. */
    private void drawTimes(Run run, Plan plan) {
        double mean = work.number() * 100.0 / (load.number() * (double) run.workers);
        double at = 0;
        for (int i = 0; i < plan.due.length; i++) {
            at -= mean * Math.log(((Draw.draw(run.seed, STREAM_OF_TIMES, i) >>> 11) + 1) * 0x1p-53);
            plan.due[i] = (long) at;
        }
    }

    /** Lets the naps of this thread end on time; where the kernel does not permit it main is later, and that is told. */
    private static void napOnTime() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), "1", StandardOpenOption.WRITE);
        } catch (IOException refused) {
            return;
        }
    }

    /** Waits until a time of nanoTime; how much later it is then. */
    private long awaitTime(long due) {
        for (;;) {
            long late = System.nanoTime() - due;
            if (late >= 0)
                return late;
            if (sender.is("sleep"))
                LockSupport.parkNanos(-late); // an early end leads back here
            else
                Thread.onSpinWait();
        }
    }

    private static void verify(Run run, Plan plan, Server[] servers) {
        for (int i = 0; i < plan.received.length; i++)
            if (plan.received[i] != 1 + run.falsify)
                run.wrong("message %d was received %d times in place of %d", i, plan.received[i], 1 + run.falsify);
        for (int i = 0; i < servers.length; i++)
            if (servers[i].disordered != 0)
                run.wrong("actor %d received %d messages after later ones", i, servers[i].disordered);
    }

    private static void measure(Run run, Plan plan) {
        Arrays.sort(plan.late);
        run.measure("lateness_p50_ns", percentile(plan.late, 50));
        run.measure("lateness_p99_ns", percentile(plan.late, 99));
        Arrays.sort(plan.waited);
        run.measure("latency_p50_ns", percentile(plan.waited, 50));
        run.measure("latency_p90_ns", percentile(plan.waited, 90));
        run.measure("latency_p99_ns", percentile(plan.waited, 99));
        run.measure("latency_p999_ns", percentile(plan.waited, 99.9));
        run.measure("latency_p9999_ns", percentile(plan.waited, 99.99));
        run.measure("latency_max_ns", percentile(plan.waited, 100));
    }

    /** Of sorted times, the one that so many per cent of them are no longer than. */
    private static long percentile(long[] sorted, double percent) {
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.max(rank, 1) - 1];
    }

    public static void main(String[] arguments) {
        Program.main(
                new OpenLoad(
                        Parameter.count("actors", 64, "that are sent to, each as likely as any other"),
                        Parameter.amount("messages", 100_000, "sent to them all; --scale multiplies it"),
                        Parameter.amount("load", 70, "percent of what all workers could serve"),
                        Parameter.amount("work", 20_000, "nanoseconds of computation for each message"),
                        Parameter.choice("on", "whose the actors are: every worker's", "all"),
                        Parameter.choice("sender", "what main does until a message is due", "sleep", "spin")),
                arguments);
    }
}
