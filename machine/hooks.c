/* The functions that gcc's -fsanitize=thread and -fsanitize-coverage=trace-pc call, by their names: a call at each access
 * and at each basic block. ThreadSanitizer's own library is not linked. */
#include <stdbool.h>
#include <stdint.h>

#include "blocks.h"
#include "lines.h"
#include "own.h"
#include "touch.h"

#define CODE ((uint32_t)(uintptr_t)__builtin_return_address(0))

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    blocks_enter(CODE);
}

void __tsan_init(void);
void __tsan_init(void) {
}
void __tsan_func_entry(void *code);
void __tsan_func_entry(void *code) {
    (void)code;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {
}

/* ---- Plain accesses ----------------------------------------------------------------------------------------------- */

#define PLAIN_ACCESS(name, access)               \
    void name(void *address);                    \
    void name(void *address) {                   \
        touch((uintptr_t)address, access, CODE); \
    }
PLAIN_ACCESS(__tsan_read1, LOAD)
PLAIN_ACCESS(__tsan_read2, LOAD)
PLAIN_ACCESS(__tsan_read4, LOAD)
PLAIN_ACCESS(__tsan_read8, LOAD)
PLAIN_ACCESS(__tsan_read16, LOAD)
PLAIN_ACCESS(__tsan_write1, STORE)
PLAIN_ACCESS(__tsan_write2, STORE)
PLAIN_ACCESS(__tsan_write4, STORE)
PLAIN_ACCESS(__tsan_write8, STORE)
PLAIN_ACCESS(__tsan_write16, STORE)
PLAIN_ACCESS(__tsan_unaligned_read2, LOAD)
PLAIN_ACCESS(__tsan_unaligned_read4, LOAD)
PLAIN_ACCESS(__tsan_unaligned_read8, LOAD)
PLAIN_ACCESS(__tsan_unaligned_read16, LOAD)
PLAIN_ACCESS(__tsan_unaligned_write2, STORE)
PLAIN_ACCESS(__tsan_unaligned_write4, STORE)
PLAIN_ACCESS(__tsan_unaligned_write8, STORE)
PLAIN_ACCESS(__tsan_unaligned_write16, STORE)

void __tsan_read_range(void *address, uint64_t bytes);
void __tsan_read_range(void *address, uint64_t bytes) {
    touch_range((uintptr_t)address, bytes, LOAD, CODE);
}
void __tsan_write_range(void *address, uint64_t bytes);
void __tsan_write_range(void *address, uint64_t bytes) {
    touch_range((uintptr_t)address, bytes, STORE, CODE);
}

/* ---- Atomic accesses: all that they do is sequentially consistent; the order that they ask for decides what it costs --- */

#define ATOMIC_ACCESSES(bits, type)                                                  \
    type __tsan_atomic##bits##_load(const volatile type *object, int order);         \
    type __tsan_atomic##bits##_load(const volatile type *object, int order) {        \
        (void)order;                                                                 \
        touch_atomic_load((uintptr_t)object, CODE);                                  \
        return *object;                                                              \
    }                                                                                \
    void __tsan_atomic##bits##_store(volatile type *object, type value, int order);  \
    void __tsan_atomic##bits##_store(volatile type *object, type value, int order) { \
        touch_atomic_store((uintptr_t)object, order, CODE);                          \
        *object = value;                                                             \
    }                                                                                \
    ATOMIC_CHANGE_BY(bits, type, exchange, value)                                    \
    ATOMIC_CHANGE_BY(bits, type, fetch_add, (type)(before + value))                  \
    ATOMIC_CHANGE_BY(bits, type, fetch_sub, (type)(before - value))                  \
    ATOMIC_CHANGE_BY(bits, type, fetch_and, (type)(before & value))                  \
    ATOMIC_CHANGE_BY(bits, type, fetch_or, (type)(before | value))                   \
    ATOMIC_CHANGE_BY(bits, type, fetch_xor, (type)(before ^ value))                  \
    ATOMIC_COMPARE(bits, type, strong)                                               \
    ATOMIC_COMPARE(bits, type, weak)

#define ATOMIC_CHANGE_BY(bits, type, name, after)                                     \
    type __tsan_atomic##bits##_##name(volatile type *object, type value, int order);  \
    type __tsan_atomic##bits##_##name(volatile type *object, type value, int order) { \
        (void)order;                                                                  \
        touch_atomic_change((uintptr_t)object, CODE);                                 \
        type before = *object;                                                        \
        *object = after;                                                              \
        return before;                                                                \
    }

#define ATOMIC_COMPARE(bits, type, name)                                                                              \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *object, type *expected, type desired, int order, \
                                                      int failure);                                                   \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *object, type *expected, type desired, int order, \
                                                      int failure) {                                                  \
        (void)order, (void)failure;                                                                                   \
        touch_atomic_change((uintptr_t)object, CODE);                                                                 \
        if (*object == *expected) {                                                                                   \
            *object = desired;                                                                                        \
            return 1;                                                                                                 \
        }                                                                                                             \
        *expected = *object;                                                                                          \
        return 0;                                                                                                     \
    }

ATOMIC_ACCESSES(8, uint8_t)
ATOMIC_ACCESSES(16, uint16_t)
ATOMIC_ACCESSES(32, uint32_t)
ATOMIC_ACCESSES(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
    (void)order;
    lines_drain();
    self->clock += touch_atomic_ps;
}
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) {
    (void)order;
}
