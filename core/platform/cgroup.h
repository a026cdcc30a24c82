/* The CPU quota of a container: Linux control groups, versions 1 and 2. */
#ifndef ACTORBENCH_PLATFORM_CGROUP_H
#define ACTORBENCH_PLATFORM_CGROUP_H

#include <stddef.h>

#define CGROUP_NO_QUOTA 0u

/* How many CPUs' worth of time the process' control groups grant, rounded up, or CGROUP_NO_QUOTA. The tightest of
 * the group and its ancestors counts. What cannot be read grants everything. */
unsigned cgroup_cpu_quota(void);

/* The CPUs that one quota is worth, from the text of cpu.max ("max 100000", "150000 100000"), rounded up, or
 * CGROUP_NO_QUOTA. */
unsigned cgroup_parse_cpu_max(const char *text);

#endif
