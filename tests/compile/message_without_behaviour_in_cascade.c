/* The same in the midst of a cascade.
 * expect: actor type adder has no behaviour
 * expect: text
 */
#include "adder.h"

int main(void) {
    adder actor;
    number one;
    text words;
    actor_init(adder, &actor);
    message_init(number, &one, NODELETE);
    message_init(text, &words, NODELETE);
    actor_send(adder, &actor, &one, &words, &one);
    return 0;
}
