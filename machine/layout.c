/* The layout, from hwloc's tree. */
#include "layout.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct layout layout;

_Noreturn static void refuse(const char *why) {
    (void)fprintf(stderr, "simulated machine: its topology %s\n", why);
    exit(2);
}

static hwloc_topology_t load(const char *description) {
    hwloc_topology_t tree;
    if (hwloc_topology_init(&tree) != 0)
        refuse("cannot be read: out of memory");
    int refused = access(description, R_OK) == 0 ? hwloc_topology_set_xml(tree, description)
                                                 : hwloc_topology_set_synthetic(tree, description);
    if (refused != 0 || hwloc_topology_load(tree) != 0)
        refuse("is neither a readable hwloc XML file nor a synthetic description");
    return tree;
}

/* The number of the object of a type above a core, or `other` where the tree has none. */
static unsigned above(hwloc_topology_t tree, hwloc_obj_type_t type, hwloc_obj_t core, unsigned other) {
    hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(tree, type, core);
    return found == NULL ? other : found->logical_index;
}

static unsigned node_of(hwloc_topology_t tree, hwloc_obj_t core) {
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_NUMANODE, node)) != NULL;)
        if (hwloc_bitmap_isincluded(core->cpuset, node->cpuset))
            return node->logical_index;
    return 0;
}

static unsigned most(unsigned left, unsigned right) {
    return left > right ? left : right;
}

static void place_cores(hwloc_topology_t tree) {
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_CORE, core)) != NULL) {
        unsigned number = layout.cores++;
        if (number == MOST_CORES)
            refuse("has more than 256 cores");
        struct core_place *place = &layout.place[number];
        place->package = above(tree, HWLOC_OBJ_PACKAGE, core, 0);
        place->node = node_of(tree, core);
        place->l2 = above(tree, HWLOC_OBJ_L2CACHE, core, number);
        place->l3 = above(tree, HWLOC_OBJ_L3CACHE, core, place->package);
        layout.l2s = most(layout.l2s, place->l2 + 1);
        layout.l3s = most(layout.l3s, place->l3 + 1);
        layout.packages = most(layout.packages, place->package + 1);
        layout.nodes = most(layout.nodes, place->node + 1);
        layout.package_of_node[place->node] = place->package;
    }
    if (layout.cores == 0)
        refuse("has no cores");
    if (layout.nodes > MOST_NODES)
        refuse("has more than 64 nodes");
}

/* Units have the kernel's numbers, which a synthetic description gives in hwloc's order. */
static void place_units(hwloc_topology_t tree) {
    hwloc_obj_t unit = NULL;
    while ((unit = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_PU, unit)) != NULL) {
        if (unit->os_index >= MOST_UNITS)
            refuse("has more than 1024 processing units");
        layout.core_of[unit->os_index] = above(tree, HWLOC_OBJ_CORE, unit, 0);
        layout.units = most(layout.units, unit->os_index + 1);
    }
}

static void measure_nodes(const char *hops) {
    for (unsigned i = 0; i < layout.nodes; i++)
        for (unsigned j = 0; j < layout.nodes; j++)
            layout.between_nodes[i][j] = i == j                                                   ? SAME_L3
                                         : layout.package_of_node[i] == layout.package_of_node[j] ? SAME_PACKAGE
                                                                                                  : REMOTE;
    if (strcmp(hops, "-") == 0)
        return;
    char *at = (char *)(uintptr_t)hops;
    for (unsigned i = 0; i < layout.nodes; i++) {
        for (unsigned j = 0; j < layout.nodes; j++) {
            char *end;
            unsigned long count = strtoul(at, &end, 10);
            if (end == at)
                refuse("and its hops do not fit: they are a row a node, separated by commas");
            if (count > 1 && layout.between_nodes[i][j] == REMOTE)
                layout.between_nodes[i][j] = FAR;
            at = end;
        }
        at += *at == ',';
    }
    if (*at != '\0')
        refuse("and its hops do not fit: they are a row a node, separated by commas");
}

static void measure_cores(void) {
    for (unsigned i = 0; i < layout.cores; i++)
        for (unsigned j = 0; j < layout.cores; j++) {
            const struct core_place *one = &layout.place[i], *other = &layout.place[j];
            layout.between_cores[i][j] = i == j                     ? SAME_CORE
                                         : one->l2 == other->l2     ? SAME_L2
                                         : one->l3 == other->l3     ? SAME_L3
                                         : one->node == other->node ? SAME_PACKAGE
                                                                    : layout.between_nodes[one->node][other->node];
        }
}

void layout_make(const struct description *description) {
    hwloc_topology_t tree = load(description->topology);
    place_cores(tree);
    place_units(tree);
    hwloc_topology_destroy(tree);
    measure_nodes(description->hops);
    measure_cores();
}
