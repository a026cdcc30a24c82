/* The processor's counter of cycles, by the kernel's performance events. */
#include "cycles.h"

#include <linux/perf_event.h>
#include <linux/version.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter = -1;

static int open_counter(bool user_mode_alone) {
    struct perf_event_attr asked = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof asked,
        .config = PERF_COUNT_HW_CPU_CYCLES,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .inherit = 1,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 13, 0)
        .inherit_thread = 1, /* by threads alone: a process that is forked has cycles of its own */
#endif
        .exclude_kernel = user_mode_alone,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &asked, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

enum cycles_source cycles_open(void) {
    counter = open_counter(false);
    if (counter >= 0)
        return CYCLES_OF_ALL;
    counter = open_counter(true);
    return counter >= 0 ? CYCLES_OF_USER_MODE : CYCLES_OF_CPU_TIME;
}

bool cycles_read(uint64_t *cycles) {
    struct {
        uint64_t count, enabled_ns, running_ns;
    } found;
    if (counter < 0 || read(counter, &found, sizeof found) != (ssize_t)sizeof found || found.running_ns == 0)
        return false;
    /* Where events share the counter it is ours for a part of the time, and the rest is estimated, as perf(1) does. */
    *cycles = found.running_ns == found.enabled_ns
                  ? found.count
                  : (uint64_t)((double)found.count * (double)found.enabled_ns / (double)found.running_ns);
    return true;
}

bool cycles_have_ticks(void) {
#if (defined(__x86_64__) || defined(__i386__)) && !defined(ACTORBENCH_SIMULATED)
    return true;
#else
    return false;
#endif
}
