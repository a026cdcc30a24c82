/* What I/O refuses, and how it says so. */
#include <fcntl.h>

#include "echo.h"

static void refused(struct actorbench_io_config config, const char *words) {
    const char *line = actorbench_io_use(&config);
    assert_non_null(line);
    assert_non_null(strstr(line, words));
}

static void test_configurations_are_refused(void **state) {
    (void)state;
    struct actorbench_io_config config = actorbench_io_defaults();
    config.rounds = 0;
    refused(config, "rounds of 0");
    config = actorbench_io_defaults();
    config.events = 1025;
    refused(config, "1 to 1024");
    config = actorbench_io_defaults();
    config.descriptors = UINT32_MAX;
    refused(config, "so many descriptors");
    start_workers(1); /* and without I/O, since none was taken */
    actorbench_stop();
}

static void test_descriptors_are_refused(void **state) {
    (void)state;
    static echo never;
    struct actorbench_io_config config = actorbench_io_defaults();
    config.descriptors = 64;
    assert_null(actorbench_io_use(&config));
    start_workers(2);
    actorbench_actor_init(echo, &never);
    echo_make(&never, open("/dev/null", O_RDWR | O_CLOEXEC));
    assert_true(never.socket >= 0);
    assert_false(actorbench_io_watch(echo, never.socket, &never, &never.ready));
    assert_int_equal(errno, EPERM); /* the kernel's */
    assert_false(actorbench_io_watch(echo, 64, &never, &never.ready));
    assert_int_equal(errno, EMFILE);
    assert_false(actorbench_io_watch(echo, -1, &never, &never.ready));
    assert_int_equal(errno, EBADF);
    assert_int_equal(close(never.socket), 0);
    actorbench_send(echo, &never, &actorbench_finished_message);
    actorbench_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configurations_are_refused),
        cmocka_unit_test(test_descriptors_are_refused),
    };
    return cmocka_run_group_tests_name("refusals of I/O", tests, NULL, NULL);
}
