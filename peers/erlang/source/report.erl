%% The record: one line of JSON for the driver, or a few aligned lines for people.
-module(report).

-export([text/1, json/1]).

%% What there is to tell; right or {wrong, Why} is the verdict.
-type report() :: #{workload := atom(), options := options:options(), workers := pos_integer(), operations := pos_integer(),
                    span := span:span(), verdict := verdict:verdict(), notes := [iolist()],
                    measured := [{atom(), integer()}]}.

-spec json(report()) -> iolist().
json(#{workload := Workload, options := Options, span := Span} = Report) ->
    Module = workload:module(Workload),
    Own = [named(One, Options) || One <- options:own()],
    Parameters = [named(One, Options) || One <- Module:parameters()],
    [
        object([
            {schema, "1"},
            {system, quoted("erlang")},
            {version, quoted(version())},
            {design, quoted("native")},
            {build, quoted("release")},
            {options, object(Own ++ [{runtime, quoted(runtime())}])},
            {workload, quoted(atom_to_list(Workload))},
            {parameters, object(Parameters ++ [{Name, parameter:json(map_get(Name, Options))} || Name <- [scale, seed]])},
            {workers, integer_to_list(map_get(workers, Report))},
            {elapsed_ns, integer_to_list(span:elapsed_ns(Span))},
            {cpu_ns, integer_to_list(span:cpu_ns(Span))},
            {operations, integer_to_list(map_get(operations, Report))},
            {unit, quoted(Module:unit())},
            {peak_rss_bytes, integer_to_list(peak_rss_bytes())},
            {verified, atom_to_list(map_get(verdict, Report) =:= right)},
            {notes, [$[, lists:join($,, [quoted(Note) || Note <- map_get(notes, Report)]), $]]}
            | measured(map_get(measured, Report))
        ]),
        $\n
    ].

measured([]) -> [];
measured(Numbers) -> [{measured, object([{Name, integer_to_list(Number)} || {Name, Number} <- Numbers])}].

named(Parameter, Options) ->
    Name = parameter:name(Parameter),
    {Name, parameter:json(map_get(Name, Options))}.

object(Fields) -> [${, lists:join($,, [[quoted(atom_to_list(Name)), $:, Value] || {Name, Value} <- Fields]), $}].

%% Nothing that is written holds a quote or a backslash.
quoted(Text) -> [$", Text, $"].

-spec text(report()) -> iolist().
text(#{workload := Workload, span := Span, workers := Workers, operations := Operations, verdict := Verdict, notes := Notes,
       measured := Measured}) ->
    Unit = (workload:module(Workload)):unit(),
    Ns = span:elapsed_ns(Span),
    [
        io_lib:format("~s, erlang ~s, ~b worker~s~n", [Workload, version(), Workers, [$s || Workers =/= 1]]),
        line("work", "~b ~ss", [Operations, Unit]),
        line("time", "~.3f s (~.2f ns a ~s)", [Ns / 1.0e9, Ns / Operations, Unit]),
        line("CPU time", "~.3f s", [span:cpu_ns(Span) / 1.0e9]),
        line("peak memory", "~.1f MiB", [peak_rss_bytes() / 1024 / 1024]),
        [line(atom_to_list(Name), "~b", [Number]) || {Name, Number} <- Measured],
        line("result", "~s", [case Verdict of right -> "verified"; {wrong, _} -> "WRONG" end]),
        [line("note", "~s", [Note]) || Note <- Notes]
    ].

line(Name, Format, Values) -> io_lib:format("  ~-16s " ++ Format ++ "~n", [Name | Values]).

%% Of Erlang/OTP, whose own file has it in full.
version() ->
    Release = erlang:system_info(otp_release),
    case file:read_file([code:root_dir(), "/releases/", Release, "/OTP_VERSION"]) of
        {ok, Version} -> string:trim(binary_to_list(Version));
        {error, _} -> Release
    end.

runtime() ->
    Flavour = case erlang:system_info(emu_flavor) of jit -> "JIT"; emu -> "interpreter" end,
    ["Erlang/OTP ", erlang:system_info(otp_release), " (ERTS ", erlang:system_info(version), ", ", Flavour, ")"].

%% The peak of the process' resident memory, or 0 if the kernel does not tell.
peak_rss_bytes() ->
    case file:read_file("/proc/self/status") of
        {ok, Status} ->
            case re:run(Status, "VmHWM:\\s*([0-9]+) kB", [{capture, all_but_first, list}]) of
                {match, [KiB]} -> list_to_integer(KiB) * 1024;
                nomatch -> 0
            end;
        {error, _} -> 0
    end.
