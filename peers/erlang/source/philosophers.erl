%% philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat.
%%
%% How often a fork was used stands in an `atomics` array, which is read and written by two calls: only who has the fork may.
%% The arbitrator's map says who has which fork.
-module(philosophers).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([philosopher/1, arbitrator/1, init/1, handle_cast/2, handle_call/3]).

%% What a philosopher knows; `left` is how many meals it is to have.
-record(philosopher, {style, forks, used, arbitrator, left}).
%% What the arbitrator knows: who has which fork, how many philosophers are left, and how many forks came back from another.
-record(arbitrator, {style, held = #{}, left, wrong = 0}).

summary() -> "philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat".
unit() -> "meal".
parameters() ->
    [
        parameter:count(philosophers, 20, "at a round table, a fork between two"),
        parameter:amount(meals, 10_000, "of each philosopher; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, philosophers := Count, falsify := Falsify} = Options) ->
    Meals = options:scaled(meals, Options),
    Used = atomics:new(Count, []),
    Arbitrator = actor:start(Style, ?MODULE, arbitrator, #arbitrator{style = Style, left = Count}),
    Table = actor:start_all(Style, ?MODULE, philosopher, [
        #philosopher{style = Style, forks = {Fork, Fork rem Count + 1}, used = Used, arbitrator = Arbitrator, left = Meals}
     || Fork <- lists:seq(1, Count)
    ]),
    Begun = span:start(),
    lists:foreach(fun(Philosopher) -> actor:send(Style, Philosopher, ask) end, Table),
    Results = actor:await(Count + 1),
    Span = span:stop(Begun),
    {Count * Meals, Span, verdict:all(
        [verdict:equal("~b forks, not ~b, came back from another than had them", Wrong, 0) || {wrong, Wrong} <- Results] ++
            [
                verdict:equal("a fork was used ~b times in place of ~b", atomics:get(Used, Fork), 2 * Meals + Falsify)
             || Fork <- lists:seq(1, Count)
            ]
    )}.

%% Told to begin, or denied.
ask(#philosopher{style = Style, forks = Forks, arbitrator = Arbitrator}) ->
    actor:send(Style, Arbitrator, {hungry, self(), Forks}).

%% A meal; the philosopher after it.
eat(#philosopher{style = Style, forks = {Left, Right} = Forks, used = Used, arbitrator = Arbitrator, left = Meals} = Eater) ->
    use(Used, Left),
    use(Used, Right),
    actor:send(Style, Arbitrator, {done, self(), Forks}),
    actor:send(Style, case Meals of 1 -> Arbitrator; _ -> self() end, case Meals of 1 -> leave; _ -> ask end),
    Eater#philosopher{left = Meals - 1}.

use(Used, Fork) -> atomics:put(Used, Fork, atomics:get(Used, Fork) + 1).

%% What the arbitrator hears; the arbitrator after it.
hears({hungry, From, {Left, Right}}, #arbitrator{style = Style, held = Held} = Arbitrator) ->
    case Held of
        #{Left := _} -> actor:send(Style, From, denied), Arbitrator;
        #{Right := _} -> actor:send(Style, From, denied), Arbitrator;
        _ ->
            actor:send(Style, From, eat),
            Arbitrator#arbitrator{held = Held#{Left => From, Right => From}}
    end;
hears({done, From, {Left, Right}}, #arbitrator{held = Held, wrong = Wrong} = Arbitrator) ->
    Freed = maps:remove(Left, maps:remove(Right, Held)),
    case Held of
        #{Left := From, Right := From} -> Arbitrator#arbitrator{held = Freed};
        _ -> Arbitrator#arbitrator{held = Freed, wrong = Wrong + 1}
    end;
hears(leave, #arbitrator{left = Left} = Arbitrator) -> Arbitrator#arbitrator{left = Left - 1}.

%% As processes.

philosopher(#philosopher{left = 0}) -> actor:finish(full);
philosopher(Philosopher) ->
    receive
        eat -> philosopher(eat(Philosopher));
        _ ->
            ask(Philosopher),
            philosopher(Philosopher)
    end.

arbitrator(#arbitrator{left = 0, wrong = Wrong}) -> actor:finish({wrong, Wrong});
arbitrator(Arbitrator) ->
    receive
        Message -> arbitrator(hears(Message, Arbitrator))
    end.

%% As gen_servers.

init(State) -> {ok, State}.

handle_cast(eat, Philosopher) ->
    case eat(Philosopher) of
        #philosopher{left = 0} = Full -> {stop, {shutdown, full}, Full};
        Next -> {noreply, Next}
    end;
handle_cast(_, #philosopher{} = Philosopher) ->
    ask(Philosopher),
    {noreply, Philosopher};
handle_cast(Message, Arbitrator) ->
    case hears(Message, Arbitrator) of
        #arbitrator{left = 0, wrong = Wrong} = Last -> {stop, {shutdown, {wrong, Wrong}}, Last};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
