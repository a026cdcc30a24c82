%% Streams of random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.
%%
%% By the library's generator that is made for speed: its state is one small integer, so that nothing is allocated. What is drawn
%% before the clock starts can be the numbers of our own programs (workloads/common/draw.h), by arithmetic on big integers.
-module(draw).

-export([new/2, next/1, below/2, word/1, at/3, upper_below/2]).

-define(WORD, 16#ffffffffffffffff).

%% A stream, at its first number.
new(Seed, Stream) -> rand:mwc59_seed((Seed * 16#9e3779b1 + Stream) band 16#3ffffffffffffff).

%% Goes on to the next number.
next(Draw) -> rand:mwc59(Draw).

%% 0 .. Bound - 1, from the number where the stream is; the bound is under 2^27.
below(Draw, Bound) -> (rand:mwc59_value32(Draw) * Bound) bsr 32.

%% 32 bits of the number where the stream is.
word(Draw) -> rand:mwc59_value32(Draw).

%% The number at a position of a stream (the finaliser of splitmix64).
at(Seed, Stream, Position) ->
    A = (((Stream bsl 32) bor Position) * 16#9e3779b97f4a7c15 + Seed) band ?WORD,
    B = ((A bxor (A bsr 30)) * 16#bf58476d1ce4e5b9) band ?WORD,
    C = ((B bxor (B bsr 27)) * 16#94d049bb133111eb) band ?WORD,
    C bxor (C bsr 31).

%% 0 .. Bound - 1, from the upper half of such a number.
upper_below(Number, Bound) -> ((Number bsr 32) * Bound) bsr 32.
