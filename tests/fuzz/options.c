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
    struct message message;
} ping;
MESSAGE_TYPE(ping)

typedef struct {
    struct actor actor;
    unsigned received;
} player;
#define BEHAVIOURS_player(ON) ON(player, ping, player_plays)
ACTOR_TYPE(player)

static enum allocation player_plays(player *self, ping *message) {
    (void)message;
    self->received++;
    return NODELETE;
}

static void play(void) {
    player lone = {0};
    ping message;
    message_init(ping, &message, NODELETE);
    actor_init(player, &lone);
    actor_send(player, &lone, &message, &message, &finished_message);
    executor_stop();
    MUST(lone.received == 2);
}

/* Sets an option or a preset, and looks at what came of it. */
static void set(struct executor_config *config, const char *name, const char *value) {
    struct executor_config before = *config;
    const char *complaint =
        strcmp(name, "preset") == 0 ? executor_set_preset(config, value) : executor_set_option(config, name, value);
    if (complaint != NULL) {
        MUST(is_one_line(complaint));
        MUST(memcmp(config->options, before.options, sizeof before.options) == 0);
        return;
    }
    for (const struct executor_option *option = executor_options; option->name != NULL; option++) {
        struct executor_config again = *config;
        char text[32];
        executor_get_option(config, option, text, sizeof text);
        MUST(executor_set_option(&again, option->name, text) == NULL);
        MUST(memcmp(again.options, config->options, sizeof again.options) == 0);
    }
}

/* Tens of thousands of mailboxes, or of slots in each, are taken, but would take all the time. */
static bool is_cheap(const struct executor_config *config) {
    for (unsigned i = 0; executor_options[i].name != NULL; i++) {
        unsigned value = config->options[i];
        if (value != executor_options[i].values[0] && value > CHEAP && value <= MOST_COSTLY)
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
    struct executor_config config = executor_defaults();
    config.workers = data[0] == UINT8_MAX ? UINT32_MAX : data[0] % (MOST_WORKERS + 1);
    struct words words = words_of(data + 1, size - 1);
    for (int i = 0; i + 1 < words.count; i += 2)
        set(&config, words.word[i], words.word[i + 1]);
    words_free(&words);
    if (!is_cheap(&config))
        return ACCEPTED;
    const char *complaint = executor_start(&config);
    if (complaint == NULL)
        play();
    else
        MUST(is_one_line(complaint));
    return ACCEPTED;
}
