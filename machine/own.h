/* Memory of the simulator's own: from the kernel, so that neither the program's heap nor the C library's is touched. */
#ifndef ACTORBENCH_MACHINE_OWN_H
#define ACTORBENCH_MACHINE_OWN_H

#include <stdint.h>

/* So many bytes of zeros, never given back; pages that nobody touches take no memory. Ends the program if there are none. */
void *own_room(uint64_t bytes);

/* The same at a fixed address. */
void own_room_at(uint64_t address, uint64_t bytes);

/* Ends the program with one line: what cannot go on. */
_Noreturn void own_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
