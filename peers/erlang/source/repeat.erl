%% repeat: a client fans out to its servers, each answers, and again. All answers go to one mailbox, the client's.
%%
%% A request is the round's number, an integer, which is sent as it is; an answer is {Server, Round}, which is copied.
-module(repeat).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([client/1, server/1, init/1, handle_cast/2, handle_call/3]).

%% What the client knows from the start; of `answered`, the round that each server answered last.
-record(plan, {servers, count, last, answered, begun}).
%% What it counts.
-record(tally, {answers = 0, wrong = 0}).

summary() -> "repeat: a client fans out to its servers, each answers, again and again".
unit() -> "message".
parameters() ->
    [
        parameter:count(servers, 100_000, "actors that answer the client"),
        parameter:amount(rounds, 200, "requests to each server; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, servers := Count, 'queue-data' := QueueData, falsify := Falsify} = Options) ->
    Rounds = options:scaled(rounds, Options),
    Client = actor:start(Style, ?MODULE, client, {client, QueueData}),
    Servers = actor:start_all(Style, ?MODULE, server, [{server, Number, Client} || Number <- lists:seq(1, Count)]),
    Plan = #plan{servers = Servers, count = Count, last = Rounds, answered = atomics:new(Count, [])},
    actor:send(Style, Client, Plan),
    actor:send(Style, Client, {start, span:start()}),
    [{#tally{answers = Answers, wrong = Wrong}, Span}] = actor:await(1),
    lists:foreach(fun(Server) -> actor:send(Style, Server, stop) end, Servers),
    actor:await(Count),
    {2 * Count * Rounds, Span, verdict:all([
        verdict:equal("~b answers, not ~b, were of another round, or came twice", Wrong, 0),
        verdict:equal("~b answers came in place of ~b", Answers, Count * (Rounds + Falsify))
    ])}.

%% An answer to a round's request, counted.
count(Server, Round, Round, #plan{answered = Answered}, #tally{answers = Answers, wrong = Wrong} = Tally) ->
    case atomics:exchange(Answered, Server, Round) of
        Round -> Tally#tally{answers = Answers + 1, wrong = Wrong + 1};
        _ -> Tally#tally{answers = Answers + 1}
    end;
count(_, _, _, _, #tally{answers = Answers, wrong = Wrong}) -> #tally{answers = Answers + 1, wrong = Wrong + 1}.

prepare({client, QueueData}) -> actor:expect_many(QueueData);
prepare(_) -> as_it_is.

%% As processes.

client(Client) ->
    prepare(Client),
    receive
        #plan{} = Plan ->
            receive
                {start, Begun} -> rounds(1, Plan#plan{begun = Begun}, #tally{})
            end
    end.

rounds(Round, #plan{last = Last, begun = Begun}, Tally) when Round > Last -> actor:finish({Tally, span:stop(Begun)});
rounds(Round, #plan{servers = Servers, count = Count} = Plan, Tally) ->
    lists:foreach(fun(Server) -> Server ! Round end, Servers),
    rounds(Round + 1, Plan, answers(Count, Round, Plan, Tally)).

answers(0, _, _, Tally) -> Tally;
answers(Missing, Round, Plan, Tally) ->
    receive
        {Server, Of} -> answers(Missing - 1, Round, Plan, count(Server, Of, Round, Plan, Tally))
    end.

server({server, Number, Client}) -> server(Number, Client).
server(Number, Client) ->
    receive
        stop -> actor:finish(done);
        Round ->
            Client ! {Number, Round},
            server(Number, Client)
    end.

%% As gen_servers.

init(State) ->
    prepare(State),
    {ok, State}.

handle_cast(Round, {server, Number, Client} = State) when is_integer(Round) ->
    gen_server:cast(Client, {Number, Round}),
    {noreply, State};
handle_cast(stop, {server, _, _} = State) -> {stop, {shutdown, done}, State};
handle_cast({start, Begun}, #plan{} = Plan) -> next_round(0, Plan#plan{begun = Begun}, #tally{});
handle_cast({Server, Of}, {Round, Missing, Plan, Tally}) ->
    Counted = count(Server, Of, Round, Plan, Tally),
    case Missing of
        1 -> next_round(Round, Plan, Counted);
        _ -> {noreply, {Round, Missing - 1, Plan, Counted}}
    end;
handle_cast(#plan{} = Plan, {client, _}) -> {noreply, Plan}.

next_round(Last, #plan{last = Last, begun = Begun} = Plan, Tally) -> {stop, {shutdown, {Tally, span:stop(Begun)}}, Plan};
next_round(Round, #plan{servers = Servers, count = Count} = Plan, Tally) ->
    lists:foreach(fun(Server) -> gen_server:cast(Server, Round + 1) end, Servers),
    {noreply, {Round + 1, Count, Plan, Tally}}.

handle_call(_, _, State) -> {stop, unexpected, State}.
