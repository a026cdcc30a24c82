/* A trail by a script: LINE BEHAVIOURS SCRIPT. Whoever has the trail does the next word of the script: lA links it to actor A, fA(...)
 * forks it, and links the fork, which goes on with what stands in the brackets, and then itself to A; r raises, s resumes. A word that is
 * not allowed, such as one that links a trail that rewinds, lets it go, and so does the script's end.
 *
 * Prints a line a trail, by the place in the script where its words begin: for each behaviour A or A< (it rewinds), the value that
 * it holds, and those of its history. Ends when there have been so many behaviours. */
#include "scripted.h"

#include "messaging/promise.h"
#include "messaging/trail.h"

enum { ACTORS = 4, MOST_LENGTH = 400, MOST_SEEN = 32768 /* characters of a trail's line */ };

typedef struct {
    struct actorbench_message message;
    struct actorbench_trail trail;
    const char *next; /* word of the script */
    unsigned value;
    size_t began; /* at this place of the script */
} parcel;
ACTORBENCH_TRAIL_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
} clerk;
#define BEHAVIOURS_clerk(ON) ON(clerk, parcel, clerk_gets)
ACTORBENCH_ACTOR_TYPE(clerk)

static const char *script;
static clerk clerks[ACTORS];
static char seen[MOST_LENGTH][MOST_SEEN]; /* of each trail; its own */
static actorbench_barrier behaviours;

static void note(const clerk *self, parcel *got) {
    char *line = seen[got->began];
    size_t length = strlen(line);
    const parcel *sent;
    bool rewinds = actorbench_trail_is_rewinding(parcel, got);
    length += (size_t)snprintf(line + length, MOST_SEEN - length, "%u%s:%u", (unsigned)(self - clerks),
                               rewinds ? "<" : "", got->value);
    for (size_t ago = 0; (sent = actorbench_trail_history(parcel, got, ago)) != NULL && length < MOST_SEEN; ago++)
        length += (size_t)snprintf(line + length, MOST_SEEN - length, ",%u", sent->value);
    if (length + 1 < MOST_SEEN)
        (void)strcpy(line + length, " ");
}

/* After the bracket that closes the one before `inside`. */
static const char *after_brackets(const char *inside) {
    for (unsigned open = 1; open > 0; inside++)
        open += *inside == '(', open -= *inside == ')';
    return inside;
}

static void link_to(clerk *self, parcel *passed, char receiver, unsigned more) {
    passed->value += more;
    actorbench_trail_link(parcel, passed, clerk, self, clerk, &clerks[receiver - '0']);
}

static void fork_to(clerk *self, parcel *got, char receiver) {
    const char *inside = got->next + 1;
    got->next = after_brackets(inside);
    parcel *forked = actorbench_trail_fork(parcel, got);
    forked->next = inside;
    forked->began = (size_t)(inside - script);
    link_to(self, forked, receiver, 10);
    link_to(self, got, receiver, 1);
}

static void go_on(clerk *self, parcel *got) {
    bool rewinds = actorbench_trail_is_rewinding(parcel, got);
    char word = *got->next;
    if (word == 'r') {
        got->next++;
        actorbench_trail_raise(parcel, got, clerk, self);
    } else if (rewinds && word == 's') {
        got->next++;
        got->value += 100;
        actorbench_trail_resume(parcel, got);
    } else if (!rewinds && (word == 'l' || word == 'f')) {
        got->next += 2;
        if (word == 'f')
            fork_to(self, got, got->next[-1]);
        else
            link_to(self, got, got->next[-1], 1);
    } else if (rewinds && word == 'f') {
        got->next = after_brackets(got->next + 3);
    } else if (rewinds && word == 'l') {
        got->next += 2;
    }
}

static enum actorbench_allocation clerk_gets(clerk *self, parcel *got) {
    note(self, got);
    go_on(self, got);
    actorbench_barrier_acknowledge(&behaviours);
    return ACTORBENCH_NODELETE;
}

int main(int argc, char **argv) {
    begin_script(argc, argv, 4);
    script = argv[3];
    if (strlen(script) >= MOST_LENGTH)
        return 2;
    actorbench_barrier_init(&behaviours, (uint32_t)strtoul(argv[2], NULL, 10));
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_actor_init(clerk, &clerks[i]);
    parcel *first = actorbench_trail_begin(parcel);
    first->next = script;
    actorbench_trail_link_from_outside(parcel, first, clerk, &clerks[0]);
    (void)actorbench_barrier_wait(&behaviours, ACTORBENCH_NO_TIMEOUT);
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_send(clerk, &clerks[i], &actorbench_finished_message);
    actorbench_stop();
    for (size_t i = 0; i < MOST_LENGTH; i++)
        if (seen[i][0] != '\0')
            (void)printf("%zu %s\n", i, seen[i]);
    return 0;
}
