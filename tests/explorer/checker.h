/* The schedule explorer's backend of core/platform/atomic.h, cpu.h and clock.h: before each access to what threads
 * share, and after each that writes, the explorer may run another thread.
 *
 * Before, so that each order of accesses can be had; after, so that what the thread does next to plain memory can be
 * late. The operands are evaluated first, since what they read may be shared as well: in store(a, load(a) + 1) others
 * may come between the two.
 *
 * All threads of a program are contexts on one kernel thread (explorer.h), and so every memory order is the strongest:
 * the explorer searches interleavings, not weak memory. What the accesses do is C11's.
 */
#ifndef ACTORBENCH_TESTS_EXPLORER_CHECKER_H
#define ACTORBENCH_TESTS_EXPLORER_CHECKER_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* The calling thread is about to do `operation`, at a line of a source: another may run first. */
void explorer_access(const char *operation, const char *file, int line);

/* The calling thread has written. */
void explorer_written(void);

/* The calling thread's turn has come, and it makes the access. Locked is what takes the line for itself while it waits, on
 * x86: a read-modify-write, a compare-and-swap in vain too, and a sequentially consistent store. */
enum touch { TOUCH_LOAD, TOUCH_STORE, TOUCH_LOCKED };
void explorer_touch(enum touch touch, const volatile void *object);

/* Like explorer_access, for a thread that has nothing to do but to wait for others. */
void explorer_spin(const char *operation, const char *file, int line);

/* The time, which goes on a little with each access, and with nothing else. */
uint64_t explorer_time_ns(void);

#define ATOMIC(type) _Atomic(type)
#define PLAIN(type)  type

#define EXPLORED_LOAD(object)                        \
    __extension__({                                  \
        __auto_type explored = (object);             \
        explorer_access("load", __FILE__, __LINE__); \
        explorer_touch(TOUCH_LOAD, explored);        \
        atomic_load(explored);                       \
    })
#define EXPLORED_STORE(touch, object, value)          \
    __extension__({                                   \
        __auto_type explored = (object);              \
        __auto_type stored = (value);                 \
        explorer_access("store", __FILE__, __LINE__); \
        explorer_touch(touch, explored);              \
        atomic_store(explored, stored);               \
        explorer_written();                           \
    })
#define EXPLORED_CHANGE(operation, change, object, value) \
    __extension__({                                       \
        __auto_type explored = (object);                  \
        __auto_type changing = (value);                   \
        explorer_access(operation, __FILE__, __LINE__);   \
        explorer_touch(TOUCH_LOCKED, explored);           \
        __auto_type before = change(explored, changing);  \
        explorer_written();                               \
        before;                                           \
    })
#define EXPLORED_CAS(object, expected, desired)                                  \
    __extension__({                                                              \
        __auto_type explored = (object);                                         \
        __auto_type found = (expected);                                          \
        __auto_type stored = (desired);                                          \
        explorer_access("compare-and-swap", __FILE__, __LINE__);                 \
        explorer_touch(TOUCH_LOCKED, explored);                                  \
        _Bool swapped = atomic_compare_exchange_strong(explored, found, stored); \
        explorer_written();                                                      \
        swapped;                                                                 \
    })

#define atomic_initialise(object, value) atomic_init(object, value)

#define atomic_load_relaxed(object) EXPLORED_LOAD(object)
#define atomic_load_acquire(object) EXPLORED_LOAD(object)
#define atomic_load_seq_cst(object) EXPLORED_LOAD(object)

#define atomic_store_relaxed(object, value) EXPLORED_STORE(TOUCH_STORE, object, value)
#define atomic_store_release(object, value) EXPLORED_STORE(TOUCH_STORE, object, value)
#define atomic_store_seq_cst(object, value) EXPLORED_STORE(TOUCH_LOCKED, object, value)

#define atomic_exchange_acquire(object, value)  EXPLORED_CHANGE("exchange", atomic_exchange, object, value)
#define atomic_exchange_acq_rel(object, value)  EXPLORED_CHANGE("exchange", atomic_exchange, object, value)
#define atomic_exchange_seq_cst(object, value)  EXPLORED_CHANGE("exchange", atomic_exchange, object, value)
#define atomic_fetch_add_relaxed(object, value) EXPLORED_CHANGE("add", atomic_fetch_add, object, value)
#define atomic_fetch_add_acq_rel(object, value) EXPLORED_CHANGE("add", atomic_fetch_add, object, value)
#define atomic_fetch_sub_relaxed(object, value) EXPLORED_CHANGE("subtract", atomic_fetch_sub, object, value)

#define atomic_cas_acq_rel(object, expected, desired) EXPLORED_CAS(object, expected, desired)
#define atomic_cas_seq_cst(object, expected, desired) EXPLORED_CAS(object, expected, desired)

#define cpu_relax() explorer_spin("relax", __FILE__, __LINE__)
#define cpu_yield() explorer_spin("yield", __FILE__, __LINE__)

static inline uint64_t clock_read_ns(clockid_t clock) {
    (void)clock;
    return explorer_time_ns();
}

static inline uint64_t clock_cycles(void) {
    return explorer_time_ns();
}

#endif
