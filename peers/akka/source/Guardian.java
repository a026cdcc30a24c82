/*
 * The guardian, parent of all actors of a run: it makes them, and knows when none is left.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

final class Guardian {
    sealed interface Command {}

    /** Make `count` actors, numbered from 0. */
    record SpawnAll<T>(int count, IntFunction<Behavior<T>> behaviours, CompletableFuture<List<ActorRef<T>>> made)
            implements Command {}

    /** Make an actor for this message. */
    record SpawnFor<T>(Behavior<T> behaviour, T message) implements Command {}

    /** Say when the last actor is gone. */
    record AwaitLast(CompletableFuture<Void> gone) implements Command {}

    private Guardian() {}

    static Behavior<Command> create() {
        return Behaviors.receive(Guardian::onCommand);
    }

    private static Behavior<Command> onCommand(ActorContext<Command> context, Command command) {
        if (command instanceof SpawnFor<?> spawn)
            spawnFor(context, spawn);
        else if (command instanceof SpawnAll<?> spawn)
            spawnAll(context, spawn);
        else if (command instanceof AwaitLast await)
            awaitLast(context, await);
        return Behaviors.same();
    }

    private static <T> void spawnFor(ActorContext<Command> context, SpawnFor<T> spawn) {
        context.spawnAnonymous(spawn.behaviour).tell(spawn.message);
    }

    private static <T> void spawnAll(ActorContext<Command> context, SpawnAll<T> spawn) {
        List<ActorRef<T>> actors = new ArrayList<>(spawn.count);
        for (int i = 0; i < spawn.count; i++)
            actors.add(context.spawnAnonymous(spawn.behaviours.apply(i)));
        spawn.made.complete(actors);
    }

    /* Between two commands the system tells the guardian of children that have ended. */
    private static void awaitLast(ActorContext<Command> context, AwaitLast await) {
        if (context.getChildren().isEmpty())
            await.gone.complete(null);
        else
            context.getSelf().tell(await);
    }
}
