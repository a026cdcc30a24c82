%% The elements of matrix' matrices, and the random vector of its check: numbers that depend on the seed and the position.
-module(elements).

-export([make/3, vector/3]).

-define(WORD, 16#ffffffffffffffff).
-define(PRIME, 16#7fffffff).

%% A matrix of Size x Size elements from -9 to 9, by rows, as a binary of 32-bit integers; the rows are made at the same time.
make(Seed, Position, Size) ->
    Main = self(),
    Make = fun(Row) ->
        First = Position + Row * Size,
        Main ! {Row, Position, << <<(scramble(Seed, First + I) rem 19 - 9):32/native-signed>> || I <- lists:seq(0, Size - 1) >>}
    end,
    Rows = lists:seq(0, Size - 1),
    lists:foreach(fun(Row) -> spawn_link(fun() -> Make(Row) end) end, Rows),
    << <<(receive {Row, Position, Elements} -> Elements end)/binary>> || Row <- Rows >>.

%% Numbers modulo the prime.
vector(Seed, Position, Size) -> [scramble(Seed, Position + I) rem ?PRIME || I <- lists:seq(0, Size - 1)].

%% The finaliser of splitmix64.
scramble(Seed, Position) ->
    A = (Position * 16#9e3779b97f4a7c15 + Seed) band ?WORD,
    B = ((A bxor (A bsr 30)) * 16#bf58476d1ce4e5b9) band ?WORD,
    C = ((B bxor (B bsr 27)) * 16#94d049bb133111eb) band ?WORD,
    C bxor (C bsr 31).
