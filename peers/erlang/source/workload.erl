%% A workload: its parameters, and one run of it.
-module(workload).

-export([module/1]).

%% One line for --help.
-callback summary() -> string().

%% What is counted.
-callback unit() -> string().

-callback parameters() -> [parameter:parameter()].

%% Refuses parameters that do not fit together.
-callback check(options:options()) -> ok | {refuse, iolist()}.

%% Makes the actors, times their work, checks what came of it, and gives numbers beside the times, if it has some, as the record names
%% them. Runs in a process of its own: the main one.
-callback run(options:options()) ->
    {Operations :: pos_integer(), span:span(), verdict:verdict()}
    | {Operations :: pos_integer(), span:span(), verdict:verdict(), [{atom(), integer()}]}.

%% The module of a workload: its name, as an atom that needs no quotes.
module(Workload) -> list_to_atom([case Letter of $- -> $_; _ -> Letter end || Letter <- atom_to_list(Workload)]).
