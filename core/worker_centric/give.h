/* Giving: a worker that is asked gives mailboxes with about half of what waits to an idle one.
 *
 * What waits in a run queue is its worker's own: no thief can take it. So a thief asks (steal.h), and the worker answers at the
 * end of the behaviour that it runs, since every run looks at the word `call` before the next one (Acar, Charguéraud and Rainey,
 * "Scheduling Parallel Programs by Work Stealing with Private Deques", PPoPP 2013). It lets go of mailboxes, with their
 * messages, and exchanges each for one in a slot of the thief's, by the swap of a theft (slots.h), made by the victim: for an empty one, or if
 * there is none, for the one with the fewest messages, if that has less than half as many. For the thief's own that the worker has borrowed
 * leave it as well, with what little waits for them, and may be all that the thief has.
 *
 * It keeps what it has if that, or the half to give, is not worth the way (pace.h), or if nearly all is for one mailbox. To
 * find out it must go through its run queue. So that this costs little however often it is asked, it is deaf after each answer,
 * for as long as the answer took, and DEAF times as long if there was nothing to give. And a run queue so long that to go through
 * it takes longer than the way it first runs for as long as that: what is short work may be done by then, and if not,
 * the answer has at most doubled the time. Of so long a one it looks at a sample first; if that shows nothing to give it is deaf for as long as if it
 * had looked at all.
 *
 * Coarse messages, of COARSE_NS or more, are not worth holding mailboxes for: what that saves is little beside them, and what is sent to a held one
 * waits, though others could run it, behind all that its worker has taken before. So the worker takes one mailbox at a time, and lets go of it at
 * the end of the run; all others lie in its slots, where any thief finds them while it runs a behaviour (steal.h). One that asks is given every other
 * one that has messages, and what these are it is told. A run queue so long that to sort it out takes longer than a message stays until it is shorter;
 * and a lone message that goes round keeps its mailboxes, which nobody else could use: let go of, they would have it cross each time.
 *
 * A behaviour that sends millions would have all of them wait for its end, and each costs memory; and one that works on between its sends
 * would keep them from workers that are idle meanwhile. So where a behaviour fills block after block with what it sends, its worker looks at the
 * clock, at first with each block and then whenever twice as much waits as at the last look. If the sends since then took longer than a thief
 * needs to come and to fetch what was sent, or once MIDWAY messages wait, what is behind the envelope that runs is sorted out in its midst: if
 * half of it is for others, or if an idle worker asks. Then mailboxes with half of it or somewhat more are given away, all but that of the actor
 * that runs. If nobody asks one is woken, as all may have found nothing to ask for. What is kept is sorted out again with the rest, and so not
 * before AGAIN times as much waits; and what is passed on goes by the block, each with a lock and 4 KiB, and so not before it would fill one for
 * each mailbox that the last was for.
 *
 * A long behaviour that sends little keeps that from others just so. So where messages are coarse, or nothing is known of them, the first HEEDS sends of
 * a run look: the run queue is left without room, and a send that finds none looks at the clock. Once the behaviour has taken OVERDUE_NS since it began
 * (or, if it is not the run's first, since it first sent), the worker lets go of all mailboxes but that of the actor that runs, if one of two holds.
 * An idle worker asks: it is given every other one that has messages. Or FEW messages wait at most: who has nothing to do finds them in the worker's
 * slots. Where more wait and nobody asks, to take all apart at each send would have the actors' lines go from cache to cache for nothing.
 *
 * The word `call`: uncalled(), or CALL_MOVED, if somebody has exchanged mailboxes in the worker's slots, and so it may hold what is no longer
 * in them (hold.h); CALL_AWAITED, if somebody waits for what is in its out-boxes, which are flushed at the end of the run; and above
 * that who asks, as a number from 1. Only the worker takes anything out, all at once.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_GIVE_H
#define ACTORBENCH_WORKER_CENTRIC_GIVE_H

#include "pace.h"
#include "state.h"

enum { CALL_MOVED = 1, CALL_AWAITED = 2, CALL_ASKED = 4 };
enum {
    DEAF = TESTED(16, 0),
    /* 256 KiB of envelopes. With 1 MiB repeat, whose client sends 100,000 at once, takes a tenth more time on simulated workers, and counting more
     * memory; with 128 KiB counting takes more time. With 1,250 messages actor-creation takes half as long again: what is run soon is given before. */
    MIDWAY = TESTED(SLAB_BLOCKS * BLOCK_ENVELOPES / 4, 2),
    AGAIN = 4,
    HEEDS = 64,
    OVERDUE_NS = TESTED(50 * 1000, 0),
    FEW = TESTED(4, 2),
};

/* Before there are workers. */
void give_init(void);

/* For a thief: asks, unless another one does. From the thief's thread. */
void give_ask(struct worker *victim, const struct worker *thief);

/* Tells a worker that mailboxes in its slots have been exchanged, and wakes it, should it sleep. From any worker's thread. */
void give_tell(struct worker *other);

/* For a worker that has nothing to do: has others send what they have in out-boxes for its mailboxes. */
void give_hurry(const struct worker *worker);

/* Ends the run of the calling worker. */
void give_end_run(struct worker *worker);

/* Does what others have called for. Not from a behaviour. */
void give_answer(struct worker *worker);

/* At the end of a run, once others have been answered: lets go of all mailboxes, if messages are coarse, and more than one `waited` when it began
 * or waits now. Not from a behaviour. */
void give_end_of_coarse(struct worker *worker, uint64_t waited);

/* Passes on and gives what waits, if that is much, in the midst of a behaviour that has filled a block. From a send. */
void give_midway(struct worker *worker);

/* Before a run: has its first sends look, or not. */
void give_begin_run(struct worker *worker);

/* A send that looks, in a run that has such sends left. */
void give_send(struct worker *worker, struct envelope envelope);

/* How many messages wait that the worker can be asked for, of `waiting`: 1 at most while it is deaf. */
uint64_t give_waiting(const struct worker *worker, uint64_t waiting);

#endif
