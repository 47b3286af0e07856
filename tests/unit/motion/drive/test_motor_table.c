/* SPDX-License-Identifier: Apache-2.0 */
/* Motors by table. */
#include "motor_table.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

static const double small_motor[][2] = {{0, 0},     {2, 0.120},  {4, 0.240}, {6, 0.358},
                                        {8, 0.468}, {10, 0.560}, {12, 0.630}};

static struct dpl_motor_table small_table(void)
{
    struct dpl_motor_table table = {0};
    for (size_t i = 0; i < 7; i++) {
        cr_assert_eq(dpl_motor_table_add(&table, small_motor[i][0], small_motor[i][1], 0.0, NULL),
                     0);
    }
    cr_assert_eq(dpl_motor_table_finish(&table, NULL), 0);
    return table;
}

/* Torque falls with speed: rows of 0, 5, 10 A at -100, 0 and 200 rad/s. */
static struct dpl_motor_table fast_table(void)
{
    static const double rows[][3] = {{0, 0, -100}, {5, 0.6, -100}, {10, 1.0, -100},
                                     {0, 0, 0},    {5, 0.5, 0},    {10, 0.8, 0},
                                     {0, 0, 200},  {5, 0.3, 200},  {10, 0.4, 200}};
    struct dpl_motor_table table = {0};
    for (size_t i = 0; i < 9; i++) {
        cr_assert_eq(dpl_motor_table_add(&table, rows[i][0], rows[i][1], rows[i][2], NULL), 0);
    }
    cr_assert_eq(dpl_motor_table_finish(&table, NULL), 0);
    return table;
}

Test(motor_table, is_linear_between_its_rows_odd_and_held_beyond_them)
{
    struct dpl_motor_table table = small_table();
    for (size_t i = 0; i < 7; i++) {
        cr_assert_eq(dpl_motor_torque(&table, small_motor[i][0], 0.0), small_motor[i][1]);
        cr_assert_eq(dpl_motor_torque(&table, -small_motor[i][0], 50.0), -small_motor[i][1]);
    }
    cr_assert_float_eq(dpl_motor_torque(&table, 1.0, 0.0), 0.060, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 6.5, 0.0), 0.358 + 0.25 * 0.110, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, -6.5, 0.0), -(0.358 + 0.25 * 0.110), 1e-15);
    cr_assert_eq(dpl_motor_torque(&table, 12.01, 0.0), 0.630);
    cr_assert_eq(dpl_motor_torque(&table, -1e300, 0.0), -0.630);
    cr_assert_eq(dpl_motor_torque(&table, (double)NAN, 0.0), 0.0);
    cr_assert_eq(dpl_motor_torque(&table, (double)INFINITY, 0.0), 0.0);
    cr_assert_eq(dpl_motor_torque(&table, 1.0, (double)NAN), 0.0);
}

Test(motor_table, is_bilinear_with_speeds)
{
    struct dpl_motor_table table = fast_table();
    cr_assert_float_eq(dpl_motor_torque(&table, 5.0, 100.0), 0.4, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 7.5, 100.0), 0.5, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 2.5, 50.0), 0.225, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 10.0, 1000.0), 0.4, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 10.0, -1000.0), 1.0, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, 20.0, 100.0), 0.6, 1e-15);
    /* Driving backwards is driving, and braking backwards is braking. */
    cr_assert_float_eq(dpl_motor_torque(&table, -7.5, -100.0), -0.5, 1e-15);
    cr_assert_float_eq(dpl_motor_torque(&table, -10.0, 100.0), -1.0, 1e-15);
}

Test(motor_table, finds_the_current_of_a_torque)
{
    struct dpl_motor_table small = small_table(), fast = fast_table();
    for (int i = -1200; i <= 1200; i++) {
        double current = 0.01 * i;
        double torque = dpl_motor_torque(&small, current, 0.0);
        cr_assert_float_eq(dpl_motor_current(&small, torque, 0.0), current, 1e-12);
        for (double speed = -300.0; speed <= 300.0; speed += 60.0) {
            torque = dpl_motor_torque(&fast, current, speed);
            cr_assert_float_eq(
                dpl_motor_torque(&fast, dpl_motor_current(&fast, torque, speed), speed), torque,
                1e-14);
        }
    }
    cr_assert_eq(dpl_motor_current(&small, 5.0, 0.0), 12.0);
    cr_assert_eq(dpl_motor_current(&small, -5.0, 0.0), -12.0);
    cr_assert_eq(dpl_motor_current(&small, 0.0, 0.0), 0.0);
    cr_assert_eq(dpl_motor_current(&small, (double)NAN, 0.0), 0.0);
}

