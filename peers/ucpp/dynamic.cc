// dynamic: a new actor and a new message for every send, both deleted after it.
#include "system.h"
#include "../cfa-common/tally.h"

static uint64_t sends = 20000000, from_main = 0;
static uint64_t quota; // sends in all
static tally * tallies;

struct Parcel : public uActor::Message {
    const uint64_t number; // of the send, from 1
    Parcel( uint64_t number ) : Message( uActor::Delete ), number( number ) {}
};

_Actor Receiver {
    Allocation receive( Message & msg ) {
        iftype ( Parcel, msg ) {
            tallies[ticket].received += 1;
            if ( from_main == 0 && msg.number < quota ) *new Receiver | *new Parcel( msg.number + 1 );
        } endiftype
        return Delete;
    }
  public:
    ~Receiver() { tallies[ticket].ended += 1; }
};

// Keeps the count of actors over zero while main still makes some: uActor::stop would else take it for the end.
_Actor Keeper {
    Allocation receive( Message & ) { return Finished; }
};

static void send_from_self() {
    run_start_clock();
    *new Receiver | *new Parcel( 1 );
    uActor::stop();
    run_stop_clock();
}

static void send_from_main() {
    Keeper keeper;
    run_start_clock();
    for ( uint64_t number = 1; number <= quota; number += 1 ) *new Receiver | *new Parcel( number );
    keeper | uActor::stopMsg;
    uActor::stop();
    run_stop_clock();
}

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "dynamic", "send", "a new actor and a new message for every send", 1 );
    run_number( "sends", &sends, "messages, and actors, in all; --scale multiplies it" );
    run_choice( "source", &from_main, "self|main", "who sends: each actor to the next, or the main thread" );
    run_begin( argc, argv );
    quota = run_scaled( sends );
    tallies = tally_new();
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        if ( from_main == 0 ) send_from_self();
        else send_from_main();
    } // the workers end

    run_expect( tally_received( tallies ), quota, "messages were received" );
    run_expect( tally_ended( tallies ), quota, "actors have ended" );
    free( tallies );
    return run_end( quota );
}
