/* Dealing out actors. */
#include "deal.h"

#include <stdlib.h>

#include "census.h"
#include "crew.h"
#include "lane.h"
#include "platform/memory.h"

/* A mailbox that a row comes to has two thirds as many actors. After one lap of each length it would have a third, and few actors in all would
 * be spread unevenly: a thief takes mailboxes as they are. */
enum {
    FIRST_ROW = 4, /* of main's, */
    LONGEST_ROW = 1024,
    ROW_LAPS = 2,         /* of each length; */
    LONGEST_STRETCH = 64, /* and of a behaviour's */
};

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

/* ---- By number ---------------------------------------------------------------------------------------------------- */

/* Numbers that follow each other, whose actors share a mailbox. */
struct numbers {
    uint64_t first, size;
    unsigned mailbox; /* by number */
};

static struct numbers find_numbers(uint64_t number) {
    unsigned count = sharding.mailbox_count, size = FIRST_ROW;
    struct numbers row = {.first = number, .size = 1, .mailbox = (unsigned)(number % count)};
    if (executor_has(MECHANISM_NEAR) && number >= count) {
        number -= count;
        uint64_t laps = (uint64_t)ROW_LAPS * count * FIRST_ROW;
        for (; size < LONGEST_ROW && number >= laps; size *= FIRST_ROW, laps *= FIRST_ROW)
            number -= laps;
        row.first -= number % size;
        row.size = size;
        row.mailbox = take_turn((unsigned)(number / size % count));
    }
    return row;
}

static struct mailbox *mailbox_at(unsigned number) {
    unsigned owner = sharding_owner(number);
    return &executor.workers[owner].mailboxes[number - sharding_first(owner)];
}

/* ---- Rows that wait ----------------------------------------------------------------------------------------------- */

/* Actors of one thread's that share a mailbox, which is not chosen before it must be. */
struct row {
    struct mailbox face;              /* what their tickets point to until then */
    ATOMIC(struct mailbox *) mailbox; /* NULL: not yet chosen; relaxed, as mailboxes are there from the start */
    struct row *older;                /* of all */
    struct row *next;                 /* that waits, of the thread's */
    unsigned turn;                    /* whose turn it is: a mailbox, by number */
    uint64_t actors;
};

/* A thread that is no worker, as it deals. To find a number's row takes ten divisions: so the latest is kept. */
struct dealer {
    uint64_t round; /* producers.round: what follows is of that one */
    struct numbers numbers;
    struct mailbox *ticket; /* of actors with these, */
    struct row *latest;     /* and their row, NULL if it does not wait */
    struct row *first;      /* of the rows that wait, up to the latest; NULL: none */
};

static _Thread_local struct dealer this_dealer;

static inline bool is_in_latest(const struct dealer *dealer, uint64_t number) {
    return dealer->round == producers.round && number - dealer->numbers.first < dealer->numbers.size;
}

unsigned deal_number(uint64_t number) {
    struct dealer *dealer = &this_dealer;
    return is_in_latest(dealer, number) ? dealer->numbers.mailbox : find_numbers(number).mailbox;
}

static struct row *row_make(unsigned turn) {
    struct row *row = (struct row *)memory_on_node(sizeof *row, CACHE_LINE, ANY_NODE, "a row of actors");
    mailbox_init(&row->face, NO_MAILBOX);
    atomic_initialise(&row->mailbox, NULL);
    row->next = NULL;
    row->turn = turn;
    row->actors = 0;
    row->older = atomic_load_relaxed(&executor.rows);
    while (!atomic_cas_acq_rel(&executor.rows, &row->older, row)) /* pairs with the exchange in deal_release */
        continue;
    return row;
}

void deal_release(void) {
    struct row *older, *row = atomic_exchange_acq_rel(&executor.rows, (struct row *)NULL);
    for (; row != NULL; row = older) {
        older = row->older;
        free(row);
    }
}

