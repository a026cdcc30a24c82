/*
 * nqueens: actors look for the places of queens that do not attack each other, until there are enough.
 *
 * A master deals boards out to searchers in turn. A searcher puts one queen more on a board, at every safe place, and gives
 * these boards to the master; from `threshold` queens on it searches the board to its end, and reports each solution.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class NQueens extends Workload {
    private final Parameter size;
    private final Parameter searchers;
    private final Parameter threshold;
    private final Parameter solutions;

    private sealed interface Event {}

    /** With queens in its first rows; of the places of the first two, so many are searched. */
    private record Board(long starts, int[] places) implements Event {}

    private enum Signal implements Event {
        BEGIN, // to the master
        SOLUTION,
        DONE,
        END // to a searcher
    }

    /** `amount` places of the first two queens are searched; boards are dealt out until they have `dealt` queens. */
    private record Search(int size, int dealt, long solutions, long amount) {
        long squares() {
            return (long) size * size;
        }

        long starts(long from) {
            return Math.min(amount - from, squares());
        }
    }

    private static final class Master implements Actor<Event> {
        private final List<ActorRef<Event>> searchers; // filled before the first message
        private final Search search;
        private final Ends ends;
        private long begun, done; // boards
        private long found; // solutions

        Master(List<ActorRef<Event>> searchers, Search search, Ends ends) {
            this.searchers = searchers;
            this.search = search;
            this.ends = ends;
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (event instanceof Board board) {
                deal(board);
            } else if (event == Signal.SOLUTION) {
                found++;
            } else if (event == Signal.BEGIN) {
                for (long start = 0; start < search.amount; start += search.squares())
                    deal(new Board(search.starts(start), new int[0]));
            } else if (++done == begun) { // a searcher's boards and solutions have come before it says that it has done
                for (ActorRef<Event> searcher : searchers)
                    searcher.tell(Signal.END);
                return ends.stopped();
            }
            return Behaviors.same();
        }

        private void deal(Board board) {
            if (found < search.solutions)
                searchers.get((int) (begun++ % searchers.size())).tell(board);
        }
    }

    private static final class Searcher implements Actor<Event> {
        private final ActorRef<Event> master;
        private final Search search;
        private final Ends ends;
        private final int[] places; // of the queens that are tried, by row

        Searcher(ActorRef<Event> master, Search search, Ends ends) {
            this.master = master;
            this.search = search;
            this.ends = ends;
            this.places = new int[search.size];
        }

        @Override
        public Behavior<Event> onMessage(ActorContext<Event> context, Event event) {
            if (!(event instanceof Board board))
                return ends.stopped();
            int queens = board.places.length;
            System.arraycopy(board.places, 0, places, 0, queens);
            if (queens < search.dealt)
                extend(board.starts, queens, true);
            else
                search(board.starts, queens);
            master.tell(Signal.DONE);
            return Behaviors.same();
        }

        private void search(long starts, int queens) {
            if (queens == search.size)
                master.tell(Signal.SOLUTION);
            else
                extend(starts, queens, false);
        }

        /* Puts one queen more at each safe place, and gives that to the master, or searches on. */
        private void extend(long starts, int queens, boolean gives) {
            for (int place = 0; place < search.size; place++) {
                places[queens] = place;
                if (!isSafe(queens + 1) || !isSearched(starts, queens + 1))
                    continue;
                if (gives)
                    master.tell(new Board(starts, Arrays.copyOf(places, queens + 1)));
                else
                    search(starts, queens + 1);
            }
        }

        /* As in the suite, each try compares all queens with all. */
        private boolean isSafe(int queens) {
            int[] places = this.places;
            for (int row = 0; row < queens; row++)
                for (int other = row + 1; other < queens; other++) {
                    int apart = places[other] - places[row];
                    if (apart == 0 || Math.abs(apart) == other - row)
                        return false;
                }
            return true;
        }

        private boolean isSearched(long starts, int queens) {
            return queens != 2 || places[0] * search.size + places[1] < starts;
        }
    }

    /** What there is to be found, by sets of the columns and diagonals that are attacked. */
    private static final class Due {
        private final Search search;
        private long boards, solutions;

        Due(Search search) {
            this.search = search;
            for (long start = 0; start < search.amount; start += search.squares())
                count(search.starts(start), 0, 0, 0, 0, 0);
        }

        private void count(long starts, int row, int first, long columns, long rising, long falling) {
            if (row == search.size)
                solutions++;
            if (row <= search.dealt)
                boards++;
            for (int place = 0; row < search.size && place < search.size; place++) {
                long bit = 1L << place;
                if (((columns | rising | falling) & bit) != 0 || (row == 1 && first * search.size + place >= starts))
                    continue;
                int begun = row == 0 ? place : first;
                count(starts, row + 1, begun, columns | bit, (rising | bit) << 1, (falling | bit) >>> 1);
            }
        }
    }

    private NQueens(Parameter size, Parameter searchers, Parameter threshold, Parameter solutions) {
        super(
                "nqueens",
                "actors look for the places of queens that do not attack each other, until there are enough",
                "board",
                size, searchers, threshold, solutions);
        this.size = size;
        this.searchers = searchers;
        this.threshold = threshold;
        this.solutions = solutions;
    }

    private long amount(double scale) {
        return Math.max(1, Math.round(size.number() * size.number() * scale));
    }

    @Override
    void check(Options options) {
        if (amount(options.scale()) > 1_000_000_000_000L)
            options.refuse("--scale %s is too large: it asks for %d places", options.scale.text, amount(options.scale()));
    }

    @Override
    long run(Run run) {
        int count = (int) searchers.number();
        int dealt = (int) Math.min(threshold.number(), size.number());
        Search search = new Search((int) size.number(), dealt, solutions.number(), amount(run.scale()));
        Ends ends = new Ends(count + 1L);
        List<ActorRef<Event>> all = new ArrayList<>(count);
        Master master = new Master(all, search, ends);
        ActorRef<Event> actor = run.spawn(master);
        all.addAll(run.spawn(count, i -> new Searcher(actor, search, ends)));

        run.span.start();
        actor.tell(Signal.BEGIN);
        run.awaitLast(ends);
        run.span.stop();

        verify(run, master, new Due(search));
        return master.begun;
    }

    private static void verify(Run run, Master master, Due due) {
        long enough = master.search.solutions, solutions = due.solutions + run.falsify;
        if (master.found < Math.min(solutions, enough) || master.found > solutions)
            run.wrong("%d solutions were found, of %d", master.found, solutions);
        if (master.begun > due.boards || (solutions < enough && master.begun < due.boards))
            run.wrong("%d boards were searched, of %d", master.begun, due.boards);
    }

    public static void main(String[] arguments) {
        Program.main(
                new NQueens(
                        Parameter.whole(
                                "size", 12, "1", "20",
                                "of the board, and queens; --scale multiplies the share that is searched"),
                        Parameter.count("searchers", 20, "actors that search"),
                        Parameter.amount("threshold", 4, "queens from which on a board is searched to its end"),
                        Parameter.amount("solutions", 1_500_000, "that are enough")),
                arguments);
    }
}
