/* The same in the midst of a cascade.
 * expect: actor type adder has no behaviour
 * expect: text
 */
#include "adder.h"

int main(void) {
    adder actor;
    number one;
    text words;
    actorbench_actor_init(adder, &actor);
    actorbench_message_init(number, &one, ACTORBENCH_NODELETE);
    actorbench_message_init(text, &words, ACTORBENCH_NODELETE);
    actorbench_send(adder, &actor, &one, &words, &one);
    return 0;
}
