%% The timed span: wall time by the monotonic clock, and CPU time of all the VM's threads.
%%
%% statistics(runtime) leaves out what the kernel works for the VM, and /proc/self/stat counts in steps of 10 ms. So the CPU
%% time is that of each thread, in ns, as the kernel's scheduler has it at its last tick.
-module(span).

-export([start/0, stop/1, elapsed_ns/1, cpu_ns/1]).
-export_type([begun/0, span/0]).

-opaque begun() :: {Ns :: integer(), CpuNs :: integer()}.
-opaque span() :: {ElapsedNs :: pos_integer(), CpuNs :: non_neg_integer()}.

-spec start() -> begun().
start() ->
    Cpu = cpu_time(),
    {erlang:monotonic_time(nanosecond), Cpu}.

-spec stop(begun()) -> span().
stop({StartNs, StartCpu}) ->
    Elapsed = erlang:monotonic_time(nanosecond) - StartNs,
    {max(1, Elapsed), max(0, cpu_time() - StartCpu)}.

elapsed_ns({Elapsed, _}) -> Elapsed.
cpu_ns({_, Cpu}) -> Cpu.

%% 0 if the kernel does not tell.
cpu_time() ->
    case file:list_dir("/proc/self/task") of
        {ok, Threads} -> lists:sum([thread_time(Thread) || Thread <- Threads]);
        {error, _} -> 0
    end.

thread_time(Thread) ->
    case file:open(["/proc/self/task/", Thread, "/schedstat"], [read, raw, binary]) of
        {ok, File} ->
            {ok, Line} = file:read(File, 100),
            ok = file:close(File),
            binary_to_integer(hd(binary:split(Line, <<" ">>)));
        {error, _} -> 0
    end.
