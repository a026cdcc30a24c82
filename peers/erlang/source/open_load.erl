%% open-load: messages come at random times, at a share of what all workers could serve. A message is its number, from 1.
%%
%% Main is a process like the others. The VM's timers count whole milliseconds, so that it lets others run until a message is due
%% (--sender spin), or sleeps for a millisecond and then sends all that are (sleep). How late it is, is told.
-module(open_load).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([server/1, init/1, handle_cast/2, handle_call/3]).

%% Of each message, in ns: when it is due (of the monotonic clock, once it is sent), how much later it was sent, and how much later its
%% behaviour began; and how often it was received. All are shared. And the steps of computation for each.
-record(plan, {due, late, waited, received, steps}).

-define(STREAM_OF_TIMES, 0).
-define(STREAM_OF_RECEIVERS, 1).

summary() -> "open-load: messages come at random times, at a share of what all workers could serve".
unit() -> "message".
parameters() ->
    [
        parameter:count(actors, 64, "that are sent to, each as likely as any other"),
        parameter:amount(messages, 100_000, "sent to them all; --scale multiplies it"),
        parameter:amount(load, 70, "percent of what all workers could serve"),
        parameter:amount(work, 20_000, "nanoseconds of computation for each message"),
        parameter:choice(on, [all], "whose the actors are: every worker's"),
        parameter:choice(sender, [spin, sleep], "what main does until a message is due: let others run, or sleep by the VM's timers")
    ].
check(_) -> ok.

run(#{style := Style, actors := Count, seed := Seed, sender := Sender, work := Work, falsify := Falsify} = Options) ->
    Messages = options:scaled(messages, Options),
    Plan = #plan{due = draw_times(Messages, Options), late = times(Messages), waited = times(Messages),
                 received = counters:new(Messages, []), steps = work:steps_of(Work)},
    QueueData = map_get('queue-data', Options),
    Servers = actor:start_all(Style, ?MODULE, server, lists:duplicate(Count, {Plan, QueueData})),
    Begun = span:start(),
    Start = erlang:monotonic_time(nanosecond),
    send_all(1, Messages, {Style, Sender, Start, list_to_tuple(Servers)}, draw:new(Seed, ?STREAM_OF_RECEIVERS), Plan),
    lists:foreach(fun(Server) -> actor:send(Style, Server, stop) end, Servers),
    Disordered = actor:await(Count),
    Span = span:stop(Begun),
    {Messages, Span, verdict(Plan, Messages, Falsify, Disordered), measured(Plan, Messages)}.

times(Messages) -> atomics:new(Messages, [{signed, true}]).

%% Exponential gaps, on average as long as the load asks for.
draw_times(Messages, #{seed := Seed, work := Work, load := Load}) ->
    Mean = Work * 100 / (Load * erlang:system_info(schedulers_online)),
    draw_times(1, Messages, Mean, 0.0, draw:new(Seed, ?STREAM_OF_TIMES), times(Messages)).

draw_times(Number, Messages, _, _, _, Due) when Number > Messages -> Due;
draw_times(Number, Messages, Mean, Before, Draw, Due) ->
    At = Before - Mean * math:log((draw:word(Draw) + 1) / 16#100000000),
    atomics:put(Due, Number, trunc(At)),
    draw_times(Number + 1, Messages, Mean, At, draw:next(Draw), Due).

send_all(Number, Messages, _, _, _) when Number > Messages -> ok;
send_all(Number, Messages, {Style, Sender, Start, Servers} = How, Draw, #plan{due = Due, late = Late} = Plan) ->
    Time = Start + atomics:get(Due, Number),
    atomics:put(Due, Number, Time),
    atomics:put(Late, Number, wait_until(Sender, Time)),
    actor:send(Style, element(draw:below(Draw, tuple_size(Servers)) + 1, Servers), Number),
    send_all(Number + 1, Messages, How, draw:next(Draw), Plan).

%% How much later than the time it is then.
wait_until(Sender, Time) ->
    case erlang:monotonic_time(nanosecond) - Time of
        Late when Late >= 0 -> Late;
        _ ->
            wait(Sender),
            wait_until(Sender, Time)
    end.

wait(spin) -> erlang:yield();
wait(sleep) -> timer:sleep(1).

verdict(#plan{received = Received}, Messages, Falsify, Disordered) ->
    verdict:all([
        verdict:equal("a message was received ~b times in place of ~b", counters:get(Received, Number), 1 + Falsify)
     || Number <- lists:seq(1, Messages)
    ] ++ [verdict:equal("~b messages, not ~b, were received after later ones", Found, 0) || Found <- Disordered]).

measured(#plan{late = Late, waited = Waited}, Messages) ->
    Percentiles = [{p50, 50}, {p90, 90}, {p99, 99}, {p999, 99.9}, {p9999, 99.99}, {max, 100}],
    percentiles("lateness", Late, Messages, [{p50, 50}, {p99, 99}]) ++ percentiles("latency", Waited, Messages, Percentiles).

percentiles(Name, Times, Messages, Percentiles) ->
    Sorted = list_to_tuple(lists:sort([atomics:get(Times, Number) || Number <- lists:seq(1, Messages)])),
    [
        {list_to_atom(lists:concat([Name, "_", Label, "_ns"])), element(max(1, ceil(Percent / 100 * Messages)), Sorted)}
     || {Label, Percent} <- Percentiles
    ].

%% What a server does with a message: the number that may come next, and those that came after later ones.
takes(Number, {Next, Disordered}, #plan{due = Due, waited = Waited, received = Received, steps = Steps}) ->
    atomics:put(Waited, Number, erlang:monotonic_time(nanosecond) - atomics:get(Due, Number)),
    counters:add(Received, Number, 1),
    _ = work:compute(Steps),
    {Number + 1, case Number < Next of true -> Disordered + 1; false -> Disordered end}.

%% As processes.

server({Plan, QueueData}) ->
    actor:expect_many(QueueData),
    server(Plan, {1, 0}).

server(Plan, {_, Disordered} = State) ->
    receive
        stop -> actor:finish(Disordered);
        Number -> server(Plan, takes(Number, State, Plan))
    end.

%% As gen_servers.

init({Plan, QueueData}) ->
    actor:expect_many(QueueData),
    {ok, {Plan, {1, 0}}}.

handle_cast(stop, {_, {_, Disordered}} = State) -> {stop, {shutdown, Disordered}, State};
handle_cast(Number, {Plan, State}) -> {noreply, {Plan, takes(Number, State, Plan)}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
