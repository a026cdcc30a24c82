/* The histogram against the numbers themselves, sorted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "platform/histogram.h"
#include "platform/random.h"

enum { NUMBERS = 20000 };

static struct histogram one, other;

static void empty(void) {
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
}

static void test_small_numbers_are_kept_exactly(void **state) {
    (void)state;
    empty();
    for (uint64_t number = 0; number < 2 * HISTOGRAM_HALF; number++)
        histogram_add(&one, number);
    for (uint64_t number = 0; number < 2 * HISTOGRAM_HALF; number++)
        assert_int_equal(histogram_percentile(&one, 100.0 * (double)(number + 1) / (2 * HISTOGRAM_HALF)), number);
}

static void test_buckets_follow_each_other_without_a_gap(void **state) {
    (void)state;
    for (unsigned bits = 1; bits < HISTOGRAM_BITS; bits++) {
        uint64_t power = UINT64_C(1) << bits;
        unsigned before = histogram_bucket(power - 1), here = histogram_bucket(power);
        assert_int_equal(here, before + 1);
        uint64_t width = bits < HISTOGRAM_KEPT ? 1 : power / HISTOGRAM_HALF;
        assert_int_equal(histogram_bucket(power + width - 1), here);
        assert_int_equal(histogram_bucket(power + width), here + 1);
    }
    assert_int_equal(histogram_bucket((UINT64_C(1) << HISTOGRAM_BITS) - 1), HISTOGRAM_BUCKETS - 1);
    assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void test_percentiles_are_never_too_little_and_hardly_too_much(void **state) {
    (void)state;
    static uint64_t numbers[NUMBERS];
    struct random random = random_seed(7, 0);
    empty();
    for (unsigned i = 0; i < NUMBERS; i++) {
        numbers[i] = (uint64_t)random_next(&random) >> random_below(&random, 32);
        histogram_add(i % 3 == 0 ? &one : &other, numbers[i]);
    }
    histogram_merge(&one, &other);
    qsort(numbers, NUMBERS, sizeof *numbers, compare);
    assert_int_equal(one.count, NUMBERS);
    static const double percents[] = {0.001, 1, 10, 33.3, 50, 66.6, 90, 99, 99.9, 99.99, 100};
    for (unsigned i = 0; i < sizeof percents / sizeof *percents; i++) {
        uint64_t exact = numbers[(unsigned)ceil(percents[i] / 100.0 * NUMBERS) - 1];
        uint64_t said = histogram_percentile(&one, percents[i]);
        assert_true(said >= exact);
        assert_true(said - exact <= exact / HISTOGRAM_HALF);
    }
    assert_int_equal(histogram_percentile(&one, 100.0), numbers[NUMBERS - 1]);
}

static void test_the_largest_is_exact_however_large(void **state) {
    (void)state;
    empty();
    assert_int_equal(histogram_percentile(&one, 50.0), 0);
    histogram_add(&one, 3);
    histogram_add(&one, UINT64_C(1) << 60);
    assert_int_equal(histogram_percentile(&one, 50.0), 3);
    assert_int_equal(histogram_percentile(&one, 99.0), UINT64_C(1) << 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_numbers_are_kept_exactly),
        cmocka_unit_test(test_buckets_follow_each_other_without_a_gap),
        cmocka_unit_test(test_percentiles_are_never_too_little_and_hardly_too_much),
        cmocka_unit_test(test_the_largest_is_exact_however_large),
    };
    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
