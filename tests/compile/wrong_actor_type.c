/* A send to an actor of another type than the one named.
 * expect: adder
 * expect: printer
 */
#include "adder.h"

typedef struct {
    struct actorbench_actor actor;
} printer;
#define BEHAVIOURS_printer(ON) ON(printer, text, printer_prints)
ACTORBENCH_ACTOR_TYPE(printer)

static enum actorbench_allocation printer_prints(printer *self, text *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

int main(void) {
    printer actor;
    number one;
    actorbench_actor_init(printer, &actor);
    actorbench_message_init(number, &one, ACTORBENCH_NODELETE);
    actorbench_send(adder, &actor, &one);
    return 0;
}
