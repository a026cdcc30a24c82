/* A process group, whose members are found in /proc: a server may be several processes. */
#include "served.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "learning.h"
#include "platform/clock.h"
#include "workload.h"

enum { LOOK_NS = 10 * 1000 * 1000, ENDING_S = 10 };

static pid_t group; /* and its leader; 0: there is none */
static char folder[512];

static void nap(void) {
    (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}

void served_start(const char *program, uint16_t port, unsigned workers, uint64_t connections) {
    char ports[24], threads[24], lines[24];
    (void)snprintf(ports, sizeof ports, "%u", port);
    (void)snprintf(threads, sizeof threads, "%u", workers);
    (void)snprintf(lines, sizeof lines, "%" PRIu64, connections);
    const char *place = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    if (snprintf(folder, sizeof folder, "%s/actorbench-web-XXXXXX", place) >= (int)sizeof folder)
        workload_refuse("the name of TMPDIR is too long: %s", place);
    if (mkdtemp(folder) == NULL)
        workload_refuse("there is no folder for the server: %s", strerror(errno));
    pid_t starter = getpid();
    group = fork();
    if (group < 0)
        workload_refuse("there is no process for the server: %s", strerror(errno));
    if (group > 0)
        return;
    /* Its output would stand before the record. */
    if (setpgid(0, 0) != 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 ||
        getppid() != starter)
        _exit(1);
    (void)execl(program, program, ports, threads, lines, folder, (char *)NULL);
    _exit(1);
}

static bool has_ended(void) {
    siginfo_t found = {0};
    return waitid(P_PID, (id_t)group, &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_pid != 0;
}

bool served_answers(const struct dialogue *asking, uint16_t port, uint64_t patience_s) {
    struct dialogue learnt;
    uint64_t until_ns = clock_monotonic_ns() + patience_s * UINT64_C(1000000000);
    while (!has_ended() && clock_monotonic_ns() < until_ns) {
        if (dialogue_learn(&learnt, asking, port, 1))
            return true;
        nap();
    }
    return false;
}

/* ---- Its processes ------------------------------------------------------------------------------------------------ */

static bool is_member(pid_t process) {
    return getpgid(process) == group;
}

/* Adds up what `count` says of each process. */
static uint64_t sum_of(uint64_t (*count)(pid_t process)) {
    uint64_t sum = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process > 0 && is_member(process))
            sum += count(process);
    }
    if (processes != NULL)
        (void)closedir(processes);
    return sum;
}

static uint64_t cpu_ns_of(pid_t process) {
    clockid_t its;
    struct timespec used;
    if (clock_getcpuclockid(process, &its) != 0 || clock_gettime(its, &used) != 0)
        return 0;
    return (uint64_t)used.tv_sec * UINT64_C(1000000000) + (uint64_t)used.tv_nsec;
}

static uint64_t peak_bytes_of(pid_t process) {
    char name[32], line[256];
    uint64_t kibibytes = 0;
    (void)snprintf(name, sizeof name, "/proc/%d/status", (int)process);
    FILE *status = fopen(name, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %" SCNu64, &kibibytes) == 1)
            break;
    if (status != NULL)
        (void)fclose(status);
    return kibibytes * 1024;
}

uint64_t served_cpu_ns(void) {
    return sum_of(cpu_ns_of);
}

uint64_t served_peak_rss_bytes(void) {
    return sum_of(peak_bytes_of);
}

/* ---- Its end ------------------------------------------------------------------------------------------------------ */

static int remove_one(const char *path, const struct stat *of, int kind, struct FTW *where) {
    (void)of;
    (void)kind;
    (void)where;
    (void)remove(path); /* what stays is small */
    return 0;
}

void served_end(void) {
    uint64_t until_ns = clock_monotonic_ns() + ENDING_S * UINT64_C(1000000000);
    (void)kill(group, SIGTERM); /* the leader, who ends the others */
    while (!has_ended() && clock_monotonic_ns() < until_ns)
        nap();
    (void)kill(-group, SIGKILL); /* whoever is left */
    while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
        continue;
    (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
