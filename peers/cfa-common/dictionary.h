/* The dictionary of `concdict`: what entities ask, what the keeper answers, and the check.
 *
 * Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests
 * go in that order to a model, which must give the same answers and hold the same values.
 */
#ifndef DICTIONARY_H
#define DICTIONARY_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

struct question {
    uint64_t key, value;
    uint32_t writes; /* 1, or 0: it reads */
};

/* Fills the dictionary and makes room for what is noted: keys 0 .. keys - 1, of which each entity asks `messages`
 * times, `writes` per cent of the times to write. Refuses what does not fit. */
void dictionary_make(uint64_t entities, uint64_t messages, uint64_t writes, uint64_t keys);

/* An entity's request of a number, from 0. From any thread. */
struct question dictionary_ask(uint64_t entity, uint64_t number);

/* The keeper's: the answer, which is the key's value, the former one for a write. */
uint64_t dictionary_serve(uint64_t entity, const struct question *question);

/* The checksum of an entity's answers with one more; at first 0. */
uint64_t dictionary_sum(uint64_t checksum, uint64_t answer);

/* Whether the keeper has served all that will be asked. */
uint32_t dictionary_is_done(void);

/* Says that the result is wrong unless each entity was served as often as it asks, with the right answers: whose
 * checksums these are, by entity. Gives the room back. */
void dictionary_check(const uint64_t *checksums);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
