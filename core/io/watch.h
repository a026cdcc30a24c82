/* Watches: for each descriptor who is told, and whether a message is on its way. By number: the source's garage, whose keys are
 * descriptors, too (React++, 4.6.1).
 *
 * A watch is QUIET, TOLD (its message is on its way), ENDING (the last one is), or it has ENDED. Who polls makes it TOLD before the send, and who received makes it
 * QUIET before it reads. Both are sequentially consistent, and the kernel's locks lie between them and what it says: so either the
 * reader finds what has come, or who polls finds the watch QUIET, and sends. A generation tells a watch from those that had the
 * descriptor's number before: of theirs the kernel may still tell, or a poll may have been told.
 */
#ifndef ACTORBENCH_IO_WATCH_H
#define ACTORBENCH_IO_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "actor.h"

/* Room for so many descriptors; and its end. For the thread that starts the executor. */
void watch_make(unsigned descriptors);
void watch_free(void);

/* Begins a watch, of a descriptor in a set; its name; 0, and errno, if the number is too large. */
uint64_t watch_begin(int descriptor, unsigned set, struct actorbench_actor *receiver,
                     struct actorbench_message *message, actorbench_behaviour *reaction);

/* Its message has come, as ever, or after watch_end said that one would. */
void watch_taken(int descriptor);

/* Ends it: true, or false if its message is on its way, and is to be taken still. *watch and *set say which it was. */
bool watch_end(int descriptor, uint64_t *watch, unsigned *set);

/* Whether it has not ended. */
bool watch_stands(uint64_t watch);

/* Sends its message, if it is QUIET; whether it was. */
bool watch_tell(uint64_t watch);

#endif
