%% ping-pong: pairs of actors; in each a message goes to and fro, `rounds` times. All pairs at once.
-module(ping_pong).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([player/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "ping-pong: a message goes to and fro between two actors, in each of some pairs".
unit() -> "message".
parameters() ->
    [
        parameter:whole(pairs, 1, 1, 500_000, "pairs of actors"),
        parameter:amount(rounds, 10_000_000, "times that the message goes to and fro; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, pairs := Pairs, falsify := Falsify} = Options) ->
    Rounds = options:scaled(rounds, Options),
    First = actor:start_all(Style, ?MODULE, player, lists:duplicate(Pairs, {answers_last, Rounds})),
    Second = actor:start_all(Style, ?MODULE, player, lists:duplicate(Pairs, {keeps_last, Rounds})),
    lists:foreach(fun({One, Other}) -> introduce(Style, One, Other) end, lists:zip(First, Second)),
    Begun = span:start(),
    lists:foreach(fun(Player) -> actor:send(Style, Player, ball) end, First),
    Counts = actor:await(2 * Pairs),
    Span = span:stop(Begun),
    {2 * Pairs * Rounds, Span, verdict:all([
        verdict:equal("an actor received ~b messages in place of ~b", Received, Rounds + Falsify)
     || Received <- Counts
    ])}.

introduce(Style, One, Other) ->
    actor:send(Style, One, {partner, Other}),
    actor:send(Style, Other, {partner, One}).

%% As processes.

player({Role, Last}) ->
    receive
        {partner, Partner} -> player(Role, Partner, 1, Last)
    end.

%% Number: of the ball that comes next. The first player answers the last ball, the second keeps it.
player(Role, Partner, Number, Last) ->
    receive
        ball when Number < Last ->
            Partner ! ball,
            player(Role, Partner, Number + 1, Last);
        ball when Role =:= answers_last ->
            Partner ! ball,
            actor:finish(Number);
        ball -> actor:finish(Number)
    end.

%% As gen_servers.

init(State) -> {ok, State}.

handle_cast(ball, {Role, Partner, Number, Last} = State) ->
    (Number < Last orelse Role =:= answers_last) andalso gen_server:cast(Partner, ball),
    case Number of
        Last -> {stop, {shutdown, Number}, State};
        _ -> {noreply, {Role, Partner, Number + 1, Last}}
    end;
handle_cast({partner, Partner}, {Role, Last}) -> {noreply, {Role, Partner, 1, Last}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
