/* hwloc's tree, for the files of platform/ that read it. */
#ifndef ACTORBENCH_PLATFORM_TOPOLOGY_TREE_H
#define ACTORBENCH_PLATFORM_TOPOLOGY_TREE_H

#include <hwloc.h>

/* The tree of this machine (NULL) or of a described one; NULL and *why if it cannot be read. The caller destroys it. */
hwloc_topology_t topology_tree(const char *description, const char **why);

#endif
