%% The command line of a workload's program: read, checked, and explained by --help.
-module(options).

-export([read/2, own/0, scaled/2, help/1]).
-export_type([options/0]).

%% The value of each parameter, by name; and json and falsify (hidden: expect one more than there will be, so that a test sees
%% the check fail), true or false.
-type options() :: #{atom() => term()}.

%% Of every program.
common() ->
    [
        parameter:factor(scale, 1.0, "multiplies the amount of work"),
        parameter:whole(seed, 1, 0, 1 bsl 64 - 1, "of its random numbers"),
        parameter:whole(workers, 0, 0, 999, "scheduler threads; 0: as many as CPUs may be used")
    ].

%% The system's own; program.sh makes flags of the VM of those from busy-wait to heap.
own() ->
    [
        parameter:choice(style, [process, gen_server], "how actors are written: receive loops, or gen_server"),
        parameter:choice('busy-wait', [medium, none, very_long], "how long an idle scheduler spins before it sleeps (+sbwt)"),
        parameter:choice(bind, [no, yes], "whether schedulers are bound to CPUs (+sbt)"),
        parameter:choice('queue-data', [client, on_heap, off_heap],
            "whose queued messages are kept off its heap: those of actors that many send to, nobody's, all (+hmqd)"
        ),
        parameter:whole(heap, 233, 1, 99_999_999, "a process' least heap, in words (+hms)"),
        parameter:choice(groups, [shared, copied], "executor: actors share their group's list, or each has a copy"),
        parameter:choice(matrices, [tuple, binary], "matrix, recursive-matrix: what X and Y are held in"),
        parameter:choice(dictionary, [ets, map], "concdict: what the keeper keeps, a table or a map")
    ].

all(Module) -> Module:parameters() ++ own() ++ common().

-spec read(module(), [string()]) -> {ok, options()} | help | {refuse, iolist()}.
read(Module, Arguments) ->
    Parameters = all(Module),
    Defaults = maps:from_list([{parameter:name(One), parameter:default(One)} || One <- Parameters]),
    case read(Arguments, Parameters, Defaults#{json => false, falsify => false}) of
        {ok, Options} -> check(Module, Options);
        Other -> Other
    end.

read([], _, Options) -> {ok, Options};
read(["--help" | _], _, _) -> help;
read(["--json" | Others], Parameters, Options) -> read(Others, Parameters, Options#{json := true});
read(["--falsify" | Others], Parameters, Options) -> read(Others, Parameters, Options#{falsify := true});
read(["--" ++ Name | Others], Parameters, Options) ->
    case {[One || One <- Parameters, atom_to_list(parameter:name(One)) =:= Name], Others} of
        {[], _} -> refuse("there is no option --~s: the options are ~s, --json, --help", [shown(Name), names(Parameters)]);
        {[_], []} -> refuse("--~s needs a value: see --help", [Name]);
        {[Parameter], [Text | Rest]} ->
            case parameter:read(Parameter, Text) of
                {ok, Value} -> read(Rest, Parameters, Options#{parameter:name(Parameter) := Value});
                error -> refuse("--~s cannot be \"~s\": it is ~s", [Name, shown(Text), parameter:wanted(Parameter)])
            end
    end;
read([Argument | _], _, _) -> refuse("\"~s\" is no option: see --help", [shown(Argument)]).

%% No more work than can be counted, then what the workload itself has to say.
check(Module, #{scale := Scale} = Options) ->
    Amounts = [maps:get(parameter:name(One), Options) || One <- Module:parameters(), is_number(parameter:default(One))],
    Largest = lists:max(Amounts) * Scale,
    case Largest > 1.0e15 of
        true -> refuse("--scale ~s is too large: it asks for ~.5g units of work", [parameter:json(Scale), Largest]);
        false ->
            case Module:check(Options) of
                ok -> {ok, Options};
                Refused -> Refused
            end
    end.

refuse(Format, Values) -> {refuse, io_lib:format(Format, Values)}.

names(Parameters) -> lists:join(", ", [["--", atom_to_list(parameter:name(One))] || One <- Parameters]).

%% What was given, fit for one line.
shown(Text) -> [case Letter >= $\s andalso Letter < 127 of true -> Letter; false -> $? end || Letter <- lists:sublist(Text, 40)].

%% An amount of work times --scale, rounded, at least 1.
scaled(Name, #{scale := Scale} = Options) -> max(1, round(map_get(Name, Options) * Scale)).

help(Module) ->
    [
        io_lib:format("~s~n~nIts parameters~n", [Module:summary()]), lines(Module:parameters()),
        "\nOptions of every program\n", lines(common()),
        line("--json", "print the record, one line of JSON"), line("--help", "print this"),
        "\nOptions of erlang\n", lines(own())
    ].

lines(Parameters) ->
    [
        line(
            ["--", atom_to_list(parameter:name(One)), " ", parameter:usage(One)],
            io_lib:format("~s (~p)", [parameter:help(One), parameter:default(One)])
        )
     || One <- Parameters
    ].

line(Usage, Help) -> io_lib:format("  ~-38s ~s~n", [Usage, Help]).
