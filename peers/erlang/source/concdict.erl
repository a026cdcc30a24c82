%% concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
%%
%% Which entity is served when is up to the VM, so the keeper notes whom it serves. Afterwards the same requests go in that
%% order to a model, which must give the same answers and hold the same values.
-module(concdict).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([keeper/1, entity/1, init/1, handle_cast/2, handle_call/3]).

%% What the keeper has: the dictionary, a map or a table of its own; by request, whom it served; how many it has served.
-record(keeper, {style, dictionary, served, count = 0}).
%% What an entity has; `left` is how many requests it still sends.
-record(entity, {style, number, keeper, keys, writes, left, draw, checksum = 0}).

summary() -> "concdict: entities read and write a dictionary that one actor keeps".
unit() -> "request".
parameters() ->
    [
        parameter:count(entities, 100, "actors that send requests"),
        parameter:amount(messages, 50_000, "requests of each; --scale multiplies it"),
        parameter:whole(writes, 10, 0, 100, "percent of the requests that write"),
        parameter:whole(keys, 524_287, 1, 100_000_000, "that can be asked for: 0, 1, 2, ...")
    ].
check(_) -> ok.

run(#{style := Style, entities := Count, writes := Writes, keys := Keys, dictionary := Kind, seed := Seed,
      falsify := Falsify} = Options) ->
    Each = options:scaled(messages, Options),
    Served = atomics:new(Count * Each, [{signed, false}]),
    Keeper = actor:start(Style, ?MODULE, keeper, {keeper, Style, Kind, Keys, Served, self()}),
    receive ready -> ok end,
    First = [
        #entity{style = Style, number = Number, keeper = Keeper, keys = Keys, writes = Writes, left = Each,
                draw = draw:new(Seed, Number)}
     || Number <- lists:seq(1, Count)
    ],
    Entities = actor:start_all(Style, ?MODULE, entity, First),
    Begun = span:start(),
    lists:foreach(fun(Entity) -> actor:send(Style, Entity, start) end, Entities),
    Checksums = lists:sort(actor:await(Count)),
    Span = span:stop(Begun),
    actor:send(Style, Keeper, contents),
    [Contents] = actor:await(1),
    {Replayed, Model} = replay(Served, maps:from_list([{Key, Key} || Key <- lists:seq(0, Keys - 1)]), First),
    {Count * Each, Span, verdict:all(
        [
            verdict:equal("an entity was served ~b times in place of ~b", Each - Left, Each + Falsify)
         || #entity{left = Left} <- Replayed
        ] ++
            [
                case [{Number, Checksum} || #entity{number = Number, checksum = Checksum} <- Replayed] of
                    Checksums -> right;
                    _ -> {wrong, "an entity was given a wrong answer"}
                end,
                case lists:sort(Contents) =:= lists:sort(maps:to_list(Model)) of
                    true -> right;
                    false -> {wrong, "the dictionary holds a wrong value"}
                end
            ]
    )}.

%% A request of an entity: the key, what to write (or read), and the entity after it.
question(#entity{keys = Keys, writes = Writes, left = Left, draw = First} = Entity) ->
    Second = draw:next(First),
    What = case draw:below(Second, 100) < Writes of true -> draw:word(First); false -> read end,
    {draw:below(First, Keys), What, Entity#entity{left = Left - 1, draw = draw:next(Second)}}.

ask(#entity{style = Style, number = Number, keeper = Keeper} = Entity) ->
    {Key, What, Next} = question(Entity),
    actor:send(Style, Keeper, {self(), Number, Key, What}),
    Next.

%% With one answer more; of 28 bits, so that no integer is large.
sum(Checksum, Answer) -> (Checksum * 1000003 + Answer + 1) rem 268435399.

fill(map, Keys) -> maps:from_list([{Key, Key} || Key <- lists:seq(0, Keys - 1)]);
fill(ets, Keys) ->
    Table = ets:new(?MODULE, [private]),
    lists:foreach(fun(Key) -> ets:insert(Table, {Key, Key}) end, lists:seq(0, Keys - 1)),
    Table.

fetch(Dictionary, Key) when is_map(Dictionary) -> map_get(Key, Dictionary);
fetch(Table, Key) -> ets:lookup_element(Table, Key, 2).

store(Dictionary, _, read) -> Dictionary;
store(Dictionary, Key, Value) when is_map(Dictionary) -> Dictionary#{Key := Value};
store(Table, Key, Value) ->
    ets:insert(Table, {Key, Value}),
    Table.

contents(Dictionary) when is_map(Dictionary) -> maps:to_list(Dictionary);
contents(Table) -> ets:tab2list(Table).

open({keeper, Style, Kind, Keys, Served, Main}) ->
    Keeper = #keeper{style = Style, dictionary = fill(Kind, Keys), served = Served},
    Main ! ready,
    Keeper.

serves({From, Number, Key, What}, #keeper{style = Style, dictionary = Dictionary, served = Served, count = Count} = Keeper) ->
    atomics:put(Served, Count + 1, Number),
    actor:send(Style, From, fetch(Dictionary, Key)),
    Keeper#keeper{dictionary = store(Dictionary, Key, What), count = Count + 1}.

%% Serves the entities again, in the keeper's order; what then becomes of them, and of the model.
replay(Served, Model, Entities) ->
    #{size := Requests} = atomics:info(Served),
    {Last, Map} = replay(1, Requests, Served, Model, maps:from_list([{Entity#entity.number, Entity} || Entity <- Entities])),
    {[Entity || {_, Entity} <- lists:sort(maps:to_list(Last))], Map}.

replay(At, Requests, _, Model, Entities) when At > Requests -> {Entities, Model};
replay(At, Requests, Served, Model, Entities) ->
    Number = atomics:get(Served, At),
    case Entities of
        #{Number := Entity} ->
            {Key, What, #entity{checksum = Checksum} = Next} = question(Entity),
            Summed = Next#entity{checksum = sum(Checksum, map_get(Key, Model))},
            replay(At + 1, Requests, Served, store(Model, Key, What), Entities#{Number := Summed});
        _ -> {Entities, Model}
    end.

%% As processes.

keeper(Plan) -> serve(open(Plan)).

serve(#keeper{dictionary = Dictionary} = Keeper) ->
    receive
        contents -> actor:finish(contents(Dictionary));
        Request -> serve(serves(Request, Keeper))
    end.

entity(Entity) ->
    receive
        start -> hear(ask(Entity))
    end.

hear(#entity{number = Number, left = Left, checksum = Checksum} = Entity) ->
    receive
        Answer ->
            Summed = sum(Checksum, Answer),
            case Left of
                0 -> actor:finish({Number, Summed});
                _ -> hear(ask(Entity#entity{checksum = Summed}))
            end
    end.

%% As gen_servers.

init(#entity{} = Entity) -> {ok, Entity};
init(Plan) -> {ok, open(Plan)}.

handle_cast(contents, #keeper{dictionary = Dictionary} = Keeper) -> {stop, {shutdown, contents(Dictionary)}, Keeper};
handle_cast(Request, #keeper{} = Keeper) -> {noreply, serves(Request, Keeper)};
handle_cast(start, #entity{} = Entity) -> {noreply, ask(Entity)};
handle_cast(Answer, #entity{number = Number, left = Left, checksum = Checksum} = Entity) ->
    Summed = sum(Checksum, Answer),
    case Left of
        0 -> {stop, {shutdown, {Number, Summed}}, Entity};
        _ -> {noreply, ask(Entity#entity{checksum = Summed})}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
