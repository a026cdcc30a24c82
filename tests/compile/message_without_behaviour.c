/* A send of a message that the actor type has no behaviour for.
 * expect: actor type adder has no behaviour
 * expect: text
 */
#include "adder.h"

int main(void) {
    adder actor;
    text words;
    actor_init(adder, &actor);
    message_init(text, &words, NODELETE);
    actor_send(adder, &actor, &words);
    return 0;
}
