%% facility-location: quadrants of a square decide where to open facilities for the customers that come.
%%
%% A quadrant keeps its customers, each at the cost of the way to the nearest facility that it knows of. When they cost too much
%% together it opens one in its middle, tells its parent, and gives its customers to four children. A parent passes the news on to its
%% own, and to the child opposite to the one that it has it from, which tells all below it. All end when the root knows that no news
%% is on its way upwards any more, and each tells main what it held.
-module(facility_location).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(SIDE, 500).

-record(producer, {left, draw}).
%% A square, the facilities that are known there, its own among them, and its customers with what they cost; places are {X, Y}.
-record(area, {middle, half, facilities, customers = [], cost = 0.0}).
%% `index`: among its parent's children, 1: on the right, 2: at the top; without children its facility isn't open. `told`: news
%% from below. `open` and `received`: facilities and customers below, of so many children that have confirmed.
-record(quadrant, {main, producer, parent = none, index = 0, dear, area, children = [], told = 0, open = 0, received = 0,
                   confirmed = 0}).
%% What quadrants held: facilities, customers, and of these who are not in their quadrant; quadrants that have not heard of as many
%% facilities as were opened below.
-record(held, {facilities = 0, customers = 0, outside = 0, uninformed = 0}).

summary() -> "facility-location: quadrants of a square decide where to open facilities for the customers that come".
unit() -> "customer".
parameters() ->
    [
        parameter:amount(customers, 100_000, "that come; --scale multiplies it"),
        parameter:amount(alpha, 2, "times the square's diagonal is what a quadrant's customers may cost")
    ].
check(Options) ->
    case options:scaled(customers, Options) of
        Customers when Customers > 16#ffffffff -> {refuse, "--customers, with --scale, must be under 2^32"};
        _ -> ok
    end.

