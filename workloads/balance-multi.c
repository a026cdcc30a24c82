/* balance-multi: every other worker is loaded; the work grows with the workers (thesis, "Work Stealing" under "Performance"). */
#include "balance.h"

static const struct parameter parameters[] = {
    BALANCE_PARAMETERS,
    {0},
};

static const struct workload workload = {
    .name = "balance-multi",
    .summary = "executor's traffic on the mailboxes of every other worker",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    return balance_main(&workload, 2, argc, argv);
}
