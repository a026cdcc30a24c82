/*
 * sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full.
 *
 * A factory makes the customers, and is their parent. Who was sent away tells the factory, which sends it in again at once.
 * A customer ends with its haircut: a local send is in the mailbox when it returns, so that nothing comes after that.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;

final class SleepingBarber extends Workload {
    private static final int LEAST_WORK = 10; // in steps; a random part is added

    private final Parameter haircuts;
    private final Parameter chairs;
    private final Parameter haircutWork;
    private final Parameter arrivalWork;

    /** To a customer. */
    private enum Word {
        FULL,
        WAIT,
        BEGIN,
        DONE
    }

    private sealed interface ToFactory {}

    private sealed interface ToRoom {}

    private sealed interface ToBarber {}

    /** Who comes: from the factory to the room, to the barber, or back to the factory. */
    private record Visit(int number, ActorRef<Word> who) implements ToFactory, ToRoom, ToBarber {}

    private enum Report implements ToFactory {
        OPEN,
        SERVED
    }

    private enum Wish implements ToRoom {
        NEXT,
        CLOSE
    }

    private enum Rest implements ToBarber {
        NOBODY,
        END
    }

    private static final class Customer implements Actor<Word> {
        private final ActorRef<ToFactory> factory;
        private final LongAdder satisfied;
        private Visit visit; // its own; set before the first message
        private boolean begun;

        Customer(ActorRef<ToFactory> factory, LongAdder satisfied) {
            this.factory = factory;
            this.satisfied = satisfied;
        }

        @Override
        public Behavior<Word> onMessage(ActorContext<Word> context, Word word) {
            if (word == Word.FULL) {
                factory.tell(visit);
            } else if (word == Word.BEGIN) {
                begun = true;
            } else if (word == Word.DONE) {
                if (begun)
                    satisfied.increment();
                factory.tell(Report.SERVED);
                return Behaviors.stopped();
            }
            return Behaviors.same();
        }
    }

    private static final class Factory implements Actor<ToFactory> {
        private final Run run;
        private final int customers, work;
        private final ActorRef<ToRoom> room;
        private final Ends ends;
        private final LongAdder satisfied = new LongAdder(); // customers
        private int served;
        private long returned; // customers that were sent away, every time

        Factory(Run run, int customers, int work, ActorRef<ToRoom> room, Ends ends) {
            this.run = run;
            this.customers = customers;
            this.work = work;
            this.room = room;
            this.ends = ends;
        }

        @Override
        public Behavior<ToFactory> onMessage(ActorContext<ToFactory> context, ToFactory message) {
            if (message instanceof Visit visit) {
                returned++;
                room.tell(visit);
            } else if (message == Report.OPEN) {
                open(context);
            } else if (++served == customers) {
                room.tell(Wish.CLOSE);
                return ends.stopped();
            }
            return Behaviors.same();
        }

        private void open(ActorContext<ToFactory> context) {
            for (int i = 0; i < customers; i++) {
                Customer customer = new Customer(context.getSelf(), satisfied);
                customer.visit = new Visit(i, context.spawnAnonymous(run.behaviour(customer)));
                room.tell(customer.visit);
                Work.compute(LEAST_WORK + Draw.upperBelow(Draw.draw(run.seed, 0, i), work));
            }
        }
    }

    private static final class Room implements Actor<ToRoom> {
        private final ActorRef<ToBarber> barber;
        private final int chairs;
        private final Ends ends;
        private final ArrayDeque<Visit> waiting = new ArrayDeque<>();
        private int most; // that waited at a time
        private long sentAway;
        private boolean barberSleeps = true, closes;

        Room(ActorRef<ToBarber> barber, int chairs, Ends ends) {
            this.barber = barber;
            this.chairs = chairs;
            this.ends = ends;
        }

        @Override
        public Behavior<ToRoom> onMessage(ActorContext<ToRoom> context, ToRoom message) {
            if (message instanceof Visit visit)
                admit(context, visit);
            else if (message == Wish.NEXT)
                giveNext();
            else
                closes = true;
            if (!closes || !barberSleeps) // the barber may still be about to ask for the next
                return Behaviors.same();
            barber.tell(Rest.END);
            return ends.stopped();
        }

        private void admit(ActorContext<ToRoom> context, Visit visit) {
            if (waiting.size() == chairs) {
                sentAway++;
                visit.who.tell(Word.FULL);
                return;
            }
            waiting.add(visit);
            most = Math.max(most, waiting.size());
            if (barberSleeps) {
                barberSleeps = false;
                context.getSelf().tell(Wish.NEXT);
            } else {
                visit.who.tell(Word.WAIT);
            }
        }

        private void giveNext() {
            barberSleeps = waiting.isEmpty();
            barber.tell(barberSleeps ? Rest.NOBODY : waiting.remove());
        }
    }

    private static final class Barber implements Actor<ToBarber> {
        private final Run run;
        private final int work;
        private final Ends ends;
        private final int[] had; // haircuts, by customer
        private ActorRef<ToRoom> room; // set before the first message
        private int cuts;

        Barber(Run run, int customers, int work, Ends ends) {
            this.run = run;
            this.work = work;
            this.ends = ends;
            this.had = new int[customers];
        }

        @Override
        public Behavior<ToBarber> onMessage(ActorContext<ToBarber> context, ToBarber message) {
            if (message instanceof Visit visit) {
                visit.who.tell(Word.BEGIN);
                Work.compute(LEAST_WORK + Draw.upperBelow(Draw.draw(run.seed, 1, cuts++), work));
                had[visit.number]++;
                visit.who.tell(Word.DONE);
                room.tell(Wish.NEXT);
            }
            return message == Rest.END ? ends.stopped() : Behaviors.same();
        }
    }

    private SleepingBarber(Parameter haircuts, Parameter chairs, Parameter haircutWork, Parameter arrivalWork) {
        super(
                "sleeping-barber",
                "customers wait for a barber in a room with too few chairs, and come again if it is full",
                "haircut",
                haircuts, chairs, haircutWork, arrivalWork);
        this.haircuts = haircuts;
        this.chairs = chairs;
        this.haircutWork = haircutWork;
        this.arrivalWork = arrivalWork;
    }

    @Override
    void check(Options options) {
        if (options.scaled(haircuts) > 2_000_000_000L)
            options.refuse("--haircuts %d: with --scale they must be at most 2 x 10^9", haircuts.number());
    }

    @Override
    long run(Run run) {
        int customers = (int) run.scaled(haircuts), seats = (int) chairs.number();
        Ends ends = new Ends(3);
        Barber barber = new Barber(run, customers, (int) haircutWork.number(), ends);
        Room room = new Room(run.spawn(barber), seats, ends);
        barber.room = run.spawn(room);
        Factory factory = new Factory(run, customers, (int) arrivalWork.number(), barber.room, ends);
        ActorRef<ToFactory> opened = run.spawn(factory);

        run.span.start();
        opened.tell(Report.OPEN);
        run.awaitLast(ends);
        run.span.stop();

        for (int i = 0; i < customers; i++)
            if (barber.had[i] != 1)
                run.wrong("customer %d had %d haircuts", i, barber.had[i]);
        long satisfied = factory.satisfied.sum(), due = customers + run.falsify;
        if (satisfied != due || factory.returned != room.sentAway)
            run.wrong(
                    "%d customers in place of %d ended after their haircut; %d were sent away, and %d came again",
                    satisfied, due, room.sentAway, factory.returned);
        if (room.most > seats)
            run.wrong("%d waited on %d chairs", room.most, seats);
        return customers;
    }

    public static void main(String[] arguments) {
        Program.main(
                new SleepingBarber(
                        Parameter.amount("haircuts", 5000, "one a customer; --scale multiplies it"),
                        Parameter.count("chairs", 1000, "in the waiting room"),
                        Parameter.count("haircut-work", 1000, "random part of a haircut's work: under so many multiplications"),
                        Parameter.count("arrival-work", 1000, "the same between two customers")),
                arguments);
    }
}
