/* The swap mailbox (core/actor_centric/swap_mailbox.h) and the states of its actor (core/actor_centric/mailbox.h): idle,
 * ready, running.
 *
 * SENDERS threads send MESSAGES letters each to one actor, which WORKERS workers run, DISPATCH letters at a time. Nodes
 * that were freed are used again at once.
 *
 * Claims: the actor is in the ready queue once at most, or on one worker; each sender's letters are received in the
 * order sent; no node is touched that was freed; when nothing moves any more, every letter has been received once, the
 * actor is idle, and every node is freed.
 *
 * Steps left out:
 *     -DTORN_EXCHANGE     a push loads `last` and stores it, in two steps
 *     -DREST_WITHOUT_CAS  the gap is taken for the end
 *     -DWITHOUT_UNREAD    the sender that wakes the actor does not say that its node is not read
 *     -DREADY_EARLY       the sender that wakes the actor makes it ready before it hands over its node
 */
#include "atomics.pml"

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef DISPATCH
#define DISPATCH 1
#endif

#define NODES (SENDERS * MESSAGES)
#define NOTHING 255 /* null */

/* swap_mailbox_init() */
byte last = NOTHING;
byte first = NOTHING;
bool is_read = false;

/* struct letter_node: */
byte next[NODES];
byte letter[NODES]; /* who sent it, and which of his it is: sender * MESSAGES + number */
bool used[NODES];   /* it has not been freed */

byte ready, running;     /* how often the actor is in the ready queue, and on how many workers */
byte received[SENDERS];

/* memory_block(): the first node that is free; and the letter, which nobody sees yet */
inline make_node(node, sender, number) {
    d_step {
        node = 0;
        do
        :: used[node] -> node++
        :: else -> break
        od;
        used[node] = true;
        next[node] = NOTHING;
        letter[node] = sender * MESSAGES + number
    }
}

inline release(node) {
    d_step { assert(used[node]); used[node] = false; next[node] = NOTHING; letter[node] = 0 }
}

/* ready_wake(), ready_yield() */
inline make_ready() {
    d_step { assert(ready == 0 && running == 0); ready++ }
}

/* swap_mailbox_push() */
proctype sender(byte self) {
    byte number, node, before;
    for (number : 0 .. MESSAGES - 1) {
        make_node(node, self, number);
#ifdef TORN_EXCHANGE
        before = last;
        last = node;
#else
        exchange(last, node, before);
#endif
        if
        :: before == NOTHING ->
#ifdef READY_EARLY
            make_ready();
#endif
            first = node;
#ifndef WITHOUT_UNREAD
            is_read = false;
#endif
#ifndef READY_EARLY
            make_ready()
#endif
        :: else ->
            /* Here is the gap. */
            d_step { assert(used[before]); next[before] = node }
        fi;
        node = 0; before = 0
    }
}

/* swap_mailbox_next(); what is the reader's own is one step with what is not */
inline take(node, found) {
    found = true;
    node = first;
    if
    :: is_read ->
        d_step { assert(used[node]); found = (next[node] != NOTHING) };
        if
        :: found ->
            first = next[node];
            release(node);
            node = first
        :: else
        fi
    :: else
    fi;
    if
    :: found ->
        is_read = true;
        d_step { /* run(): the behaviour */
            assert(running == 1);
            assert(used[node]);
            assert(letter[node] % MESSAGES == received[letter[node] / MESSAGES]);
            received[letter[node] / MESSAGES]++
        }
    :: else
    fi
}

/* swap_mailbox_rest(); the actor is idle as soon as `last` is null */
inline rest(node, rests) {
    node = first;
#ifdef REST_WITHOUT_CAS
    d_step { last = NOTHING; rests = true; running-- };
#else
    atomic {
        cas(last, node, NOTHING, rests);
        if
        :: rests -> running--
        :: else
        fi
    };
#endif
    if
    :: rests -> release(node)
    :: else -> next[node] != NOTHING
    fi
}

/* design_work(), run() */
proctype worker(byte self) {
    byte left, node;
    bool found, rests;
end_idle:
    do
    :: atomic { ready > 0 -> ready--; running++ }; /* ready_next() */
        left = DISPATCH;
        do
        :: take(node, found);
            if
            :: found ->
                left--;
                if
                :: left == 0 ->
                    rest(node, rests);
                    if
                    :: rests
                    :: else -> atomic { running--; make_ready() }
                    fi;
                    break
                :: else
                fi
            :: else ->
                rest(node, rests);
                if
                :: rests -> break
                :: else
                fi
            fi
        od;
        left = 0; node = 0; found = false; rests = false
    od
}

init {
    byte k;
    atomic {
        for (k : 0 .. NODES - 1) {
            next[k] = NOTHING
        }
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        for (k : 0 .. SENDERS - 1) {
            run sender(k)
        }
    }
    timeout; /* nothing moves any more */
    assert(last == NOTHING && ready == 0 && running == 0);
    for (k : 0 .. SENDERS - 1) {
        assert(received[k] == MESSAGES)
    }
    for (k : 0 .. NODES - 1) {
        assert(!used[k])
    }
}
