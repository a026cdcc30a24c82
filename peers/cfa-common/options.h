/* The command line, as read: for run.c alone. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stddef.h>
#include <stdint.h>

struct parameter {
    const char *name;    /* without the dashes; NULL ends the list */
    uint64_t *value;     /* holds the default; of a choice its number */
    const char *choices; /* "self|main"; NULL: a whole number */
    uint64_t least, most;
    const char *help; /* one line */
};

struct options {
    const char *workload, *unit, *summary;
    struct parameter parameters[5];
    uint64_t mailboxes; /* of each of several workers */
    uint64_t workers, seed, falsified;
    double scale;
    int json;
};

extern struct options options;

/* The value of a parameter as it is written: a word of its choices, or its number. */
const char *shown(const struct parameter *parameter, char *buffer, size_t size);

int oversubscribed(void);

/* The system's name for people. */
const char *run_title(void);

#endif
