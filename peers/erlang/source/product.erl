%% The inner loops of matrix: a row of X times each column of Y, which is stored by rows, in tuples or in binaries.
-module(product).

-export([hold/2, row/5]).

%% A matrix, given as a binary of 32-bit integers by rows, as the loops take it.
hold(binary, Elements) -> Elements;
hold(tuple, Elements) -> list_to_tuple([Element || <<Element:32/native-signed>> <= Elements]).

%% A row of the product, as a binary of 32-bit integers.
row(tuple, X, Y, Row, Size) ->
    RowOfX = [element(Row * Size + I, X) || I <- lists:seq(1, Size)],
    << <<(tuple_dot(RowOfX, Y, Column, Size, 0)):32/native-signed>> || Column <- lists:seq(1, Size) >>;
row(binary, X, Y, Row, Size) ->
    RowOfX = binary:part(X, Row * 4 * Size, 4 * Size),
    << <<(binary_dot(RowOfX, Y, 4 * Column, 4 * Size, 0)):32/native-signed>> || Column <- lists:seq(0, Size - 1) >>.

%% Index: of Y's element; a tuple's begin at 1.
tuple_dot([Element | Row], Y, Index, Size, Sum) ->
    tuple_dot(Row, Y, Index + Size, Size, Sum + Element * element(Index, Y));
tuple_dot([], _, _, _, Sum) -> Sum.

%% Offset: of Y's element, in bytes; Stride: of a row.
binary_dot(<<Element:32/native-signed, Row/binary>>, Y, Offset, Stride, Sum) ->
    <<_:Offset/binary, Other:32/native-signed, _/binary>> = Y,
    binary_dot(Row, Y, Offset + Stride, Stride, Sum + Element * Other);
binary_dot(<<>>, _, _, _, Sum) -> Sum.
