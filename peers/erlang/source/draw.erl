%% Streams of random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.
%%
%% By the library's generator that is made for speed: its state is one small integer, so that nothing is allocated.
-module(draw).

-export([new/2, next/1, below/2, word/1]).

%% A stream, at its first number.
new(Seed, Stream) -> rand:mwc59_seed((Seed * 16#9e3779b1 + Stream) band 16#3ffffffffffffff).

%% Goes on to the next number.
next(Draw) -> rand:mwc59(Draw).

%% 0 .. Bound - 1, from the number where the stream is; the bound is under 2^27.
below(Draw, Bound) -> (rand:mwc59_value32(Draw) * Bound) bsr 32.

%% 32 bits of the number where the stream is.
word(Draw) -> rand:mwc59_value32(Draw).
