// counting: a producer streams increments to a counter, then asks it for its count.
#include "system.h"

static uint64_t messages = 10000000;
static uint64_t increments; // --messages, scaled

struct Increment : public uActor::Message {};

// From the producer to the counter and, with its count, back.
struct Inquiry : public uActor::Message {
    uint64_t count = 0;
};

static uActor * the_producer;

_Actor Counter {
    uint64_t count = 0;

    Allocation receive( Message & msg ) {
        iftype ( Increment, msg ) {
            count += 1;
        } eliftype ( Inquiry, msg ) {
            msg.count = count;
            *the_producer | msg;
            return Finished;
        } endiftype
        return Nodelete;
    }
};

_Actor Producer {
    Counter & counter;
    Increment one; // one for all sends
    Inquiry how_many;

    Allocation receive( Message & msg ) {
        iftype ( StartMsg, msg ) {
            for ( uint64_t i = 0; i < increments; i += 1 ) counter | one;
            counter | how_many;
        } eliftype ( Inquiry, msg ) {
            run_stop_clock();
            return Finished;
        } endiftype
        return Nodelete;
    }
  public:
    Producer( Counter & counter ) : counter( counter ) {}
    uint64_t answer() { return how_many.count; }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "counting", "message", "a producer streams increments to a counter, then asks it for its count", 1 );
    run_number( "messages", &messages, "increments; --scale multiplies it" );
    run_begin( argc, argv );
    increments = run_scaled( messages );

    uint64_t answer;
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Counter counter;
        Producer producer( counter );
        the_producer = &producer;

        run_start_clock();
        producer | uActor::startMsg;
        uActor::stop();
        answer = producer.answer();
    } // the workers end

    run_expect( answer, increments, "increments were counted" );
    return run_end( increments );
}
