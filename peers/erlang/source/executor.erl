%% executor: floods the VM's schedulers with messages among groups of actors.
%%
%% Each actor starts with one message; on every receipt it sends one on to the next member of its group, itself included,
%% in turn, until it has sent `rounds` to every member.
-module(executor).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([member/1, init/1, handle_cast/2, handle_call/3]).

summary() -> "executor: groups of actors whose members send to each other in turn".
unit() -> "message".
parameters() ->
    [
        parameter:count(actors, 40_000, "actors that exchange messages"),
        parameter:count(group, 100, "actors in a group; divides --actors"),
        parameter:amount(rounds, 400, "messages from each actor to each of its group; --scale multiplies it")
    ].

check(#{actors := Actors, group := Group}) when Actors rem Group =/= 0 ->
    {refuse, io_lib:format("--actors ~b --group ~b: the group must divide the actors", [Actors, Group])};
check(_) -> ok.

run(#{style := Style, actors := Count, group := Size, falsify := Falsify} = Options) ->
    Last = options:scaled(rounds, Options) * Size + 1,
    Actors = actor:start_all(Style, ?MODULE, member, lists:duplicate(Count, Last)),
    join(Options, Actors, 0),
    Begun = span:start(),
    lists:foreach(fun(Actor) -> actor:send(Style, Actor, token) end, Actors),
    Counts = actor:await(Count),
    Span = span:stop(Begun),
    forget(Options, Count div Size),
    {Count * Last, Span, verdict:all([
        verdict:equal("an actor received ~b messages in place of ~b", Received, Last + Falsify)
     || Received <- Counts
    ])}.

%% Tells the actors of their group. What is sent is copied to each actor's heap; a persistent term is not.
join(_, [], _) -> ok;
join(#{style := Style, group := Size, groups := Groups} = Options, Actors, Number) ->
    {Group, Others} = lists:split(Size, Actors),
    Groups =:= shared andalso persistent_term:put({?MODULE, Number}, Group),
    Message = case Groups of shared -> {shared, {?MODULE, Number}}; copied -> {copied, Group} end,
    lists:foreach(fun(Actor) -> actor:send(Style, Actor, Message) end, Group),
    join(Options, Others, Number + 1).

forget(#{groups := copied}, _) -> ok;
forget(#{groups := shared}, Groups) ->
    lists:foreach(fun(Number) -> persistent_term:erase({?MODULE, Number}) end, lists:seq(0, Groups - 1)).

group({shared, Key}) -> persistent_term:get(Key);
group({copied, Group}) -> Group.

%% As processes.

member(Last) ->
    receive
        {_, _} = Message ->
            Group = group(Message),
            member(Group, Group, 1, Last)
    end.

%% Number: of the message that comes next.
member(Group, [], Number, Last) -> member(Group, Group, Number, Last);
member(Group, [Next | Others], Number, Last) ->
    receive
        token when Number =:= Last -> actor:finish(Number);
        token ->
            Next ! token,
            member(Group, Others, Number + 1, Last)
    end.

%% As gen_servers.

init(Last) -> {ok, Last}.

handle_cast(token, {_, _, Last, Last} = State) -> {stop, {shutdown, Last}, State};
handle_cast(token, {Group, [], Number, Last}) -> handle_cast(token, {Group, Group, Number, Last});
handle_cast(token, {Group, [Next | Others], Number, Last}) ->
    gen_server:cast(Next, token),
    {noreply, {Group, Others, Number + 1, Last}};
handle_cast(Message, Last) ->
    Group = group(Message),
    {noreply, {Group, Group, 1, Last}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
