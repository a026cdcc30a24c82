// thread-ring: a token goes round a ring of actors; one message is in flight at a time.
#include "system.h"

static uint64_t actors = 1000, hops = 10000000;

struct Token : public uActor::Message {
    uint64_t hops_left;
    Token( uint64_t hops_left ) : hops_left( hops_left ) {}
};

_Actor Node {
    Node * next = nullptr;

    // The one who makes the last hop ends the others: nothing else is in flight to them.
    Allocation receive( Message & msg ) {
        iftype ( Token, msg ) {
            received += 1;
            msg.hops_left -= 1;
            if ( msg.hops_left != 0 ) {
                *next | msg;
                return Nodelete;
            }
            run_stop_clock();
            for ( Node * other = next; other != this; other = other->next ) *other | uActor::stopMsg;
        } endiftype
        return Finished;
    }
  public:
    uint64_t received = 0;
    void join( Node * after ) { next = after; }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "thread-ring", "hop", "a token goes round a ring of actors", 1 );
    run_number( "actors", &actors, "in the ring" );
    run_number( "hops", &hops, "of the token; --scale multiplies it" );
    run_begin( argc, argv );
    uint64_t last_hop = run_scaled( hops );

    Node * nodes;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Token token( last_hop );
        nodes = new Node[actors];
        for ( uint64_t i = 0; i < actors; i += 1 ) nodes[i].join( &nodes[(i + 1) % actors] );

        run_start_clock();
        nodes[0] | token;
        uActor::stop();
    } // the workers end

    for ( uint64_t i = 0; i < actors; i += 1 ) {
        uint64_t due = last_hop / actors + (i < last_hop % actors);
        if ( ! run_expect( nodes[i].received, due, "times an actor had the token" ) ) break;
    }
    delete [] nodes;
    return run_end( last_hop );
}
