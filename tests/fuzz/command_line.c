/* Fuzz target: the command line of a workload program.
 *
 * Input: the words of the command line, the first one the program's name: `bare` has no executor. They are taken, or refused with status 2 and one line; --help and --show-plan end
 * with status 0. The parser ends the program, so it is included here with an exit of our own.
 */
#include "fuzz.h"

#include <math.h>
#include <setjmp.h>

#include "executor.h"

static jmp_buf ended;
static int status;

_Noreturn static void end_run(int with) {
    status = with;
    longjmp(ended, 1);
}

#define exit end_run
#include "../../workloads/common/workload.c"
#undef exit

enum { GOES_ON = -1 };

static uint64_t messages, source;

static const struct parameter parameters[] = {
    {"messages", &messages, NULL, 1, "sent in all"},
    {"source", &source, "self|main", 0, "who sends"},
    {0},
};

static const struct workload workload = {"fuzzed", "a workload", "message", parameters, false, NULL};
static const struct workload bare = {"bare", "a workload without an executor", "message", parameters, true, NULL};

/* Runs the parser; its exit status, or GOES_ON. */
static int parse(const struct workload *which, struct words *words) {
    run = (struct run){.scale = 1.0, .verified = true};
    show_plan = false;
    messages = 100;
    source = 0;
    if (setjmp(ended) != 0)
        return status;
    workload_begin(which, words->count, words->word);
    (void)workload_scaled(messages);
    return GOES_ON;
}

/* The same with standard output thrown away and standard error kept in `said`. */
static int parse_quietly(const struct workload *which, struct words *words, char **said, size_t *length) {
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    FILE *output = stdout, *error = stderr, *kept = open_memstream(said, length);
    MUST(nowhere != NULL && kept != NULL);
    stdout = nowhere;
    stderr = kept;
    int result = parse(which, words);
    stdout = output;
    stderr = error;
    MUST(fclose(kept) == 0);
    return result;
}

static void look_at(int result, char *said, size_t length) {
    MUST(result == GOES_ON || result == 0 || result == 2);
    if (result == 2) {
        MUST(length > 1 && said[length - 1] == '\n');
        said[length - 1] = '\0';
        MUST(is_one_line(said));
        return;
    }
    MUST(length == 0);
    if (result == GOES_ON) {
        MUST(isfinite(run.scale) && run.scale > 0.0);
        MUST(messages >= 1 && source <= 1);
        MUST(run.config.workers <= 4096);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    pretend_small_machine();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct words words = words_of(data, size);
    bool is_wanted = words.count > 0;
    for (int i = 1; i < words.count; i++)
        is_wanted &= strcmp(words.word[i - 1], "--topology") != 0 || is_small_machine(words.word[i]);
    if (is_wanted) {
        char *said = NULL;
        size_t length = 0;
        int result = parse_quietly(strcmp(words.word[0], bare.name) == 0 ? &bare : &workload, &words, &said, &length);
        look_at(result, said, length);
        free(said);
    }
    words_free(&words);
    return is_wanted ? ACCEPTED : NOT_WANTED;
}
