// fork-join: one source sends to many actors in turn.
#include "system.h"

static uint64_t actors = 1000, messages = 10000;
static uint64_t quota; // messages that each receiver is to receive

struct Task : public uActor::Message {};

_Actor Receiver {
    Allocation receive( Message & msg ) {
        iftype ( Task, msg ) {
            received += 1;
        } endiftype
        return received == quota ? Finished : Nodelete;
    }
  public:
    uint64_t received = 0;
};

_Actor Source {
    Receiver * const receivers;
    Task task; // one for all sends

    Allocation receive( Message & msg ) {
        iftype ( StartMsg, msg ) {
            for ( uint64_t round = 0; round < quota; round += 1 ) {
                for ( uint64_t i = 0; i < actors; i += 1 ) receivers[i] | task;
            }
        } endiftype
        return Finished;
    }
  public:
    Source( Receiver * receivers ) : receivers( receivers ) {}
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "fork-join", "message", "one source sends to many actors in turn", 1 );
    run_number( "actors", &actors, "that receive" );
    run_number( "messages", &messages, "to each of them; --scale multiplies it" );
    run_begin( argc, argv );
    quota = run_scaled( messages );

    Receiver * receivers;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        receivers = new Receiver[actors];
        Source source( receivers );

        run_start_clock();
        source | uActor::startMsg;
        uActor::stop();
        run_stop_clock();
    } // the workers end

    for ( uint64_t i = 0; i < actors; i += 1 ) {
        if ( ! run_expect( receivers[i].received, quota, "messages were received by an actor" ) ) break;
    }
    delete [] receivers;
    return run_end( actors * quota );
}
