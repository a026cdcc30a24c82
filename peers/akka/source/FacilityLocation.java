/*
 * facility-location: quadrants of a square decide where to open facilities for the customers that come.
 *
 * A quadrant keeps its customers, each at the cost of the way to the nearest facility that it knows of. When they cost too
 * much together it opens one in its middle, tells its parent, and gives its customers to four children, which it makes. The
 * news go up to the root, and from each parent to the child opposite to the one it has them from, which tells all below it.
 *
 * A parent that stops would stop its children before they have taken all that was sent to them: so the end goes down, and each
 * quadrant ends when its children have said that they did.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class FacilityLocation extends Workload {
    private static final int CHILDREN = 4, SIDE = 500;
    private static final long MOST = 0xffffffffL;

    private final Parameter customers;
    private final Parameter alpha;

    private sealed interface Event {}

    private record Customer(double x, double y) implements Event {}

    /** That a facility was opened. */
    private record News(Facility facility, boolean fromBelow, int child) implements Event {}

    /** From a child: it sends no more news, and so much is in it and below. */
    private record Confirmation(long facilities, long customers) implements Event {}

    private enum Order implements Event {
        CLOSE, // confirm when no customer will come any more
        END,
        ENDED // from a child
    }

    private enum Turn {
        TURN
    }

    private record Facility(double x, double y) {}

    private static final class Producer implements Actor<Turn> {
        private final long seed, customers;
        private final Ends ends;
        private ActorRef<Event> root; // set before the first message
        private long produced;

        Producer(long seed, long customers, Ends ends) {
            this.seed = seed;
            this.customers = customers;
            this.ends = ends;
        }

        @Override
        public Behavior<Turn> onMessage(ActorContext<Turn> context, Turn turn) {
            if (produced == customers) {
                root.tell(Order.CLOSE);
                return ends.stopped();
            }
            long drawn = Draw.draw(seed, 0, produced++);
            double x = (double) Draw.upperBelow(drawn, MOST) * SIDE / MOST;
            double y = (double) Draw.lowerBelow(drawn, MOST) * SIDE / MOST;
            root.tell(new Customer(x, y));
            return Behaviors.same();
        }
    }

    /** What all quadrants share. */
    private record Square(Run run, double dear, ActorRef<Turn> producer, Ends ends) {}

    private static final class Quadrant implements Actor<Event> {
        private final Square square;
        private final ActorRef<Event> parent; // null: it is the root
        private final int index; // among its parent's children: 1: on the right, 2: at the top
        private final Facility middle;
        private final double half; // of its side
        private final List<Facility> known; // its own among them
        private final List<Customer> kept = new ArrayList<>();
        private final List<Quadrant> quadrants = new ArrayList<>(0); // its children; none: its facility is not open
        private final List<ActorRef<Event>> children = new ArrayList<>(0); // these as actors
        private double cost; // of its customers
        private long told; // news from below
        private long open, received; // facilities and customers, in it and below: told in the end
        private int confirmed, ended; // children

        /** The root. */
        Quadrant(Square square) {
            this(square, null, 0, new Facility(SIDE / 2.0, SIDE / 2.0), SIDE / 2.0, List.of());
        }

        private Quadrant(
                Square square, ActorRef<Event> parent, int index, Facility middle, double half, List<Facility> known) {
            this.square = square;
            this.parent = parent;
            this.index = index;
            this.middle = middle;
            this.half = half;
            this.known = new ArrayList<>(known);
            this.known.add(middle);
        }

        private Quadrant child(ActorRef<Event> self, int index) {
            double quarter = half / 2;
            double x = middle.x + ((index & 1) != 0 ? quarter : -quarter);
            double y = middle.y + ((index & 2) != 0 ? quarter : -quarter);
            return new Quadrant(square, self, index, new Facility(x, y), quarter, known);
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Customer customer) {
                take(context, customer);
            } else if (event instanceof News news) {
                hear(news);
            } else if (event instanceof Confirmation confirmation) {
                open += confirmation.facilities;
                received += confirmation.customers;
                if (++confirmed == CHILDREN)
                    confirm(context);
            } else {
                return obey(context, (Order) event);
            }
            return Behaviors.same();
        }

        private void take(ActorContext<Event> context, Customer customer) {
            if (open != 0)
                children.get(place(customer)).tell(customer);
            else
                keep(customer);
            if (open == 0 && cost > square.dear)
                openFacility(context);
            if (parent == null)
                square.producer.tell(Turn.TURN);
        }

        /* The index of the child that it belongs to. */
        private int place(Customer customer) {
            return (customer.x >= middle.x ? 1 : 0) + (customer.y >= middle.y ? 2 : 0);
        }

        private void keep(Customer customer) {
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < known.size(); i++) {
                double x = known.get(i).x - customer.x, y = known.get(i).y - customer.y;
                least = Math.min(least, x * x + y * y);
            }
            cost += Math.sqrt(least);
            received++;
            kept.add(customer);
        }

        private void openFacility(ActorContext<Event> context) {
            if (parent != null)
                parent.tell(new News(middle, true, index));
            for (int i = 0; i < CHILDREN; i++)
                quadrants.add(child(context.getSelf(), i));
            for (Customer customer : kept)
                quadrants.get(place(customer)).keep(customer);
            for (Quadrant quadrant : quadrants)
                children.add(context.spawnAnonymous(square.run.behaviour(quadrant)));
            kept.clear();
            open = 1;
            received = 0;
        }

        private void hear(News news) {
            known.add(news.facility);
            if (news.fromBelow) {
                told++;
                if (parent != null)
                    parent.tell(new News(news.facility, true, index));
                children.get(CHILDREN - 1 - news.child).tell(new News(news.facility, false, 0));
            } else {
                for (ActorRef<Event> child : children)
                    child.tell(news);
            }
        }

        /* When all below it has confirmed. */
        private void confirm(ActorContext<Event> context) {
            if (parent == null)
                context.getSelf().tell(Order.END);
            else
                parent.tell(new Confirmation(open, received));
        }

        private Behavior<Event> obey(ActorContext<Event> context, Order order) {
            if (order == Order.ENDED)
                return ++ended == CHILDREN ? end() : Behaviors.same();
            for (ActorRef<Event> child : children)
                child.tell(order);
            if (!children.isEmpty())
                return Behaviors.same();
            if (order == Order.END)
                return end();
            confirm(context);
            return Behaviors.same();
        }

        private Behavior<Event> end() {
            if (parent == null)
                return square.ends.stopped();
            parent.tell(Order.ENDED);
            return Behaviors.stopped();
        }

        /* How many facilities are open in it and below, by the quadrants themselves. */
        private long count(Found found) {
            long below = 0;
            for (Quadrant quadrant : quadrants)
                below += quadrant.count(found);
            if (told != below)
                found.uninformed++;
            found.customers += kept.size();
            for (Customer customer : kept)
                if (Math.abs(customer.x - middle.x) > half || Math.abs(customer.y - middle.y) > half)
                    found.outside++;
            return below + (quadrants.isEmpty() ? 0 : 1);
        }
    }

    /** What the quadrants hold in the end. */
    private static final class Found {
        private long customers, outside; // customers; those that are not in their quadrant
        private long uninformed; // quadrants that have not heard of all that was opened below
    }

    private FacilityLocation(Parameter customers, Parameter alpha) {
        super(
                "facility-location",
                "quadrants of a square decide where to open facilities for the customers that come",
                "customer",
                customers, alpha);
        this.customers = customers;
        this.alpha = alpha;
    }

    @Override
    void check(Options options) {
        if (options.scaled(customers) > MOST)
            options.refuse("--customers %d: with --scale they must be under 2^32", customers.number());
    }

    @Override
    long run(Run run) {
        long amount = run.scaled(customers);
        Ends ends = new Ends(2); // the root's comes after those of all below it
        Producer producer = new Producer(run.seed, amount, ends);
        ActorRef<Turn> actor = run.spawn(producer);
        Quadrant root = new Quadrant(new Square(run, alpha.number() * Math.sqrt(2) * SIDE, actor, ends));
        producer.root = run.spawn(root);

        run.span.start();
        actor.tell(Turn.TURN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, root, amount);
        return amount;
    }

    private static void verify(Run run, Quadrant root, long amount) {
        Found found = new Found();
        long open = root.count(found), due = amount + run.falsify;
        if (root.received != due || found.customers != due || found.outside != 0)
            run.wrong(
                    "of %d customers %d were counted, %d kept, and %d not in their quadrant",
                    due, root.received, found.customers, found.outside);
        if (root.open != open || found.uninformed != 0)
            run.wrong(
                    "of %d facilities %d were counted, and %d quadrants heard of too few or too many",
                    open, root.open, found.uninformed);
    }

    public static void main(String[] arguments) {
        Program.main(
                new FacilityLocation(
                        Parameter.amount("customers", 100_000, "that come; --scale multiplies it"),
                        Parameter.amount(
                                "alpha", 2, "times the square's diagonal is what a quadrant's customers may cost")),
                arguments);
    }
}
