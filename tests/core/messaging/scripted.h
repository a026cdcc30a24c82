/* Programs that do what their arguments say, and print what comes of it; tests/test_scripted.py draws the arguments, and compares with
 * a sequential model. The first argument is the number of a line of the options that the tests of the face run under. */
#ifndef ACTORBENCH_TESTS_SCRIPTED_H
#define ACTORBENCH_TESTS_SCRIPTED_H

#include "harness.h"

#include "rows.h"

static void begin_script(int argc, char **argv, int least) {
    if (argc < least)
        exit(2);
    watchdog_start(20, "a script");
    size_t line = 1 + strtoul(argv[1], NULL, 10) % (LENGTH(covering) - 1);
    struct actorbench_config config = configuration(covering[0], covering[line]);
    start_executor(&config);
}

#endif
