/* SPDX-License-Identifier: Apache-2.0 */
/* The published integer car: the published tests number by number, and each rule of its arithmetic.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "car_paper.h"
#include "published_race.h"

static struct car_paper car;

static struct car_paper_config corridor(void)
{
    return (struct car_paper_config){
        .tick_ms = 100,
        .sight_mm = 10000,
        .n_sensors = 7,
        .sensor_deg = {30, 0, 330, 45, 135, 225, 315},
        .n_walls = 2,
        .walls = {{1000, 0, 1000, 5000}, {2000, 0, 2000, 5000}},
        .has_finish = true,
        .finish = {0, 2000, 3000, 2000},
    };
}

static void init(const struct car_paper_config *config)
{
    size_t wall;
    cr_assert_eq(car_paper_init(&car, config, &wall), 0);
}

static void print_row(unsigned tick, char *ret_text, size_t size)
{
    int n = snprintf(ret_text, size, "%u,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, tick,
                     car.x_mm, car.y_mm, car.velocity_mm_s, car.heading_deg);
    for (size_t i = 0; i < car.config.n_sensors; i++) {
        n += car.ranges_mm[i] == CAR_PAPER_NO_HIT
                 ? snprintf(ret_text + n, size - (size_t)n, ",MAX")
                 : snprintf(ret_text + n, size - (size_t)n, ",%" PRId64, car.ranges_mm[i]);
    }
}

static void expect_run(int64_t heading_deg, const char *const *rows, size_t n_rows,
                       enum car_paper_outcome outcome, int64_t end_x, int64_t end_y)
{
    struct car_paper_config config = corridor();
    init(&config);
    car_paper_place(&car, 1500, 0, heading_deg);
    for (unsigned tick = 0; tick < n_rows; tick++) {
        char row[256];
        car_paper_command(&car, heading_deg, 1000);
        print_row(tick, row, sizeof row);
        cr_assert_str_eq(row, rows[tick]);
        enum car_paper_outcome now = car_paper_move(&car);
        cr_assert_eq(now, tick + 1 < n_rows ? CAR_PAPER_DRIVES : outcome, "tick %u", tick);
    }
    cr_assert_eq(car.x_mm, end_x);
    cr_assert_eq(car.y_mm, end_y);
}

Test(car_paper, reproduces_the_first_published_test_to_the_digit)
{
    expect_run(90, published_test1, PUBLISHED_TEST1_ROWS, CAR_PAPER_FINISHED, 1500, 2000);
}

Test(car_paper, reproduces_the_second_published_test_to_the_digit)
{
    expect_run(135, published_test2, PUBLISHED_TEST2_ROWS, CAR_PAPER_HIT, 940, 560);
}

Test(car_paper, has_the_table_of_the_sines_of_whole_degrees)
{
    struct car_paper_config config = corridor();
    init(&config);
    static const int some[][2] = {{0, 0},       {1, 175},     {30, 5000},    {45, 7071},
                                  {60, 8660},   {90, 10000},  {135, 7071},   {180, 0},
                                  {210, -5000}, {225, -7071}, {270, -10000}, {359, -175}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        cr_assert_eq(car.sine[some[i][0]], some[i][1], "%d", some[i][0]);
    }
    for (int deg = 0; deg < 360; deg++) {
        cr_assert_eq(car.sine[deg], -car.sine[(deg + 180) % 360], "%d", deg);
    }
}

/* The row shows the new heading at once, the sensors a row later. */
Test(car_paper, senses_with_the_heading_of_the_row_before)
{
    struct car_paper_config config = corridor();
    init(&config);
    car_paper_place(&car, 1500, 1000, 90);
    car_paper_command(&car, 0, 0);
    cr_assert_eq(car.heading_deg, 0);
    cr_assert_eq(car.ranges_mm[1], CAR_PAPER_NO_HIT);
    car_paper_move(&car);
    cr_assert_eq(car.ranges_mm[1], 500);
}

static void expect_move(int64_t heading, int64_t velocity, int64_t x, int64_t y)
{
    car_paper_place(&car, 500, 500, heading);
    car_paper_command(&car, heading, velocity);
    cr_assert_eq(car_paper_move(&car), CAR_PAPER_DRIVES);
    cr_assert_eq(car.x_mm, x, "%" PRId64, car.x_mm);
    cr_assert_eq(car.y_mm, y, "%" PRId64, car.y_mm);
}

Test(car_paper, truncates_ways_towards_zero_and_drives_backwards_at_negative_velocity)
{
    struct car_paper_config config = {.tick_ms = 100, .sight_mm = 10000};
    init(&config);
    expect_move(90, 1009, 500, 600);
    expect_move(45, 1000, 570, 570);
    expect_move(225, 1000, 430, 430);
    expect_move(45, -1000, 430, 430);
    expect_move(45, 0, 500, 500);
    expect_move(1, 570, 556, 500);
    expect_move(90 + 720, 1000, 500, 600);
    expect_move(90 - 720, 1000, 500, 600);
}

