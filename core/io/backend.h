/* How an interest set asks the kernel: by epoll, or by io_uring. */
#ifndef ACTORBENCH_IO_BACKEND_H
#define ACTORBENCH_IO_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

struct interest;

struct ready {
    uint64_t watch;
    uint32_t events; /* as poll(2) has them */
    bool ended;      /* the kernel tells no more of it, unless it is added again */
};

struct backend {
    const char *name;
    /* A set; NULL, and errno, if the kernel refuses it. For the thread that starts the executor, as is `free`. */
    struct interest *(*make)(void);
    void (*free)(struct interest *interest);
    /* What the master watches: it can be read when something in the set is ready. */
    int (*descriptor)(const struct interest *interest);
    /* Puts a descriptor in, edge-triggered, for reading and writing; tells at once what is ready already. False, and errno. From any
     * thread, as is `remove`. */
    bool (*add)(struct interest *interest, int descriptor, uint64_t watch);
    /* Takes it out, before it is closed; something of it may still be told. */
    void (*remove)(struct interest *interest, uint64_t watch);
    /* What is ready, `most` at most, without waiting; how much. By one thread at a time. */
    unsigned (*poll)(struct interest *interest, struct ready *ready, unsigned most);
};

extern const struct backend backend_epoll, backend_uring;

enum { READY_MOST = 1024 /* of a poll */ };

#endif
