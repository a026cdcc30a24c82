/* Asking, and giving; the rules are in give.h. */
#include "give.h"

#include "crew.h"
#include "hold.h"
#include "lifecycle.h"
#include "pace.h"
#include "platform/clock.h"
#include "sharded/sleep.h"
#include "stats.h"

/* Whether others could run what a worker has. Who is alone passes nothing on; and without stealing much of what waits may be for mailboxes that
 * nobody else will take. */
static bool can_give(void) {
    return crew.count != 1 && executor.options.steal != STEAL_NONE;
}

/* Adds to what a worker is called for, unless that is in it. Release: pairs with the exchange in give_answer, which then sees the exchanged
 * slots. */
static void call(struct worker *worker, uintptr_t what, uintptr_t unless) {
    uintptr_t before = atomic_load_relaxed(&worker->call), called;
    do {
        called = before == uncalled(worker) ? 0 : before;
        if ((called & unless) != 0)
            return;
    } while (!atomic_cas_acq_rel(&worker->call, &before, called | what));
}

void give_ask(struct worker *victim, const struct worker *thief) {
    call(victim, ((uintptr_t)thief->index + 1) * CALL_ASKED, ~(uintptr_t)(CALL_ASKED - 1));
}

void give_hurry(const struct worker *worker) {
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++) {
        uint32_t boxed = atomic_load_relaxed(&slot_mailbox(&slots[i])->boxed);
        if (boxed != 0)
            call(&executor.workers[boxed - 1], CALL_AWAITED, CALL_AWAITED);
    }
}

void give_end_run(struct worker *worker) {
    call(worker, CALL_AWAITED, CALL_AWAITED);
}

void give_tell(struct worker *other) {
    call(other, CALL_MOVED, 0);
    sleep_wake_swapped(other);
}

/* Exchanges a mailbox with so many messages, in one of the worker's slots, for that of the thief's which nobody holds and which has the
 * fewest, less than half as many; false if there is none. */
static bool exchange(struct worker *worker, mailbox_slot *slot, struct mailbox *mailbox, uint64_t messages,
                     struct worker *thief) {
    mailbox_slot *slots = sharding_slots(thief->index), *theirs = NULL;
    struct mailbox *emptiest = NULL;
    uint64_t fewest = (messages + 1) / 2;
    for (unsigned i = 0; i < sharding_share(thief->index); i++) {
        struct mailbox *other = slot_mailbox(&slots[i]); /* or null, while the thief itself exchanges it */
        if (other == NULL || mailbox_holder(other) != NULL)
            continue;
        uint64_t waiting = mailbox_count(other);
        if (waiting >= fewest)
            continue;
        fewest = waiting;
        emptiest = other;
        theirs = &slots[i];
    }
    if (theirs == NULL)
        return false;
    bool exchanged = slots_swap(slot, mailbox, theirs, emptiest);
    count_statistic(&worker->statistics, steal_failed_swap, !exchanged);
    return exchanged;
}

/* Which of the mailboxes that have messages are handed over; the rest lie in the worker's slots for other thieves, and it will hold them again. */
enum part {
    EACH,
    EVERY_OTHER,   /* from the second on, as the worker that has let go of all would be left without any; */
    FROM_THE_FIRST /* the same where a behaviour runs: it has that */
};

/* Exchanges what the worker has let go of for mailboxes of the thief's, or what can be exchanged of that part; how many have messages. */
static unsigned hand_over(struct worker *worker, struct worker *thief, enum part part) {
    mailbox_slot *slots = sharding_slots(worker->index);
    unsigned filled = 0;
    for (unsigned i = 0; i < sharding_share(worker->index); i++) {
        struct mailbox *mailbox = slot_mailbox(&slots[i]);
        uint64_t messages = mailbox_count(mailbox);
        if (mailbox_holder(mailbox) != NULL || messages == 0)
            continue;
        enum part without = ++filled % 2 != 0 ? EVERY_OTHER : FROM_THE_FIRST;
        if (part == without || !exchange(worker, &slots[i], mailbox, messages, thief))
            continue;
        count_theft(&worker->statistics, steals, 1);
        count_theft(&worker->statistics, messages_stolen, messages);
    }
    give_tell(thief);
    return filled;
}

/* Whether the run queue is to be run for a while, from `now` on, before the worker goes through it for a thief. */
static bool puts_off(struct worker *worker, uint64_t now) {
    uint64_t waiting = run_queue_length(&worker->runs);
    worker->has_put_off = !worker->has_put_off && pace_is_long(waiting);
    if (worker->has_put_off)
        worker->deaf_until = now + waiting * SORT_NS;
    return worker->has_put_off;
}

