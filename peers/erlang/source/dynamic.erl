%% dynamic: a new actor and a new message for every send, both given up after it.
%%
%% self: each actor makes the next one, so that one message is in flight. main: the main process makes all.
-module(dynamic).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([receiver/1, init/1, handle_cast/2, handle_call/3]).

%% What all actors know: where receipts are counted, up to which number actors make the next one, the last number, and
%% whom to tell of it.
-record(common, {received, makes_up_to, last, main}).

-define(PATIENCE_MS, 60_000).

summary() -> "dynamic: a new actor and a new message for every send".
unit() -> "send".
parameters() ->
    [
        parameter:amount(sends, 20_000_000, "messages, and actors, in all"),
        parameter:choice(source, [self, main], "who sends: each actor to the next, or the main process")
    ].
check(_) -> ok.

run(#{style := Style, source := Source, falsify := Falsify} = Options) ->
    Sends = options:scaled(sends, Options),
    Received = counters:new(1, [write_concurrency]),
    MakesUpTo = case Source of self -> Sends; main -> 0 end,
    Common = #common{received = Received, makes_up_to = MakesUpTo, last = Sends, main = self()},
    Before = erlang:system_info(process_count),
    Begun = span:start(),
    send(Style, Common, 1, case Source of self -> 1; main -> Sends end),
    receive last_received -> ok end,
    Left = await(Before, erlang:monotonic_time(millisecond) + ?PATIENCE_MS),
    Span = span:stop(Begun),
    {Sends, Span, verdict:all([
        verdict:equal("~b messages were received in place of ~b", counters:get(Received, 1), Sends + Falsify),
        verdict:equal("~b actors ended in place of ~b", Sends - Left, Sends + Falsify)
    ])}.

%% Nobody watches the actors, as that would cost each a signal: the VM tells how many processes there are. How many are left
%% of ours.
await(Before, Deadline) ->
    case erlang:system_info(process_count) - Before of
        0 -> 0;
        Left ->
            case erlang:monotonic_time(millisecond) < Deadline of
                true ->
                    erlang:yield(),
                    await(Before, Deadline);
                false -> Left
            end
    end.

send(_, _, Number, Last) when Number > Last -> ok;
send(Style, Common, Number, Last) ->
    send(Style, Common, Number),
    send(Style, Common, Number + 1, Last).

send(process, Common, Number) -> spawn(?MODULE, receiver, [Common]) ! {parcel, Number};
send(gen_server, Common, Number) ->
    {ok, Next} = gen_server:start(?MODULE, Common, []),
    gen_server:cast(Next, {parcel, Number}).

takes(Style, Number, #common{received = Received, makes_up_to = MakesUpTo, last = Last, main = Main} = Common) ->
    counters:add(Received, 1, 1),
    case Number < MakesUpTo of
        true -> send(Style, Common, Number + 1);
        false when Number =:= Last -> Main ! last_received;
        false -> ok
    end.

%% As processes.

receiver(Common) ->
    receive
        {parcel, Number} -> takes(process, Number, Common)
    end.

%% As gen_servers.

%% A gen_server hands the list of its ancestors down, which would grow with every actor of the chain.
init(Common) ->
    erase('$ancestors'),
    {ok, Common}.

handle_cast({parcel, Number}, Common) ->
    takes(gen_server, Number, Common),
    {stop, normal, Common}.

handle_call(_, _, State) -> {stop, unexpected, State}.
