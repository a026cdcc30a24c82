/*
 * concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
 *
 * Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests go
 * in that order to a model, which must give the same answers and hold the same values.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class ConcDict extends Workload {
    private final Parameter entities;
    private final Parameter messages;
    private final Parameter writes;
    private final Parameter keys;

    /** How requests are drawn. */
    private record Source(long seed, int writes, int keys) {
        Question question(int entity, int number) {
            long drawn = Draw.draw(seed, entity, number);
            return new Question(Draw.upperBelow(drawn, keys), drawn, Draw.lowerBelow(drawn, 100) < writes);
        }
    }

    private record Question(int key, long value, boolean writes) {}

    private record Request(int entity, Question question, ActorRef<Event> from) {}

    /** What an entity receives. */
    private sealed interface Event {}

    private enum Begin implements Event {
        BEGIN
    }

    private record Answer(long value) implements Event {}

    private static final class Keeper implements Actor<Request> {
        private final Map<Integer, Long> dictionary; // holds every key from the start
        private final int[] served; // by request: which entity's
        private final Ends ends;
        private int count; // of requests served

        Keeper(int requests, int keys, Ends ends) {
            this.dictionary = new HashMap<>(2 * keys);
            for (int key = 0; key < keys; key++)
                dictionary.put(key, (long) key);
            this.served = new int[requests];
            this.ends = ends;
        }

        @Override
        public Behavior<Request> onMessage(ActorContext<Request> context, Request request) {
            served[count++] = request.entity;
            Question question = request.question;
            long former =
                    question.writes ? dictionary.put(question.key, question.value) : dictionary.get(question.key);
            request.from.tell(new Answer(former));
            return count == served.length ? ends.stopped() : Behaviors.same();
        }
    }

    private static final class Entity implements Actor<Event> {
        private final ActorRef<Request> keeper;
        private final Source source;
        private final int number;
        private final int last; // how many requests it sends
        private final Ends ends;
        private int asked;
        private long checksum; // of its answers, in order

        Entity(ActorRef<Request> keeper, Source source, int number, int last, Ends ends) {
            this.keeper = keeper;
            this.source = source;
            this.number = number;
            this.last = last;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Answer answer) {
                checksum = sum(checksum, answer.value);
                if (asked == last)
                    return ends.stopped();
            }
            keeper.tell(new Request(number, source.question(number, asked++), context.getSelf()));
            return Behaviors.same();
        }
    }

    private ConcDict(Parameter entities, Parameter messages, Parameter writes, Parameter keys) {
        super(
                "concdict", "entities read and write a dictionary that one actor keeps", "request",
                entities, messages, writes, keys);
        this.entities = entities;
        this.messages = messages;
        this.writes = writes;
        this.keys = keys;
    }

    @Override
    void check(Options options) {
        if (entities.number() * (double) options.scaled(messages) > 1e9)
            options.refuse("--messages %d: with --scale and --entities at most 10^9 requests", messages.number());
    }

    private static long sum(long checksum, long answer) {
        return checksum * 0x9e3779b97f4a7c15L + answer + 1;
    }

    @Override
    long run(Run run) {
        int count = (int) entities.number(), last = (int) run.scaled(messages);
        Source source = new Source(run.seed, (int) writes.number(), (int) keys.number());
        Ends ends = new Ends(count + 1);
        Keeper keeper = new Keeper(count * last, source.keys, ends);
        ActorRef<Request> actor = run.spawn(keeper);
        Entity[] asking = new Entity[count];
        List<ActorRef<Event>> all = run.spawn(count, i -> asking[i] = new Entity(actor, source, i, last, ends));

        run.span.start();
        for (ActorRef<Event> entity : all)
            entity.tell(Begin.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, keeper, asking, source, last);
        return (long) count * last;
    }

    private static void verify(Run run, Keeper keeper, Entity[] asking, Source source, int last) {
        long[] model = new long[source.keys], checksums = new long[asking.length];
        int[] asked = new int[asking.length];
        for (int key = 0; key < model.length; key++)
            model[key] = key;
        for (int entity : keeper.served) {
            Question question = source.question(entity, asked[entity]++);
            checksums[entity] = sum(checksums[entity], model[question.key]);
            if (question.writes)
                model[question.key] = question.value;
        }
        for (int i = 0; i < asking.length; i++) {
            if (asked[i] != last + run.falsify)
                run.wrong("entity %d was served %d times in place of %d", i, asked[i], last + run.falsify);
            if (asking[i].checksum != checksums[i])
                run.wrong("entity %d was given a wrong answer", i);
        }
        for (int key = 0; key < model.length; key++)
            if (keeper.dictionary.get(key) != model[key])
                run.wrong("the dictionary holds a wrong value for key %d", key);
    }

    public static void main(String[] arguments) {
        Program.main(
                new ConcDict(
                        Parameter.count("entities", 100, "actors that send requests"),
                        Parameter.amount("messages", 50_000, "requests of each; --scale multiplies it"),
                        Parameter.whole("writes", 10, "0", "100", "percent of the requests that write"),
                        Parameter.whole("keys", 524_287, "1", "100000000", "that can be asked for: 0, 1, 2, ...")),
                arguments);
    }
}
