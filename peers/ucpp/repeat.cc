// repeat: a client sends a request to every server, each answers, and again.
#include "system.h"

static uint64_t servers = 100000, rounds = 200;
static uint64_t last_round;

// From the client to every server: one message a round for all of them.
struct Question : public uActor::Message {
    uint32_t round = 0; // from 1
};

// From a server to the client; each server has one.
struct Answer : public uActor::Message {
    uint32_t server = 0, round = 0;
};

static uActor * the_client;

_Actor Server {
    Answer answer;

    Allocation receive( Message & msg ) {
        iftype ( Question, msg ) {
            answer.round = msg.round;
            *the_client | answer;
        } eliftype ( StopMsg, msg ) {
            return Finished;
        } endiftype
        return Nodelete;
    }
  public:
    void number( uint32_t number ) { answer.server = number; }
};

_Actor Client {
    Server * const all_servers;
    Question question;
    uint64_t missing = 0;            // answers of this round
    uint32_t * const answered_round; // by server

    void begin_round() {
        question.round += 1;
        missing = servers;
        for ( uint64_t i = 0; i < servers; i += 1 ) all_servers[i] | question;
    }

    void count( Answer & answer ) {
        answers += 1;
        if ( answer.round != question.round || answered_round[answer.server] == answer.round ) astray += 1;
        answered_round[answer.server] = answer.round;
        missing -= 1;
    }

    Allocation receive( Message & msg ) {
        iftype ( Answer, msg ) {
            count( msg );
            if ( missing != 0 ) return Nodelete;
            if ( question.round == last_round ) {
                run_stop_clock();
                for ( uint64_t i = 0; i < servers; i += 1 ) all_servers[i] | uActor::stopMsg;
                return Finished;
            }
            begin_round();
        } eliftype ( StartMsg, msg ) {
            begin_round();
        } endiftype
        return Nodelete;
    }
  public:
    uint64_t answers = 0; // in all
    uint64_t astray = 0;  // answers of another round, or the second of one

    Client( Server * all_servers ) : all_servers( all_servers ), answered_round( new uint32_t[servers]() ) {}
    ~Client() { delete [] answered_round; }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "repeat", "message", "a client sends to its servers, each answers, again and again", 256 );
    run_number( "servers", &servers, "actors that answer the client" );
    run_number( "rounds", &rounds, "requests to each server; --scale multiplies it" );
    run_begin( argc, argv );
    last_round = run_scaled( rounds );
    if ( servers > UINT32_MAX || last_round > UINT32_MAX ) run_refuse( "--servers and rounds must each be under 2^32" );

    uint64_t answers, astray;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Server * all_servers = new Server[servers];
        for ( uint64_t i = 0; i < servers; i += 1 ) all_servers[i].number( (uint32_t)i );
        Client client( all_servers );
        the_client = &client;

        run_start_clock();
        client | uActor::startMsg;
        uActor::stop();
        answers = client.answers;
        astray = client.astray;
        delete [] all_servers;
    } // the workers end

    run_expect( answers, servers * last_round, "answers came" );
    if ( astray != 0 ) run_wrong( "answers were of another round, or came twice" );
    return run_end( 2 * servers * last_round );
}
