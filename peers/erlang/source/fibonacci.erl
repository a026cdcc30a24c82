%% fibonacci: actors compute a Fibonacci number by its recursion, an actor a call.
%%
%% An actor's question is what it is started with: the number, and whom to answer. Answers are sent as they are.
-module(fibonacci).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([adder/1, init/1, handle_continue/2, handle_cast/2, handle_call/3]).

-define(LARGEST, 28). % whose tree has no more actors than the VM is started for

summary() -> "fibonacci: actors compute a Fibonacci number by its recursion, an actor a call".
unit() -> "actor".
parameters() ->
    [
        parameter:whole(number, 25, 1, ?LARGEST, "which Fibonacci number; each tree has twice that many actors, less one"),
        parameter:amount(trees, 1, "one after the other; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, number := Number, falsify := Falsify} = Options) ->
    Trees = options:scaled(trees, Options),
    Begun = span:start(),
    Values = [grow(Style, Number) || _ <- lists:seq(1, Trees)],
    Span = span:stop(Begun),
    Due = fibonacci(Number, 0, 1),
    {Trees * (2 * Due - 1), Span, verdict:all([
        verdict:equal("a tree gave ~b in place of ~b", Value, Due + Falsify)
     || Value <- Values
    ])}.

fibonacci(1, _, Value) -> Value;
fibonacci(Number, Last, Value) -> fibonacci(Number - 1, Value, Last + Value).

%% A tree, whose first actor answers main by its end.
grow(Style, Number) ->
    actor:start(Style, ?MODULE, adder, {Number, main}),
    [Value] = actor:await(1),
    Value.

%% As processes.

adder({Number, Asker}) when Number =< 2 -> reply(Asker, 1);
adder({Number, Asker}) ->
    spawn(?MODULE, adder, [{Number - 1, self()}]),
    spawn(?MODULE, adder, [{Number - 2, self()}]),
    receive
        First ->
            receive
                Second -> reply(Asker, First + Second)
            end
    end.

reply(main, Value) -> actor:finish(Value);
reply(Asker, Value) -> Asker ! Value.

%% As gen_servers, whose state is whom to answer, the sum so far, and how many answers are missing.

%% A gen_server hands the list of its ancestors down, which would grow with every level of the tree.
init({Number, Asker}) ->
    erase('$ancestors'),
    {ok, {Asker, 0, 2}, {continue, Number}}.

handle_continue(Number, State) when Number =< 2 -> stop_with(1, State);
handle_continue(Number, State) ->
    {ok, _} = gen_server:start(?MODULE, {Number - 1, self()}, []),
    {ok, _} = gen_server:start(?MODULE, {Number - 2, self()}, []),
    {noreply, State}.

handle_cast(Answer, {_, Sum, 1} = State) -> stop_with(Sum + Answer, State);
handle_cast(Answer, {Asker, Sum, Missing}) -> {noreply, {Asker, Sum + Answer, Missing - 1}}.

stop_with(Value, {main, _, _} = State) -> {stop, {shutdown, Value}, State};
stop_with(Value, {Asker, _, _} = State) ->
    gen_server:cast(Asker, Value),
    {stop, normal, State}.

handle_call(_, _, State) -> {stop, unexpected, State}.
