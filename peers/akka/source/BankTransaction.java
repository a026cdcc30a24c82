/*
 * bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply.
 *
 * Until the reply comes an account keeps what else comes in a queue of its own. The library's StashBuffer gives all back at
 * once, and what comes after the next transfer would be stashed again.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

final class BankTransaction extends Workload {
    private static final int HIGHEST_AMOUNT = 1000;

    private final Parameter accounts;
    private final Parameter transactions;

    private sealed interface Event {}

    /** From the teller to its source. */
    private record Transfer(int number, int amount, ActorRef<Event> target) implements Event {}

    /** From the source to its target. */
    private record Credit(int amount, ActorRef<Event> source) implements Event {}

    private enum Signal implements Event {
        REPLY, // from the target to the source
        END
    }

    private enum ToTeller {
        BEGIN,
        TRANSFERRED
    }

    /** How transactions are drawn, as the suite does: the source is of the lower four fifths, the target is above it. */
    private record Source(long seed, int accounts) {
        int source(int number) {
            return Draw.upperBelow(Draw.draw(seed, 0, number), accounts / 10 * 8);
        }

        int target(int number) {
            int source = source(number), further = Draw.lowerBelow(Draw.draw(seed, 0, number), accounts - source);
            return source + Math.max(1, further);
        }

        int amount(int number) {
            return 1 + Draw.upperBelow(Draw.draw(seed, 1, number), HIGHEST_AMOUNT);
        }
    }

    private static final class Account implements Actor<Event> {
        private final Ends ends;
        private final ActorRef<ToTeller> teller;
        private final ArrayDeque<Event> stash = new ArrayDeque<>();
        private long balance;
        private Transfer waits; // for its reply; null: it waits for none
        private int last = -1; // transfer that it has had the reply to
        private long overtaken; // replies that came after a later one

        Account(ActorRef<ToTeller> teller, Ends ends) {
            this.teller = teller;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event == Signal.END)
                return ends.stopped();
            if (event == Signal.REPLY)
                goOn(context);
            else if (waits != null)
                stash.add(event);
            else
                handle(context, event);
            return Behaviors.same();
        }

        private void goOn(ActorContext<Event> context) {
            if (waits.number < last)
                overtaken++;
            last = waits.number;
            waits = null;
            teller.tell(ToTeller.TRANSFERRED);
            while (waits == null && !stash.isEmpty())
                handle(context, stash.remove());
        }

        private void handle(ActorContext<Event> context, Event event) {
            if (event instanceof Transfer transfer) {
                balance -= transfer.amount;
                waits = transfer;
                transfer.target.tell(new Credit(transfer.amount, context.getSelf()));
            } else if (event instanceof Credit credit) {
                balance += credit.amount;
                credit.source.tell(Signal.REPLY);
            }
        }
    }

    private static final class Teller implements Actor<ToTeller> {
        private final List<ActorRef<Event>> accounts; // filled before the first message
        private final Source source;
        private final int transactions;
        private final Ends ends;
        private int ended; // transactions

        Teller(List<ActorRef<Event>> accounts, Source source, int transactions, Ends ends) {
            this.accounts = accounts;
            this.source = source;
            this.transactions = transactions;
            this.ends = ends;
        }

        @Override
        public Behavior<ToTeller> onMessage(ActorContext<ToTeller> context, ToTeller message) {
            if (message == ToTeller.BEGIN) {
                begin();
            } else if (++ended == transactions) {
                for (ActorRef<Event> account : accounts)
                    account.tell(Signal.END);
                return ends.stopped();
            }
            return Behaviors.same();
        }

        private void begin() {
            for (int i = 0; i < transactions; i++) {
                ActorRef<Event> target = accounts.get(source.target(i));
                accounts.get(source.source(i)).tell(new Transfer(i, source.amount(i), target));
            }
        }
    }

    private BankTransaction(Parameter accounts, Parameter transactions) {
        super(
                "bank-transaction",
                "a teller has accounts transfer money to each other; an account waits for the other's reply",
                "transaction",
                accounts, transactions);
        this.accounts = accounts;
        this.transactions = transactions;
    }

    @Override
    void check(Options options) {
        if (options.scaled(transactions) > 2_000_000_000L)
            options.refuse("--transactions %d: with --scale they must be at most 2 x 10^9", transactions.number());
    }

    @Override
    long run(Run run) {
        int count = (int) accounts.number(), total = (int) run.scaled(transactions);
        Source source = new Source(run.seed, count);
        Ends ends = new Ends(count + 1L);
        Account[] accounts = new Account[count];
        List<ActorRef<Event>> all = new ArrayList<>(count);
        ActorRef<ToTeller> teller = run.spawn(new Teller(all, source, total, ends));
        all.addAll(run.spawn(count, i -> accounts[i] = new Account(teller, ends)));

        run.span.start();
        teller.tell(ToTeller.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, accounts, source, total);
        return total;
    }

    /* Draws all transactions again, and compares. Balances begin at 0, and no account is overdrawn. */
    private static void verify(Run run, Account[] accounts, Source source, int total) {
        long[] due = new long[accounts.length];
        for (int i = 0; i < total; i++) {
            due[source.source(i)] -= source.amount(i);
            due[source.target(i)] += source.amount(i);
        }
        due[0] += run.falsify;
        for (int i = 0; i < due.length; i++)
            if (accounts[i].balance != due[i] || accounts[i].overtaken != 0)
                run.wrong(
                        "account %d has changed by %d in place of %d, and %d replies came after a later one",
                        i, accounts[i].balance, due[i], accounts[i].overtaken);
    }

    public static void main(String[] arguments) {
        Program.main(
                new BankTransaction(
                        Parameter.whole("accounts", 1000, "10", "2000000000", "that transfer to each other"),
                        Parameter.amount("transactions", 50_000, "in all; --scale multiplies it")),
                arguments);
    }
}
