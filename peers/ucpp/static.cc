// static: one actor and one message, both made before; how long does a send take?
#include "system.h"

static uint64_t sends = 100000000, from_main = 0;
static uint64_t quota; // messages that the actor is to receive

struct Parcel : public uActor::Message {};

_Actor Receiver {
    Allocation receive( Message & msg ) {
        iftype ( Parcel, msg ) {
            received += 1;
            if ( received == quota ) return Finished;
            if ( from_main == 0 ) *this | msg;
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t received = 0;
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "static", "send", "one actor, one message, both made before", 1 );
    run_number( "sends", &sends, "messages in all; --scale multiplies it" );
    run_choice( "source", &from_main, "self|main", "who sends: the actor to itself, or the main thread" );
    run_begin( argc, argv );
    quota = run_scaled( sends );

    uint64_t received;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Receiver receiver;
        Parcel parcel;

        run_start_clock();
        for ( uint64_t i = 0; i < (from_main == 0 ? 1 : quota); i += 1 ) receiver | parcel;
        uActor::stop();
        run_stop_clock();
        received = receiver.received;
    } // the workers end

    run_expect( received, quota, "messages were received" );
    return run_end( quota );
}