Test(car_paper, keeps_positions_from_becoming_negative)
{
    struct car_paper_config config = {.tick_ms = 100, .sight_mm = 10000};
    init(&config);
    expect_move(180, 9000, 0, 500);
    expect_move(225, 9000, 0, 0);
    car_paper_place(&car, -5, -7, 0);
    cr_assert_eq(car.x_mm, 0);
    cr_assert_eq(car.y_mm, 0);
}

static int64_t range_at(int64_t deg)
{
    car_paper_place(&car, 500, 500, deg);
    return car.ranges_mm[0];
}

Test(car_paper, sees_walls_along_both_axes_within_its_line_of_sight)
{
    struct car_paper_config config = {
        .tick_ms = 100,
        .sight_mm = 300,
        .n_sensors = 1,
        .n_walls = 3,
        .walls = {{400, 700, 600, 700}, {800, 600, 800, 400}, {100, 500, 199, 500}},
    };
    init(&config);
    cr_assert_eq(range_at(90), 200);
    cr_assert_eq(range_at(64), 222, "%" PRId64, car.ranges_mm[0]);
    cr_assert_eq(range_at(0), 300);
    cr_assert_eq(range_at(270), CAR_PAPER_NO_HIT);
    cr_assert_eq(range_at(45), CAR_PAPER_NO_HIT);
    config.sight_mm = 299;
    init(&config);
    cr_assert_eq(range_at(0), CAR_PAPER_NO_HIT);
}

/* Among walls at random places, against real arithmetic: the integers lose a few millimetres. */
Test(car_paper, sees_what_exact_rays_see_but_for_its_rounding)
{
    for (int deg = 0; deg < 360; deg++) {
        for (int64_t at = 100; at <= 4000; at += 130) {
            struct car_paper_config config = {.tick_ms = 100, .sight_mm = 10000, .n_sensors = 1};
            config.n_walls = 1;
            config.walls[0] = (struct car_paper_segment){500 + at, 0, 500 + at, 9000};
            init(&config);
            int64_t range = range_at(deg);
            double c = cos(deg * 3.14159265358979323846 / 180.0);
            double s = sin(deg * 3.14159265358979323846 / 180.0);
            double exact = c > 1e-9 ? (double)at / c : 1e9, y = 500.0 + exact * s;
            if (exact > 9990.0 || y < 10.0 || y > 8990.0) {
                continue;
            }
            cr_assert_neq(range, CAR_PAPER_NO_HIT, "%d deg, %" PRId64 " mm", deg, at);
            cr_assert_float_eq((double)range, exact, 2.0 + exact * 4e-3,
                               "%d deg: %" PRId64 " for %g", deg, range, exact);
        }
    }
}

Test(car_paper, refuses_walls_that_its_arithmetic_does_not_know)
{
    size_t wall = 99;
    struct car_paper_config config = corridor();
    config.walls[1].x2 = 2001;
    cr_assert_eq(car_paper_init(&car, &config, &wall), -EINVAL);
    cr_assert_eq(wall, 1);
    config = corridor();
    config.finish = (struct car_paper_segment){0, 0, 1, 1};
    cr_assert_eq(car_paper_init(&car, &config, &wall), -EINVAL);
    cr_assert_eq(wall, 2);
    config = corridor();
    config.walls[0].x1 = config.walls[0].x2 = CAR_PAPER_LIMIT_MM + 1;
    cr_assert_eq(car_paper_init(&car, &config, &wall), -EINVAL);
    cr_assert_eq(wall, 0);
    config = corridor();
    config.tick_ms = 0;
    cr_assert_eq(car_paper_init(&car, &config, &wall), -EINVAL);
    cr_assert_eq(wall, 3);
}

Test(car_paper, does_not_overflow_at_its_limits)
{
    struct car_paper_config config = {
        .tick_ms = 60000,
        .sight_mm = CAR_PAPER_WAY_MAX_MM,
        .n_sensors = 2,
        .sensor_deg = {0, INT64_C(360000000045)},
        .n_walls = 2,
        .walls = {{CAR_PAPER_LIMIT_MM, 0, CAR_PAPER_LIMIT_MM, CAR_PAPER_LIMIT_MM},
                  {0, CAR_PAPER_LIMIT_MM, CAR_PAPER_LIMIT_MM, CAR_PAPER_LIMIT_MM}},
    };
    init(&config);
    int64_t near = CAR_PAPER_LIMIT_MM - CAR_PAPER_WAY_MAX_MM;
    for (int64_t deg = 0; deg < 360; deg++) {
        car_paper_place(&car, near, near, deg);
        cr_assert(deg % 90 != 0 || car.ranges_mm[0] == (deg <= 90 ? 5000000 : CAR_PAPER_NO_HIT));
    }
    car_paper_place(&car, CAR_PAPER_LIMIT_MM - 1000000, CAR_PAPER_LIMIT_MM - 1000000, 0);
    car_paper_command(&car, 44, INT64_MAX);
    cr_assert_eq(car_paper_move(&car), CAR_PAPER_HIT);
    car_paper_place(&car, INT64_MAX, INT64_MAX, INT64_MIN);
    car_paper_command(&car, INT64_MAX, INT64_MIN);
    car_paper_move(&car);
    cr_assert(car.x_mm >= 0 && car.x_mm <= CAR_PAPER_LIMIT_MM);
}
