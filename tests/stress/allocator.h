/* An allocator that makes trouble. The linker (--wrap) puts it before the C library's for all that core/ and the tests
 * allocate, and before the calls of hwloc and the C library by which core/ can also be told that there is no memory. What
 * the libraries allocate within themselves is not touched.
 */
#ifndef ACTORBENCH_TESTS_STRESS_ALLOCATOR_H
#define ACTORBENCH_TESTS_STRESS_ALLOCATOR_H

#include <stdbool.h>

/* From now on a small block that is freed is poisoned, and the next to be given out, to any thread, in its size. Not in
 * builds with AddressSanitizer, which must see each block only once. */
void allocator_reuse_at_once(void);

/* Lets the n-th call from now on fail, counted from 1, and no other. */
void allocator_fail_at(unsigned long nth);

/* Whether that call has come. */
bool allocator_has_failed(void);

/* How many blocks are allocated and not freed. */
long allocator_live_blocks(void);

#endif