run(#{style := Style, alpha := Alpha, seed := Seed, falsify := Falsify} = Options) ->
    Customers = options:scaled(customers, Options),
    Producer = actor:start(Style, ?MODULE, loop, #producer{left = Customers, draw = draw:new(Seed, 0)}),
    Middle = {?SIDE / 2, ?SIDE / 2},
    Root = actor:start(Style, ?MODULE, loop, #quadrant{
        main = self(), producer = Producer, dear = Alpha * math:sqrt(2) * ?SIDE,
        area = #area{middle = Middle, half = ?SIDE / 2, facilities = [Middle]}
    }),
    Begun = span:start(),
    actor:send(Style, Producer, {turn, Root}),
    [{Open, Received}] = [Counts || {_, _} = Counts <- actor:await(2)],
    Held = add_held(1 + 4 * Open, #held{}),
    Span = span:stop(Begun),
    {Customers, Span, verdict:all([
        verdict:equal("~b customers were counted in place of ~b", Received, Customers + Falsify),
        verdict:equal("~b customers were kept in place of ~b", Held#held.customers, Customers),
        verdict:equal("~b facilities were counted in place of ~b", Open, Held#held.facilities),
        verdict:equal("~b customers are not in their quadrant in place of ~b", Held#held.outside, 0),
        verdict:equal("~b quadrants heard of too few or too many facilities in place of ~b", Held#held.uninformed, 0)
    ])}.

%% What so many quadrants held.
add_held(0, Sums) -> Sums;
add_held(Missing, #held{facilities = A, customers = B, outside = C, uninformed = D}) ->
    receive
        #held{facilities = W, customers = X, outside = Y, uninformed = Z} ->
            add_held(Missing - 1, #held{facilities = A + W, customers = B + X, outside = C + Y, uninformed = D + Z})
    end.

%% What becomes of an actor by a message, or {ends, Result}.

takes(Style, {turn, Root}, #producer{left = 0}) ->
    actor:send(Style, Root, close),
    {ends, produced};
takes(Style, {turn, Root}, #producer{left = Left, draw = Draw}) ->
    Second = draw:next(Draw),
    actor:send(Style, Root, {customer, {place(Draw), place(Second)}}),
    #producer{left = Left - 1, draw = draw:next(Second)};

takes(Style, {customer, Customer}, #quadrant{producer = Producer, parent = Parent} = Quadrant) ->
    Next = open_if_dear(Style, admit(Style, Customer, Quadrant)),
    [actor:send(Style, Producer, {turn, self()}) || Parent =:= none],
    Next;
%% That a facility was opened: below a child, or elsewhere.
takes(Style, {news, Facility, elsewhere}, #quadrant{children = Children} = Quadrant) ->
    tell(Style, Children, Facility),
    learn(Facility, Quadrant);
takes(Style, {news, Facility, Child}, #quadrant{parent = Parent, index = Index, children = Children, told = Told} = Quadrant) ->
    [actor:send(Style, Parent, {news, Facility, Index}) || Parent =/= none],
    tell(Style, [lists:nth(4 - Child, Children)], Facility),
    learn(Facility, Quadrant#quadrant{told = Told + 1});
takes(Style, close, #quadrant{children = Children} = Quadrant) ->
    send_all(Style, Children, close),
    [confirm(Style, Quadrant) || Children =:= []],
    Quadrant;
%% From a child, after which it tells nothing more.
takes(Style, {confirmed, Open, Received}, #quadrant{open = A, received = B, confirmed = Confirmed} = Quadrant) ->
    Next = Quadrant#quadrant{open = A + Open, received = B + Received, confirmed = Confirmed + 1},
    [confirm(Style, Next) || Confirmed + 1 =:= 4],
    Next;
takes(Style, leave, #quadrant{main = Main, children = Children} = Quadrant) ->
    send_all(Style, Children, leave),
    Main ! held(Quadrant),
    {ends, counts(Quadrant)}.

%% Somewhere along the square's side.
place(Draw) -> draw:word(Draw) * ?SIDE / 16#ffffffff.

admit(_, Customer, #quadrant{children = [], area = Area} = Quadrant) -> Quadrant#quadrant{area = keep(Customer, Area)};
admit(Style, Customer, #quadrant{children = Children, area = Area} = Quadrant) ->
    actor:send(Style, lists:nth(child_of(Customer, Area) + 1, Children), {customer, Customer}),
    Quadrant.

open_if_dear(Style, #quadrant{dear = Dear, children = [], area = #area{cost = Cost}} = Quadrant) when Cost > Dear ->
    #quadrant{parent = Parent, index = Index, area = #area{middle = Middle, customers = Customers} = Area} = Quadrant,
    [actor:send(Style, Parent, {news, Middle, Index}) || Parent =/= none],
    Child = Quadrant#quadrant{parent = self()},
    Children = [
        start(Style, Child#quadrant{index = One, area = lists:foldl(fun keep/2, quarter(One, Area), its(One, Customers, Area))})
     || One <- lists:seq(0, 3)
    ],
    Quadrant#quadrant{children = Children, area = Area#area{customers = []}};
open_if_dear(_, Quadrant) -> Quadrant.

its(Child, Customers, Area) -> [Customer || Customer <- Customers, child_of(Customer, Area) =:= Child].

keep(Customer, #area{facilities = Facilities, customers = Customers, cost = Cost} = Area) ->
    Area#area{customers = [Customer | Customers], cost = Cost + math:sqrt(nearest(Customer, Facilities))}.

%% The square of the way to the nearest facility.
nearest(Customer, [First | Others]) -> nearest(Customer, Others, square(Customer, First)).

nearest(Customer, [Facility | Others], Least) ->
    case square(Customer, Facility) of
        Square when Square < Least -> nearest(Customer, Others, Square);
        _ -> nearest(Customer, Others, Least)
    end;
nearest(_, [], Least) -> Least.

square({X, Y}, {U, V}) when is_float(X), is_float(Y), is_float(U), is_float(V) -> (U - X) * (U - X) + (V - Y) * (V - Y).

child_of({X, Y}, #area{middle = {U, V}}) -> if X >= U -> 1; true -> 0 end + if Y >= V -> 2; true -> 0 end.

quarter(Child, #area{middle = {U, V}, half = Half, facilities = Facilities}) ->
    Quarter = Half / 2,
    Middle = {U + Quarter * (2 * (Child band 1) - 1), V + Quarter * (Child band 2 - 1)},
    #area{middle = Middle, half = Quarter, facilities = [Middle | Facilities]}.

learn(Facility, #quadrant{area = #area{facilities = Facilities} = Area} = Quadrant) ->
    Quadrant#quadrant{area = Area#area{facilities = [Facility | Facilities]}}.

tell(Style, Quadrants, Facility) -> send_all(Style, Quadrants, {news, Facility, elsewhere}).

send_all(Style, Quadrants, Message) -> lists:foreach(fun(Quadrant) -> actor:send(Style, Quadrant, Message) end, Quadrants).

%% When all below it have.
confirm(Style, #quadrant{parent = none}) -> actor:send(Style, self(), leave);
confirm(Style, #quadrant{parent = Parent} = Quadrant) ->
    {Open, Received} = counts(Quadrant),
    actor:send(Style, Parent, {confirmed, Open, Received}).

%% Facilities and customers in it and below.
counts(#quadrant{children = [], area = #area{customers = Customers}}) -> {0, length(Customers)};
counts(#quadrant{open = Open, received = Received}) -> {Open + 1, Received}.

held(#quadrant{area = #area{middle = {U, V}, half = Half, customers = Customers}, children = Children, told = Told, open = Open}) ->
    #held{
        facilities = if Children =:= [] -> 0; true -> 1 end,
        customers = length(Customers),
        outside = length([far || {X, Y} <- Customers, abs(X - U) > Half orelse abs(Y - V) > Half]),
        uninformed = if Told =:= Open -> 0; true -> 1 end
    }.

start(process, Quadrant) -> spawn(?MODULE, loop, [Quadrant]);
start(gen_server, Quadrant) ->
    {ok, Pid} = gen_server:start(?MODULE, Quadrant, []),
    Pid.

%% As processes.

loop(Actor) ->
    receive
        Message ->
            case takes(process, Message, Actor) of
                {ends, Result} -> actor:finish(Result);
                Next -> loop(Next)
            end
    end.

%% As gen_servers.

%% A gen_server hands the list of its ancestors down, which would grow with every level of the quadrants.
init(Actor) ->
    erase('$ancestors'),
    {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(gen_server, Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
