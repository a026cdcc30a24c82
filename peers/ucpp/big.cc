// big: each actor of a group pings others at random, one ping at a time; many to many.
#include "system.h"
#include "../cfa-common/draw.h"

static uint64_t actors = 500, pings = 50000;
static uint64_t quota; // pings of each actor

struct Ping : public uActor::Message {
    uActor * from = nullptr;
};

struct Pong : public uActor::Message {
    uActor * from = nullptr;
};

struct Done : public uActor::Message {};

static uActor * the_sink;
static Done * all_heard;

_Actor Member {
    Member * group = nullptr; // all of them
    uint64_t number = 0;
    Ping question;
    Pong answer;              // one for all its answers
    uActor * asked = nullptr; // whose pong is due

    void ask() {
        Member & other = group[draw_recipient( number, sent, actors )];
        asked = &other;
        sent += 1;
        other | question;
    }

    Allocation receive( Message & msg ) {
        iftype ( Ping, msg ) {
            pinged += 1;
            *msg.from | answer;
        } eliftype ( Pong, msg ) {
            if ( msg.from != asked ) wrong += 1;
            if ( sent < quota ) ask();
            else *the_sink | *all_heard;
        } eliftype ( StartMsg, msg ) {
            ask();
        } eliftype ( StopMsg, msg ) {
            return Finished;
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t sent = 0, pinged = 0; // pings of its own; of others
    uint64_t wrong = 0;            // pongs of somebody else

    void join( Member * all, uint64_t place ) {
        group = all;
        number = place;
        question.from = answer.from = this;
    }
};

// Hears of each who has had all its pongs; the others go on answering. Then nothing is in flight any more.
_Actor Sink {
    Member * const members;
    uint64_t missing = actors; // members that still ask

    Allocation receive( Message & msg ) {
        iftype ( Done, msg ) {
            missing -= 1;
            if ( missing == 0 ) {
                run_stop_clock();
                for ( uint64_t i = 0; i < actors; i += 1 ) members[i] | uActor::stopMsg;
                return Finished;
            }
        } endiftype
        return Nodelete;
    }
  public:
    Sink( Member * members ) : members( members ) {}
};

// Draws all recipients again, and compares.
static void check( Member * members ) {
    uint64_t * due = new uint64_t[actors]();
    for ( uint64_t i = 0; i < actors; i += 1 ) {
        for ( uint64_t number = 0; number < quota; number += 1 ) due[draw_recipient( i, number, actors )] += 1;
    }
    for ( uint64_t i = 0; i < actors; i += 1 ) {
        if ( ! run_expect( members[i].pinged, due[i], "pings were received by an actor" ) ) break;
        if ( members[i].sent != quota || members[i].wrong != 0 ) {
            run_wrong( "an actor sent another number of pings, or had a pong of another than it asked" );
            break;
        }
    }
    delete [] due;
}

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "big", "message", "each actor of a group pings others at random, one ping at a time", 1 );
    run_number_within( "actors", &actors, 2, UINT32_MAX, "in the group" );
    run_number( "pings", &pings, "from each of them; --scale multiplies it" );
    run_begin( argc, argv );
    quota = run_scaled( pings );
    if ( quota > UINT32_MAX ) run_refuse( "--pings %lu: with --scale they must be under 2^32", pings );

    Member * members;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        members = new Member[actors];
        for ( uint64_t i = 0; i < actors; i += 1 ) members[i].join( members, i );
        Sink sink( members );
        the_sink = &sink;
        Done done; // one for all: what is sent is its address
        all_heard = &done;

        run_start_clock();
        for ( uint64_t i = 0; i < actors; i += 1 ) members[i] | uActor::startMsg;
        uActor::stop();
    } // the workers end

    check( members );
    delete [] members;
    return run_end( 2 * actors * quota );
}
