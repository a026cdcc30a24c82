%% big: each actor of a group pings others at random, one ping at a time; many to many.
%%
%% The group is a persistent term, a tuple of all actors, which is shared.
-module(big).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([member/1, sink/1, init/1, handle_cast/2, handle_call/3]).

%% What a member knows from the start: its number, from 1, how many pings it sends, and how many are in the group.
-record(plan, {style, number, last, count, sink}).
%% What changes: its stream of random numbers, whose pong is due, and what it counts.
-record(tally, {draw, asked = nobody, sent = 0, pinged = 0, wrong = 0}).

summary() -> "big: each actor of a group pings others at random, one ping at a time".
unit() -> "message".
parameters() ->
    [
        parameter:whole(actors, 500, 2, 1_000_000, "in the group"),
        parameter:amount(pings, 50_000, "from each of them; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, actors := Count, seed := Seed, falsify := Falsify} = Options) ->
    Last = options:scaled(pings, Options),
    Sink = actor:start(Style, ?MODULE, sink, Count),
    Members = actor:start_all(Style, ?MODULE, member, [
        {#plan{style = Style, number = Number, last = Last, count = Count, sink = Sink},
         #tally{draw = draw:new(Seed, Number)}}
     || Number <- lists:seq(1, Count)
    ]),
    persistent_term:put(?MODULE, list_to_tuple(Members)),
    Begun = span:start(),
    lists:foreach(fun(Member) -> actor:send(Style, Member, start) end, Members),
    [all_heard] = actor:await(1),
    Span = span:stop(Begun),
    lists:foreach(fun(Member) -> actor:send(Style, Member, stop) end, Members),
    Results = actor:await(Count),
    persistent_term:erase(?MODULE),
    Due = due(Seed, Count, Last),
    {2 * Count * Last, Span, verdict:all([
        verdict:all([
            verdict:equal("an actor received ~b pings in place of ~b", Pinged, counters:get(Due, Number) + Falsify),
            verdict:equal("an actor sent ~b pings in place of ~b", Sent, Last),
            verdict:equal("~b pongs, not ~b, came from another than was asked", Wrong, 0)
        ])
     || {Number, #tally{sent = Sent, pinged = Pinged, wrong = Wrong}} <- Results
    ])}.

%% Draws all recipients again: how many pings each actor is to receive.
due(Seed, Count, Last) ->
    Due = counters:new(Count, []),
    lists:foreach(fun(Sender) -> count(Due, draw:new(Seed, Sender), Sender, Count, Last) end, lists:seq(1, Count)),
    Due.

count(_, _, _, _, 0) -> ok;
count(Due, Draw, Sender, Count, Left) ->
    counters:add(Due, recipient(Draw, Sender, Count), 1),
    count(Due, draw:next(Draw), Sender, Count, Left - 1).

%% Any but the sender.
recipient(Draw, Sender, Count) ->
    case draw:below(Draw, Count - 1) + 1 of
        Other when Other >= Sender -> Other + 1;
        Other -> Other
    end.

ask(#plan{style = Style, number = Number, count = Count}, #tally{draw = Draw, sent = Sent} = Tally) ->
    Other = element(recipient(Draw, Number, Count), persistent_term:get(?MODULE)),
    actor:send(Style, Other, {ping, self()}),
    Tally#tally{draw = draw:next(Draw), asked = Other, sent = Sent + 1}.

takes({ping, From}, #plan{style = Style}, #tally{pinged = Pinged} = Tally) ->
    actor:send(Style, From, {pong, self()}),
    Tally#tally{pinged = Pinged + 1};
takes({pong, From}, Plan, #tally{asked = From} = Tally) -> heard(Plan, Tally);
takes({pong, _}, Plan, #tally{wrong = Wrong} = Tally) -> heard(Plan, Tally#tally{wrong = Wrong + 1});
takes(start, Plan, Tally) -> ask(Plan, Tally).

heard(#plan{last = Last} = Plan, #tally{sent = Sent} = Tally) when Sent < Last -> ask(Plan, Tally);
heard(#plan{style = Style, sink = Sink}, Tally) ->
    actor:send(Style, Sink, done),
    Tally.

%% As processes.

member({Plan, Tally}) -> member(Plan, Tally).

member(#plan{number = Number} = Plan, Tally) ->
    receive
        stop -> actor:finish({Number, Tally});
        Message -> member(Plan, takes(Message, Plan, Tally))
    end.

%% Hears of each who has had all its pongs; the others go on answering. Then nothing is in flight any more.
sink(0) -> actor:finish(all_heard);
sink(Missing) ->
    receive
        done -> sink(Missing - 1)
    end.

%% As gen_servers.

init(State) -> {ok, State}.

handle_cast(done, 1) -> {stop, {shutdown, all_heard}, 0};
handle_cast(done, Missing) -> {noreply, Missing - 1};
handle_cast(stop, {#plan{number = Number}, Tally} = State) -> {stop, {shutdown, {Number, Tally}}, State};
handle_cast(Message, {Plan, Tally}) -> {noreply, {Plan, takes(Message, Plan, Tally)}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
