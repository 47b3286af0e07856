/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of an encoder behind a gear. */
#include "encoder_counts.h"

#include <criterion/criterion.h>
#include <doppel/math/random.h>

static const struct dpl_encoder_gear e = {.counts_per_turn = 20000, .gear = 16.0};

static int32_t count_at(double counts)
{
    return dpl_encoder_read(&e, counts * dpl_encoder_resolution(&e)).count;
}

Test(encoder_counts, a_turn_of_the_arm_has_the_golden_number_of_counts)
{
    cr_assert_float_eq(dpl_encoder_resolution(&e), 1.963e-5, 1e-8);
    cr_assert_eq(dpl_encoder_read(&e, 2.0 * DPL_PI).count, 320000);
    cr_assert_eq(dpl_encoder_read(&e, -2.0 * DPL_PI).count, -320000);
}

Test(encoder_counts, reads_the_nearest_count)
{
    cr_assert_eq(count_at(0.0), 0);
    cr_assert_eq(count_at(0.49), 0);
    cr_assert_eq(count_at(0.51), 1);
    cr_assert_eq(count_at(-0.49), 0);
    cr_assert_eq(count_at(-0.51), -1);
    cr_assert_eq(count_at(1234.4), 1234);
    cr_assert_eq(count_at(-1234.4), -1234);
    /* Exact halves: a resolution that is a power of two times 2 pi is not exact, so use one count
     * of 2 pi: half a count is pi. */
    const struct dpl_encoder_gear coarse = {.counts_per_turn = 1, .gear = 1.0};
    cr_assert_eq(dpl_encoder_read(&coarse, DPL_PI).count, 1);
    cr_assert_eq(dpl_encoder_read(&coarse, -DPL_PI).count, 0);
    cr_assert_eq(dpl_encoder_read(&coarse, -3.0 * DPL_PI).count, -1);
    struct dpl_random rng = dpl_random_seeded(12, 30);
    for (int i = 0; i < 10000; i++) {
        double q = dpl_random_uniform(&rng, -3.0, 3.0), r = dpl_encoder_resolution(&e);
        cr_assert_leq(fabs(dpl_encoder_read(&e, q).count * r - q), 0.5000001 * r);
    }
}

Test(encoder_counts, wraps_as_a_counter_of_32_bits)
{
    cr_assert_eq(count_at(2147483647.0), INT32_MAX);
    cr_assert_eq(count_at(2147483648.0), INT32_MIN);
    cr_assert_eq(count_at(2147483649.0), INT32_MIN + 1);
    cr_assert_eq(count_at(-2147483648.0), INT32_MIN);
    cr_assert_eq(count_at(-2147483649.0), INT32_MAX);
    cr_assert_eq(count_at(4294967296.0 + 5.0), 5);
    cr_assert_eq(count_at(-4294967296.0 * 3.0 - 5.0), -5);
    cr_assert_eq(dpl_encoder_read(&e, (double)NAN).count, 0);
    cr_assert_eq(dpl_encoder_read(&e, (double)INFINITY).count, 0);
    dpl_encoder_read(&e, 1e300); /* any number, without undefined behaviour */
    dpl_encoder_read(&e, -1e300);
}

Test(encoder_counts, the_angle_between_two_counts_is_right_over_the_wrap)
{
    double r = dpl_encoder_resolution(&e);
    cr_assert_float_eq(dpl_encoder_angle_between(&e, 10, 25), 15.0 * r, 1e-15);
    cr_assert_float_eq(dpl_encoder_angle_between(&e, INT32_MAX - 4, INT32_MIN + 5), 10.0 * r,
                       1e-15);
    cr_assert_float_eq(dpl_encoder_angle_between(&e, INT32_MIN + 5, INT32_MAX - 4), -10.0 * r,
                       1e-15);
}

Test(encoder_counts, the_index_comes_once_in_a_turn_of_the_motor)
{
    int n_index = 0, n_turns = 0;
    struct dpl_encoder_reading before = dpl_encoder_read(&e, -0.4 * dpl_encoder_resolution(&e));
    cr_assert(before.at_index);
    for (int i = 1; i <= 60000; i++) {
        struct dpl_encoder_reading now = dpl_encoder_read(&e, i * dpl_encoder_resolution(&e));
        cr_assert_eq(now.count, i);
        n_index += now.at_index;
        n_turns += now.turn - before.turn;
        cr_assert_eq(now.at_index, now.turn != before.turn);
        before = now;
    }
    cr_assert_eq(n_index, 3);
    cr_assert_eq(n_turns, 3);
    cr_assert_eq(dpl_encoder_read(&e, -1.0 * dpl_encoder_resolution(&e)).turn, -1);
    /* The wrap of the counter does not move the index: 2^32 is no multiple of 20 000. */
    double angle = 20000.0 * 300000.0 * dpl_encoder_resolution(&e);
    cr_assert(dpl_encoder_read(&e, angle).at_index);
    cr_assert_eq(dpl_encoder_read(&e, angle).turn, 300000);
}
