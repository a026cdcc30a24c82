%% thread-ring: a token goes round a ring of actors; one message is in flight at a time.
%%
%% The token is the number of its hops that are left, an integer, which is sent as it is.
-module(thread_ring).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([runner/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "thread-ring: a token goes round a ring of actors".
unit() -> "hop".
parameters() ->
    [
        parameter:count(actors, 1000, "in the ring"),
        parameter:amount(hops, 10_000_000, "of the token; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, actors := Count, falsify := Falsify} = Options) ->
    Hops = options:scaled(hops, Options),
    [First | Others] = Ring = actor:start_all(Style, ?MODULE, runner, lists:seq(0, Count - 1)),
    lists:foreach(
        fun({Node, Next}) -> actor:send(Style, Node, {next, Next}) end, lists:zip(Ring, Others ++ [First])
    ),
    Begun = span:start(),
    actor:send(Style, First, Hops),
    Last = actor:await(1), % the one that makes the last hop
    Span = span:stop(Begun),
    lists:foreach(fun(Node) -> actor:send(Style, Node, stop) end, Ring),
    {Hops, Span, verdict:all([
        verdict:equal("an actor had the token ~b times in place of ~b", Received, due(Number, Count, Hops) + Falsify)
     || {Number, Received} <- Last ++ actor:await(Count - 1)
    ])}.

due(Number, Count, Hops) when Number < Hops rem Count -> Hops div Count + 1;
due(_, Count, Hops) -> Hops div Count.

%% As processes.

runner(Number) ->
    receive
        {next, Next} -> runner(Number, Next, 0)
    end.

runner(Number, Next, Received) ->
    receive
        stop -> actor:finish({Number, Received});
        1 -> actor:finish({Number, Received + 1});
        HopsLeft ->
            Next ! HopsLeft - 1,
            runner(Number, Next, Received + 1)
    end.

%% As gen_servers.

init(Number) -> {ok, Number}.

handle_cast({next, Next}, Number) -> {noreply, {Number, Next, 0}};
handle_cast(stop, {Number, _, Received} = State) -> {stop, {shutdown, {Number, Received}}, State};
handle_cast(1, {Number, _, Received} = State) -> {stop, {shutdown, {Number, Received + 1}}, State};
handle_cast(HopsLeft, {Number, Next, Received}) ->
    gen_server:cast(Next, HopsLeft - 1),
    {noreply, {Number, Next, Received + 1}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
