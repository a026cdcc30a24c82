// ping-pong: a message goes to and fro between the two actors of a pair; all pairs play at once.
#include "system.h"

static uint64_t pairs = 1, rounds = 10000000;
static uint64_t last_round;

struct Ball : public uActor::Message {};

_Actor Player {
    Player * partner = nullptr;
    bool serves = false; // the pair's first

    // The one who serves keeps the ball of the last round.
    Allocation receive( Message & msg ) {
        iftype ( Ball, msg ) {
            received += 1;
            const bool last = received == last_round;
            if ( ! last || ! serves ) *partner | msg;
            if ( last ) return Finished;
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t received = 0;
    void meet( Player * other, bool is_first ) {
        partner = other;
        serves = is_first;
    }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "ping-pong", "message", "a message goes to and fro between two actors, in each of some pairs", 1 );
    run_number( "pairs", &pairs, "pairs of actors" );
    run_number( "rounds", &rounds, "times that the message goes to and fro; --scale multiplies it" );
    run_begin( argc, argv );
    last_round = run_scaled( rounds );

    Player * players; // two a pair, next to each other
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Ball ball; // what is sent is its address
        players = new Player[2 * pairs];
        for ( uint64_t i = 0; i < 2 * pairs; i += 1 ) players[i].meet( &players[i ^ 1], i % 2 == 0 );

        run_start_clock();
        for ( uint64_t i = 0; i < pairs; i += 1 ) players[2 * i + 1] | ball; // as if the first had served
        uActor::stop();
        run_stop_clock();
    } // the workers end

    for ( uint64_t i = 0; i < 2 * pairs; i += 1 ) {
        if ( ! run_expect( players[i].received, last_round, "messages were received by a player" ) ) break;
    }
    delete [] players;
    return run_end( 2 * pairs * last_round );
}