/* How a thief was answered, and for how many times as long as that took the worker is deaf then. */
enum answer { GIVEN, REFUSED, REFUSED_BY_SAMPLE };
static uint64_t times_deaf(enum answer answer) {
    const uint64_t refused = DEAF;
    return answer == GIVEN ? 1 : answer == REFUSED ? refused : refused * SAMPLE_STEP;
}

/* Gives a thief of what waits, if there is anything to give. */
static enum answer give(struct worker *worker, struct worker *thief) {
    (void)hold_collect(worker, COLLECT_ALL);
    uint32_t work_ns = atomic_load_relaxed(&worker->work_ns); /* its own */
    uint64_t waiting = run_queue_length(&worker->runs);
    bool is_coarse = pace_is_coarse(worker);
    if (!pace_is_worth(waiting, work_ns))
        return REFUSED;
    if (pace_is_long(waiting) && !hold_seems_divisible(worker))
        return REFUSED_BY_SAMPLE;
    if (hold_leave(worker, is_coarse ? LEAVE_ALL : LEAVE_HALF) == 0 && !is_coarse)
        return REFUSED;
    atomic_store_relaxed(&thief->work_ns, work_ns); /* a hint: what it is given is of that kind */
    unsigned filled = hand_over(worker, thief, is_coarse ? EVERY_OTHER : EACH);
    return is_coarse && filled < 2 ? REFUSED : GIVEN;
}

void give_answer(struct worker *worker) {
    if (likely(!is_called(worker))) /* what is called now is answered next time */
        return;
    /* Acquire: pairs with the release in call(). */
    uintptr_t called = atomic_exchange_acq_rel(&worker->call, uncalled(worker));
    if (called & CALL_MOVED)
        (void)hold_leave(worker, LEAVE_MOVED);
    if (called < CALL_ASKED) /* what is awaited has been sent: the run has ended */
        return;
    struct worker *thief = &executor.workers[called / CALL_ASKED - 1];
    uint64_t now = clock_monotonic_ns();
    pace_judge_work(worker, now);
    if (now < worker->deaf_until || atomic_load_relaxed(&thief->waiting) != 0) /* it has found work elsewhere */
        return;
    if (puts_off(worker, now))
        return;
    enum answer answer = give(worker, thief);
    count_statistic(&worker->statistics, refusals, answer != GIVEN);
    uint64_t end = clock_monotonic_ns();
    worker->deaf_until = end + times_deaf(answer) * (end - now);
    if (answer == REFUSED_BY_SAMPLE)
        (void)hold_leave(worker, LEAVE_MOVED); /* may be all that the thief has */
    worker->pace.messages = 0;                 /* to sort out is no work of theirs */
}

void give_end_of_coarse(struct worker *worker, uint64_t waited) {
    if (likely(!pace_is_coarse(worker)) || !can_give())
        return;
    uint32_t work_ns = atomic_load_relaxed(&worker->work_ns); /* its own */
    uint64_t waiting = run_queue_length(&worker->runs);
    if ((waited > 1 || waiting > 1) && waiting * SORT_NS <= work_ns)
        (void)hold_leave(worker, LEAVE_ALL);
}

/* ---- In the midst of a behaviour --------------------------------------------------------------------------------- */

/* What stands behind the envelope that runs: nobody holds this actor's mailbox, so that a run which is called leaves it. */
static struct mailbox nowhere;
static struct actorbench_actor nobody;

void give_init(void) {
    mailbox_init(&nowhere, NO_MAILBOX);
    atomic_initialise(&nobody.ticket, (uintptr_t)&nowhere);
}

/* Passes on what waits behind the envelope that runs, lets go of mailboxes, and gives a part of these to a thief, or NULL; whether any leave. */
static bool give_behind(struct worker *worker, const PLAIN(struct envelope) * ran, enum leaving leaving,
                        struct worker *thief, enum part part) {
    struct run_queue *runs = &worker->runs;
    PLAIN(struct envelope) *next = runs->next;
    struct envelope envelope = ran[-1], stop = {.actor = &nobody};
    struct block *front = run_queue_part(runs, &worker->pool, ran, stop);
    bool gives = hold_leave_midway(worker, envelope.actor, leaving) != 0;
    run_queue_join(runs, front, next);
    if (gives && thief != NULL)
        (void)hand_over(worker, thief, part);
    count_statistic(&worker->statistics, refusals, !gives && thief != NULL);
    return gives;
}

/* The idle worker that asks and is to be heard, or NULL. What else is called for is done after the run, which ends with the behaviour. */
static struct worker *take_asker(struct worker *worker) {
    /* As in give_answer. */
    uintptr_t called = is_called(worker) ? atomic_exchange_acq_rel(&worker->call, uncalled(worker)) : 0;
    call(worker, called % CALL_ASKED | CALL_AWAITED, 0);
    struct worker *thief = called < CALL_ASKED ? NULL : &executor.workers[called / CALL_ASKED - 1];
    bool is_idle = thief != NULL && atomic_load_relaxed(&thief->waiting) == 0; /* else it has found work elsewhere */
    return is_idle && clock_monotonic_ns() >= worker->deaf_until ? thief : NULL;
}

