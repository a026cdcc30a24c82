%% Actors in either style: processes with a receive loop of their own, or gen_servers. Main monitors each, and an actor ends
%% with what it has to tell as its reason: so one signal says both that it is done and what came of it.
-module(actor).

-export([start/4, start_all/4, expect_many/1, send/3, finish/1, await/1]).

%% Makes an actor: a process that runs Module:Loop(State), or a gen_server with this module and state.
start(process, Module, Loop, State) ->
    {Pid, _Monitor} = spawn_monitor(Module, Loop, [State]),
    Pid;
start(gen_server, Module, _Loop, State) ->
    {ok, {Pid, _Monitor}} = gen_server:start_monitor(Module, State, []),
    Pid.

%% Makes an actor for each of the states.
start_all(Style, Module, Loop, States) -> [start(Style, Module, Loop, State) || State <- States].

%% For an actor to call that is to have many messages waiting: it can keep them off its heap, so that the collector needn't
%% look at them.
expect_many(client) -> process_flag(message_queue_data, off_heap);
expect_many(_) -> as_the_vm_is_set.

send(process, Actor, Message) -> Actor ! Message;
send(gen_server, Actor, Message) -> gen_server:cast(Actor, Message).

%% Ends a process; a gen_server stops with the same reason.
finish(Result) -> exit({shutdown, Result}).

%% Waits until this many more actors have ended; what they had to tell, in no order.
await(Count) -> await(Count, []).

await(0, Results) -> Results;
await(Count, Results) ->
    receive
        {'DOWN', _, process, _, {shutdown, Result}} -> await(Count - 1, [Result | Results]);
        {'DOWN', _, process, _, Failure} -> error({actor_failed, Failure})
    end.
