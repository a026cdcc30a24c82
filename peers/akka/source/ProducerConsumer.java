/*
 * producer-consumer: many producers stream to one consumer.
 *
 * A producer sends a batch in a behaviour, and then itself one, to go on.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.List;

final class ProducerConsumer extends Workload {
    private final Parameter producers;
    private final Parameter messages;
    private final Parameter batch;

    private record Item(int producer) {}

    private enum Turn {
        TURN
    }

    private static final class Consumer implements Actor<Item> {
        private final long[] received; // by producer
        private final Ends ends;
        private long missing; // of all producers

        Consumer(int producers, long each, Ends ends) {
            this.received = new long[producers];
            this.missing = producers * each;
            this.ends = ends;
        }

        @Override
        public Behavior<Item> onMessage(ActorContext<Item> context, Item item) {
            received[item.producer]++;
            return --missing == 0 ? ends.stopped() : Behaviors.same();
        }
    }

    private static final class Producer implements Actor<Turn> {
        private final ActorRef<Item> consumer;
        private final Item product; // one for all sends
        private final long batch;
        private final Ends ends;
        private long left; // to be sent

        Producer(ActorRef<Item> consumer, int number, long each, long batch, Ends ends) {
            this.consumer = consumer;
            this.product = new Item(number);
            this.batch = batch;
            this.ends = ends;
            this.left = each;
        }

        @Override
        public Behavior<Turn> onMessage(ActorContext<Turn> context, Turn turn) {
            long portion = Math.min(left, batch);
            left -= portion;
            for (long i = 0; i < portion; i++)
                consumer.tell(product);
            if (left == 0)
                return ends.stopped();
            context.getSelf().tell(turn);
            return Behaviors.same();
        }
    }

    private ProducerConsumer(Parameter producers, Parameter messages, Parameter batch) {
        super("producer-consumer", "many producers stream to one consumer", "message", producers, messages, batch);
        this.producers = producers;
        this.messages = messages;
        this.batch = batch;
    }

    @Override
    void check(Options options) {
        options.scaled(messages);
    }

    @Override
    long run(Run run) {
        int count = (int) producers.number();
        long each = run.scaled(messages);
        Ends ends = new Ends(count + 1);
        Consumer consumer = new Consumer(count, each, ends);
        ActorRef<Item> actor = run.spawn(consumer);
        List<ActorRef<Turn>> all = run.spawn(count, i -> new Producer(actor, i, each, batch.number(), ends));

        run.span.start();
        for (ActorRef<Turn> producer : all)
            producer.tell(Turn.TURN);
        run.awaitLast(ends);
        run.span.stop();

        for (int i = 0; i < count; i++)
            if (consumer.received[i] != each + run.falsify)
                run.wrong("%d messages came from producer %d in place of %d", consumer.received[i], i, each + run.falsify);
        return count * each;
    }

    public static void main(String[] arguments) {
        Program.main(
                new ProducerConsumer(
                        Parameter.count("producers", 32, "actors that send to the consumer"),
                        Parameter.amount("messages", 1_000_000, "from each of them; --scale multiplies it"),
                        Parameter.amount("batch", 100, "messages that a producer sends in one behaviour")),
                arguments);
    }
}
