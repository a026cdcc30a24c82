%% cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through.
%%
%% When the root has answered all, the children of all that may have some have asked: so nobody is still to get a permit, and
%% it doesn't matter that the VM promises no order between the root's messages and a parent's.
-module(cobwebbed_tree).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([loop/1, init/1, handle_cast/2, handle_call/3]).

-define(ATTEMPT_STEPS, 100).
-define(MOST, 1_000_000). % processes that the VM is started for

%% What the root draws from: the most nodes, how many there are, how many have not asked, and three streams.
-record(growth, {most, branching, mean, deviation, size = 1, asking = 0, lots, turns, lengths}).
%% What a part of the tree was and did.
-record(sums, {nodes = 0, steps = 0, updates = 0}).
%% The root has a growth and no parent.
-record(node, {style, growth = none, branching, root, parent = none, steps = 0, children = [], missing = 0, below = #sums{}}).

summary() -> "cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through".
unit() -> "node".
parameters() ->
    [
        parameter:whole(nodes, 200_000, 2, ?MOST, "at most, but the root has children anyway; --scale multiplies it"),
        parameter:whole(branching, 10, 1, ?MOST - 1, "children of a node that has any"),
        parameter:amount(mean, 500, "steps of a node's computation"),
        parameter:whole(deviation, 100, 0, 1_000_000_000, "of them, the standard one")
    ].
check(Options) ->
    case options:scaled(nodes, Options) of
        Nodes when Nodes > ?MOST -> {refuse, "--nodes, with --scale, must be at most 1000000: the VM's processes"};
        _ -> ok
    end.

run(#{style := Style, branching := Branching, mean := Mean, deviation := Deviation, seed := Seed, falsify := Falsify} = Options) ->
    First = #growth{
        most = options:scaled(nodes, Options), branching = Branching, mean = Mean, deviation = Deviation,
        lots = draw:new(Seed, 0), turns = draw:new(Seed, 1), lengths = draw:new(Seed, 2)
    },
    Root = actor:start(Style, ?MODULE, loop, #node{style = Style, growth = First, branching = Branching}),
    Begun = span:start(),
    actor:send(Style, Root, attempt),
    [#sums{nodes = Nodes, steps = Steps, updates = Updates}] = actor:await(1),
    Span = span:stop(Begun),
    #sums{nodes = DueNodes, steps = DueSteps, updates = DueUpdates} = due(First),
    {DueNodes + 1, Span, verdict:all([
        verdict:equal("there were ~b nodes below the root in place of ~b", Nodes, DueNodes + Falsify),
        verdict:equal("they computed ~b steps in place of ~b", Steps, DueSteps),
        verdict:equal("~b had children in place of ~b", Updates, DueUpdates)
    ])}.

%% Draws all lots again.
due(#growth{branching = Branching} = First) ->
    {Steps, Planted} = permit(First),
    due(Planted, #sums{nodes = Branching, steps = Branching * Steps}).

due(#growth{asking = 0}, Due) -> Due;
due(#growth{branching = Branching} = Growth, #sums{nodes = Nodes, steps = Sum, updates = Updates} = Due) ->
    case answer(Growth) of
        {denied, Next} -> due(Next, Due);
        {Steps, Next} -> due(Next, #sums{nodes = Nodes + Branching, steps = Sum + Branching * Steps, updates = Updates + 1})
    end.

%% Whether a node that asks may have children: how long these are to compute, or `denied`; and what there is to draw from then.
answer(#growth{most = Most, branching = Branching, size = Size, asking = Asking} = Growth) when Size + Branching > Most ->
    {denied, Growth#growth{asking = Asking - 1}};
answer(#growth{asking = Asking, lots = Lots} = Growth) ->
    Next = Growth#growth{asking = Asking - 1, lots = draw:next(Lots)},
    case draw:below(Lots, 2) of
        0 -> {denied, Next};
        1 -> permit(Next)
    end.

%% How long the children are to compute is normally distributed.
permit(#growth{branching = Branching, mean = Mean, deviation = Deviation, size = Size, asking = Asking, turns = Turns,
               lengths = Lengths} = Growth) ->
    Turn = 2 * math:pi() * draw:word(Turns) / 16#100000000,
    Length = math:sqrt(-2 * math:log((1 + draw:word(Lengths)) / 16#100000000)),
    Steps = max(1, round(Mean + Deviation * Length * math:cos(Turn))),
    {Steps, Growth#growth{size = Size + Branching, asking = Asking + Branching, turns = draw:next(Turns),
                          lengths = draw:next(Lengths)}}.

%% What becomes of a node by a message, or {ends, what it and all below were and did}.

takes(attempt, #node{growth = #growth{} = Growth} = Root) ->
    {Steps, Planted} = permit(Growth),
    grow(Steps, Root#node{growth = Planted, root = self()});
takes(attempt, #node{style = Style, root = Root} = Node) ->
    work:compute(?ATTEMPT_STEPS),
    actor:send(Style, Root, {request, self()}),
    Node;
takes({request, From}, #node{style = Style, growth = Growth} = Root) ->
    case answer(Growth) of
        {denied, Next} -> ok;
        {Steps, Next} -> actor:send(Style, From, {permit, Steps})
    end,
    case Next of
        #growth{asking = 0} ->
            pass_on(traverse, Root),
            pass_on(terminate, Root);
        _ -> still_growing
    end,
    Root#node{growth = Next};
takes({permit, Steps}, #node{style = Style, parent = Parent} = Node) ->
    actor:send(Style, Parent, update),
    grow(Steps, Node);
takes(update, #node{below = #sums{updates = Updates} = Below} = Node) -> Node#node{below = Below#sums{updates = Updates + 1}};
takes(traverse, #node{steps = Steps, below = #sums{steps = Sum} = Below} = Node) ->
    work:compute(Steps),
    pass_on(traverse, Node),
    Node#node{below = Below#sums{steps = Sum + Steps}};
takes(terminate, Node) ->
    pass_on(terminate, Node),
    ends_if_alone(Node);
takes({report, Part}, #node{missing = Missing, below = Below} = Node) ->
    ends_if_alone(Node#node{missing = Missing - 1, below = add(Part, Below)}).

add(#sums{nodes = A, steps = B, updates = C}, #sums{nodes = X, steps = Y, updates = Z}) ->
    #sums{nodes = A + X, steps = B + Y, updates = C + Z}.

ends_if_alone(#node{missing = 0, parent = none, below = Below}) -> {ends, Below};
ends_if_alone(#node{style = Style, missing = 0, parent = Parent, below = #sums{nodes = Nodes} = Below}) ->
    actor:send(Style, Parent, {report, Below#sums{nodes = Nodes + 1}}),
    {ends, Below};
ends_if_alone(Node) -> Node.

grow(Steps, #node{style = Style, branching = Branching, root = Root} = Node) ->
    Child = #node{style = Style, branching = Branching, root = Root, parent = self(), steps = Steps},
    Grown = Node#node{children = [start(Style, Child) || _ <- lists:seq(1, Branching)], missing = Branching},
    pass_on(attempt, Grown),
    Grown.

start(process, Node) -> spawn(?MODULE, loop, [Node]);
start(gen_server, Node) ->
    {ok, Pid} = gen_server:start(?MODULE, Node, []),
    Pid.

pass_on(Message, #node{style = Style, children = Children}) ->
    lists:foreach(fun(Child) -> actor:send(Style, Child, Message) end, Children).

%% As processes.

loop(Node) ->
    receive
        Message ->
            case takes(Message, Node) of
                {ends, Sums} -> actor:finish(Sums);
                Next -> loop(Next)
            end
    end.

%% As gen_servers.

%% A gen_server hands the list of its ancestors down, which would grow with every level of the tree.
init(Node) ->
    erase('$ancestors'),
    {ok, Node}.

handle_cast(Message, Node) ->
    case takes(Message, Node) of
        {ends, Sums} -> {stop, {shutdown, Sums}, Node};
        Next -> {noreply, Next}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
