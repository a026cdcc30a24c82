/* Dealing out actors. */
#include "deal.h"

#include "census.h"
#include "crew.h"
#include "lane.h"

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

/* Numbers that follow each other, whose actors share a mailbox. */
struct row {
    uint64_t first, size;
    unsigned mailbox, owner; /* by number */
};

static struct row find_row(uint64_t number) {
    unsigned count = sharding.mailbox_count, size = FIRST_ROW;
    struct row row = {.first = number, .size = 1, .mailbox = (unsigned)(number % count)};
    if (executor_has(MECHANISM_NEAR) && number >= count) {
        number -= count;
        for (; size < LONGEST_ROW && number >= (uint64_t)count * size; size *= FIRST_ROW)
            number -= (uint64_t)count * size;
        row.first -= number % size;
        row.size = size;
        row.mailbox = take_turn((unsigned)(number / size % count));
    }
    row.owner = sharding_owner(row.mailbox);
    return row;
}

/* The row of a number: most often that of the calling thread's number before, which is remembered, as to find one takes ten divisions. */
static const struct row *row_of(uint64_t number) {
    static _Thread_local struct {
        uint64_t round; /* producers.round: what follows is of that one */
        struct row row;
    } latest;
    if (latest.round != producers.round || number - latest.row.first >= latest.row.size) {
        latest.row = find_row(number);
        latest.round = producers.round;
    }
    return &latest.row;
}

unsigned deal_number(uint64_t number) {
    return row_of(number)->mailbox;
}

unsigned deal_owner(uint64_t number) {
    return row_of(number)->owner;
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
    const struct row *row = row_of(made);
    return &executor.workers[row->owner].mailboxes[row->mailbox - sharding_first(row->owner)];
}
