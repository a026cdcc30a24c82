%% sor: an actor for each point of a grid exchanges its value with its neighbours, again and again.
%%
%% Red and black as on a chessboard: in every round the red points send their values to their neighbours, and each black one that
%% has them all sends its new value back. So no point is a round ahead of a neighbour. The points of either half of the grid are
%% told by an actor to begin, and report to it; the second one reports to the first.
-module(sor).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(OMEGA, 1.25).
-define(MOST, 1000). % whose square is the processes that the VM is started for

%% `missing`: values that the next one needs, of black points' first also the beginning. A value comes with its place in `values`.
-record(point, {number, red, last, value, values = {0.0, 0.0, 0.0, 0.0}, count, missing, neighbours, half, done = 0}).
%% `points`: each with its neighbours; `next`: whom to tell when all have reported.
-record(half, {points, next, missing, reported = []}).

summary() -> "sor: an actor for each point of a grid exchanges its value with its neighbours".
unit() -> "message".
parameters() ->
    [
        parameter:whole(side, 20, 2, ?MOST, "points of the grid, each way"),
        parameter:amount(rounds, 100, "values of each point; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, side := Side, seed := Seed, falsify := Falsify} = Options) ->
    Last = options:scaled(rounds, Options),
    Numbers = lists:seq(0, Side * Side - 1),
    Grid = list_to_tuple([first_value(Seed, Number div Side, Number rem Side) || Number <- Numbers]),
    Points = list_to_tuple(actor:start_all(Style, ?MODULE, loop, [point(Number, Side, Last, Grid) || Number <- Numbers])),
    {Left, Right} = lists:partition(fun(Number) -> Number rem Side < Side div 2 end, Numbers),
    First = start_half(Style, none, 1, Left, Points, Side),
    Second = start_half(Style, First, 0, Right, Points, Side),
    Begun = span:start(),
    lists:foreach(fun(Half) -> actor:send(Style, Half, start) end, [First, Second]),
    Results = actor:await(Side * Side + 2),
    Span = span:stop(Begun),
    Values = lists:append([Reported || {values, Reported} <- Results]),
    Due = lists:foldl(fun(Turn, Now) -> relax_all(Turn, Side, Now) end, Grid, lists:seq(1, 2 * Last - 1)),
    Same = length([Number || {Number, Value} <- Values, Value =:= element(Number + 1, Due)]),
    {2 * Side * (Side - 1) * (2 * Last - 1), Span,
        verdict:equal("~b points have the values of one loop in place of ~b", Same, Side * Side + Falsify)}.

first_value(Seed, Row, Column) -> (draw:at(Seed, Row, Column) bsr 11) / (1 bsl 53) * 1.0e-6.

point(Number, Side, Last, Grid) ->
    Count = length([One || {_, One} <- around(Number, Side)]),
    Red = is_red(Number, Side),
    Missing = if Red -> Count; true -> Count + 1 end,
    #point{number = Number, red = Red, last = Last, value = element(Number + 1, Grid), count = Count, missing = Missing}.

start_half(Style, Next, Others, Numbers, Points, Side) ->
    Its = [
        {element(Number + 1, Points), [{Place, element(One + 1, Points)} || {Place, One} <- around(Number, Side)]}
     || Number <- Numbers
    ],
    actor:start(Style, ?MODULE, loop, #half{points = Its, next = Next, missing = length(Numbers) + Others}).

is_red(Number, Side) -> (Number div Side + Number rem Side) rem 2 =:= 0.

%% Above, on the left, on the right and below, as far as the grid reaches: which place of its values this point is for the other.
around(Number, Side) ->
    Column = Number rem Side,
    [{4, Number - Side} || Number >= Side] ++ [{3, Number - 1} || Column > 0] ++
        [{2, Number + 1} || Column + 1 < Side] ++ [{1, Number + Side} || Number + Side < Side * Side].

%% A point's next value; its neighbours', 0 where the grid ends, are added up in order, so that there is one result.
relax(Value, {Above, Left, Right, Below}) -> 0.25 * ?OMEGA * (Above + Left + Right + Below) + (1 - ?OMEGA) * Value.

%% The same by one loop: the black points in odd turns, the red ones in even turns.
relax_all(Turn, Side, Grid) ->
    list_to_tuple([
        case is_red(Number, Side) =:= (Turn rem 2 =:= 0) of
            true ->
                Put = fun({Place, One}, Values) -> setelement(5 - Place, Values, element(One + 1, Grid)) end,
                relax(element(Number + 1, Grid), lists:foldl(Put, {0.0, 0.0, 0.0, 0.0}, around(Number, Side)));
            false -> element(Number + 1, Grid)
        end
     || Number <- lists:seq(0, Side * Side - 1)
    ]).

%% What becomes of an actor by a message, or {ends, Result}.

takes(Style, {start, Half, Neighbours}, #point{red = Red} = Point) ->
    Begun = Point#point{half = Half, neighbours = Neighbours},
    case Red of
        true -> end_round(Style, Begun);
        false -> note(Style, Begun)
    end;
takes(Style, {Place, Value}, #point{values = Values} = Point) ->
    note(Style, Point#point{values = setelement(Place, Values, Value)});

takes(Style, start, #half{points = Points} = Half) ->
    lists:foreach(fun({Point, Neighbours}) -> actor:send(Style, Point, {start, self(), Neighbours}) end, Points),
    Half;
takes(Style, {value, Number, Value}, #half{reported = Reported} = Half) ->
    report(Style, Half#half{reported = [{Number, Value} | Reported]});
takes(Style, done, Half) -> report(Style, Half).

note(Style, #point{value = Value, values = Values, count = Count, missing = 1} = Point) ->
    end_round(Style, Point#point{value = relax(Value, Values), missing = Count});
note(_, #point{missing = Missing} = Point) -> Point#point{missing = Missing - 1}.

%% Black points' last value is for nobody but the half.
end_round(Style, #point{number = Number, red = Red, last = Last, value = Value, neighbours = Neighbours, half = Half} = Point) ->
    Done = Point#point.done + 1,
    [actor:send(Style, Neighbour, {Place, Value}) || {Place, Neighbour} <- Neighbours, Red orelse Done < Last],
    case Done < Last of
        true -> Point#point{done = Done};
        false ->
            actor:send(Style, Half, {value, Number, Value}),
            {ends, relaxed}
    end.

report(Style, #half{next = Next, missing = 1, reported = Reported}) ->
    [actor:send(Style, Next, done) || Next =/= none],
    {ends, {values, Reported}};
report(_, #half{missing = Missing} = Half) -> Half#half{missing = Missing - 1}.

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

init(Actor) -> {ok, Actor}.

handle_cast(Message, Actor) ->
    case takes(gen_server, Message, Actor) of
        {ends, Result} -> {stop, {shutdown, Result}, Actor};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
