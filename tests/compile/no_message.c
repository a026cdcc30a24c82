/* A send of a pointer to something that is no message.
 * expect: actor type adder has no behaviour
 * expect: int
 */
#include "adder.h"

int main(void) {
    adder actor;
    int value = 3;
    actorbench_actor_init(adder, &actor);
    actorbench_send(adder, &actor, &value);
    return 0;
}
