/* Letters for tests of mailboxes: numbered, never delivered. */
#ifndef ACTORBENCH_TESTS_LETTERS_H
#define ACTORBENCH_TESTS_LETTERS_H

#include "actor_centric/mailbox.h"
#include "harness.h"

static inline struct letter numbered(uintptr_t number) {
    struct letter letter = {(struct actorbench_message *)number, NULL};
    return letter;
}

static inline uintptr_t number_of(struct letter letter) {
    return (uintptr_t)letter.message;
}

#endif