Test(motor_table, a_table_that_falls_again_gives_the_smallest_current)
{
    struct dpl_motor_table table = {0};
    cr_assert_eq(dpl_motor_table_add(&table, 0, 0, 0, NULL), 0);
    cr_assert_eq(dpl_motor_table_add(&table, 1, 1, 0, NULL), 0);
    cr_assert_eq(dpl_motor_table_add(&table, 2, 1, 0, NULL), 0);
    cr_assert_eq(dpl_motor_table_add(&table, 3, 0.5, 0, NULL), 0);
    cr_assert_eq(dpl_motor_table_finish(&table, NULL), 0);
    cr_assert_eq(dpl_motor_current(&table, 0.75, 0.0), 0.75);
    cr_assert_eq(dpl_motor_current(&table, 2.0, 0.0), 1.0);
}

/* Rows, the last of which is wrong. */
struct wrong {
    double rows[6][3];
    size_t n;
    const char *reason;
};

static const struct wrong wrongs[] = {
    {{{1, 0.1, 0}}, 1, "0 A"},
    {{{0, 0.1, 0}}, 1, "0 A"},
    {{{-1, -0.1, 0}}, 1, "0 A"},
    {{{0, 0, 0}, {0, 0, 0}}, 2, "strictly increasing"},
    {{{0, 0, 0}, {2, 0.1, 0}, {2, 0.2, 0}}, 3, "strictly increasing"},
    {{{0, 0, 0}, {2, 0.1, 0}, {1, 0.2, 0}}, 3, "strictly increasing"},
    {{{0, 0, 0}, {(double)NAN, 0.1, 0}}, 2, "finite"},
    {{{0, 0, 0}, {1, (double)INFINITY, 0}}, 2, "finite"},
    {{{0, 0, (double)NAN}}, 1, "finite"},
    {{{0, 0, 0}, {1, 0.1, 0}, {0, 0, 0}}, 3, "strictly increasing"},
    {{{0, 0, 0}, {1, 0.1, 0}, {0, 0, -5}}, 3, "speeds"},
    {{{0, 0, 0}, {1, 0.1, 0}, {1, 0.1, 5}}, 3, "0 A"},
    {{{0, 0, 0}, {1, 0.1, 0}, {0, 0, 5}, {2, 0.1, 5}}, 4, "first speed"},
    {{{0, 0, 0}, {1, 0.1, 0}, {0, 0, 5}, {1, 0.1, 5}, {2, 0.1, 5}}, 5, "first speed"},
    {{{0, 0, 0}, {1, 0.1, 0}, {0, 0, 5}, {0, 0, 6}}, 4, "fewer currents"},
};

Test(motor_table, names_what_is_wrong_at_the_row)
{
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct dpl_motor_table table = {0};
        const char *what = NULL;
        for (size_t k = 0; k < wrongs[i].n; k++) {
            const double *row = wrongs[i].rows[k];
            struct dpl_motor_table before = table;
            int error = dpl_motor_table_add(&table, row[0], row[1], row[2], &what);
            cr_assert_eq(error, k + 1 < wrongs[i].n ? 0 : -EINVAL, "case %zu row %zu", i, k);
            cr_assert(error == 0 || memcmp(&before, &table, sizeof table) == 0);
        }
        cr_assert(strstr(what, wrongs[i].reason), "case %zu: %s", i, what);
    }
}

Test(motor_table, has_an_end_and_a_limit)
{
    struct dpl_motor_table table = {0};
    const char *what = NULL;
    cr_assert_eq(dpl_motor_table_finish(&table, &what), -EINVAL);
    cr_assert_eq(dpl_motor_table_add(&table, 0, 0, 0, NULL), 0);
    cr_assert_eq(dpl_motor_table_finish(&table, &what), -EINVAL);
    for (int i = 1; i < DPL_MOTOR_MAX_CURRENTS; i++) {
        cr_assert_eq(dpl_motor_table_add(&table, i, 0.1 * i, 0, NULL), 0);
    }
    cr_assert_eq(dpl_motor_table_add(&table, 1e3, 100, 0, &what), -ENOSPC);
    cr_assert_eq(dpl_motor_table_finish(&table, NULL), 0);
    cr_assert_eq(dpl_motor_torque(&table, 1e3, 0.0), 0.1 * (DPL_MOTOR_MAX_CURRENTS - 1));
    cr_assert_eq(dpl_motor_table_add(&table, 0, 0, 1, NULL), 0);
    cr_assert_eq(dpl_motor_table_finish(&table, &what), -EINVAL);
    cr_assert(strstr(what, "last speed"));
    struct dpl_motor_table many = {0};
    for (int i = 0; i < DPL_MOTOR_MAX_SPEEDS; i++) {
        cr_assert_eq(dpl_motor_table_add(&many, 0, 0, i, NULL), 0);
        cr_assert_eq(dpl_motor_table_add(&many, 1, 1, i, NULL), 0);
    }
    cr_assert_eq(dpl_motor_table_add(&many, 0, 0, 99, &what), -ENOSPC);
    cr_assert_eq(dpl_motor_table_finish(&many, NULL), 0);
}
