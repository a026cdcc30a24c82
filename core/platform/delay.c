/* What delays cannot be had. */
#include "delay.h"

#include <stdio.h>

const char *delay_refusal(unsigned share) {
    static char line[96];
    if (share <= MAXIMUM_DELAY_PS)
        return NULL;
    (void)snprintf(line, sizeof line, "a delay of %u ps a send is too long: choose 1 to %d", share, MAXIMUM_DELAY_PS);
    return line;
}
