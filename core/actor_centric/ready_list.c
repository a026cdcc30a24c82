/* Pushes and sleepers. */
#include "ready_list.h"

#include "state.h"

struct worker *ready_list_push(struct ready_list *list, struct mailbox *mailbox) {
    ready_list_lock(list);
    ready_chain_append(&list->chain, mailbox);
    struct worker *sleeper = list->sleepers;
    if (sleeper != NULL)
        list->sleepers = sleeper->next_sleeper;
    ready_list_unlock(list);
    return sleeper;
}

bool ready_list_join_sleepers(struct ready_list *list, struct worker *worker) {
    ready_list_lock(list);
    bool is_empty = list->chain.count == 0;
    if (is_empty) {
        worker->next_sleeper = list->sleepers;
        list->sleepers = worker;
    }
    ready_list_unlock(list);
    return is_empty;
}

void ready_list_leave_sleepers(struct ready_list *list, struct worker *worker) {
    ready_list_lock(list);
    for (PLAIN(struct worker *) *link = &list->sleepers; *link != NULL; link = &(*link)->next_sleeper)
        if (*link == worker) {
            *link = worker->next_sleeper;
            break;
        }
    ready_list_unlock(list);
}
