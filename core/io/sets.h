/* The two levels of polling: interest sets, which are polled without waiting, and the master, which waits for them (React++, 4.3).
 *
 * A set is armed while the master watches it. The master disarms what it finds ready, then tells; who is about to sleep makes sure
 * first that others see it asleep, then rearms. Both is sequentially consistent: so either the rearming finds the set disarmed,
 * and the kernel tells the master again if anything is ready; or the master, which has yet to disarm it, sees the sleeper.
 */
#ifndef ACTORBENCH_IO_SETS_H
#define ACTORBENCH_IO_SETS_H

#include "backend.h"
#include "io.h"

/* Makes the sets, `count` of them, all armed, and what the master waits for. NULL, or one line that says why not; then there is nothing to
 * free. For the thread that starts the executor, as are the next four. */
const char *sets_make(const struct actorbench_io_config *config, unsigned count);
void sets_free(void);

/* Starts the master's thread, and ends it. */
void sets_start_master(void);
void sets_stop_master(void);

/* What has been counted since sets_make; when nobody polls any more. */
struct actorbench_io_statistics sets_statistics(void);

/* Puts a descriptor in a set, and takes it out. False, and errno. */
bool sets_add(unsigned set, int descriptor, uint64_t watch);
void sets_remove(unsigned set, uint64_t watch);

#endif
