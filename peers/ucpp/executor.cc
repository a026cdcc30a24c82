// executor: floods the workers with messages among groups of actors, whose members send to each other in turn.
#include "system.h"

static uint64_t actors = 40000, group = 100, rounds = 400;
static uint64_t quota; // messages that each actor is to receive

struct Token : public uActor::Message {};

_Actor Member {
    Member * fellows = nullptr; // its group, the first of it
    uint64_t turn = 0;          // whom of them it sends to next

    Allocation receive( Message & msg ) {
        iftype ( Token, msg ) {
            received += 1;
            if ( received == quota ) return Finished;
            fellows[turn] | msg;
            turn += 1;
            if ( turn == group ) turn = 0;
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t received = 0;
    void join( Member * first ) { fellows = first; }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "executor", "message", "groups of actors whose members send to each other in turn", 512 );
    run_number( "actors", &actors, "in all" );
    run_number( "group", &group, "actors in a group; divides the actors" );
    run_number( "rounds", &rounds, "messages of each member to each; --scale multiplies it" );
    run_begin( argc, argv );
    if ( actors % group != 0 ) run_refuse( "--actors %lu --group %lu: the group must divide the actors", actors, group );
    quota = run_scaled( rounds ) * group + 1;

    Member * members;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Token token;
        members = new Member[actors];
        for ( uint64_t i = 0; i < actors; i += 1 ) members[i].join( &members[i - i % group] );

        run_start_clock();
        for ( uint64_t i = 0; i < actors; i += 1 ) members[i] | token;
        uActor::stop();
        run_stop_clock();
    } // the workers end

    for ( uint64_t i = 0; i < actors; i += 1 ) {
        if ( ! run_expect( members[i].received, quota, "messages were received by an actor" ) ) break;
    }
    delete [] members;
    return run_end( actors * quota );
}
