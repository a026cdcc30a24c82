// concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
#include "system.h"
#include "../cfa-common/dictionary.h"

static uint64_t entities = 100, messages = 50000, writes = 10, keys = 524287;
static uint64_t quota; // requests of each entity

// From an entity to the keeper and, with the answer, back.
struct Inquiry : public uActor::Message {
    uActor * from = nullptr;
    uint64_t entity = 0; // its number
    question asks;
    uint64_t answer = 0;
};

_Actor Keeper {
    Allocation receive( Message & msg ) {
        iftype ( Inquiry, msg ) {
            msg.answer = dictionary_serve( msg.entity, &msg.asks );
            *msg.from | msg;
        } endiftype
        return dictionary_is_done() ? Finished : Nodelete;
    }
};

static Keeper * the_keeper;

_Actor Entity {
    Inquiry own;
    uint64_t asked = 0;

    void ask() {
        own.asks = dictionary_ask( own.entity, asked );
        asked += 1;
        *the_keeper | own;
    }

    Allocation receive( Message & msg ) {
        iftype ( Inquiry, msg ) {
            checksum = dictionary_sum( checksum, msg.answer );
            if ( asked == quota ) return Finished;
            ask();
        } eliftype ( StartMsg, msg ) {
            ask();
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t checksum = 0; // of its answers, in order

    void number( uint64_t number ) {
        own.from = this;
        own.entity = number;
    }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "concdict", "request", "entities read and write a dictionary that one actor keeps", 1 );
    run_number( "entities", &entities, "actors that send requests" );
    run_number( "messages", &messages, "requests of each; --scale multiplies it" );
    run_number_within( "writes", &writes, 0, 100, "percent of the requests that write" );
    run_number( "keys", &keys, "that can be asked for: 0, 1, 2, ..." );
    run_begin( argc, argv );
    quota = run_scaled( messages );
    dictionary_make( entities, quota, writes, keys );

    uint64_t * checksums;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Keeper keeper;
        the_keeper = &keeper;
        Entity * all_entities = new Entity[entities];
        for ( uint64_t i = 0; i < entities; i += 1 ) all_entities[i].number( i );

        run_start_clock();
        for ( uint64_t i = 0; i < entities; i += 1 ) all_entities[i] | uActor::startMsg;
        uActor::stop();
        run_stop_clock();
        checksums = new uint64_t[entities];
        for ( uint64_t i = 0; i < entities; i += 1 ) checksums[i] = all_entities[i].checksum;
        delete [] all_entities;
    } // the workers end

    dictionary_check( checksums );
    delete [] checksums;
    return run_end( entities * quota );
}
