%% recursive-matrix: Z = X Y, halved into tasks that a master sends to the actor of their block of Z.
%%
%% A task of more than --threshold elements becomes eight, two for each quarter of Z, which go to the master; it sends each to the
%% actor that the task's place in Z says, so that no two actors add to the same block. X and Y are shared, as matrix' are; an actor
%% keeps its blocks of Z, and ends with them: they are binaries, which are not copied.
-module(recursive_matrix).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(MOST_ELEMENTS, 16#ffffff). % of a tuple
-define(MOST_ROWS, 8192). % as ours have it, whose check is exact up to there

%% A product to be added to a block of Z: X's rows and inner columns times Y's inner rows and columns; of each {First, Count}.
-record(task, {rows, columns, inner}).
-record(master, {multipliers, sent = 0, done = 0}).
%% `blocks`: by rows and columns.
-record(multiplier, {matrices, size, threshold, master = none, blocks = #{}}).

summary() -> "recursive-matrix: Z = X Y, halved into tasks that a master sends to the actor of their block of Z".
unit() -> "task".
parameters() ->
    [
        parameter:amount(rows, 1024, "of each matrix, and as many columns; --scale multiplies its cube"),
        parameter:amount(threshold, 16384, "elements of a block of Z that is not cut any more"),
        parameter:count(actors, 20, "that multiply")
    ].

check(#{matrices := Matrices} = Options) ->
    Size = rows(Options),
    if
        Size > ?MOST_ROWS -> {refuse, io_lib:format("~b rows are too many: at most ~b", [Size, ?MOST_ROWS])};
        Matrices =:= tuple, Size * Size > ?MOST_ELEMENTS ->
            {refuse, io_lib:format("~b rows are too many: a tuple holds at most 4095 squared; --matrices binary more", [Size])};
        true -> ok
    end.

rows(#{rows := Rows, scale := Scale}) -> max(1, round(Rows * math:pow(Scale, 1 / 3))).

run(#{style := Style, matrices := Matrices, threshold := Threshold, actors := Count, seed := Seed, falsify := Falsify} = Options) ->
    Size = rows(Options),
    X = elements:make(Size, elements:drawn(Seed, 0)),
    Y = elements:make(Size, elements:drawn(Seed, 1)),
    persistent_term:put(?MODULE, {blocks:hold(Matrices, X), blocks:hold(Matrices, Y)}),
    Multiplier = #multiplier{matrices = Matrices, size = Size, threshold = Threshold},
    Multipliers = actor:start_all(Style, ?MODULE, loop, lists:duplicate(Count, Multiplier)),
    Master = actor:start(Style, ?MODULE, loop, #master{multipliers = list_to_tuple(Multipliers)}),
    Whole = {0, Size},
    Begun = span:start(),
    actor:send(Style, Master, #task{rows = Whole, columns = Whole, inner = Whole}),
    Results = actor:await(Count + 1),
    Span = span:stop(Begun),
    persistent_term:erase(?MODULE),
    [Tasks] = [Done || {done, Done} <- Results],
    Z = blocks:join(lists:append([Blocks || {blocks, Blocks} <- Results])),
    {Tasks, Span, case freivalds:is_product(X, Y, Z, elements:vector(Seed, 0, Size), Falsify) of
        true -> right;
        false -> {wrong, "Z is not the product of X and Y"}
    end}.

%% What becomes of an actor by a message, or {ends, Result}.

takes(Style, #task{rows = {Row, _}, columns = {Column, _}} = Task, #master{multipliers = Multipliers, sent = Sent} = Master) ->
    Multiplier = element((Row + Column) rem tuple_size(Multipliers) + 1, Multipliers),
    actor:send(Style, Multiplier, {Task, self()}),
    Master#master{sent = Sent + 1};
%% What a task became has come before.
takes(Style, done, #master{multipliers = Multipliers, sent = Sent, done = Done}) when Done + 1 =:= Sent ->
    lists:foreach(fun(Multiplier) -> actor:send(Style, Multiplier, leave) end, tuple_to_list(Multipliers)),
    {ends, {done, Sent}};
takes(_, done, #master{done = Done} = Master) -> Master#master{done = Done + 1};

takes(Style, {#task{rows = {_, Rows}, columns = {_, Columns}} = Task, Master}, #multiplier{threshold = Threshold} = Multiplier) ->
    Next =
        case Rows * Columns > Threshold of
            true ->
                split(Style, Task, Master),
                Multiplier;
            false -> multiply(Task, Multiplier)
        end,
    actor:send(Style, Master, done),
    Next;
takes(_, leave, #multiplier{blocks = Blocks}) -> {ends, {blocks, maps:to_list(Blocks)}}.

split(Style, #task{rows = Rows, columns = Columns, inner = Inner}, Master) ->
    Parts = [
        #task{rows = SomeRows, columns = SomeColumns, inner = SomeInner}
     || SomeRows <- halves(Rows), SomeColumns <- halves(Columns), SomeInner <- halves(Inner)
    ],
    lists:foreach(fun(Part) -> actor:send(Style, Master, Part) end, Parts).

halves({First, Count}) -> [{First, Count div 2}, {First + Count div 2, Count - Count div 2}].

%% Halves of one row or column may be empty.
multiply(#task{rows = {_, Rows}, columns = {_, Columns}}, Multiplier) when Rows * Columns =:= 0 -> Multiplier;
multiply(#task{rows = Rows, columns = Columns, inner = Inner}, Multiplier) ->
    #multiplier{matrices = Matrices, size = Size, blocks = Blocks} = Multiplier,
    {X, Y} = persistent_term:get(?MODULE),
    Place = {Rows, Columns},
    Block = case Blocks of #{Place := Sums} -> Sums; _ -> blocks:zero(Rows, Columns) end,
    Multiplier#multiplier{blocks = Blocks#{Place => blocks:add(Matrices, X, Y, Size, Rows, Columns, Inner, Block)}}.

%% As processes.

loop(Actor) ->
    receive
        Message ->
            case takes(process, Message, Actor) of
                {ends, Result} -> actor:finish(Result);
                Next -> loop(Next)
            end
    end.

%% As gen_servers.

init(Actor) -> {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(gen_server, Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
