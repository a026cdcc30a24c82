// matrix: Z = X Y, an actor a row of X: work for the workers, few messages.
#include "system.h"
#include "../cfa-common/matrices.h"

static uint64_t rows = 3072;
static uint64_t size; // --rows, scaled

struct RowWork : public uActor::Message {
    const int32_t * const x; // a row of X
    int32_t * const z;       // the row of Z, to be filled
    RowWork( const int32_t * x, int32_t * z ) : x( x ), z( z ) {}
};

_Actor Multiplier {
    Allocation receive( Message & msg ) {
        iftype ( RowWork, msg ) {
            matrices_multiply_row( msg.x, msg.z );
        } endiftype
        return Finished;
    }
};

int main( int argc, char * argv[] ) {
    introduce();
    run_workload( "matrix", "row", "Z = X Y, an actor a row", 32 );
    run_number( "rows", &rows, "of each matrix, and as many columns; --scale multiplies its cube" );
    run_begin( argc, argv );
    size = matrices_make( rows );
    {
        uExecutor workers( run_workers(), run_workers(), run_mailboxes(), true, -1 );
        uActor::start( &workers );
        Multiplier * multipliers = new Multiplier[size];
        uNoCtor<RowWork> * works = new uNoCtor<RowWork>[size];
        for ( uint64_t i = 0; i < size; i += 1 ) works[i].ctor( matrix_x() + i * size, matrix_z() + i * size );

        run_start_clock();
        for ( uint64_t i = 0; i < size; i += 1 ) multipliers[i] | *works[i];
        uActor::stop();
        run_stop_clock();
        delete [] works;
        delete [] multipliers;
    } // the workers end

    matrices_check();
    return run_end( size );
}
