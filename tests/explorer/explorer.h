/* The schedule explorer: runs a program's threads in one interleaving, which a policy chooses.
 *
 * The threads are contexts (makecontext(3)) on one kernel thread, each with a stack and with thread-local variables of
 * its own. A thread runs until it comes to an access to what threads share (checker.h), or until it waits. So whatever
 * the kernel does, a schedule follows from the program, the policy and its seed alone, and can be replayed.
 *
 * It ends the program, and says what each thread did last, when no thread can run: then a wake-up was lost. That a
 * timeout would end the wait is no excuse, since nothing may depend on one; see stand_ins.c. Likewise when
 * MOST_ACCESSES are made: then threads wait for each other without end.
 */
#ifndef ACTORBENCH_TESTS_EXPLORER_EXPLORER_H
#define ACTORBENCH_TESTS_EXPLORER_EXPLORER_H

#include <stdbool.h>
#include <stdint.h>

#include "checker.h"
#include "lines.h"
#include "policy.h"

/* What a schedule leaves behind, whatever becomes of it: in memory that processes share. */
struct tracks {
    uint64_t accesses;
    uint64_t hash; /* of the threads that were chosen, one an access */
    struct line_counts counts;
};

/* How a program ends whose schedule the explorer finds wrong. */
enum { EXPLORER_COMPLAINS = 3 };

/* Makes the caller the first thread of the program that is explored. Once a process. */
void explorer_begin(const struct policy *policy, struct tracks *tracks, bool traced, bool counted);

/* Ends the program: says what is wrong, and what each thread did last. */
_Noreturn void explorer_complain(const char *what);

/* ---- For the stand-ins of what the system does to threads -------------------------------------------------------- */

enum thread_state { RUNNABLE, PARKED, JOINING, ENDED };

/* Starts a thread; its number. */
unsigned explorer_start(void *(*run)(void *), void *argument);

/* The result of a thread, once it has ended. */
enum thread_state explorer_state(unsigned thread);
void *explorer_result(unsigned thread);

/* Takes the caller out of those that can run, until explorer_unblock with the same words, or for so many nanoseconds
 * (0: without end). */
void explorer_block(enum thread_state state, const void *awaited, uint64_t timeout_ns);
void explorer_unblock(enum thread_state state, const void *awaited);

/* What an ended thread's joiners wait for. */
const void *explorer_end_of(unsigned thread);

#endif
