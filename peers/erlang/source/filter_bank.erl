%% filter-bank: samples flow through channels of two filters each, and what comes of them is added up.
%%
%% A producer lets a source give one sample after another to the branches, which give it to every channel. There it goes through a
%% bank, is delayed, filtered, replaced by zero but for one of --columns, delayed and filtered again, and tagged: an actor each. The
%% integrator collects what comes of a sample in all channels, the combiner adds it up for the sink. Last comes `leave`, which each
%% passes on. Samples are floats, sent as they are.
-module(filter_bank).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(VALUES, 1000). % of samples: 0, 1, 2, ..., and again

-record(producer, {source, left}).
-record(source, {branches, given = 0}).
-record(branches, {channels}).
%% `change` is what becomes of a sample, see below.
-record(stage, {next, change}).
%% `samples`: by channel a queue of those that have come, of which so many are empty; `running`: channels that have not ended.
-record(integrator, {combiner, samples, empty, running}).
-record(combiner, {sink}).
-record(sink, {sums = []}).

summary() -> "filter-bank: samples flow through channels of two filters each, and what comes of them is added up".
unit() -> "sample".
parameters() ->
    [
        parameter:whole(columns, 16384, 2, 16#ffffffff, "samples that a filter looks at"),
        parameter:whole(samples, 34816, 3, 16#ffffffff, "at least 2 x --columns - 1; --scale multiplies --columns x --samples"),
        parameter:whole(channels, 8, 1, 64, "of two filters each")
    ].
check(#{columns := Columns, samples := Samples}) when Samples < 2 * Columns - 1 ->
    {refuse, io_lib:format("--columns ~b --samples ~b: the samples must be at least 2 x the columns - 1, so that any come to the end",
                           [Columns, Samples])};
check(_) -> ok.

run(#{style := Style, columns := Columns, samples := Samples, channels := Channels, 'queue-data' := QueueData, scale := Scale,
      falsify := Falsify}) ->
    Width = max(2, round(Columns * math:sqrt(Scale))),
    Amount = max(2 * Width - 1, round(Samples * math:sqrt(Scale))),
    Coefficients = [
        {filter:coefficients(first, Width, Channels, Channel), filter:coefficients(second, Width, Channels, Channel)}
     || Channel <- lists:seq(0, Channels - 1)
    ],
    Start = fun(Actor) -> actor:start(Style, ?MODULE, loop, {QueueData, Actor}) end,
    Combiner = Start(#combiner{sink = Start(#sink{})}),
    Queues = list_to_tuple(lists:duplicate(Channels, queue:new())),
    Integrator = Start(#integrator{combiner = Combiner, samples = Queues, empty = Channels, running = Channels}),
    First = [start_channel(Start, Integrator, Width, Channel, Both) || {Channel, Both} <- lists:enumerate(Coefficients)],
    Source = Start(#source{branches = Start(#branches{channels = First})}),
    Producer = Start(#producer{source = Source, left = Amount}),
    Begun = span:start(),
    actor:send(Style, Producer, turn),
    Results = actor:await(7 * Channels + 6),
    Span = span:stop(Begun),
    Given = [float(I rem ?VALUES) || I <- lists:seq(0, Amount - 1)],
    {Flown, Totals} = lists:unzip([filter:channel_again(Given, Both) || Both <- Coefficients]),
    [Sums] = [Sums || {sums, Sums} <- Results],
    Due = add_all(Flown),
    {Amount, Span, verdict:all(
        [verdict:equal("~b sums came in place of ~b", length(Sums), length(Due) + Falsify) | compare(Sums, Due)] ++
            [about("a filter", Total, element(Which, lists:nth(Channel, Totals))) || {{Channel, Which}, Total} <- Results]
    )}.

%% A channel's actors, from the last to the first, which is given.
start_channel(Start, Integrator, Width, Channel, {First, Second}) ->
    Delay = {delay, queue:from_list(lists:duplicate(Width - 1, 0.0))},
    lists:foldr(fun(Change, Next) -> Start(#stage{next = Next, change = Change}) end, Integrator, [
        bank, Delay, {filter, {Channel, 1}, filter:new(First), 0.0}, {sampler, Width, 0},
        Delay, {filter, {Channel, 2}, filter:new(Second), 0.0}, {tagger, Channel}
    ]).

%% Lists of the same length, place by place.
add_all([Sums]) -> Sums;
add_all([One, Other | Others]) -> add_all([lists:zipwith(fun(A, B) -> A + B end, One, Other) | Others]).

compare([Sum | Sums], [Due | Dues]) -> [about("a sum", Sum, Due) | compare(Sums, Dues)];
compare(_, _) -> [].

about(What, Value, Due) ->
    case filter:is_about(Value, Due) of
        true -> right;
        false -> {wrong, lists:flatten(io_lib:format("~s is ~g in place of ~g", [What, Value, Due]))}
    end.

%% What becomes of an actor by a message, or {ends, Result}.

takes(Style, turn, #producer{source = Source, left = 0}) ->
    actor:send(Style, Source, leave),
    {ends, produced};
takes(Style, turn, #producer{source = Source, left = Left} = Producer) ->
    actor:send(Style, Source, {turn, self()}),
    Producer#producer{left = Left - 1};

takes(Style, {turn, Producer}, #source{branches = Branches, given = Given} = Source) ->
    actor:send(Style, Branches, float(Given rem ?VALUES)),
    actor:send(Style, Producer, turn),
    Source#source{given = Given + 1};
takes(Style, leave, #source{branches = Branches}) ->
    actor:send(Style, Branches, leave),
    {ends, given};

takes(Style, Message, #branches{channels = Channels} = Branches) ->
    lists:foreach(fun(Channel) -> actor:send(Style, Channel, Message) end, Channels),
    if Message =:= leave -> {ends, branched}; true -> Branches end;

takes(Style, leave, #stage{next = Next, change = Change}) ->
    actor:send(Style, Next, leave),
    {ends, result(Change)};
takes(Style, Sample, #stage{next = Next, change = Change} = Stage) ->
    {Changed, Following} = change(Sample, Change),
    [actor:send(Style, Next, Changed) || Changed =/= nothing],
    Stage#stage{change = Following};

takes(Style, leave, #integrator{combiner = Combiner, running = 1}) ->
    actor:send(Style, Combiner, leave),
    {ends, integrated};
takes(_, leave, #integrator{running = Running} = Integrator) -> Integrator#integrator{running = Running - 1};
takes(Style, {Channel, Sample}, #integrator{samples = Queues, empty = Empty} = Integrator) ->
    Queue = element(Channel, Queues),
    Longer = setelement(Channel, Queues, queue:in(Sample, Queue)),
    case queue:is_empty(Queue) of
        true -> collect(Style, Integrator#integrator{samples = Longer, empty = Empty - 1});
        false -> Integrator#integrator{samples = Longer}
    end;

takes(Style, leave, #combiner{sink = Sink}) ->
    actor:send(Style, Sink, leave),
    {ends, combined};
takes(Style, Samples, #combiner{sink = Sink} = Combiner) ->
    actor:send(Style, Sink, lists:sum(Samples)),
    Combiner;

takes(_, leave, #sink{sums = Sums}) -> {ends, {sums, lists:reverse(Sums)}};
takes(_, Sum, #sink{sums = Sums}) -> #sink{sums = [Sum | Sums]}.

%% Passes on a sample of each channel as soon as there is one.
collect(Style, #integrator{combiner = Combiner, samples = Queues, empty = 0} = Integrator) ->
    {Samples, Rest} = lists:unzip([{queue:get(Queue), queue:drop(Queue)} || Queue <- tuple_to_list(Queues)]),
    actor:send(Style, Combiner, Samples),
    Integrator#integrator{samples = list_to_tuple(Rest), empty = length([Queue || Queue <- Rest, queue:is_empty(Queue)])};
collect(_, Integrator) -> Integrator.

%% What a stage makes of a sample, or nothing, and its next change.
change(Sample, bank) -> {Sample, bank};
change(Sample, {delay, Line}) -> {queue:get(Line), {delay, queue:in(Sample, queue:drop(Line))}};
change(Sample, {filter, Name, Filter, Total}) ->
    case filter:keep(Sample, Filter) of
        {nothing, Next} -> {nothing, {filter, Name, Next, Total}};
        {Given, Next} -> {Given, {filter, Name, Next, Total + Given}}
    end;
change(Sample, {sampler, Width, Received}) ->
    {if Received rem Width =:= 0 -> Sample; true -> 0.0 end, {sampler, Width, Received + 1}};
change(Sample, {tagger, Channel}) -> {{Channel, Sample}, {tagger, Channel}}.

%% What a filter gave in all.
result({filter, Name, _, Total}) -> {Name, Total};
result(_) -> passed_on.

%% As processes.

loop({QueueData, Actor}) ->
    actor:expect_many(QueueData),
    receive_all(Actor).

receive_all(Actor) ->
    receive
        Message ->
            case takes(process, Message, Actor) of
                {ends, Result} -> actor:finish(Result);
                Next -> receive_all(Next)
            end
    end.

%% As gen_servers.

init({QueueData, Actor}) ->
    actor:expect_many(QueueData),
    {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(gen_server, Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
