/* balance-one: one worker is loaded, the others have dummies (thesis, "Work Stealing" under "Performance"). */
#include "balance.h"

static const struct parameter parameters[] = {
    BALANCE_PARAMETERS,
    {0},
};

static const struct workload workload = {
    .name = "balance-one",
    .summary = "executor's traffic on the mailboxes of one worker only",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    return balance_main(&workload, 0, argc, argv);
}
