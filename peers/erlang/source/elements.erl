%% Matrices of elements that depend on their position, and the random vector of the check.
-module(elements).

-export([make/2, scrambled/2, drawn/2, vector/3]).

-define(PRIME, 16#7fffffff).

%% A matrix of Size x Size elements, by rows, as a binary of 32-bit integers; the rows are made at the same time.
make(Size, Element) ->
    Main = self(),
    Made = make_ref(),
    Make = fun(Row) ->
        Main ! {Made, Row, << <<(Element(Row * Size + I)):32/native-signed>> || I <- lists:seq(0, Size - 1) >>}
    end,
    Rows = lists:seq(0, Size - 1),
    lists:foreach(fun(Row) -> spawn_link(fun() -> Make(Row) end) end, Rows),
    << <<(receive {Made, Row, Elements} -> Elements end)/binary>> || Row <- Rows >>.

%% matrix' elements, from a position on: -9 to 9.
scrambled(Seed, Position) -> fun(I) -> draw:at(Seed, 0, Position + I) rem 19 - 9 end.

%% recursive-matrix' elements, by a stream for each matrix: -9 to 9.
drawn(Seed, Stream) -> fun(I) -> draw:upper_below(draw:at(Seed, Stream, I), 19) - 9 end.

%% Numbers modulo the prime.
vector(Seed, Position, Size) -> [draw:at(Seed, 0, Position + I) rem ?PRIME || I <- lists:seq(0, Size - 1)].
