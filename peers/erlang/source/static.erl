%% static: one actor, one message; how long does a send take?
%%
%% self: the actor sends the message on to itself. main: the main process sends it again and again.
-module(static).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([sends_on/1, receives/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "static: one actor, one message, made once".
unit() -> "send".
parameters() ->
    [
        parameter:amount(sends, 100_000_000, "messages in all"),
        parameter:choice(source, [self, main], "who sends: the actor to itself, or the main process")
    ].
check(_) -> ok.

run(#{style := Style, source := Source, falsify := Falsify} = Options) ->
    Sends = options:scaled(sends, Options),
    Actor = actor:start(Style, ?MODULE, loop(Source), {Source, Sends}),
    Begun = span:start(),
    send(Style, Actor, case Source of self -> 1; main -> Sends end),
    [Received] = actor:await(1),
    Span = span:stop(Begun),
    {Sends, Span, verdict:equal("~b messages were received in place of ~b", Received, Sends + Falsify)}.

send(_, _, 0) -> ok;
send(process, Actor, Times) ->
    Actor ! parcel,
    send(process, Actor, Times - 1);
send(gen_server, Actor, Times) ->
    gen_server:cast(Actor, parcel),
    send(gen_server, Actor, Times - 1).

%% As processes.

loop(self) -> sends_on;
loop(main) -> receives.

sends_on({self, Last}) -> sends_on(0, Last).
sends_on(Received, Last) ->
    receive
        parcel when Received + 1 =:= Last -> actor:finish(Received + 1);
        parcel ->
            self() ! parcel,
            sends_on(Received + 1, Last)
    end.

receives({main, Last}) -> receives(0, Last).
receives(Last, Last) -> actor:finish(Last);
receives(Received, Last) ->
    receive
        parcel -> receives(Received + 1, Last)
    end.

%% As gen_servers.

init({Source, Last}) -> {ok, {Source, 0, Last}}.

handle_cast(parcel, {_, Received, Last} = State) when Received + 1 =:= Last -> {stop, {shutdown, Received + 1}, State};
handle_cast(parcel, {self, Received, Last}) ->
    gen_server:cast(self(), parcel),
    {noreply, {self, Received + 1, Last}};
handle_cast(parcel, {main, Received, Last}) -> {noreply, {main, Received + 1, Last}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
