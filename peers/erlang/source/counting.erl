%% counting: a producer streams increments to a counter, then asks it for its count.
-module(counting).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([counter/1, producer/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "counting: a producer streams increments to a counter, then asks it for its count".
unit() -> "message".
parameters() -> [parameter:amount(messages, 10_000_000, "increments; --scale multiplies it")].
check(_) -> ok.

run(#{style := Style, 'queue-data' := QueueData, falsify := Falsify} = Options) ->
    Increments = options:scaled(messages, Options),
    Counter = actor:start(Style, ?MODULE, counter, {counter, QueueData}),
    Producer = actor:start(Style, ?MODULE, producer, {producer, Counter, Increments}),
    actor:send(Style, Producer, {start, span:start()}),
    Results = actor:await(2),
    {Count, Span} = proplists:get_value(answer, Results),
    {Increments, Span, verdict:equal("the counter answered ~b in place of ~b", Count, Increments + Falsify)}.

stream(_, _, 0) -> ok;
stream(process, Counter, Times) ->
    Counter ! increment,
    stream(process, Counter, Times - 1);
stream(gen_server, Counter, Times) ->
    gen_server:cast(Counter, increment),
    stream(gen_server, Counter, Times - 1).

%% As processes.

counter({counter, QueueData}) ->
    actor:expect_many(QueueData),
    count(0).

count(Count) ->
    receive
        increment -> count(Count + 1);
        {how_many, From} ->
            From ! Count,
            actor:finish(counted)
    end.

producer({producer, Counter, Increments}) ->
    receive
        {start, Begun} ->
            stream(process, Counter, Increments),
            Counter ! {how_many, self()},
            receive
                Count -> actor:finish({answer, {Count, span:stop(Begun)}})
            end
    end.

%% As gen_servers.

init({counter, QueueData}) ->
    actor:expect_many(QueueData),
    {ok, 0};
init(Producer) -> {ok, Producer}.

handle_cast(increment, Count) -> {noreply, Count + 1};
handle_cast({how_many, From}, Count) ->
    gen_server:cast(From, Count),
    {stop, {shutdown, counted}, Count};
handle_cast({start, Begun}, {producer, Counter, Increments}) ->
    stream(gen_server, Counter, Increments),
    gen_server:cast(Counter, {how_many, self()}),
    {noreply, {waits, Begun}};
handle_cast(Count, {waits, Begun} = State) -> {stop, {shutdown, {answer, {Count, span:stop(Begun)}}}, State}.

handle_call(_, _, State) -> {stop, unexpected, State}.