/* Whether what waits behind the behaviour that runs is not to wait for its end: it is much, or it was sent so slowly that others could have run
 * it meanwhile. */
static bool is_overdue(const struct flood *flood, uint64_t waiting, uint64_t now) {
    uint64_t sent = waiting - flood->kept;
    return waiting >= flood->much || (flood->since != 0 && now > flood->since + WAY_NS + sent * LINES_NS);
}

/* Gives to who asks; how much is to wait before it is sorted out again, so that what is passed on fills blocks, too. */
static uint64_t give_meanwhile(struct worker *worker, const PLAIN(struct envelope) * ran) {
    struct worker *thief = take_asker(worker);
    bool passes = give_behind(worker, ran, thief != NULL ? LEAVE_HALF : LEAVE_MOVED, thief, EACH);
    if (thief == NULL)
        sleep_wake_one(worker); /* finds what was passed on to mailboxes in this one's slots, or asks */
    uint64_t least = MIDWAY, again = AGAIN * run_queue_length(&worker->runs);
    uint64_t blocks = passes ? (uint64_t)worker->outboxes.flushed * BLOCK_ENVELOPES : 0;
    uint64_t most = again > blocks ? again : blocks;
    return most > least ? most : least;
}

void give_midway(struct worker *worker) {
    struct flood *flood = &worker->flood;
    const PLAIN(struct envelope) *ran = lifecycle_envelope_end();
    if (flood->ran != ran) {
        *flood = (struct flood){.ran = ran, .much = MIDWAY};
        return;
    }
    uint64_t waiting = run_queue_length(&worker->runs);
    if (ran == NULL || waiting < flood->next || !can_give())
        return;
    uint64_t begin = clock_monotonic_ns(), end = begin, much = flood->much;
    if (is_overdue(flood, waiting, begin)) {
        much = give_meanwhile(worker, ran);
        waiting = run_queue_length(&worker->runs);
        end = clock_monotonic_ns();
        worker->pace.since += end - begin; /* to sort out is no work of theirs */
    }
    uint64_t twice = flood->since == 0 ? 0 : 2 * waiting;
    uint64_t next = waiting < much && twice > much ? much : twice;
    *flood = (struct flood){.ran = ran, .kept = waiting, .since = end, .next = next, .much = much};
}

/* ---- Sends that look ---------------------------------------------------------------------------------------------- */

void give_begin_run(struct worker *worker) {
    bool heeds = unlikely(!pace_is_short(worker)) && can_give();
    struct run_queue *runs = &worker->runs;
    if (heeds) {
        worker->heed = (struct heed){.left = HEEDS, .ran = runs->next + 1, .since = clock_monotonic_ns()};
        run_queue_shut(runs);
    } else if (worker->heed.left != 0) {
        worker->heed.left = 0;
        run_queue_open(runs);
    }
}

/* Whether an idle worker asks, as far as is known. */
static bool is_asked(const struct worker *worker) {
    return is_called(worker) && atomic_load_relaxed(&worker->call) >= CALL_ASKED;
}

/* Whether the behaviour with that envelope has run for long, and what waits behind it is not to wait for its end. */
static bool is_kept_waiting(const struct worker *worker, const PLAIN(struct envelope) * ran, uint64_t now) {
    return now >= worker->heed.since + OVERDUE_NS &&
           (is_asked(worker) || run_queue_length_behind(&worker->runs, ran) <= FEW);
}

void give_send(struct worker *worker, struct envelope envelope) {
    struct run_queue *runs = &worker->runs;
    run_queue_open(runs);
    run_queue_append(runs, &worker->pool, envelope);
    const PLAIN(struct envelope) *ran = lifecycle_envelope_end();
    uint64_t now = clock_monotonic_ns();
    if (ran != worker->heed.ran) {
        worker->heed.ran = ran;
        worker->heed.since = now;
    } else if (ran != NULL && is_kept_waiting(worker, ran, now)) {
        struct worker *thief = take_asker(worker);
        if (give_behind(worker, ran, LEAVE_ALL, thief, FROM_THE_FIRST) && thief == NULL)
            sleep_wake_one(worker);                       /* finds what was let go of */
        worker->pace.since += clock_monotonic_ns() - now; /* to sort out is no work of theirs */
    }
    if (--worker->heed.left != 0)
        run_queue_shut(runs);
}

uint64_t give_waiting(const struct worker *worker, uint64_t waiting) {
    return waiting > 1 && worker->pace.since < worker->deaf_until ? 1 : waiting;
}
