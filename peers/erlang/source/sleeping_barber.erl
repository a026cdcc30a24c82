%% sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full.
%%
%% A customer hears from the room and from the barber, between which the VM promises no order. So its visit says how often it
%% was spoken to, the barber tells it, and it ends, and says that it is served, when it has heard all.
-module(sleeping_barber).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(LEAST_WORK, 10). % in steps; a random part is added

-record(factory, {style, room = none, draw, work, satisfied, missing, returned = 0}).
-record(room, {style, barber, chairs, waiting = queue:new(), count = 0, most = 0, sent_away = 0,
               barber_sleeps = true, closed = false}).
-record(barber, {style, room = none, draw, work, had}).
-record(customer, {style, number, factory, satisfied, heard = 0, spoken = unknown, begun = false}).
%% A customer's, who is on the way with it; `spoken` is how often it was spoken to.
-record(visit, {customer, number, spoken = 0}).

summary() -> "sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full".
unit() -> "haircut".
parameters() ->
    [
        parameter:count(haircuts, 5000, "one a customer; --scale multiplies it"),
        parameter:amount(chairs, 1000, "in the waiting room"),
        parameter:whole('haircut-work', 1000, 1, 100_000_000, "random part of a haircut's work: under so many multiplications"),
        parameter:whole('arrival-work', 1000, 1, 100_000_000, "the same between two customers")
    ].
check(Options) ->
    case options:scaled(haircuts, Options) of
        Count when Count > 1_000_000 -> {refuse, "--haircuts, with --scale, must be at most 1000000: the VM's processes"};
        _ -> ok
    end.

