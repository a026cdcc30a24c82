/* Memory that cannot be had: each allocation of a run fails in turn, one a run, until a run has none left to fail. Each run
 * ends with one line that says so: by abort(3), as core/platform/memory.h promises, or, where actorbench_start can still
 * refuse or go on without, with everything done that was asked for. None crashes, hangs or loses a message in silence. */
#include "stress.h"

#include "family.h"
#include "rows.h"

enum { NOTHING_FAILED = 50, CHILDREN = 3, MANY_CHILDREN = 300 /* more than a deque holds at first */ };

static unsigned long failing_call;

/* In a child: starts, and starts again if that was refused. */
static void run_with_a_failure(void) {
    struct actorbench_config config = stress_configuration(covering, LENGTH(covering));
    config.workers = config.workers > 3 ? 3 : config.workers;
    delay_seed(stress.seed);
    allocator_fail_at(failing_call);
    const char *complaint = actorbench_start(&config);
    if (complaint != NULL) {
        (void)fprintf(stderr, "actorbench: %s\n", complaint);
        complaint = actorbench_start(&config);
    }
    if (complaint != NULL)
        _exit(101);
    family_begin(stress_asks_for[MANY] ? MANY_CHILDREN : CHILDREN);
    actorbench_stop();
    if (!family_is_complete())
        _exit(102);
    if (!allocator_has_failed())
        _exit(NOTHING_FAILED);
}

/* One line, and it is ours. */
static bool is_one_line(const char *said) {
    const char *end = strchr(said, '\n');
    return strncmp(said, "actorbench: ", strlen("actorbench: ")) == 0 && end != NULL && end[1] == '\0';
}

/* True if the end of a run in which an allocation failed is one of those above. hwloc does not say what it lacks. */
static bool ended_well(const struct child *child) {
    if (!is_one_line(child->said))
        return false;
    if (WIFSIGNALED(child->status))
        return WTERMSIG(child->status) == SIGABRT &&
               (strstr(child->said, "out of memory") != NULL || strstr(child->said, "hwloc cannot") != NULL);
    return child->status == 0;
}

static bool fail_each_call(void) {
    for (failing_call = 1;; failing_call++) {
        struct child child = run_child(run_with_a_failure);
        stress.done++;
        if (WIFEXITED(child.status) && WEXITSTATUS(child.status) == NOTHING_FAILED)
            return true;
        if (!ended_well(&child)) {
            printf("allocation %lu failed; the run ended with status %#x and said: %s\n", failing_call,
                   (unsigned)child.status, child.said);
            return false;
        }
    }
}

int main(int argc, char **argv) {
    stress_read(argc, argv);
    return stress_rounds(argv[0], fail_each_call, "runs");
}
