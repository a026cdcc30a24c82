%% bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply.
%%
%% A process waits by a receive of just the reply, whose new reference lets the VM skip what is older; a gen_server waits in
%% its call. What comes meanwhile stays in the mailbox. A target's number is higher than its source's, so that no accounts
%% wait for each other in a circle.
-module(bank_transaction).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([account/1, teller/1, init/1, handle_cast/2, handle_call/3]).

-define(HIGHEST_AMOUNT, 1000).

%% What an account has; `last` is the number of the transfer that it has had the reply to, `overtaken` the replies that came
%% after a later one.
-record(account, {number, balance = 0, last = 0, overtaken = 0}).

summary() -> "bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply".
unit() -> "transaction".
parameters() ->
    [
        parameter:whole(accounts, 1000, 10, 1_000_000, "that transfer to each other"),
        parameter:amount(transactions, 50_000, "in all; --scale multiplies it")
    ].
check(_) -> ok.

run(#{style := Style, accounts := Count, 'queue-data' := QueueData, seed := Seed, falsify := Falsify} = Options) ->
    Total = options:scaled(transactions, Options),
    Accounts = actor:start_all(Style, ?MODULE, account, [#account{number = Number} || Number <- lists:seq(1, Count)]),
    Teller = actor:start(Style, ?MODULE, teller, {teller, QueueData, list_to_tuple(Accounts), Total, draw:new(Seed, 0)}),
    Begun = span:start(),
    actor:send(Style, Teller, start),
    Results = actor:await(Count + 1),
    Span = span:stop(Begun),
    Due = counters:new(Count, []),
    each_transfer(Count, Total, draw:new(Seed, 0), fun(_, Source, Target, Amount) ->
        counters:sub(Due, Source, Amount),
        counters:add(Due, Target, Amount)
    end),
    {Total, Span, verdict:all([
        verdict:all([
            verdict:equal("an account has changed by ~b in place of ~b", Balance, counters:get(Due, Number) + Falsify),
            verdict:equal("~b replies, not ~b, came after a later one", Overtaken, 0)
        ])
     || #account{number = Number, balance = Balance, overtaken = Overtaken} <- Results
    ])}.

%% Draws the transfers, whose sources are of the lower four fifths, and does something with each.
each_transfer(Count, Total, Draw, Do) -> each_transfer(Count, 1, Total, Draw, Do).

each_transfer(_, Number, Total, _, _) when Number > Total -> ok;
each_transfer(Count, Number, Total, First, Do) ->
    Second = draw:next(First),
    Third = draw:next(Second),
    Source = 1 + draw:below(First, Count div 10 * 8),
    Further = max(1, draw:below(Second, Count - Source + 1)),
    Do(Number, Source, Source + Further, 1 + draw:below(Third, ?HIGHEST_AMOUNT)),
    each_transfer(Count, Number + 1, Total, draw:next(Third), Do).

send_all(Style, Accounts, Total, Draw) ->
    Teller = self(),
    each_transfer(tuple_size(Accounts), Total, Draw, fun(Number, Source, Target, Amount) ->
        actor:send(Style, element(Source, Accounts), {debit, Number, Amount, element(Target, Accounts), Teller})
    end).

close_all(Style, Accounts) -> lists:foreach(fun(Account) -> actor:send(Style, Account, close) end, tuple_to_list(Accounts)).

%% The account after a reply.
replied(Number, #account{last = Last, overtaken = Overtaken} = Account) when Number < Last ->
    Account#account{last = Number, overtaken = Overtaken + 1};
replied(Number, Account) -> Account#account{last = Number}.

%% As processes.

account(#account{balance = Balance} = Account) ->
    receive
        {debit, Number, Amount, Target, Teller} ->
            Reference = make_ref(),
            Target ! {credit, Number, Amount, self(), Reference},
            receive
                {Reference, Reply} ->
                    Teller ! ended,
                    account(replied(Reply, Account#account{balance = Balance - Amount}))
            end;
        {credit, Number, Amount, Source, Reference} ->
            Source ! {Reference, Number},
            account(Account#account{balance = Balance + Amount});
        close -> actor:finish(Account)
    end.

teller({teller, QueueData, Accounts, Total, Draw}) ->
    actor:expect_many(QueueData),
    receive
        start -> send_all(process, Accounts, Total, Draw)
    end,
    hear(Total),
    close_all(process, Accounts),
    actor:finish(closed).

hear(0) -> ok;
hear(Missing) ->
    receive
        ended -> hear(Missing - 1)
    end.

%% As gen_servers. The teller's state ends with the number of transfers that have not ended.

init({teller, QueueData, Accounts, Total, Draw}) ->
    actor:expect_many(QueueData),
    {ok, {teller, Accounts, Draw, Total}};
init(Account) -> {ok, Account}.

handle_cast({debit, Number, Amount, Target, Teller}, #account{balance = Balance} = Account) ->
    Reply = gen_server:call(Target, {credit, Number, Amount}, infinity),
    gen_server:cast(Teller, ended),
    {noreply, replied(Reply, Account#account{balance = Balance - Amount})};
handle_cast(close, Account) -> {stop, {shutdown, Account}, Account};
handle_cast(start, {teller, Accounts, Draw, Total} = Teller) ->
    send_all(gen_server, Accounts, Total, Draw),
    {noreply, Teller};
handle_cast(ended, {teller, Accounts, _, 1} = Teller) ->
    close_all(gen_server, Accounts),
    {stop, {shutdown, closed}, Teller};
handle_cast(ended, {teller, Accounts, Draw, Missing}) -> {noreply, {teller, Accounts, Draw, Missing - 1}}.

handle_call({credit, Number, Amount}, _, #account{balance = Balance} = Account) ->
    {reply, Number, Account#account{balance = Balance + Amount}}.
