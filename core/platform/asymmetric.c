/* The asymmetric barrier by membarrier(2), which has no wrapper in the C library. */
#include "asymmetric.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fatal.h"

struct asymmetric asymmetric;

#if defined(ACTORBENCH_CHECKER)

void asymmetric_prepare(void) {
}

void asymmetric_heavy(void) {
}

#else

void asymmetric_prepare(void) {
    asymmetric.is_light = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void asymmetric_heavy(void) {
    if (asymmetric.is_light && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        fatal("membarrier(2) failed: %s", strerror(errno)); /* the kernel promises that it does not, once registered */
}

#endif
