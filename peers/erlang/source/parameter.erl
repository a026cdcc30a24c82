%% An option that takes a value: a parameter of a workload, an option of the system, or one that every program has.
-module(parameter).

-export([whole/5, amount/3, count/3, choice/3, factor/3]).
-export([name/1, help/1, default/1, read/2, usage/1, wanted/1, json/1]).
-export_type([parameter/0]).

-type kind() :: {whole, integer(), integer()} | {choice, [atom()]} | factor.
-type value() :: integer() | float() | atom().
-opaque parameter() :: {Name :: atom(), kind(), Default :: value(), Help :: string()}.

whole(Name, Default, Least, Most, Help) -> {Name, {whole, Least, Most}, Default, Help}.

%% How much of something: at least 1.
amount(Name, Default, Help) -> whole(Name, Default, 1, 1_000_000_000_000, Help).

%% How many processes: at least 1, and no more than the VM is started for (+P of program.sh, less those of its own).
count(Name, Default, Help) -> whole(Name, Default, 1, 1_000_000, Help).

%% One of some words, the first being the default.
choice(Name, Words, Help) -> {Name, {choice, Words}, hd(Words), Help}.

%% A number over 0.
factor(Name, Default, Help) -> {Name, factor, Default, Help}.

name({Name, _, _, _}) -> Name.
help({_, _, _, Help}) -> Help.
default({_, _, Default, _}) -> Default.

%% The value that a text of the command line stands for.
-spec read(parameter(), string()) -> {ok, value()} | error.
read({_, {whole, Least, Most}, _, _}, Text) ->
    case re:run(Text, "^(0|[1-9][0-9]{0,29})\\z") =/= nomatch andalso list_to_integer(Text) of
        Number when is_integer(Number), Least =< Number, Number =< Most -> {ok, Number};
        _ -> error
    end;
read({_, {choice, Words}, _, _}, Text) ->
    case [Word || Word <- Words, atom_to_list(Word) =:= Text] of
        [Word] -> {ok, Word};
        [] -> error
    end;
read({_, factor, _, _}, Text) ->
    Pattern = "^(?=[.]?[0-9])([0-9]*)[.]?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?\\z",
    case re:run(Text, Pattern, [{capture, all_but_first, list}]) of
        {match, [Whole, Fraction | Exponent]} -> read_factor(Whole, Fraction, Exponent);
        nomatch -> error
    end.

%% Erlang's own way of writing a float: digits on both sides of the point.
read_factor(Whole, Fraction, Exponent) ->
    try list_to_float(lists:append(["0", Whole, ".", Fraction, "0e", case Exponent of [] -> "0"; [Digits] -> Digits end])) of
        Number when Number > 0 -> {ok, Number};
        _ -> error
    catch
        error:badarg -> error % it is too large
    end.

%% What may be given, as help shows it.
usage({_, {whole, _, _}, _, _}) -> "N";
usage({_, {choice, Words}, _, _}) -> lists:join($|, [atom_to_list(Word) || Word <- Words]);
usage({_, factor, _, _}) -> "F".

%% What may be given, in words, for who gave something else.
wanted({_, {whole, Least, Most}, _, _}) -> io_lib:format("a whole number from ~b to ~b", [Least, Most]);
wanted({_, {choice, _}, _, _} = Parameter) -> usage(Parameter);
wanted({_, factor, _, _}) -> "a number over 0, such as 0.02".

%% A value in JSON.
json(Value) when is_integer(Value) -> integer_to_list(Value);
json(Value) when is_float(Value), Value == trunc(Value), Value < 1.0e15 -> integer_to_list(trunc(Value));
json(Value) when is_float(Value) -> float_to_list(Value, [short]);
json(Value) when is_atom(Value) -> [$", atom_to_list(Value), $"].
