/* What a request holds: its connection and number, as far as they fit, and a part of a random text that depends on both.
 *
 * So that a reply to another request is found out, and to write and compare one costs no more than to copy it.
 */
#ifndef ACTORBENCH_ZEROMQ_CONTENTS_H
#define ACTORBENCH_ZEROMQ_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

/* For requests of this size; from one thread, before any other writes or compares. */
void contents_make(uint64_t size);

void contents_write(void *to, uint64_t size, uint64_t connection, uint64_t request);
bool contents_are(const void *these, uint64_t size, uint64_t connection, uint64_t request);

void contents_free(void);

#endif
