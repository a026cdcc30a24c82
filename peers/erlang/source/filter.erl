%% Rings of samples that filter, and the same computed in another way: the arithmetic of filter-bank.
%%
%% A ring is two lists: the places that have been filled in this turn, the newest first, and the others; beside each place stands its
%% coefficient. So nothing is copied when a sample is kept, but the whole is turned round once a turn.
-module(filter).

-export([coefficients/4, new/1, keep/2, channel_again/2, is_about/2]).

-record(filter, {new = [], old, passed = [], coming, full = false}).

%% Savina's, of a channel's first or second filter, in the order of the places.
coefficients(Which, Size, Channels, Channel) ->
    [coefficient(Which, float(I), Size, Channels, Channel) || I <- lists:seq(Size - 1, 0, -1)].

coefficient(first, I, Size, Channels, J) -> I * Size + J * Channels + J + I + J + 1;
coefficient(second, I, _, _, J) -> I * J + J * J + J + I.

new(Coefficients) -> #filter{old = [0.0 || _ <- Coefficients], coming = Coefficients}.

%% Keeps a sample; what the filter gives then: the places times their coefficients, and nothing before all are filled.
keep(Sample, #filter{new = New, old = [_ | Old], passed = Passed, coming = [Coefficient | Coming]} = Filter) ->
    Next = turn(Filter#filter{new = [Sample | New], old = Old, passed = [Coefficient | Passed], coming = Coming}),
    {give(Next), Next}.

turn(#filter{new = New, old = [], passed = Passed}) ->
    #filter{old = lists:reverse(New), coming = lists:reverse(Passed), full = true};
turn(Filter) -> Filter.

give(#filter{full = false}) -> nothing;
give(#filter{new = New, old = Old, passed = Passed, coming = Coming}) -> dot(Old, Coming, dot(New, Passed, 0.0)).

%% Four at a time, as each sum that is passed on is a float to be allocated.
dot([A, B, C, D | Samples], [E, F, G, H | Coefficients], Sum)
        when is_float(A), is_float(B), is_float(C), is_float(D), is_float(E), is_float(F), is_float(G), is_float(H), is_float(Sum) ->
    dot(Samples, Coefficients, Sum + A * E + B * F + C * G + D * H);
dot([A | Samples], [E | Coefficients], Sum) -> dot(Samples, Coefficients, Sum + A * E);
dot([], [], Sum) -> Sum.

%% What comes of the samples in a channel with these two filters' coefficients, and what each filter gives in all.
channel_again(Samples, {First, Second}) ->
    Columns = length(First),
    Given = again(delay(Columns - 1, Samples), First),
    Sampled = [if I rem Columns =:= 0 -> Sample; true -> 0.0 end || {I, Sample} <- lists:enumerate(0, Given)],
    Last = again(delay(Columns - 1, Sampled), Second),
    {Last, {lists:sum(Given), lists:sum(Last)}}.

delay(Places, Samples) -> lists:sublist(lists:duplicate(Places, 0.0) ++ Samples, length(Samples)).

%% Each sum from the one before, in place of from all of a ring.
again(Samples, Coefficients) ->
    Leaving = [0.0 || _ <- Coefficients] ++ Samples,
    lists:nthtail(length(Coefficients) - 1, again(Samples, Leaving, Coefficients, Coefficients, 0.0)).

again([], _, _, _, _) -> [];
again(Samples, Leaving, [], All, Sum) -> again(Samples, Leaving, All, All, Sum);
again([Sample | Samples], [Left | Leaving], [Coefficient | Coefficients], All, Sum) ->
    Next = Sum + (Sample - Left) * Coefficient,
    [Next | again(Samples, Leaving, Coefficients, All, Next)].

%% As near as rounding permits.
is_about(Value, Due) -> abs(Value - Due) =< 1.0e-9 * abs(Due).