run(#{style := Style, chairs := Chairs, 'haircut-work' := HaircutWork, 'arrival-work' := ArrivalWork, seed := Seed,
      falsify := Falsify} = Options) ->
    Count = options:scaled(haircuts, Options),
    Had = counters:new(Count, []),
    Satisfied = counters:new(1, []),
    Barber = actor:start(Style, ?MODULE, loop, #barber{style = Style, draw = draw:new(Seed, 1), work = HaircutWork, had = Had}),
    Room = actor:start(Style, ?MODULE, loop, #room{style = Style, barber = Barber, chairs = Chairs}),
    Factory = actor:start(Style, ?MODULE, loop, #factory{
        style = Style, room = Room, draw = draw:new(Seed, 0), work = ArrivalWork, satisfied = Satisfied, missing = Count
    }),
    actor:send(Style, Barber, {room, Room}),
    Begun = span:start(),
    actor:send(Style, Factory, start),
    Results = actor:await(3),
    Span = span:stop(Begun),
    {room, SentAway, Most} = lists:keyfind(room, 1, Results),
    {factory, Returned} = lists:keyfind(factory, 1, Results),
    {Count, Span, verdict:all(
        [
            verdict:equal("a customer had ~b haircuts in place of ~b", counters:get(Had, Number), 1)
         || Number <- lists:seq(1, Count)
        ] ++
            [
                verdict:equal("~b customers ended after their haircut in place of ~b", counters:get(Satisfied, 1), Count + Falsify),
                verdict:equal("~b came again, of ~b that were sent away", Returned, SentAway),
                verdict:equal("~b waited on ~b chairs", max(Most, Chairs), Chairs)
            ]
    )}.

say(Style, #visit{customer = Customer, spoken = Spoken} = Visit, Word) ->
    actor:send(Style, Customer, Word),
    Visit#visit{spoken = Spoken + 1}.

%% What becomes of an actor by a message, or {ends, Result}.

takes(start, #factory{missing = Count} = Factory) -> Factory#factory{draw = make(Factory, 1, Count)};
takes(#visit{} = Visit, #factory{style = Style, room = Room, returned = Returned} = Factory) ->
    actor:send(Style, Room, Visit),
    Factory#factory{returned = Returned + 1};
takes(served, #factory{style = Style, room = Room, missing = 1, returned = Returned}) ->
    actor:send(Style, Room, closes),
    {ends, {factory, Returned}};
takes(served, #factory{missing = Missing} = Factory) -> Factory#factory{missing = Missing - 1};

takes(#visit{} = Visit, #room{style = Style, chairs = Chairs, count = Chairs, sent_away = SentAway} = Room) ->
    #visit{customer = Customer, spoken = Spoken} = Visit,
    actor:send(Style, Customer, {full, Visit#visit{spoken = Spoken + 1}}),
    Room#room{sent_away = SentAway + 1};
takes(#visit{} = Visit, #room{style = Style, barber_sleeps = true} = Room) ->
    actor:send(Style, self(), next),
    (seat(Visit, Room))#room{barber_sleeps = false};
takes(#visit{} = Visit, #room{style = Style} = Room) -> seat(say(Style, Visit, wait), Room);
takes(next, #room{style = Style, barber = Barber, count = 0} = Room) ->
    actor:send(Style, Barber, nobody),
    ends_if_closed(Room#room{barber_sleeps = true});
takes(next, #room{style = Style, barber = Barber, waiting = Waiting, count = Count} = Room) ->
    {{value, Visit}, Others} = queue:out(Waiting),
    actor:send(Style, Barber, Visit),
    Room#room{waiting = Others, count = Count - 1};
takes(closes, #room{} = Room) -> ends_if_closed(Room#room{closed = true}); % the barber may still be about to ask for the next

takes(#visit{number = Number} = Visit, #barber{style = Style, room = Room, draw = Draw, work = Work, had = Had} = Barber) ->
    #visit{customer = Customer, spoken = Spoken} = say(Style, Visit, 'begin'),
    work:compute(?LEAST_WORK + draw:below(Draw, Work)),
    counters:add(Had, Number, 1),
    actor:send(Style, Customer, {done, Spoken + 1}),
    actor:send(Style, Room, next),
    Barber#barber{draw = draw:next(Draw)};
takes(nobody, #barber{} = Barber) -> Barber;
takes({room, Room}, #barber{} = Barber) -> Barber#barber{room = Room};
takes(closes, #barber{}) -> {ends, barber};

takes({full, Visit}, #customer{style = Style, factory = Factory, heard = Heard} = Customer) ->
    actor:send(Style, Factory, Visit),
    Customer#customer{heard = Heard + 1};
takes(wait, #customer{heard = Heard} = Customer) -> ends_if_served(Customer#customer{heard = Heard + 1});
takes('begin', #customer{heard = Heard} = Customer) -> ends_if_served(Customer#customer{heard = Heard + 1, begun = true});
takes({done, Spoken}, #customer{heard = Heard} = Customer) ->
    ends_if_served(Customer#customer{heard = Heard + 1, spoken = Spoken}).

%% Makes the customers; the factory's stream of random numbers after them.
make(#factory{draw = Draw}, Number, Count) when Number > Count -> Draw;
make(#factory{style = Style, room = Room, draw = Draw, work = Work, satisfied = Satisfied} = Factory, Number, Count) ->
    Newborn = start(Style, #customer{style = Style, number = Number, factory = self(), satisfied = Satisfied}),
    actor:send(Style, Room, #visit{customer = Newborn, number = Number}),
    work:compute(?LEAST_WORK + draw:below(Draw, Work)),
    make(Factory#factory{draw = draw:next(Draw)}, Number + 1, Count).

start(process, Customer) -> spawn(?MODULE, loop, [Customer]);
start(gen_server, Customer) ->
    {ok, Pid} = gen_server:start(?MODULE, Customer, []),
    Pid.

seat(Visit, #room{waiting = Waiting, count = Count, most = Most} = Room) ->
    Room#room{waiting = queue:in(Visit, Waiting), count = Count + 1, most = max(Most, Count + 1)}.

ends_if_closed(#room{style = Style, barber = Barber, barber_sleeps = true, closed = true, sent_away = SentAway, most = Most}) ->
    actor:send(Style, Barber, closes),
    {ends, {room, SentAway, Most}};
ends_if_closed(Room) -> Room.

ends_if_served(#customer{style = Style, factory = Factory, heard = Heard, spoken = Heard, begun = true, satisfied = Satisfied}) ->
    counters:add(Satisfied, 1, 1),
    actor:send(Style, Factory, served),
    {ends, customer};
ends_if_served(Customer) -> Customer.

%% As processes.

loop(Actor) ->
    receive
        Message ->
            case takes(Message, Actor) of
                {ends, Result} -> actor:finish(Result);
                Next -> loop(Next)
            end
    end.

%% As gen_servers.

init(Actor) -> {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
