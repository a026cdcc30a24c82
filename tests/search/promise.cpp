/* Promises (messaging/promise.h): who asks sees the answer, or that none comes; no wake-up is lost; the storage is given back once,
 * after both owners' last use. Barriers likewise. */
#include "search.h"

#include "platform/parking.h"

#include "messaging/promise.c"

struct question {
    struct actorbench_message message;
    struct actorbench_promise promise;
    search::plain<unsigned> answer;
};

static const struct actorbench_message_type question_type = {"question", NULL, sizeof(struct question), NULL};

void storage_give(void *block, size_t) {
    free(block);
}

void actorbench_message_construct(struct actorbench_message *message, const struct actorbench_message_type *type,
                                  enum actorbench_allocation fate) {
    message->type = type;
    message->allocation = fate;
}

/* Who goes on with a promise. */
struct asker {
    struct actorbench_actor actor;
    search::plain<bool> goes_on; /* written before it asks for that */
};

/* A send is a flag here, with the order that a mailbox gives. */
static ATOMIC(uint32_t) *posted;

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *,
                                         actorbench_behaviour *) {
    ALWAYS(((struct asker *)receiver)->goes_on);
    ALWAYS(atomic_load_relaxed(posted) == 0);
    atomic_store_release(posted, 1);
    return receiver;
}

enum { ASKER, RECEIVER, RECEIVERS_FRIEND };

struct asked {
    struct question *question;
    ATOMIC(uint32_t) is_posted;

    void make() {
        question = search::zeroed<struct question>();
        actorbench_message_construct(&question->message, &question_type, ACTORBENCH_DESTROY);
        (void)actorbench_promise_make(&question->message, offsetof(struct question, promise));
        question->answer = 0;
        atomic_initialise(&is_posted, 0);
        posted = &is_posted;
    }
    /* The behaviour that answers, and the end of its message. */
    void receive(bool keeps) {
        if (keeps) {
            question->answer = 7;
            actorbench_promise_settle(&question->promise, ACTORBENCH_KEPT);
        }
        actorbench_promise_give_up(&question->promise);
    }
    void expect(enum actorbench_promise_state state) {
        ALWAYS(actorbench_future_look(&question->promise) == state);
        ALWAYS(question->answer == (state == ACTORBENCH_KEPT ? 7u : 0u));
    }
};

template <bool KEEPS> struct waited : search::scenario<waited<KEEPS>, 2>, asked {
    void prepare() {
        make();
    }
    void thread(unsigned number) {
        if (number == RECEIVER) {
            receive(KEEPS);
            return;
        }
        ALWAYS(actorbench_future_await(&question->promise, ACTORBENCH_NO_TIMEOUT) ==
               (KEEPS ? ACTORBENCH_KEPT : ACTORBENCH_DROPPED));
        expect(KEEPS ? ACTORBENCH_KEPT : ACTORBENCH_DROPPED);
        actorbench_promise_release(&question->promise);
    }
    void finish() {
    }
};
struct kept : waited<true> {};
struct dropped : waited<false> {};

/* Who asks is done with it at once. */
struct released : search::scenario<released, 2>, asked {
    void prepare() {
        make();
    }
    void thread(unsigned number) {
        if (number == RECEIVER)
            receive(true);
        else
            actorbench_promise_release(&question->promise);
    }
    void finish() {
    }
};

/* An actor goes on with it: it comes once. */
struct continued : search::scenario<continued, 2>, asked {
    struct asker asker;

    void prepare() {
        make();
        asker.goes_on = false;
    }
    void thread(unsigned number) {
        if (number == RECEIVER) {
            receive(true);
            return;
        }
        asker.goes_on = true;
        actorbench_future_continue(&question->promise, &asker.actor, NULL);
        while (!atomic_load_acquire(&is_posted))
            cpu_yield();
        ALWAYS(question->answer == 7); /* whether or not it looks at the promise's state */
        expect(ACTORBENCH_KEPT);
        actorbench_promise_give_up(&question->promise);
    }
    void finish() {
    }
};

/* Two actors acknowledge: main sees what both have done. */
struct barrier : search::scenario<barrier, 3> {
    actorbench_barrier both;
    search::plain<bool> worked[3];

    void prepare() {
        actorbench_barrier_init(&both, 2);
        for (search::plain<bool> &one : worked)
            one = false;
    }
    void thread(unsigned number) {
        if (number != ASKER) {
            worked[number] = true;
            actorbench_barrier_acknowledge(&both);
            return;
        }
        ALWAYS(actorbench_barrier_wait(&both, ACTORBENCH_NO_TIMEOUT));
        ALWAYS(worked[RECEIVER] && worked[RECEIVERS_FRIEND]);
    }
    void finish() {
    }
};

SEARCHES(FULL(kept), FULL(dropped), FULL(released), FULL(continued), BOUNDED(barrier, 4))
