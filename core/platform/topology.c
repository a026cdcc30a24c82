/* Plans of CPUs from hwloc's tree. */
#include "topology.h"

#include <errno.h>
#include <numa.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "fatal.h"
#include "memory.h"
#include "topology_tree.h"

/* Sort keys, most significant first. */
struct ranked_place {
    struct cpu_place place;
    int key[5];
    int core_in_node; /* the core's number within its NUMA node */
    int node_rank;    /* how many NUMA nodes with smaller numbers have cores here */
};

/* Whether a synthetic description orders indexes by names of levels, as in "core:2 pu:2(indexes=pu:core)". hwloc 2.9 reads
 * memory that it has not written when such a name is wrong, and may then stop the program. */
static bool has_named_indexes(const char *description) {
    static const char key[] = "indexes=";
    for (const char *at = strstr(description, key); at != NULL; at = strstr(at, key)) {
        at += sizeof key - 1;
        at += strspn(at, "0123456789*:,");
        if (*at != ')' && *at != ' ')
            return true;
    }
    return false;
}

hwloc_topology_t topology_tree(const char *description, const char **why) {
    hwloc_topology_t topology;
    if (description != NULL && access(description, R_OK) != 0 && has_named_indexes(description)) {
        *why = "the topology's indexes must be numbers, as in \"core:2 pu:2(indexes=2*2:1*2)\"";
        return NULL;
    }
    if (hwloc_topology_init(&topology) != 0)
        fatal("hwloc cannot be started: out of memory");
    if (description != NULL) {
        int refused = access(description, R_OK) == 0 ? hwloc_topology_set_xml(topology, description)
                                                     : hwloc_topology_set_synthetic(topology, description);
        if (refused) {
            hwloc_topology_destroy(topology);
            *why = "the topology is neither a readable hwloc XML file nor a synthetic description such as "
                   "\"pack:2 numa:1 core:24 pu:2\"";
            return NULL;
        }
    }
    if (hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        *why = "hwloc cannot read the topology";
        return NULL;
    }
    return topology;
}

/* The CPUs that this process may use; for a described machine all of them. */
static hwloc_cpuset_t usable_cpus(hwloc_topology_t topology) {
    hwloc_cpuset_t usable = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    if (usable == NULL)
        fatal("out of memory: a set of CPUs cannot be had");
    if (!hwloc_topology_is_thissystem(topology))
        return usable;
    hwloc_cpuset_t affinity = hwloc_bitmap_alloc();
    if (affinity == NULL)
        fatal("out of memory: a set of CPUs cannot be had");
    if (hwloc_get_cpubind(topology, affinity, HWLOC_CPUBIND_PROCESS) == 0)
        hwloc_bitmap_and(usable, usable, affinity);
    hwloc_bitmap_free(affinity);
    return usable;
}

static unsigned within_quota(int cpus) {
    unsigned count = cpus < 1 ? 1 : (unsigned)cpus;
    unsigned quota = cgroup_cpu_quota();
    return quota != CGROUP_NO_QUOTA && quota < count ? quota : count;
}

unsigned topology_usable_cpus(void) {
    const char *why = NULL;
    hwloc_topology_t topology = topology_tree(NULL, &why);
    if (topology == NULL)
        fatal("the machine's CPUs cannot be counted: %s; give --workers", why);
    hwloc_cpuset_t usable = usable_cpus(topology);
    int cpus = hwloc_bitmap_weight(usable);
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);

    return within_quota(cpus);
}

unsigned topology_cpus_at_hand(void) {
    enum { MAXIMUM_CPUS = 8192 };
    cpu_set_t *set = CPU_ALLOC(MAXIMUM_CPUS);
    if (set == NULL)
        fatal("out of memory: a set of CPUs cannot be had");
    size_t size = CPU_ALLOC_SIZE(MAXIMUM_CPUS);
    int cpus = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 1;
    CPU_FREE(set);
    return within_quota(cpus);
}

static int logical_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu) {
    hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    return above == NULL ? 0 : (int)above->logical_index;
}

static int node_of(hwloc_topology_t topology, hwloc_obj_t pu) {
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL)
        if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
            return (int)node->os_index;
    return 0;
}

