/* A send to an actor of another type than the one named.
 * expect: adder
 * expect: printer
 */
#include "adder.h"

typedef struct {
    struct actor actor;
} printer;
#define BEHAVIOURS_printer(ON) ON(printer, text, printer_prints)
ACTOR_TYPE(printer)

static enum allocation printer_prints(printer *self, text *message) {
    (void)self, (void)message;
    return NODELETE;
}

int main(void) {
    printer actor;
    number one;
    actor_init(printer, &actor);
    message_init(number, &one, NODELETE);
    actor_send(adder, &actor, &one);
    return 0;
}
