/* Parking on Linux: futex(2), which has no wrapper in the C library. */
#include "parking.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fatal.h"

void parking_wait(ATOMIC(uint32_t) *word, uint32_t expected, uint64_t timeout_ns) {
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                               .tv_nsec = (long)(timeout_ns % 1000000000u)};
    long result = syscall(SYS_futex, (void *)word, FUTEX_WAIT_PRIVATE, expected,
                          timeout_ns == PARKING_NO_TIMEOUT ? NULL : &timeout, NULL, 0);
    if (result == -1 && errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT)
        fatal("a thread cannot be parked: futex(FUTEX_WAIT) failed: %s", strerror(errno));
}

void parking_wake(ATOMIC(uint32_t) *word) {
    if (syscall(SYS_futex, (void *)word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) == -1)
        fatal("a parked thread cannot be woken: futex(FUTEX_WAKE) failed: %s", strerror(errno));
}
