/* Interest sets by io_uring: a ring a set, and a poll request a descriptor that tells again and again (IORING_POLL_ADD_MULTI). What
 * is ready lies in memory that the kernel writes, so that a poll that finds nothing makes no system call.
 *
 * A request holds its file, so it must be taken out before a close is a close. */
#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>

#include "backend.h"
#include "platform/fatal.h"
#include "platform/memory.h"
#include "platform/spinlock.h"

enum {
    SUBMISSIONS = 64,
    COMPLETIONS = 4096, /* what does not fit the kernel keeps elsewhere */
    INTERESTED = POLLIN | POLLOUT | POLLRDHUP,
};
#define NOBODYS UINT64_MAX /* the user data of a removal */

struct interest {
    struct io_uring ring;
    struct spinlock submitting;
};

static struct interest *uring_make(void) {
    struct interest *interest = (struct interest *)memory_zeroed(1, sizeof *interest, "an interest set");
    struct io_uring_params parameters = {.flags = IORING_SETUP_CQSIZE, .cq_entries = COMPLETIONS};
    int refused = io_uring_queue_init_params(SUBMISSIONS, &interest->ring, &parameters);
    if (refused != 0) {
        free(interest);
        errno = -refused;
        return NULL;
    }
    spinlock_init(&interest->submitting);
    return interest;
}

static void uring_free(struct interest *interest) {
    io_uring_queue_exit(&interest->ring);
    free(interest);
}

static int uring_descriptor(const struct interest *interest) {
    return interest->ring.ring_fd;
}

/* A request's place in the ring; one is there always, as each is submitted under the lock that it was made under. */
static struct io_uring_sqe *begin(struct interest *interest) {
    spinlock_acquire(&interest->submitting);
    struct io_uring_sqe *request = io_uring_get_sqe(&interest->ring);
    if (request == NULL)
        fatal("the ring of an interest set has no place for a request, though none waits in it");
    return request;
}

static int submit(struct interest *interest) {
    int submitted;
    do
        submitted = io_uring_submit(&interest->ring);
    while (submitted == -EINTR || submitted == -EAGAIN);
    spinlock_release(&interest->submitting);
    return submitted;
}

static bool uring_add(struct interest *interest, int descriptor, uint64_t watch) {
    struct io_uring_sqe *request = begin(interest);
    io_uring_prep_poll_multishot(request, descriptor, INTERESTED);
    io_uring_sqe_set_data64(request, watch);
    int submitted = submit(interest);
    if (submitted < 0)
        errno = -submitted;
    return submitted >= 0;
}

/* By a general cancellation: a removal of the poll request (IORING_OP_POLL_REMOVE) is refused while it has something to tell. */
static void uring_remove(struct interest *interest, uint64_t watch) {
    struct io_uring_sqe *request = begin(interest);
    io_uring_prep_cancel64(request, watch, 0);
    io_uring_sqe_set_data64(request, NOBODYS);
    int submitted = submit(interest);
    if (submitted < 0)
        fatal("io_uring does not take a request back: error %d", -submitted);
}

static unsigned uring_poll(struct interest *interest, struct ready *ready, unsigned most) {
    struct io_uring_cqe *told[READY_MOST];
    unsigned count = io_uring_peek_batch_cqe(&interest->ring, told, most), found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (told[i]->user_data == NOBODYS || told[i]->res == -ECANCELED)
            continue;
        uint32_t events = told[i]->res < 0 ? POLLERR : (uint32_t)told[i]->res;
        ready[found++] = (struct ready){told[i]->user_data, events, (told[i]->flags & IORING_CQE_F_MORE) == 0};
    }
    io_uring_cq_advance(&interest->ring, count);
    return found;
}

const struct backend backend_uring = {
    .name = "io_uring",
    .make = uring_make,
    .free = uring_free,
    .descriptor = uring_descriptor,
    .add = uring_add,
    .remove = uring_remove,
    .poll = uring_poll,
};
