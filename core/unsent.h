/* Messages that were made and never sent (thesis, "Safety and Productivity": at the program's end a warning is printed for all that
 * are deallocated so). Checked builds count, type by type, how many were made, and how many were sent, or warned of already by
 * actorbench_message_destroy and actorbench_message_delete. What is left at the program's end is told then: also of messages
 * whose end the runtime does not see, since C tells nobody when a block ends, or when storage goes back by free(3), with an
 * actor that the message was a part of, or by actorbench_message_init for another.
 *
 * From any thread. Types that were not declared by ACTORBENCH_MESSAGE_TYPE, as the poison pills', are not counted. */
#ifndef ACTORBENCH_UNSENT_H
#define ACTORBENCH_UNSENT_H

#include "actor.h"

/* A message of this type has been made. */
void unsent_made(const struct actorbench_message_type *type);

/* One that was made has been sent for the first time, or was warned of. */
void unsent_settled(const struct actorbench_message_type *type);

#endif