/* A row's mailbox: this one, unless somebody else was faster. The order pairs with nothing, as mailboxes are there from the start. */
static struct mailbox *choose(struct row *row, unsigned number) {
    struct mailbox *chosen = NULL, *mailbox = mailbox_at(number);
    return atomic_cas_acq_rel(&row->mailbox, &chosen, mailbox) ? mailbox : chosen;
}

/* Chooses for all rows of a thread's that wait. */
static void choose_all(struct dealer *dealer) {
    uint64_t rows = 0, actors = 0, before = 0;
    for (const struct row *row = dealer->first; row != NULL; row = row->next) {
        rows++;
        actors += row->actors;
    }
    bool in_turn = rows <= sharding.mailbox_count || atomic_load_relaxed(&executor.places);
    for (struct row *row = dealer->first; row != NULL; row = row->next) {
        uint64_t share = before * sharding.mailbox_count / actors;
        before += row->actors;
        dealer->ticket = choose(row, in_turn ? row->turn : (unsigned)share);
    }
    dealer->first = dealer->latest = NULL;
}

struct mailbox *deal_settle(struct actorbench_actor *actor, struct mailbox *face) {
    struct row *row = (struct row *)face; /* its first member */
    struct mailbox *mailbox = atomic_load_relaxed(&row->mailbox);
    if (unlikely(mailbox == NULL)) {
        if (this_dealer.round == producers.round && this_dealer.first != NULL)
            choose_all(&this_dealer);
        mailbox = choose(row, row->turn);
    }
    atomic_store_relaxed(&actor->ticket, (uintptr_t)mailbox); /* whoever does so stores the same */
    return mailbox;
}

/* ---- Dealing ------------------------------------------------------------------------------------------------------ */

static void begin_row(struct dealer *dealer, uint64_t number) {
    if (dealer->round != producers.round)
        *dealer = (struct dealer){.round = producers.round};
    dealer->numbers = find_numbers(number);
    dealer->ticket = mailbox_at(dealer->numbers.mailbox);
    if (crew.count == 1 || !executor_has(MECHANISM_NEAR))
        return;
    struct row *row = row_make(dealer->numbers.mailbox);
    dealer->ticket = &row->face;
    if (dealer->first == NULL)
        dealer->first = row;
    else
        dealer->latest->next = row;
    dealer->latest = row;
}

static struct mailbox *deal_outside(uint64_t number) {
    struct dealer *dealer = &this_dealer;
    if (unlikely(!is_in_latest(dealer, number)))
        begin_row(dealer, number);
    if (dealer->latest != NULL)
        dealer->latest->actors++;
    return dealer->ticket;
}

void deal_init(struct worker *worker) {
    bool spreads = executor.options.steal != STEAL_NONE || crew.count == 1;
    worker->deal_share = executor_has(MECHANISM_NEAR) && spreads ? sharding_share(worker->index) : 0;
    worker->deal_slot = worker->deal_slots = sharding_slots(worker->index);
    worker->deal_left = worker->deal_stretch = 0;
}

/* The next of the worker's slots gets the next actors. Downwards: few of main's share a mailbox with few of a behaviour's. */
static void begin_stretch(struct worker *worker) {
    if (worker->deal_slot == worker->deal_slots) {
        worker->deal_slot += worker->deal_share;
        unsigned twice = worker->deal_stretch * 2;
        worker->deal_stretch = twice == 0 ? 1 : twice < LONGEST_STRETCH ? twice : LONGEST_STRETCH;
    }
    worker->deal_slot--;
    worker->deal_left = worker->deal_stretch;
}

struct mailbox *deal(struct worker *worker) {
    if (worker == NULL)
        return deal_outside(census_add(1));
    uint64_t made = account_add(&worker->account);
    if (worker->deal_share == 0)
        return mailbox_at(deal_number(made));
    if (worker->deal_left == 0)
        begin_stretch(worker);
    worker->deal_left--;
    return slot_mailbox(worker->deal_slot);
}
