/* Atomic operations by name: the only way in which core/ touches memory that threads share.
 *
 * Every operation names its memory order, so that a reader sees at the call what is ordered, and says beside the
 * call what it pairs with. There is no stand-alone fence: ThreadSanitizer does not understand them. Nothing else in
 * core/ includes <stdatomic.h>.
 *
 * A build for a checker names, in ACTORBENCH_CHECKER, a header of the checker's own that takes the place of what follows,
 * and of what cpu.h and clock.h say to the processor and the kernel: see docs/correctness.md.
 *
 * `object` is a pointer to ATOMIC(type); values are of that type. All operations are safe from any thread.
 *
 * PLAIN(type) is no atomic: an object that threads share by turns, ordered by atomics or a lock. It says so to the reader,
 * and to a checker, which then looks for races.
 */
#ifndef ACTORBENCH_PLATFORM_ATOMIC_H
#define ACTORBENCH_PLATFORM_ATOMIC_H

#if defined(ACTORBENCH_CHECKER)
#include ACTORBENCH_CHECKER
#else

#include <stdatomic.h>

#define ATOMIC(type)                     _Atomic(type)
#define PLAIN(type)                      type

/* Before any thread can see the object. */
#define atomic_initialise(object, value) atomic_init(object, value)

#define atomic_load_relaxed(object) atomic_load_explicit(object, memory_order_relaxed)
#define atomic_load_acquire(object) atomic_load_explicit(object, memory_order_acquire)
#define atomic_load_seq_cst(object) atomic_load_explicit(object, memory_order_seq_cst)

#define atomic_store_relaxed(object, value)     atomic_store_explicit(object, value, memory_order_relaxed)
#define atomic_store_release(object, value)     atomic_store_explicit(object, value, memory_order_release)
#define atomic_store_seq_cst(object, value)     atomic_store_explicit(object, value, memory_order_seq_cst)

/* Return the value before the operation. */
#define atomic_exchange_acquire(object, value)  atomic_exchange_explicit(object, value, memory_order_acquire)
#define atomic_exchange_acq_rel(object, value)  atomic_exchange_explicit(object, value, memory_order_acq_rel)
#define atomic_exchange_seq_cst(object, value)  atomic_exchange_explicit(object, value, memory_order_seq_cst)
#define atomic_fetch_add_relaxed(object, value) atomic_fetch_add_explicit(object, value, memory_order_relaxed)
#define atomic_fetch_add_acq_rel(object, value) atomic_fetch_add_explicit(object, value, memory_order_acq_rel)
#define atomic_fetch_sub_relaxed(object, value) atomic_fetch_sub_explicit(object, value, memory_order_relaxed)

/* Compare and swap, with no spurious failure: true if *object held *expected and now holds `desired`; otherwise
 * *expected becomes the value found, with relaxed order. */
#define atomic_cas_acq_rel(object, expected, desired) \
    atomic_compare_exchange_strong_explicit(object, expected, desired, memory_order_acq_rel, memory_order_relaxed)
#define atomic_cas_seq_cst(object, expected, desired) \
    atomic_compare_exchange_strong_explicit(object, expected, desired, memory_order_seq_cst, memory_order_relaxed)

#endif

#endif
