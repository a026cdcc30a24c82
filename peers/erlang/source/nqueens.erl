%% nqueens: actors look for the places of queens that do not attack each other, until there are enough.
%%
%% A board is a list of the queens' columns, by row, and how many these are.
-module(nqueens).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-record(plan, {style, size, threshold}).
-record(master, {plan, starts, searchers, enough, begun = 0, done = 0, found = 0}).
-record(searcher, {plan, master = none}).
%% `starts` of the size x size places of the first two queens are searched.
-record(board, {starts, queens = 0, places = []}).

summary() -> "nqueens: actors look for the places of queens that do not attack each other, until there are enough".
unit() -> "board".
parameters() ->
    [
        parameter:whole(size, 12, 1, 20, "of the board, and queens; --scale multiplies the share that is searched"),
        parameter:count(searchers, 20, "actors that search"),
        parameter:amount(threshold, 4, "queens from which on a board is searched to its end"),
        parameter:amount(solutions, 1_500_000, "that are enough")
    ].
check(_) -> ok.

run(#{style := Style, size := Size, searchers := Count, threshold := Threshold, solutions := Enough, 'queue-data' := QueueData,
      scale := Scale, falsify := Falsify}) ->
    Plan = #plan{style = Style, size = Size, threshold = Threshold},
    Starts = starts(max(1, round(Size * Size * Scale)), Size),
    Searchers = actor:start_all(Style, ?MODULE, loop, lists:duplicate(Count, {QueueData, #searcher{plan = Plan}})),
    Master = actor:start(Style, ?MODULE, loop, {QueueData, #master{
        plan = Plan, starts = Starts, searchers = list_to_tuple(Searchers), enough = Enough
    }}),
    lists:foreach(fun(Searcher) -> actor:send(Style, Searcher, {master, Master}) end, Searchers),
    Begun = span:start(),
    actor:send(Style, Master, start),
    Results = actor:await(Count + 1),
    Span = span:stop(Begun),
    [{Boards, Found}] = [Counts || {_, _} = Counts <- Results],
    Counted = [count(Plan, First, 0, 0, {0, 0, 0}) || First <- Starts],
    Due = lists:sum([Solutions || {_, Solutions} <- Counted]) + Falsify,
    DueBoards = lists:sum([Some || {Some, _} <- Counted]),
    {Boards, Span, verdict:all([
        verdict:equal("~b solutions were found, of ~b", Found, min(max(Found, min(Due, Enough)), Due)),
        verdict:equal("~b boards were searched, of ~b", Boards, if Due < Enough -> DueBoards; true -> min(Boards, DueBoards) end)
    ])}.

%% The starts of each board to begin with.
starts(Amount, Size) when Amount > Size * Size -> [Size * Size | starts(Amount - Size * Size, Size)];
starts(Amount, _) -> [Amount].

%% How many boards there are, and solutions, by sets of the columns and diagonals that are attacked.
count(#plan{size = Size, threshold = Threshold}, _, Size, _, _) -> {if Size =< Threshold -> 1; true -> 0 end, 1};
count(#plan{size = Size, threshold = Threshold} = Plan, Starts, Row, First, {Columns, Left, Right}) ->
    Attacked = Columns bor Left bor Right,
    Counts = [
        count(Plan, Starts, Row + 1, if Row =:= 0 -> Place; true -> First end,
              {Columns bor Bit, (Left bor Bit) bsl 1, (Right bor Bit) bsr 1})
     || Place <- lists:seq(0, Size - 1), Bit <- [1 bsl Place],
        Attacked band Bit =:= 0, Row =/= 1 orelse First * Size + Place < Starts
    ],
    Own = if Row =< Threshold -> 1; true -> 0 end,
    {Own + lists:sum([Boards || {Boards, _} <- Counts]), lists:sum([Solutions || {_, Solutions} <- Counts])}.

%% What becomes of an actor by a message, or {ends, Result}. A searcher's boards and solutions come before its `done`.

takes(start, #master{starts = Starts} = Master) ->
    lists:foldl(fun(First, Next) -> deal(#board{starts = First}, Next) end, Master, Starts);
takes(#board{} = Board, #master{} = Master) -> deal(Board, Master);
takes(solution, #master{found = Found} = Master) -> Master#master{found = Found + 1};
takes(done, #master{plan = #plan{style = Style}, searchers = Searchers, begun = Begun, done = Done, found = Found})
        when Done + 1 =:= Begun ->
    lists:foreach(fun(Searcher) -> actor:send(Style, Searcher, stop) end, tuple_to_list(Searchers)),
    {ends, {Begun, Found}};
takes(done, #master{done = Done} = Master) -> Master#master{done = Done + 1};

takes(#board{queens = Queens} = Board, #searcher{plan = Plan, master = Master} = Searcher) ->
    #plan{style = Style, size = Size, threshold = Threshold} = Plan,
    case Queens < min(Threshold, Size) of
        true -> extend(Plan, Board, fun(Extended) -> actor:send(Style, Master, Extended) end);
        false -> search(Plan, Board, Master)
    end,
    actor:send(Style, Master, done),
    Searcher;
takes({master, Master}, Searcher) -> Searcher#searcher{master = Master};
takes(stop, _) -> {ends, stopped}.

deal(Board, #master{plan = #plan{style = Style}, searchers = Searchers, enough = Enough, begun = Begun, found = Found} = Master)
        when Found < Enough ->
    actor:send(Style, element(Begun rem tuple_size(Searchers) + 1, Searchers), Board),
    Master#master{begun = Begun + 1};
deal(_, Master) -> Master.

search(#plan{style = Style, size = Size}, #board{queens = Size}, Master) -> actor:send(Style, Master, solution);
search(Plan, Board, Master) -> extend(Plan, Board, fun(Extended) -> search(Plan, Extended, Master) end).

%% Gives each safe board with one queen more to `Take`.
extend(#plan{size = Size}, Board, Take) -> extend(Size, 0, Board, Take).

extend(Size, Size, _, _) -> ok;
extend(Size, Place, #board{starts = Starts, queens = Queens, places = Places} = Board, Take) ->
    Extended = Places ++ [Place],
    case is_safe(Extended) andalso is_searched(Extended, Size, Starts) of
        true -> Take(Board#board{queens = Queens + 1, places = Extended});
        false -> ok
    end,
    extend(Size, Place + 1, Board, Take).

%% Compares all queens with all, from the first row, as Savina does.
is_safe([]) -> true;
is_safe([Place | Others]) -> is_safe(Place, 1, Others) andalso is_safe(Others).

is_safe(_, _, []) -> true;
is_safe(Place, Rows, [Other | Others]) ->
    Place =/= Other andalso abs(Place - Other) =/= Rows andalso is_safe(Place, Rows + 1, Others).

is_searched([First, Second], Size, Starts) -> First * Size + Second < Starts;
is_searched(_, _, _) -> true.

%% As processes.

loop({QueueData, Actor}) ->
    actor:expect_many(QueueData),
    receive_all(Actor).

receive_all(Actor) ->
    receive
        Message ->
            case takes(Message, Actor) of
                {ends, Result} -> actor:finish(Result);
                Next -> receive_all(Next)
            end
    end.

%% As gen_servers.

init({QueueData, Actor}) ->
    actor:expect_many(QueueData),
    {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
