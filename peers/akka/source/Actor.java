/*
 * What an actor does with a message, in whichever style behaviours are written (--style).
 */
package actorbench;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;

interface Actor<T> {
    Behavior<T> onMessage(ActorContext<T> context, T message);

    /** The functional style: a function from message to behaviour. */
    default Behavior<T> functional() {
        return Behaviors.receive(this::onMessage);
    }

    /** The object-oriented style: an AbstractBehavior for each actor, whose builder matches the message. */
    default Behavior<T> object() {
        return Behaviors.setup(context -> new AbstractBehavior<>(context) {
            @Override
            public Receive<T> createReceive() {
                return newReceiveBuilder()
                        .onAnyMessage(message -> Actor.this.onMessage(getContext(), message))
                        .build();
            }
        });
    }
}
