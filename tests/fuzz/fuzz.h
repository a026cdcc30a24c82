/* What the fuzz targets share: an input's words, and what must hold of every complaint. What does not hold ends the program
 * by abort(3), which libFuzzer reports with the input that led to it. */
#ifndef ACTORBENCH_TESTS_FUZZ_FUZZ_H
#define ACTORBENCH_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ACCEPTED = 0, NOT_WANTED = -1 /* an input that is not to be kept */, MOST_WORDS = 24 };

#define MUST(condition)                                                                           \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            (void)fprintf(stderr, "does not hold: %s (%s:%d)\n", #condition, __FILE__, __LINE__); \
            abort();                                                                              \
        }                                                                                         \
    } while (0)

/* An input as words: each ends with a zero, or with the input. A copy, which is freed by words_free. */
struct words {
    char *text;
    char *word[MOST_WORDS + 1]; /* the last one is null */
    int count;
};

static inline struct words words_of(const uint8_t *data, size_t size) {
    struct words words = {.text = malloc(size + 1)};
    MUST(words.text != NULL);
    memcpy(words.text, data, size);
    words.text[size] = '\0';
    for (char *at = words.text; at < words.text + size && words.count < MOST_WORDS; at += strlen(at) + 1)
        words.word[words.count++] = at;
    return words;
}

static inline void words_free(struct words *words) {
    free(words->text);
}

/* Whether a text is one line: something, and no sign in it that acts on a terminal. */
static inline bool is_one_line(const char *text) {
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

/* Whether the numbers in a description, multiplied, make no more than a small machine: hwloc takes its time for others. */
static inline bool is_small_machine(const char *description) {
    enum { MOST_OBJECTS = 256 };
    unsigned long product = 1;
    for (const char *at = description; *at != '\0';) {
        if (*at < '0' || *at > '9') {
            at++;
            continue;
        }
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (number > MOST_OBJECTS)
            return false;
        product *= number == 0 ? 1 : number;
        if (product > MOST_OBJECTS)
            return false;
        at = end;
    }
    return true;
}

/* Lets hwloc take a small machine for this one, which it would otherwise look at for milliseconds each time. */
static inline void pretend_small_machine(void) {
    MUST(setenv("HWLOC_SYNTHETIC", "numa:2 core:2 pu:1", 1) == 0);
    MUST(setenv("HWLOC_THISSYSTEM", "1", 1) == 0);
}

#endif
