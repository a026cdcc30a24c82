%% The arithmetic of recursive-matrix: blocks of a product of matrices of floats, which lie in tuples or in binaries, by rows.
%%
%% A block is a binary of floats. The matrices' elements are small whole numbers, so that all sums are exact.
-module(blocks).

-export([hold/2, zero/2, add/8, join/1]).

%% A matrix, given as a binary of 32-bit integers, as the loops take it.
hold(binary, Elements) -> << <<Element:64/native-float>> || <<Element:32/native-signed>> <= Elements >>;
hold(tuple, Elements) -> list_to_tuple([float(Element) || <<Element:32/native-signed>> <= Elements]).

zero({_, Rows}, {_, Columns}) -> <<0:(64 * Rows * Columns)>>.

%% Adds to a block X's rows and inner columns times Y's inner rows and columns; of each {First, Count}.
add(Matrices, X, Y, Size, {Row, Rows}, Columns, {First, Count} = Inner, Block) ->
    Stride = 8 * element(2, Columns),
    << <<(add_row(Matrices, part(Matrices, X, (Row + I) * Size + First, Count), Y, Size, Columns, Inner, Line))/binary>>
       || {I, Line} <- lists:zip(lists:seq(0, Rows - 1), [Line || <<Line:Stride/binary>> <= Block]) >>.

%% Some elements of X's row.
part(tuple, X, First, Count) -> [element(First + I, X) || I <- lists:seq(1, Count)];
part(binary, X, First, Count) -> [Element || <<Element:64/native-float>> <= binary:part(X, 8 * First, 8 * Count)].

add_row(Matrices, RowOfX, Y, Size, {Column, Columns}, {First, _}, Line) ->
    Sums = lists:zip(lists:seq(Column, Column + Columns - 1), [Sum || <<Sum:64/native-float>> <= Line]),
    case Matrices of
        tuple -> << <<(tuple_dot(RowOfX, Y, First * Size + At + 1, Size, Sum)):64/native-float>> || {At, Sum} <- Sums >>;
        binary -> << <<(binary_dot(RowOfX, Y, 8 * (First * Size + At), 8 * Size, Sum)):64/native-float>> || {At, Sum} <- Sums >>
    end.

%% Index: of Y's element; a tuple's begin at 1. Four at a time, as each sum that is passed on is a float to be allocated.
tuple_dot([A, B, C, D | Row], Y, Index, Size, Sum) when is_float(A), is_float(B), is_float(C), is_float(D), is_float(Sum) ->
    E = element(Index, Y),
    F = element(Index + Size, Y),
    G = element(Index + 2 * Size, Y),
    H = element(Index + 3 * Size, Y),
    if
        is_float(E), is_float(F), is_float(G), is_float(H) ->
            tuple_dot(Row, Y, Index + 4 * Size, Size, Sum + A * E + B * F + C * G + D * H)
    end;
tuple_dot([Element | Row], Y, Index, Size, Sum) ->
    tuple_dot(Row, Y, Index + Size, Size, Sum + Element * element(Index, Y));
tuple_dot([], _, _, _, Sum) -> Sum.

%% Offset: of Y's element, in bytes; Stride: of a row.
binary_dot([Element | Row], Y, Offset, Stride, Sum) when is_float(Element), is_float(Sum) ->
    <<_:Offset/binary, Other:64/native-float, _/binary>> = Y,
    binary_dot(Row, Y, Offset + Stride, Stride, Sum + Element * Other);
binary_dot([], _, _, _, Sum) -> Sum.

%% The whole of its blocks, each with its place ({Rows, Columns}), as a binary of 32-bit integers.
join(Blocks) ->
    Lines = [
        {Row + I, Column, Line}
     || {{{Row, Rows}, {Column, Columns}}, Block} <- Blocks, Stride <- [8 * Columns],
        {I, Line} <- lists:zip(lists:seq(0, Rows - 1), [Line || <<Line:Stride/binary>> <= Block])
    ],
    << <<(round(Sum)):32/native-signed>> || {_, _, Line} <- lists:sort(Lines), <<Sum:64/native-float>> <= Line >>.
