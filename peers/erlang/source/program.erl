%% The course of a program: options, warm-up, the timed run, the record, the exit status.
-module(program).

-export([start/1]).

-define(WARM_NS, 2.0e9). % the length of a run that warms up
-define(FIRST_SHARE, 1 / 65536).
-define(MOST_GROWTH, 256).

%% Called by the VM (-s) with the workload's name.
start([Workload]) -> spawn(fun() -> main(Workload) end).

main(Workload) ->
    Module = workload:module(Workload),
    case options:read(Module, init:get_plain_arguments()) of
        {ok, Options} -> measure(Workload, Module, Options#{falsify := count(maps:get(falsify, Options))});
        help -> finish(0, options:help(Module), "");
        {refuse, Why} -> finish(2, "", [atom_to_list(Workload), ": ", Why, $\n])
    end.

count(true) -> 1;
count(false) -> 0.

measure(Workload, Module, Options) ->
    Warmed = warm_up(Module, Options),
    {Operations, Span, Verdict} = run(Module, Options),
    Workers = erlang:system_info(schedulers_online),
    Report = #{workload => Workload, options => Options, workers => Workers, operations => Operations, span => Span,
               verdict => Verdict, notes => notes(Workers) ++ [Warmed]},
    Output = case Options of #{json := true} -> report:json(Report); _ -> report:text(Report) end,
    case Verdict of
        right -> finish(0, Output, "");
        {wrong, Why} -> finish(1, Output, [atom_to_list(Workload), ": wrong result: ", Why, $\n])
    end.

notes(Workers) ->
    ["workers are the VM's scheduler threads (+S)", "cpu_ns is as of the kernel's last tick, summed over the VM's threads"] ++
        ["oversubscribed: more workers than CPUs at hand" || Workers > erlang:system_info(logical_processors_available)].

%% The workload itself, by shares of the work that grow until a run takes about 2 s or is as large as the timed one; a run of
%% this size is done twice.
warm_up(Module, Options) -> warm_up(Module, Options, ?FIRST_SHARE, 1).

warm_up(Module, Options, Share, Runs) ->
    case elapsed(Module, Options, Share) of
        Ns when Share < 1, Ns < ?WARM_NS / 2 ->
            warm_up(Module, Options, min(1.0, Share * min(?MOST_GROWTH, ?WARM_NS / Ns)), Runs + 1);
        _ ->
            Ns = elapsed(Module, Options, Share),
            io_lib:format("warmed up by ~b runs, the last two of ~.3g of the work, the last in ~.2f s", [Runs + 1, Share, Ns / 1.0e9])
    end.

elapsed(Module, Options, Share) ->
    {_, Span, _} = run(Module, Options#{share := Share}),
    span:elapsed_ns(Span).

%% In a process of its own, so that nothing of its heap is left for the next run.
run(Module, Options) ->
    {_, Monitor} = spawn_monitor(fun() -> actor:finish(Module:run(Options)) end),
    receive
        {'DOWN', Monitor, process, _, {shutdown, Result}} -> Result;
        {'DOWN', Monitor, process, _, Failure} -> finish(3, "", io_lib:format("failed: ~0P~n", [Failure, 20]))
    end.

finish(Status, Output, Complaint) ->
    io:put_chars(Output),
    io:put_chars(standard_error, Complaint),
    halt(Status).
