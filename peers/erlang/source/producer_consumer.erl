%% producer-consumer: many producers stream to one consumer.
%%
%% A producer sends a batch, and then itself one message, to go on. What it sends is its number, which is sent as it is.
-module(producer_consumer).
-behaviour(workload).
-behaviour(gen_server).

-export([summary/0, unit/0, parameters/0, check/1, run/1]).
-export([consumer/1, producer/1, init/1, handle_cast/2, handle_call/3]).

%% What a producer knows; `left` is to be sent.
-record(producer, {number, consumer, batch, left}).

summary() -> "producer-consumer: many producers stream to one consumer".
unit() -> "message".
parameters() ->
    [
        parameter:count(producers, 32, "actors that send to the consumer"),
        parameter:amount(messages, 1_000_000, "from each of them; --scale multiplies it"),
        parameter:amount(batch, 100, "messages that a producer sends in one behaviour")
    ].
check(_) -> ok.

run(#{style := Style, producers := Count, batch := Batch, 'queue-data' := QueueData, falsify := Falsify} = Options) ->
    Each = options:scaled(messages, Options),
    Received = counters:new(Count, []),
    Consumer = actor:start(Style, ?MODULE, consumer, {consumer, QueueData, Received, Count * Each}),
    Producers = actor:start_all(Style, ?MODULE, producer, [
        #producer{number = Number, consumer = Consumer, batch = Batch, left = Each} || Number <- lists:seq(1, Count)
    ]),
    Begun = span:start(),
    lists:foreach(fun(Producer) -> actor:send(Style, Producer, turn) end, Producers),
    actor:await(Count + 1),
    Span = span:stop(Begun),
    {Count * Each, Span, verdict:all([
        verdict:equal("~b messages came from a producer in place of ~b", counters:get(Received, Number), Each + Falsify)
     || Number <- lists:seq(1, Count)
    ])}.

send(_, _, _, 0) -> ok;
send(process, Consumer, Number, Times) ->
    Consumer ! Number,
    send(process, Consumer, Number, Times - 1);
send(gen_server, Consumer, Number, Times) ->
    gen_server:cast(Consumer, Number),
    send(gen_server, Consumer, Number, Times - 1).

%% A turn's batch; the producer after it.
produce(Style, #producer{number = Number, consumer = Consumer, batch = Batch, left = Left} = Producer) ->
    Portion = min(Batch, Left),
    send(Style, Consumer, Number, Portion),
    Producer#producer{left = Left - Portion}.

%% As processes.

consumer({consumer, QueueData, Received, Missing}) ->
    actor:expect_many(QueueData),
    consume(Received, Missing).

consume(_, 0) -> actor:finish(done);
consume(Received, Missing) ->
    receive
        Number ->
            counters:add(Received, Number, 1),
            consume(Received, Missing - 1)
    end.

producer(Producer) ->
    receive
        turn ->
            case produce(process, Producer) of
                #producer{left = 0} -> actor:finish(done);
                Next ->
                    self() ! turn,
                    producer(Next)
            end
    end.

%% As gen_servers.

init({consumer, QueueData, Received, Missing}) ->
    actor:expect_many(QueueData),
    {ok, {Received, Missing}};
init(Producer) -> {ok, Producer}.

handle_cast(turn, Producer) ->
    case produce(gen_server, Producer) of
        #producer{left = 0} = Last -> {stop, {shutdown, done}, Last};
        Next ->
            gen_server:cast(self(), turn),
            {noreply, Next}
    end;
handle_cast(Number, {Received, Missing} = State) ->
    counters:add(Received, Number, 1),
    case Missing of
        1 -> {stop, {shutdown, done}, State};
        _ -> {noreply, {Received, Missing - 1}}
    end.

handle_call(_, _, State) -> {stop, unexpected, State}.