static int thread_of(hwloc_topology_t topology, hwloc_obj_t pu) {
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    int before = 0;
    if (core != NULL)
        for (int cpu = hwloc_bitmap_first(core->cpuset); cpu != -1 && cpu != (int)pu->os_index;
             cpu = hwloc_bitmap_next(core->cpuset, cpu))
            before++;
    return before;
}

static void rank(struct ranked_place *ranked, enum pin_plan pin, int order) {
    const struct cpu_place *place = &ranked->place;
    int *key = ranked->key;
    switch (pin) {
    case PIN_NONE:
        break;
    case PIN_CORES:
        key[0] = place->thread, key[1] = place->package, key[2] = place->core;
        break;
    case PIN_SMT:
        key[0] = place->package, key[1] = place->thread, key[2] = place->core;
        break;
    case PIN_SPREAD:
        key[0] = place->thread, key[1] = ranked->core_in_node, key[2] = place->node;
        break;
    case PIN_FOUR_NODES:
        key[0] = ranked->node_rank / 4, key[1] = place->thread, key[2] = ranked->core_in_node, key[3] = place->node;
        break;
    }
    key[4] = order;
}

static int compare(const void *left, const void *right) {
    const int *a = ((const struct ranked_place *)left)->key, *b = ((const struct ranked_place *)right)->key;
    for (int i = 0; i < 5; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Numbers the cores within each node, in hwloc's order, and the nodes: what is dealt out in turn. */
static void number_cores(struct ranked_place *ranked, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        int before = 0;
        for (unsigned j = 0; j < count; j++)
            before += ranked[j].place.node == ranked[i].place.node && ranked[j].place.thread == 0 &&
                      ranked[j].place.core < ranked[i].place.core;
        ranked[i].core_in_node = before;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            ranked[i].node_rank += ranked[j].place.node < ranked[i].place.node && ranked[j].place.thread == 0 &&
                                   ranked[j].core_in_node == 0;
}

const char *topology_plan(const char *description, enum pin_plan pin, struct cpu_plan *plan) {
    const char *why = NULL;
    hwloc_topology_t topology = topology_tree(description, &why);
    if (topology == NULL)
        return why;
    hwloc_cpuset_t usable = usable_cpus(topology);
    int weight = hwloc_bitmap_weight(usable);
    if (weight < 1) {
        hwloc_bitmap_free(usable);
        hwloc_topology_destroy(topology);
        return "the topology has no CPU that may be used";
    }
    struct ranked_place *ranked = memory_zeroed((size_t)weight, sizeof *ranked, "a CPU plan");
    unsigned count = 0;
    hwloc_obj_t pu = NULL;
    while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != NULL) {
        if (!hwloc_bitmap_isset(usable, pu->os_index) || count == (unsigned)weight)
            continue;
        ranked[count++].place = (struct cpu_place){.cpu = (int)pu->os_index,
                                                   .node = node_of(topology, pu),
                                                   .package = logical_of(topology, HWLOC_OBJ_PACKAGE, pu),
                                                   .core = logical_of(topology, HWLOC_OBJ_CORE, pu),
                                                   .thread = thread_of(topology, pu)};
    }
    number_cores(ranked, count);
    for (unsigned i = 0; i < count; i++)
        rank(&ranked[i], pin, (int)i);
    qsort(ranked, count, sizeof *ranked, compare);

    plan->count = count;
    plan->places = memory_zeroed(count, sizeof *plan->places, "a CPU plan");
    for (unsigned i = 0; i < count; i++)
        plan->places[i] = ranked[i].place;
    free(ranked);
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);
    return NULL;
}

bool topology_has_nodes(void) {
    return numa_available() != -1 && numa_num_configured_nodes() > 1;
}

bool topology_bind_thread(int cpu) {
    cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
    if (set == NULL)
        return false;
    size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
    CPU_ZERO_S(size, set);
    CPU_SET_S((size_t)cpu, size, set);
    bool bound = sched_setaffinity(0, size, set) == 0;
    CPU_FREE(set);
    return bound;
}
