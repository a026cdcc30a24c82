%% fork-join: one source sends to many actors in turn.
-module(fork_join).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([receiver/1, source/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "fork-join: one source sends to many actors in turn".
unit() -> "message".
parameters() ->
    [
        parameter:count(actors, 1000, "that receive"),
        parameter:amount(messages, 10_000, "to each of them; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, actors := Count, 'queue-data' := QueueData, falsify := Falsify} = Options) ->
    Messages = options:scaled(messages, Options),
    Receivers = actor:start_all(Style, ?MODULE, receiver, lists:duplicate(Count, {receiver, QueueData, Messages})),
    Source = actor:start(Style, ?MODULE, source, {source, Receivers, Messages}),
    Begun = span:start(),
    actor:send(Style, Source, start),
    Results = actor:await(Count + 1),
    Span = span:stop(Begun),
    {Count * Messages, Span, verdict:all([
        verdict:equal("an actor received ~b messages in place of ~b", Received, Messages + Falsify)
     || {received, Received} <- Results
    ])}.

rounds(_, _, 0) -> ok;
rounds(Style, Receivers, Left) ->
    send_all(Style, Receivers),
    rounds(Style, Receivers, Left - 1).

send_all(process, Receivers) -> lists:foreach(fun(Receiver) -> Receiver ! task end, Receivers);
send_all(gen_server, Receivers) -> lists:foreach(fun(Receiver) -> gen_server:cast(Receiver, task) end, Receivers).

%% As processes.

receiver({receiver, QueueData, Last}) ->
    actor:expect_many(QueueData),
    takes(0, Last).

takes(Last, Last) -> actor:finish({received, Last});
takes(Received, Last) ->
    receive
        task -> takes(Received + 1, Last)
    end.

source({source, Receivers, Messages}) ->
    receive
        start ->
            rounds(process, Receivers, Messages),
            actor:finish(sent)
    end.

%% As gen_servers.

init({receiver, QueueData, Last}) ->
    actor:expect_many(QueueData),
    {ok, {1, Last}};
init(Source) -> {ok, Source}.

%% A receiver's state has the number of the task that comes next.
handle_cast(task, {Last, Last} = State) -> {stop, {shutdown, {received, Last}}, State};
handle_cast(task, {Number, Last}) -> {noreply, {Number + 1, Last}};
handle_cast(start, {source, Receivers, Messages} = State) ->
    rounds(gen_server, Receivers, Messages),
    {stop, {shutdown, sent}, State}.

handle_call(_, _, State) -> {stop, unexpected, State}.
