%% The course of a program: options, the run, the record, the exit status. Nothing is warmed up: the VM compiles code when it
%% loads it, and all that the timed span needs is loaded before.
-module(program).

-export([start/1]).

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
    {Operations, Span, Verdict, Measured} = measured(run(Module, Options)),
    Workers = erlang:system_info(schedulers_online),
    Report = #{workload => Workload, options => Options, workers => Workers, operations => Operations, span => Span,
               verdict => Verdict, notes => notes(Workers), measured => Measured},
    Output = case Options of #{json := true} -> report:json(Report); _ -> report:text(Report) end,
    case Verdict of
        right -> finish(0, Output, "");
        {wrong, Why} -> finish(1, Output, [atom_to_list(Workload), ": wrong result: ", Why, $\n])
    end.

measured({Operations, Span, Verdict}) -> {Operations, Span, Verdict, []};
measured(Result) -> Result.

notes(Workers) ->
    [
        "workers are the VM's scheduler threads (+S)",
        "no warm-up: the VM compiles code when it loads it",
        "cpu_ns is as of the kernel's last tick, summed over the VM's threads"
    ] ++ ["oversubscribed: more workers than CPUs at hand" || Workers > erlang:system_info(logical_processors_available)].

%% In a process of its own: main, whose failure is told in one line.
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
