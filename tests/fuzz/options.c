/* Fuzz target: a design's options, and whether an executor starts with them.
 *
 * Input: the number of workers as a byte, then names and values by turns. Every name and value is taken or refused with one
 * line; what is refused changes nothing, what is taken reads back as itself; with what came of it an executor starts, runs a
 * message and stops, or refuses with one line and leaves nothing behind (libFuzzer looks for leaks).
 */
#include "fuzz.h"

#include "actor.h"
#include "executor.h"

enum { MOST_WORKERS = 4, MOST_COSTLY = 1 << 20, CHEAP = 64 };

typedef struct {
    struct actorbench_message message;
} ping;
ACTORBENCH_MESSAGE_TYPE(ping)

typedef struct {
    struct actorbench_actor actor;
    unsigned received;
} player;
#define BEHAVIOURS_player(ON) ON(player, ping, player_plays)
ACTORBENCH_ACTOR_TYPE(player)

static enum actorbench_allocation player_plays(player *self, ping *message) {
    (void)message;
    self->received++;
    return ACTORBENCH_NODELETE;
}

static void play(void) {
    player lone = {0};
    ping message;
    actorbench_message_init(ping, &message, ACTORBENCH_NODELETE);
    actorbench_actor_init(player, &lone);
    actorbench_send(player, &lone, &message, &message, &actorbench_finished_message);
    actorbench_stop();
    MUST(lone.received == 2);
}

/* Sets an option or a preset, and looks at what came of it. */
static void set(struct actorbench_config *config, const char *name, const char *value) {
    struct actorbench_config before = *config;
    const char *complaint =
        strcmp(name, "preset") == 0 ? actorbench_set_preset(config, value) : actorbench_set_option(config, name, value);
    if (complaint != NULL) {
        MUST(is_one_line(complaint));
        MUST(memcmp(config->options, before.options, sizeof before.options) == 0);
        return;
    }
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        struct actorbench_config again = *config;
        char text[32];
        actorbench_get_option(config, option, text, sizeof text);
        MUST(actorbench_set_option(&again, option->name, text) == NULL);
        MUST(memcmp(again.options, config->options, sizeof again.options) == 0);
    }
}

/* Tens of thousands of mailboxes, or of slots in each, are taken, but would take all the time. */
static bool is_cheap(const struct actorbench_config *config) {
    for (unsigned i = 0; actorbench_options[i].name != NULL; i++) {
        unsigned value = config->options[i];
        if (value != actorbench_options[i].values[0] && value > CHEAP && value <= MOST_COSTLY)
            return false;
    }
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    pretend_small_machine();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return NOT_WANTED;
    struct actorbench_config config = actorbench_defaults();
    config.workers = data[0] == UINT8_MAX ? UINT32_MAX : data[0] % (MOST_WORKERS + 1);
    struct words words = words_of(data + 1, size - 1);
    for (int i = 0; i + 1 < words.count; i += 2)
        set(&config, words.word[i], words.word[i + 1]);
    words_free(&words);
    if (!is_cheap(&config))
        return ACCEPTED;
    const char *complaint = actorbench_start(&config);
    if (complaint == NULL)
        play();
    else
        MUST(is_one_line(complaint));
    return ACCEPTED;
}
