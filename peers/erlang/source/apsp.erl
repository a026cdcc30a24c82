%% apsp: the shortest paths between all nodes of a graph, by an actor for each block of the matrix of distances.
%%
%% Floyd and Warshall's algorithm, a step a node. In each step every actor sends its block to all actors of its row and of its
%% column of blocks, and goes on when it has all theirs. An actor may be a step ahead of another, but not two. A block is a list of
%% rows to its actor; what is sent is a binary, made once a step, which the VM shares among all who receive it.
-module(apsp).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(MOST_NODES, 50_000).
-define(MOST_ACTORS, 1_000_000).

%% What is known of a step: how many parts are missing, before the first one the beginning, too; and its node's row and column, as
%% far as they lie in the block's columns and rows.
-record(step, {missing, row, column}).
%% `place` is its row and column of blocks; `step` is to be done; `now` is known of it, and `next` of the one after it.
-record(block, {place, width, nodes, others, distances, part, step = 0, now, next}).

summary() -> "apsp: the shortest paths in a graph, by an actor for each block of the distances".
unit() -> "message".
parameters() ->
    [
        parameter:whole(nodes, 300, 2, 1_000_000_000_000, "of the graph; --scale multiplies its cube"),
        parameter:amount(block, 50, "nodes that a block has, each way; divides --nodes"),
        parameter:whole(heaviest, 100, 1, 16#ffffffff, "weight of an edge: 1 to that")
    ].

check(#{nodes := Nodes, block := Width} = Options) ->
    Blocks = blocks(Options),
    if
        Nodes rem Width =/= 0; Nodes =:= Width ->
            {refuse, io_lib:format("--block ~b must divide --nodes ~b, and be less", [Width, Nodes])};
        Blocks * Width > ?MOST_NODES ->
            {refuse, io_lib:format("~b nodes are too many: at most ~b", [Blocks * Width, ?MOST_NODES])};
        Blocks * Blocks > ?MOST_ACTORS ->
            {refuse, io_lib:format("~b blocks are too many: the VM's processes are ~b", [Blocks * Blocks, ?MOST_ACTORS])};
        true -> ok
    end.

%% In a row.
blocks(#{nodes := Nodes, block := Width, scale := Scale}) -> max(2, round(Nodes div Width * math:pow(Scale, 1 / 3))).

run(#{style := Style, block := Width, heaviest := Heaviest, seed := Seed, falsify := Falsify} = Options) ->
    Blocks = blocks(Options),
    Size = Blocks * Width,
    Graph = [[distance(Seed, Heaviest, I, J) || J <- lists:seq(0, Size - 1)] || I <- lists:seq(0, Size - 1)],
    Others = 2 * (Blocks - 1),
    Places = [{Row, Column} || Row <- lists:seq(0, Blocks - 1), Column <- lists:seq(0, Blocks - 1)],
    Actors = [
        {Place, actor:start(Style, ?MODULE, loop, block(Place, Width, Size, Others, cut(Place, Width, Graph)))}
     || Place <- Places
    ],
    Starts = [{Actor, {start, others(Place, Actors)}} || {Place, Actor} <- Actors],
    Begun = span:start(),
    lists:foreach(fun({Actor, Start}) -> actor:send(Style, Actor, Start) end, Starts),
    Found = maps:from_list(actor:await(Blocks * Blocks)),
    Span = span:stop(Begun),
    Due = shorten_all(0, Graph),
    Right = lists:sum([same(part(cut(Place, Width, Due)), map_get(Place, Found)) || Place <- Places]),
    {Size * Blocks * Blocks * Others, Span,
        verdict:equal("~b distances are those of one loop in place of ~b", Right, Size * Size + Falsify)}.

%% Every two nodes have an edge.
distance(_, _, I, I) -> 0;
distance(Seed, Heaviest, I, J) -> draw:upper_below(draw:at(Seed, max(I, J), min(I, J)), Heaviest) + 1.

block(Place, Width, Nodes, Others, Distances) ->
    #block{place = Place, width = Width, nodes = Nodes, distances = Distances, part = part(Distances),
           now = #step{missing = Others + 1}, next = #step{missing = Others}}.

cut({Row, Column}, Width, Matrix) ->
    [lists:sublist(Line, Column * Width + 1, Width) || Line <- lists:sublist(Matrix, Row * Width + 1, Width)].

%% The actors in the same row or column of blocks.
others({Row, Column}, Actors) -> [Actor || {{I, J}, Actor} <- Actors, (I =:= Row) =/= (J =:= Column)].

shorten_all(Node, Matrix) when Node =:= length(Matrix) -> Matrix;
shorten_all(Node, Matrix) ->
    Column = [lists:nth(Node + 1, Line) || Line <- Matrix],
    shorten_all(Node + 1, shorten(Matrix, Column, lists:nth(Node + 1, Matrix))).

same(Part, Other) ->
    length([same || {D, D} <- lists:zip([D || <<D:32/native>> <= Part], [D || <<D:32/native>> <= Other])]).

%% The distances by a node, whose row and column are given, if they are shorter.
shorten([Line | Lines], [Here | Column], Row) -> [shorten_line(Line, Here, Row) | shorten(Lines, Column, Row)];
shorten([], [], _) -> [].

shorten_line([Direct | Line], Here, [There | Row]) when Here + There < Direct -> [Here + There | shorten_line(Line, Here, Row)];
shorten_line([Direct | Line], Here, [_ | Row]) -> [Direct | shorten_line(Line, Here, Row)];
shorten_line([], _, []) -> [].

%% A block as it is sent: distances of 32 bits, by rows; a row and a column of it.
part(Distances) -> << <<Distance:32/native>> || Line <- Distances, Distance <- Line >>.

row_of(Part, Row, Width) -> [Distance || <<Distance:32/native>> <= binary:part(Part, 4 * Row * Width, 4 * Width)].

column_of(Part, Column, Width) ->
    Before = 4 * Column,
    After = 4 * (Width - 1 - Column),
    [Distance || <<_:Before/binary, Distance:32/native, _:After/binary>> <= Part].

%% What becomes of a block by a message, or {ends, Result}.

takes(Style, {start, Others}, Block) ->
    Begun = Block#block{others = Others},
    send_part(Style, Begun),
    note(Style, Begun);
takes(Style, {part, Step, From, Part}, #block{step = Step, now = Now} = Block) ->
    note(Style, Block#block{now = keep(Now, Step, From, Part, Block)});
takes(_, {part, Step, From, Part}, #block{next = #step{missing = Missing} = Next} = Block) ->
    Block#block{next = keep(Next#step{missing = Missing - 1}, Step, From, Part, Block)}.

send_part(Style, #block{place = Place, others = Others, part = Part, step = Step}) ->
    lists:foreach(fun(Other) -> actor:send(Style, Other, {part, Step, Place, Part}) end, Others).

%% What a step needs of a part: of another's in the same row or column of blocks, or of its own.
keep(#step{row = Row, column = Column} = Known, Step, {I, J}, Part, #block{place = {OwnI, OwnJ}, width = Width}) ->
    Pivot = Step div Width,
    Known#step{
        row = if I =:= Pivot, J =:= OwnJ -> row_of(Part, Step rem Width, Width); true -> Row end,
        column = if J =:= Pivot, I =:= OwnI -> column_of(Part, Step rem Width, Width); true -> Column end
    }.

%% Something that this step needs has come.
note(Style, #block{now = #step{missing = 1}} = Block) -> do_step(Style, Block);
note(_, #block{now = #step{missing = Missing} = Now} = Block) -> Block#block{now = Now#step{missing = Missing - 1}}.

do_step(Style, #block{place = Place, nodes = Nodes, others = Others, distances = Distances, part = Part, step = Step} = Block) ->
    #step{row = Row, column = Column} = keep(Block#block.now, Step, Place, Part, Block),
    Shorter = shorten(Distances, Column, Row),
    case Step + 1 of
        Nodes -> {ends, {Place, part(Shorter)}};
        Following ->
            Next = Block#block{distances = Shorter, part = part(Shorter), step = Following,
                               now = Block#block.next, next = #step{missing = length(Others)}},
            send_part(Style, Next),
            Next
    end.

%% As processes.

loop(Block) ->
    receive
        Message ->
            case takes(process, Message, Block) of
                {ends, Result} -> actor:finish(Result);
                Next -> loop(Next)
            end
    end.

%% As gen_servers.

init(Block) -> {ok, Block}.

handle_cast(Message, Block) ->
    case takes(gen_server, Message, Block) of
        {ends, Result} -> {stop, {shutdown, Result}, Block};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
