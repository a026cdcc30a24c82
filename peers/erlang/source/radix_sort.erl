%% radix-sort: numbers go down a chain of actors, each of which sorts them by a bit.
%%
%% What comes out stands in an `atomics` array, so that it needn't be copied to main. Numbers of more than 59 bits are big
%% integers to the VM, which are copied at each send.
-module(radix_sort).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([source/1, sorter/1, collector/1, init/1, handle_cast/2, handle_call/3]).

-record(source, {next, bits, count, draw}).
%% `kept` are the newest first.
-record(sorter, {bit, next, kept = [], missing}).
-record(collector, {taken, count = 0, missing}).

summary() -> "radix-sort: numbers go down a chain of actors, each of which sorts them by a bit".
unit() -> "message".
parameters() ->
    [
        parameter:amount(numbers, 100_000, "to be sorted; --scale multiplies it"),
        parameter:whole(bits, 60, 1, 64, "of each number, and actors that sort")
    ].
check(_) -> ok.

run(#{style := Style, bits := Bits, 'queue-data' := QueueData, seed := Seed, falsify := Falsify} = Options) ->
    Count = options:scaled(numbers, Options),
    Taken = atomics:new(Count, [{signed, false}]),
    Collector = actor:start(Style, ?MODULE, collector, {QueueData, #collector{taken = Taken, missing = Count}}),
    First = lists:foldr(
        fun(Bit, Next) -> actor:start(Style, ?MODULE, sorter, {QueueData, #sorter{bit = Bit, next = Next, missing = Count}}) end,
        Collector, lists:seq(0, Bits - 1)
    ),
    Plan = #source{next = First, bits = Bits, count = Count, draw = draw:new(Seed, 0)},
    Source = actor:start(Style, ?MODULE, source, {QueueData, Plan}),
    Begun = span:start(),
    actor:send(Style, Source, start),
    Results = actor:await(Bits + 2),
    Span = span:stop(Begun),
    Came = [atomics:get(Taken, Position) || Position <- lists:seq(1, Count)],
    {Count * (Bits + 1), Span, verdict:all(
        [verdict:equal("~b numbers came in place of ~b", Number, Count + Falsify) || {came, Number} <- Results] ++
            [
                case lists:sort(draw_all(Plan)) of
                    Came -> right;
                    _ -> {wrong, "the numbers are not sorted, or not those that were drawn"}
                end
            ]
    )}.

%% A number, and the stream after it.
draw(First, Bits) ->
    Second = draw:next(First),
    {((draw:word(First) bsl 32) bor draw:word(Second)) bsr (64 - Bits), draw:next(Second)}.

draw_all(#source{count = 0}) -> [];
draw_all(#source{bits = Bits, count = Count, draw = Draw} = Source) ->
    {Number, Next} = draw(Draw, Bits),
    [Number | draw_all(Source#source{count = Count - 1, draw = Next})].

send_all(_, #source{count = 0}) -> ok;
send_all(Style, #source{next = Next, bits = Bits, count = Count, draw = Draw} = Source) ->
    {Number, Following} = draw(Draw, Bits),
    actor:send(Style, Next, Number),
    send_all(Style, Source#source{count = Count - 1, draw = Following}).

%% Passes on at once what has a 0 for its bit, and keeps back what has a 1 until all have come.
sorts(Style, Number, #sorter{bit = Bit, next = Next, kept = Kept, missing = Missing} = Sorter) ->
    case (Number bsr Bit) band 1 of
        0 ->
            actor:send(Style, Next, Number),
            Sorter#sorter{missing = Missing - 1};
        1 -> Sorter#sorter{kept = [Number | Kept], missing = Missing - 1}
    end.

pass_on(Style, #sorter{next = Next, kept = Kept}) ->
    lists:foreach(fun(Number) -> actor:send(Style, Next, Number) end, lists:reverse(Kept)).

takes(Number, #collector{taken = Taken, count = Count, missing = Missing} = Collector) ->
    atomics:put(Taken, Count + 1, Number),
    Collector#collector{count = Count + 1, missing = Missing - 1}.

%% As processes.

source({_, Source}) ->
    receive
        start -> send_all(process, Source)
    end,
    actor:finish(sent).

sorter({QueueData, Sorter}) ->
    actor:expect_many(QueueData),
    sort(Sorter).

sort(#sorter{missing = 0} = Sorter) ->
    pass_on(process, Sorter),
    actor:finish(sorted);
sort(Sorter) ->
    receive
        Number -> sort(sorts(process, Number, Sorter))
    end.

collector({QueueData, Collector}) ->
    actor:expect_many(QueueData),
    collect(Collector).

collect(#collector{count = Count, missing = 0}) -> actor:finish({came, Count});
collect(Collector) ->
    receive
        Number -> collect(takes(Number, Collector))
    end.

%% As gen_servers.

init({QueueData, Actor}) ->
    actor:expect_many(QueueData),
    {ok, Actor}.

handle_cast(start, Source) ->
    send_all(gen_server, Source),
    {stop, {shutdown, sent}, Source};
handle_cast(Number, #sorter{} = Sorter) ->
    case sorts(gen_server, Number, Sorter) of
        #sorter{missing = 0} = Last ->
            pass_on(gen_server, Last),
            {stop, {shutdown, sorted}, Last};
        Next -> {noreply, Next}
    end;
handle_cast(Number, #collector{} = Collector) ->
    case takes(Number, Collector) of
        #collector{count = Count, missing = 0} = Last -> {stop, {shutdown, {came, Count}}, Last};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
