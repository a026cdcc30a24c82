%% Freivalds' check: X (Y R) = Z R for a random vector R, modulo the prime 2^31 - 1.
-module(freivalds).

-export([is_product/5]).

-define(PRIME, 16#7fffffff).

%% The matrices are binaries of 32-bit integers, by rows. Falsify is added to what is expected of the first row.
is_product(X, Y, Z, R, Falsify) ->
    [First | Others] = times(X, times(Y, R)),
    [(First + Falsify) rem ?PRIME | Others] =:= times(Z, R).

times(<<>>, _) -> [];
times(Matrix, Vector) -> times(Matrix, Vector, Vector, 0).

times(Matrix, [], Vector, Sum) -> [(Sum + ?PRIME) rem ?PRIME | times(Matrix, Vector)];
times(<<Element:32/native-signed, Matrix/binary>>, [Number | Numbers], Vector, Sum) ->
    times(Matrix, Numbers, Vector, (Sum + Element * Number) rem ?PRIME).
