/*
 * executor: floods the executor with messages among groups of actors.
 *
 * Each actor starts with one message; on every receipt it sends one on to the next member of its group, itself included,
 * in turn, until it has sent `rounds` to every member.
 */
package actorbench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.util.ArrayList;
import java.util.List;

final class Executor extends Workload {
    private final Parameter actors;
    private final Parameter group;
    private final Parameter rounds;

    private enum Token {
        TOKEN
    }

    private static final class Member implements Actor<Token> {
        private final List<ActorRef<Token>> group; // filled before the first message
        private final long last;
        private final Ends ends;
        private int next; // whom of its group it sends to next
        private long received;

        Member(List<ActorRef<Token>> group, long last, Ends ends) {
            this.group = group;
            this.last = last;
            this.ends = ends;
        }

        @Override
        public Behavior<Token> onMessage(ActorContext<Token> context, Token token) {
            if (++received == last)
                return ends.stopped();
            group.get(next).tell(token);
            if (++next == group.size())
                next = 0;
            return Behaviors.same();
        }
    }

    private Executor(Parameter actors, Parameter group, Parameter rounds) {
        super("executor", "groups of actors whose members send to each other in turn", "message", actors, group, rounds);
        this.actors = actors;
        this.group = group;
        this.rounds = rounds;
    }

    @Override
    void check(Options options) {
        if (actors.number() % group.number() != 0)
            options.refuse("--actors %d --group %d: the group must divide the actors", actors.number(), group.number());
        options.scaled(rounds);
    }

    @Override
    long run(Run run) {
        int count = (int) actors.number(), size = (int) group.number();
        long last = run.scaled(rounds) * size + 1;
        Ends ends = new Ends(count);
        Member[] members = new Member[count];
        List<ActorRef<Token>> all = new ArrayList<>(count);
        for (int first = 0; first < count; first += size) {
            List<ActorRef<Token>> group = new ArrayList<>(size);
            int offset = first;
            group.addAll(run.spawn(size, i -> members[offset + i] = new Member(group, last, ends)));
            all.addAll(group);
        }

        run.span.start();
        for (ActorRef<Token> actor : all)
            actor.tell(Token.TOKEN);
        run.awaitLast(ends);
        run.span.stop();

        for (int i = 0; i < count; i++)
            if (members[i].received != last + run.falsify)
                run.wrong("actor %d received %d messages in place of %d", i, members[i].received, last + run.falsify);
        return count * last;
    }

    public static void main(String[] arguments) {
        Program.main(
                new Executor(
                        Parameter.count("actors", 40_000, "actors that exchange messages"),
                        Parameter.count("group", 100, "actors in a group; divides --actors"),
                        Parameter.amount("rounds", 400, "messages from each actor to each of its group; --scale multiplies it")),
                arguments);
    }
}
