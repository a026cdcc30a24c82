%% Whether what came of a run is what was expected.
-module(verdict).

-export([equal/3, all/1]).
-export_type([verdict/0]).

-type verdict() :: right | {wrong, string()}.

%% What was counted against what was expected, for which the format says: "~b messages came in place of ~b".
equal(_Format, Expected, Expected) -> right;
equal(Format, Counted, Expected) -> {wrong, lists:flatten(io_lib:format(Format, [Counted, Expected]))}.

%% The first that is wrong, if any.
all([]) -> right;
all([right | Others]) -> all(Others);
all([Wrong | _]) -> Wrong.
