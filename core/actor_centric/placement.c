/* Placement in clusters; the rules are in placement.h. */
#include "placement.h"

uint16_t placement_next_of(unsigned number) {
    static _Thread_local unsigned turn;
    const struct cluster *cluster = &executor.division.clusters[number];
    return (uint16_t)cluster->workers[turn++ % cluster->count];
}

uint16_t placement_deal_to_cluster(const struct worker *parent, uint64_t number) {
    const struct division *division = &executor.division;
    if (parent != NULL)
        return placement_next_of(division->cluster_of[parent->index]);
    const struct cluster *cluster = &division->clusters[number % division->count];
    return (uint16_t)cluster->workers[number / division->count % cluster->count];
}

/* Makes a worker the one that an actor was dealt to. */
static void deal_anew(struct mailbox *mailbox, unsigned worker, uint16_t home) {
    mailbox->initial = (uint16_t)worker;
    mailbox->home = home;
}

struct worker *placement_choose_in(unsigned cluster, struct worker *sender, struct mailbox *mailbox) {
    const unsigned *cluster_of = executor.division.cluster_of;
    if (cluster_of[mailbox->initial] != cluster)
        deal_anew(mailbox, placement_next_of(cluster), NO_HOME);
    if (executor.options.placement == PLACE_ROUND_ROBIN)
        return &executor.workers[placement_next_of(cluster)];
    bool is_near = sender != NULL && cluster_of[sender->index] == cluster;
    return placement_choose(is_near ? sender : NULL, mailbox);
}

struct worker *placement_bind(unsigned worker, struct mailbox *mailbox) {
    deal_anew(mailbox, worker, (uint16_t)worker);
    return &executor.workers[worker];
}
