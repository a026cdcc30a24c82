// producer-consumer: many producers stream to one consumer, a batch in a behaviour.
#include "system.h"

static uint64_t producers = 32, messages = 1000000, batch = 100;
static uint64_t quota; // messages of each producer

struct Item : public uActor::Message {
    uint64_t producer = 0;
};

struct Turn : public uActor::Message {}; // from a producer to itself

_Actor Consumer {
    uint64_t missing = producers * quota; // items, of all producers

    Allocation receive( Message & msg ) {
        iftype ( Item, msg ) {
            received[msg.producer] += 1;
            missing -= 1;
        } endiftype
        return missing == 0 ? Finished : Nodelete;
    }
  public:
    uint64_t * const received; // items, by producer

    Consumer() : received( new uint64_t[producers]() ) {}
    ~Consumer() { delete [] received; }
};

static Consumer * the_consumer;

_Actor Producer {
    Item item; // one for all sends
    uint64_t left = quota;

    Allocation receive( Message & msg ) {
        iftype ( Turn, msg ) {
            uint64_t portion = left < batch ? left : batch;
            left -= portion;
            for ( uint64_t i = 0; i < portion; i += 1 ) *the_consumer | item;
            if ( left != 0 ) *this | msg;
        } endiftype
        return left == 0 ? Finished : Nodelete;
    }
  public:
    void number( uint64_t number ) { item.producer = number; }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "producer-consumer", "message", "many producers stream to one consumer", 1 );
    run_number( "producers", &producers, "actors that send to the consumer" );
    run_number( "messages", &messages, "from each of them; --scale multiplies it" );
    run_number( "batch", &batch, "messages that a producer sends in one behaviour" );
    run_begin( argc, argv );
    quota = run_scaled( messages );

    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Consumer consumer;
        the_consumer = &consumer;
        Turn turn; // one for all: what is sent is its address
        Producer * all_producers = new Producer[producers];
        for ( uint64_t i = 0; i < producers; i += 1 ) all_producers[i].number( i );

        run_start_clock();
        for ( uint64_t i = 0; i < producers; i += 1 ) all_producers[i] | turn;
        uActor::stop();
        run_stop_clock();
        for ( uint64_t i = 0; i < producers; i += 1 ) {
            if ( ! run_expect( consumer.received[i], quota, "messages came from a producer" ) ) break;
        }
        delete [] all_producers;
    } // the workers end

    return run_end( producers * quota );
}
