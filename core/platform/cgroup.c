/* Reads cpu.max (version 2) or cpu.cfs_quota_us (version 1) from the process' group up to the root. */
#include "cgroup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned cpus_of(long long quota, long long period) {
    if (quota <= 0 || period <= 0)
        return CGROUP_NO_QUOTA;
    long long cpus = quota / period + (quota % period != 0);
    return cpus > (long long)UINT_MAX ? UINT_MAX : (unsigned)cpus;
}

unsigned cgroup_parse_cpu_max(const char *text) {
    long long quota, period;
    if (sscanf(text, "%lld %lld", &quota, &period) != 2)
        return CGROUP_NO_QUOTA; /* "max ...", or nothing that we understand */
    return cpus_of(quota, period);
}

static bool read_line(const char *path, char *line, size_t size) {
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool read = fgets(line, (int)size, file) != NULL;
    (void)fclose(file);
    return read;
}

static unsigned tighter(unsigned left, unsigned right) {
    if (left == CGROUP_NO_QUOTA)
        return right;
    return right == CGROUP_NO_QUOTA || left < right ? left : right;
}

static unsigned quota_of_directory(const char *directory, bool version_2) {
    char path[PATH_MAX + 32], line[128];
    if (version_2) {
        (void)snprintf(path, sizeof path, "%s/cpu.max", directory);
        return read_line(path, line, sizeof line) ? cgroup_parse_cpu_max(line) : CGROUP_NO_QUOTA;
    }
    long long quota = 0, period = 0;
    (void)snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    if (!read_line(path, line, sizeof line) || sscanf(line, "%lld", &quota) != 1)
        return CGROUP_NO_QUOTA;
    (void)snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    if (!read_line(path, line, sizeof line) || sscanf(line, "%lld", &period) != 1)
        return CGROUP_NO_QUOTA;
    return cpus_of(quota, period);
}

/* Walks from `group` (a path below `mount`) up to the mount itself. */
static unsigned quota_upwards(const char *mount, const char *group, bool version_2) {
    char directory[PATH_MAX];
    int length = snprintf(directory, sizeof directory, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof directory)
        return CGROUP_NO_QUOTA;
    unsigned quota = CGROUP_NO_QUOTA;
    for (;;) {
        quota = tighter(quota, quota_of_directory(directory, version_2));
        char *slash = strrchr(directory, '/');
        if (slash == NULL || (size_t)(slash - directory) < strlen(mount))
            return quota;
        *slash = '\0';
    }
}

unsigned cgroup_cpu_quota(void) {
    FILE *groups = fopen("/proc/self/cgroup", "re");
    if (groups == NULL)
        return CGROUP_NO_QUOTA;
    unsigned quota = CGROUP_NO_QUOTA;
    char line[PATH_MAX + 64];
    while (fgets(line, sizeof line, groups) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'); /* hierarchy:controllers:group */
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        controllers++;
        if (*controllers == '\0')
            quota = tighter(quota, quota_upwards("/sys/fs/cgroup", group, true));
        else if (strcmp(controllers, "cpu") == 0 || strcmp(controllers, "cpu,cpuacct") == 0)
            quota = tighter(quota, quota_upwards("/sys/fs/cgroup/cpu", group, false));
    }
    (void)fclose(groups);
    return quota;
}
