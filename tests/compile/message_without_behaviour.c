/* A send of a message that the actor type has no behaviour for.
 * expect: actor type adder has no behaviour
 * expect: text
 */
#include "adder.h"

int main(void) {
    adder actor;
    text words;
    actorbench_actor_init(adder, &actor);
    actorbench_message_init(text, &words, ACTORBENCH_NODELETE);
    actorbench_send(adder, &actor, &words);
    return 0;
}
