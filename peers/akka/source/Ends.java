/*
 * Counts the actors that end, so that main can wait for the last of them.
 */
package actorbench;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

final class Ends {
    private final long expected;
    private final AtomicLong counted = new AtomicLong();
    private final CountDownLatch last = new CountDownLatch(1);

    Ends(long expected) {
        this.expected = expected;
    }

    /** The behaviour with which an actor ends; counted when it has stopped. */
    <T> Behavior<T> stopped() {
        return Behaviors.stopped(this::count);
    }

    private void count() {
        if (counted.incrementAndGet() == expected)
            last.countDown();
    }

    void await() {
        try {
            last.await();
        } catch (InterruptedException interruption) {
            throw new IllegalStateException(interruption);
        }
    }

    long counted() {
        return counted.get();
    }
}
