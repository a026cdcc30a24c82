/*
 * One run of a workload, on an actor system of its own: the work's scale, the actors, the timed span and the verdict.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

final class Run implements AutoCloseable {
    final Span span = new Span();
    final int workers;
    final long seed;
    final int falsify; // 1 to expect one more than there will be
    final Map<String, Long> measured = new LinkedHashMap<>(); // numbers beside the times, as the record names them

    private final double share; // of the work that was asked for
    private final Options options;
    private final ActorSystem<Guardian.Command> system;
    private String problem;

    Run(Options options, int workers, double share) {
        this.options = options;
        this.workers = workers;
        this.share = share;
        this.seed = options.seed.number();
        this.falsify = options.falsify ? 1 : 0;
        this.system = ActorSystem.create(
                Guardian.create(), "actorbench", Peer.config(workers, options.throughput.number()));
    }

    /** How much of an amount of work this run shall do. */
    long scaled(Parameter amount) {
        return Math.max(1, Math.round(options.scaled(amount) * share));
    }

    /** What --scale, and the run's share, multiply the work by. */
    double scale() {
        return options.scale() * share;
    }

    /** The actor's behaviour, in the style that was asked for. */
    <T> Behavior<T> behaviour(Actor<T> actor) {
        return options.style.is("functional") ? actor.functional() : actor.object();
    }

    /** Makes an actor; not timed. */
    <T> ActorRef<T> spawn(Actor<T> actor) {
        return spawn(1, number -> actor).get(0);
    }

    /** Makes actors, numbered from 0; not timed. */
    <T> List<ActorRef<T>> spawn(int count, IntFunction<? extends Actor<T>> actors) {
        CompletableFuture<List<ActorRef<T>>> made = new CompletableFuture<>();
        system.tell(new Guardian.SpawnAll<>(count, number -> behaviour(actors.apply(number)), made));
        return made.join();
    }

    /** Makes an actor and sends it the message; from any thread. */
    <T> void spawnFor(Behavior<T> behaviour, T message) {
        system.tell(new Guardian.SpawnFor<>(behaviour, message));
    }

    /** Waits until all of these have ended and none of the run's actors is left. */
    void awaitLast(Ends ends) {
        ends.await();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        system.tell(new Guardian.AwaitLast(gone));
        gone.join();
    }

    /** Puts a number beside the times into the record, under a name that its schema has. */
    void measure(String name, long value) {
        measured.put(name, value);
    }

    /** Says that a result is wrong, and why; the first is kept. */
    void wrong(String format, Object... values) {
        if (problem == null)
            problem = String.format(format, values);
    }

    /** What is wrong, in one line; null if nothing. */
    String problem() {
        return problem;
    }

    /** Ends the actor system. */
    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }
}
