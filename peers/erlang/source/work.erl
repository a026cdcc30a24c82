%% Computation of a given length: a chain of multiplications, each of which needs the one before. Of 28 bits, so that no number
%% is ever a big one.
-module(work).

-export([compute/1, steps_of/1]).

-define(TRIAL, 1_000_000).
-define(TRIALS, 20).

compute(Steps) -> chain(Steps, Steps band 16#fffffff bor 1).

chain(0, Value) -> Value;
chain(Left, Value) -> chain(Left - 1, (Value * 1103515245 + Left) band 16#fffffff).

%% How many steps take so many nanoseconds here: by the shortest of some trials.
steps_of(Ns) -> max(1, round(Ns * ?TRIAL / lists:min([trial() || _ <- lists:seq(1, ?TRIALS)]))).

trial() ->
    Begun = erlang:monotonic_time(nanosecond),
    _ = compute(?TRIAL),
    max(1, erlang:monotonic_time(nanosecond) - Begun).
