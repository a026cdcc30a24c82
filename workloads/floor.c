/* floor: what the hardware permits, with no runtime at all; every send is measured against it.
 *
 * One thread: copies an envelope into a warm array, and from there calls through its pointer.
 * Two threads: one fills batches of envelopes in a ring, the other calls through them. With batches of 1 in a ring
 * of 1 each waits for the other, so that a send takes some crossings of a line from CPU to CPU.
 */
#include <pthread.h>
#include <string.h>

#include "platform/atomic.h"
#include "workload.h"

/* With 16 batches in the ring an envelope takes half as long again as with 64: what has just been read is slow to write. */
enum { MOST_BATCH = 256, MOST_BATCHES = 64, LINE = 128 };

static uint64_t sends = 100000000, threads = 1, batch_size = MOST_BATCH, batches = MOST_BATCHES;
static uint64_t expected;

struct receiver {
    uint64_t received;
};

struct envelope {
    struct receiver *receiver;
    void *message;
    void (*reaction)(struct receiver *, void *);
};

static void count(struct receiver *receiver, void *message) {
    (void)message;
    receiver->received++;
}

/* What the compiler must not know, or it would call `count` directly. */
static void (*volatile chosen_reaction)(struct receiver *, void *) = count;

static uint64_t one_thread(void) {
    static struct envelope array[MOST_BATCH];
    struct receiver receiver = {0};
    struct envelope envelope = {&receiver, &receiver, chosen_reaction};
    for (uint64_t i = 0; i < expected; i++) {
        struct envelope *slot = &array[i % MOST_BATCH];
        *slot = envelope;
        __asm__ volatile("" : : "r"(slot) : "memory"); /* the copy is made, and read back */
        slot->reaction(slot->receiver, slot->message);
    }
    return receiver.received;
}

/* A ring of batches: the producer owns batches produced .. consumed + batches - 1, the consumer the others. */
static struct {
    struct envelope slots[MOST_BATCHES][MOST_BATCH];
    __attribute__((aligned(LINE))) ATOMIC(uint64_t) produced;
    __attribute__((aligned(LINE))) ATOMIC(uint64_t) consumed;
} ring;

static uint64_t envelopes_in(uint64_t batch) {
    uint64_t left = expected - batch * batch_size;
    return left < batch_size ? left : batch_size;
}

static void *consume(void *unused) {
    (void)unused;
    for (uint64_t batch = 0; batch * batch_size < expected; batch++) {
        while (atomic_load_acquire(&ring.produced) == batch) /* pairs with the producer's release */
            continue;
        struct envelope *envelopes = ring.slots[batch % batches];
        for (uint64_t i = 0; i < envelopes_in(batch); i++)
            envelopes[i].reaction(envelopes[i].receiver, envelopes[i].message);
        atomic_store_release(&ring.consumed, batch + 1); /* pairs with the producer's acquire */
    }
    return NULL;
}

static uint64_t two_threads(void) {
    struct receiver receiver = {0};
    struct envelope envelope = {&receiver, &receiver, chosen_reaction};
    pthread_t consumer;
    int error = pthread_create(&consumer, NULL, consume, NULL);
    if (error != 0)
        workload_refuse("the second thread cannot be started: %s", strerror(error));
    for (uint64_t batch = 0; batch * batch_size < expected; batch++) {
        while (batch - atomic_load_acquire(&ring.consumed) == batches) /* pairs with the consumer's release */
            continue;
        struct envelope *envelopes = ring.slots[batch % batches];
        for (uint64_t i = 0; i < envelopes_in(batch); i++)
            envelopes[i] = envelope;
        atomic_store_release(&ring.produced, batch + 1); /* pairs with the consumer's acquire */
    }
    error = pthread_join(consumer, NULL);
    if (error != 0)
        workload_refuse("the second thread cannot be joined: %s", strerror(error));
    return receiver.received;
}

static const struct parameter parameters[] = {
    {"sends", &sends, NULL, 1, "envelopes in all"},
    {"threads", &threads, NULL, 1, "1: copy and call; 2: hand batches over a ring"},
    {"batch", &batch_size, NULL, 1, "2 threads: envelopes in a batch"},
    {"ring", &batches, NULL, 1, "2 threads: batches that the ring holds"},
    {0},
};

static const struct workload workload = {
    .name = "floor",
    .summary = "what the hardware permits: envelopes copied and called, without a runtime",
    .unit = "send",
    .parameters = parameters,
    .bare = true,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (threads > 2)
        workload_refuse("--threads cannot be %llu: it is 1 or 2", (unsigned long long)threads);
    if (batch_size > MOST_BATCH)
        workload_refuse("--batch cannot be %llu: it is 1 to %d", (unsigned long long)batch_size, MOST_BATCH);
    if (batches > MOST_BATCHES)
        workload_refuse("--ring cannot be %llu: it is 1 to %d", (unsigned long long)batches, MOST_BATCHES);
    expected = workload_scaled(sends);
    workload_start_clock();
    uint64_t received = threads == 1 ? one_thread() : two_threads();
    workload_stop_clock();
    if (received != expected)
        workload_wrong("%llu envelopes arrived in place of %llu", (unsigned long long)received,
                       (unsigned long long)expected);
    return workload_end(expected, (unsigned)threads);
}
