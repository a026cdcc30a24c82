/* Conservation: under every mechanism each message is received once, in order, by one worker at a time. */
#include "rows.h"
#include "traffic.h"

static void test_line(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("conservation", line);
    run_traffic(&config);
    watchdog_stop();
}

int main(void) {
    traffic_budget = SANITIZED_BUILD ? 1000 : 8000;
    ADD_TABLE(covering, test_line);
    return run_tables("conservation");
}
