/* A clock that goes on by a microsecond at each look, preloaded into programs whose instructions are counted (conditions.py):
 * what they decide by time is the same each time, however slow the counting is, and whoever else runs. Each thread has a clock
 * of its own, so that none follows from how they take turns.
 */
#include <time.h>

enum { LOOK_NS = 1000, S_NS = 1000000000 };

int clock_gettime(clockid_t clock, struct timespec *now) {
    static _Thread_local long looks;
    (void)clock; /* all tell the same */
    looks++;
    now->tv_sec = 1 + looks / (S_NS / LOOK_NS);
    now->tv_nsec = looks % (S_NS / LOOK_NS) * LOOK_NS;
    return 0;
}
