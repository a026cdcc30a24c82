%% matrix: Z = X Y of 32-bit integers, an actor a row of X: work for the workers, few messages.
%%
%% X and Y are shared: each is one persistent term, a tuple or a binary. An actor sends its row of Z back, as a binary, which
%% is not copied. The elements are small integers, so that Z is exact, and the check is a proof but for one case in 2^31.
-module(matrix).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([multiplier/1, init/1, handle_cast/2, handle_call/3]).

-define(MOST_ELEMENTS, 16#ffffff). % of a tuple
-define(MOST_ROWS, 16#7fffffff div 81). % whose products cannot overflow 32 bits

summary() -> "matrix: Z = X Y, an actor a row".
unit() -> "row".
parameters() -> [parameter:count(rows, 3072, "of each matrix, and as many columns; --scale multiplies its cube")].

check(#{matrices := Matrices} = Options) ->
    Size = rows(Options),
    if
        Matrices =:= tuple, Size * Size > ?MOST_ELEMENTS ->
            {refuse, io_lib:format("~b rows are too many: a tuple holds at most 4095 squared; --matrices binary more", [Size])};
        Size > ?MOST_ROWS -> {refuse, io_lib:format("~b rows are too many: at most ~b can be multiplied", [Size, ?MOST_ROWS])};
        true -> ok
    end.

rows(#{rows := Rows, scale := Scale}) -> max(1, round(Rows * math:pow(Scale, 1 / 3))).

run(#{style := Style, matrices := Matrices, seed := Seed, falsify := Falsify} = Options) ->
    Size = rows(Options),
    X = elements:make(Size, elements:scrambled(Seed, 0)),
    Y = elements:make(Size, elements:scrambled(Seed, Size * Size)),
    persistent_term:put(?MODULE, {product:hold(Matrices, X), product:hold(Matrices, Y)}),
    Actors = actor:start_all(Style, ?MODULE, multiplier, lists:duplicate(Size, {Matrices, Size})),
    Begun = span:start(),
    send_rows(Style, Actors, 0),
    Rows = actor:await(Size),
    Span = span:stop(Begun),
    persistent_term:erase(?MODULE),
    Z = << <<Row/binary>> || {_, Row} <- lists:sort(Rows) >>,
    R = elements:vector(Seed, 2 * Size * Size, Size),
    {Size, Span, case freivalds:is_product(X, Y, Z, R, Falsify) of
        true -> right;
        false -> {wrong, "Z is not the product of X and Y"}
    end}.

send_rows(_, [], _) -> ok;
send_rows(Style, [Actor | Others], Row) ->
    actor:send(Style, Actor, {row, Row}),
    send_rows(Style, Others, Row + 1).

%% The row of Z, with its number.
row_of_z(Row, Matrices, Size) ->
    {X, Y} = persistent_term:get(?MODULE),
    {Row, product:row(Matrices, X, Y, Row, Size)}.

%% As processes.

multiplier({Matrices, Size}) ->
    receive
        {row, Row} -> actor:finish(row_of_z(Row, Matrices, Size))
    end.

%% As gen_servers.

init(State) -> {ok, State}.

handle_cast({row, Row}, {Matrices, Size} = State) -> {stop, {shutdown, row_of_z(Row, Matrices, Size)}, State}.

handle_call(_, _, State) -> {stop, unexpected, State}.
