/* bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply (Savina,
 * Imam and Sarkar, AGERE 2014: "Bank Transaction").
 *
 * The teller sends all transfers at once, each to its source. The source takes the amount off its balance, sends the
 * transfer on to its target, which adds the amount and sends it back, and tells the teller. Until then the source
 * handles nothing else: what comes meanwhile, it stashes. A target's number is higher than its source's, so that no
 * accounts wait for each other in a circle.
 *
 * Amounts are whole numbers, so that balances are exact. An account's replies come in the order in which the teller has
 * sent its transfers, which it checks.
 */
#include <stdlib.h>

#include "draw.h"

static uint64_t accounts = 1000, transactions = 50000;
static uint64_t total; /* transactions */

enum { HIGHEST_AMOUNT = 1000 };

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct account account;

enum stage { DEBIT, CREDIT, REPLY };

/* From the teller to its source, to its target, back to its source, and back to the teller. */
typedef struct transfer transfer;
struct transfer {
    struct actorbench_message message;
    enum stage stage;
    uint64_t amount;
    account *source, *target;
    transfer *next; /* in an account's stash */
};
ACTORBENCH_MESSAGE_TYPE(transfer)

struct account {
    struct actorbench_actor actor;
    uint64_t balance;
    bool waits;                /* for a reply */
    transfer *stash, **newest; /* the oldest; where the next to come is linked */
    const transfer *last;      /* that it has had the reply to */
    uint64_t overtaken;        /* replies that came after a later one */
};
#define BEHAVIOURS_account(ON) ON(account, transfer, account_handles)
ACTORBENCH_ACTOR_TYPE(account)

typedef struct {
    struct actorbench_actor actor;
    uint64_t ended; /* transfers */
} teller;
#define BEHAVIOURS_teller(ON) ON(teller, notice, teller_begins) ON(teller, transfer, teller_hears)
ACTORBENCH_ACTOR_TYPE(teller)

static account *all;
static transfer *transfers;
static teller the_teller;

/* A transaction's parts, as the suite draws them: the source is of the lower four fifths. */
static uint64_t source_of(uint64_t number) {
    return upper_below(draw(0, number), accounts / 10 * 8);
}
static uint64_t target_of(uint64_t number) {
    uint64_t source = source_of(number), further = lower_below(draw(0, number), accounts - source);
    return source + (further == 0 ? 1 : further);
}
static uint64_t amount_of(uint64_t number) {
    return 1 + upper_below(draw(1, number), HIGHEST_AMOUNT);
}

static enum actorbench_allocation teller_begins(teller *self, notice *message) {
    (void)self;
    (void)message;
    for (uint64_t i = 0; i < total; i++) {
        transfer *each = &transfers[i];
        actorbench_message_init(transfer, each, ACTORBENCH_NODELETE);
        each->amount = amount_of(i);
        each->source = &all[source_of(i)];
        each->target = &all[target_of(i)];
        actorbench_send(account, each->source, each);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation teller_hears(teller *self, transfer *ended) {
    (void)ended;
    if (++self->ended < total)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < accounts; i++)
        actorbench_send(account, &all[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static void handle(account *self, transfer *what) {
    if (what->stage == DEBIT) {
        self->balance -= what->amount;
        self->waits = true;
        what->stage = CREDIT;
        actorbench_send(account, what->target, what);
    } else {
        self->balance += what->amount;
        what->stage = REPLY;
        actorbench_send(account, what->source, what);
    }
}

static void put_into_stash(account *self, transfer *what) {
    what->next = NULL;
    *self->newest = what;
    self->newest = &what->next;
}

static transfer *take_from_stash(account *self) {
    transfer *oldest = self->stash;
    self->stash = oldest->next;
    if (self->stash == NULL)
        self->newest = &self->stash;
    return oldest;
}

static enum actorbench_allocation account_handles(account *self, transfer *what) {
    if (what->stage == REPLY) {
        self->waits = false;
        self->overtaken += what < self->last;
        self->last = what;
        actorbench_send(teller, &the_teller, what);
        while (!self->waits && self->stash != NULL)
            handle(self, take_from_stash(self));
    } else if (self->waits) {
        put_into_stash(self, what);
    } else {
        handle(self, what);
    }
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"accounts", &accounts, NULL, 10, "that transfer to each other"},
    {"transactions", &transactions, NULL, 1, "in all; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "bank-transaction",
    .summary = "a teller has accounts transfer money to each other; an account waits for the other's reply",
    .unit = "transaction",
    .parameters = parameters,
};

/* Draws all transactions again, and compares. Balances begin at 0, and are modulo 2^64: no account is overdrawn. */
static void verify(void) {
    uint64_t *due = calloc(accounts, sizeof *due);
    if (due == NULL)
        workload_refuse("--accounts %llu: there is not enough memory for the check", (unsigned long long)accounts);
    for (uint64_t i = 0; i < total; i++) {
        due[source_of(i)] -= amount_of(i);
        due[target_of(i)] += amount_of(i);
    }
    for (uint64_t i = 0; i < accounts; i++)
        if (all[i].balance != due[i] || all[i].overtaken != 0) {
            workload_wrong("account %llu has changed by %lld in place of %lld, and %llu replies came after a later one",
                           (unsigned long long)i, (long long)all[i].balance, (long long)due[i],
                           (unsigned long long)all[i].overtaken);
            break;
        }
    free(due);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    total = workload_scaled(transactions);
    if (accounts > UINT32_MAX || total > UINT32_MAX)
        workload_refuse("--accounts and the transactions must each be under 2^32");
    all = calloc(accounts, sizeof *all);
    transfers = calloc(total, sizeof *transfers);
    if (all == NULL || transfers == NULL)
        workload_refuse("there is not enough memory for %llu accounts and %llu transfers", (unsigned long long)accounts,
                        (unsigned long long)total);

    workload_start_executor();
    static notice begin;
    actorbench_message_init(notice, &begin, ACTORBENCH_NODELETE);
    actorbench_actor_init(teller, &the_teller);
    for (uint64_t i = 0; i < accounts; i++) {
        actorbench_actor_init(account, &all[i]);
        all[i].newest = &all[i].stash;
    }
    workload_start_clock();
    actorbench_send(teller, &the_teller, &begin);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(transfers);
    free(all);
    return workload_end(total, 0);
}
