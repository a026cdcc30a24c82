/* Dealing out actors. */
#include "deal.h"

#include "census.h"
#include "crew.h"

enum { FIRST_ROW = 4, LONGEST_ROW = 1024 };

/* Which mailbox gets the next row, when `turn` of the mailboxes have had theirs: an eighth of each worker's in turn, there and back, and what
 * is left of them one by one. */
static unsigned take_turn(unsigned turn) {
    unsigned workers = crew.count, share = sharding.mailbox_count / workers, eighth = share < 8 ? 1 : share / 8;
    unsigned grouped = share - share % eighth;
    if (turn < grouped * workers) {
        unsigned place = turn / eighth % workers, lap = turn / eighth / workers;
        return sharding_first(lap % 2 == 0 ? place : workers - 1 - place) + lap * eighth + turn % eighth;
    }
    turn -= grouped * workers;
    return sharding_first(turn % workers) + grouped + turn / workers;
}

unsigned deal_number(uint64_t number) {
    unsigned count = sharding.mailbox_count, row = FIRST_ROW;
    if (!executor_has(MECHANISM_NEAR) || number < count)
        return (unsigned)(number % count);
    number -= count;
    for (; row < LONGEST_ROW && number >= (uint64_t)count * row; row *= FIRST_ROW)
        number -= (uint64_t)count * row;
    return take_turn((unsigned)(number / row % count));
}

void deal_init(struct worker *worker) {
    bool spreads = executor.options.steal != STEAL_NONE || crew.count == 1;
    worker->deal_share = executor_has(MECHANISM_NEAR) && spreads ? sharding_share(worker->index) : 0;
    worker->deal_slot = worker->deal_slots = sharding_slots(worker->index);
}

struct mailbox *deal(struct worker *worker) {
    uint64_t made = worker != NULL ? account_add(&worker->account) : census_add(1);
    if (worker != NULL && worker->deal_share != 0) {
        /* Downwards: few actors of main's share a mailbox with few of a behaviour's. */
        if (worker->deal_slot == worker->deal_slots)
            worker->deal_slot += worker->deal_share;
        return slot_mailbox(--worker->deal_slot);
    }
    unsigned number = deal_number(made);
    unsigned owner = sharding_owner(number);
    return &executor.workers[owner].mailboxes[number - sharding_first(owner)];
}
