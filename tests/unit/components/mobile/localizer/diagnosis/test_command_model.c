/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the travel that commands promise. */
#include "command_model.h"

#include <criterion/criterion.h>

#define AXLE_M 0.2

static struct command_model model;

/* A drive that follows exactly, `late_s` later, slewed at `acceleration`. */
struct drive {
    double late_s, acceleration, speed, travel_m;
};

static double wanted(double at_s)
{
    return at_s < 0.0 ? 0.0 : fmod(at_s, 4.0) < 2.0 ? 0.4 : 0.1;
}

static void step(struct drive *drive, double now_s)
{
    double most = drive->acceleration * 0.01;
    drive->speed += dpl_clamp(wanted(now_s - drive->late_s) - drive->speed, -most, most);
    drive->travel_m += drive->speed * 0.01;
}

static double width(double from_s, double to_s)
{
    struct command_travel travel;
    command_model_travel(&model, from_s, to_s, &travel);
    return travel.high[0] - travel.low[0];
}

Test(command_model, knows_the_travel_of_a_steady_command_whatever_the_drive)
{
    struct command_travel travel;
    command_model_init(&model, AXLE_M, (double)INFINITY);
    command_model_command(&model, 10.0, (struct dpl_twist2){0.4, 1.0});
    command_model_travel(&model, 14.0, 15.0, &travel);
    cr_assert_float_eq(travel.low[0], 0.3, 1e-9);
    cr_assert_float_eq(travel.high[0], 0.3, 1e-9);
    cr_assert_float_eq(travel.low[1], 0.5, 1e-9);
    cr_assert_float_eq(travel.high[1], 0.5, 1e-9);
}

Test(command_model, cuts_commands_at_the_speed_of_a_wheel)
{
    struct command_travel travel;
    command_model_init(&model, AXLE_M, 0.35);
    command_model_command(&model, 0.0, (struct dpl_twist2){3.0, 0.0});
    command_model_travel(&model, 4.0, 5.0, &travel);
    cr_assert_float_eq(travel.high[0], 0.35, 1e-9);
}

Test(command_model, narrows_its_answer_to_the_drive_that_it_has)
{
    struct drive drive = {.late_s = 0.12, .acceleration = 0.8};
    double past[101];
    command_model_init(&model, AXLE_M, (double)INFINITY);
    double before = 0.0;
    for (int i = 0; i <= 8000; i++) {
        double now_s = i * 0.01;
        command_model_command(&model, now_s, (struct dpl_twist2){wanted(now_s), 0.0});
        step(&drive, now_s);
        past[i % 101] = drive.travel_m;
        if (i == 50) {
            before = width(0.0, 0.5); /* of the first step of the command */
        }
        if (i > 100 && i % 10 == 0) {
            double way = drive.travel_m - past[(i + 1) % 101];
            command_model_learn(&model, now_s - 1.0, now_s, (double[2]){way, way});
        }
    }
    double late_s, acceleration;
    command_model_best(&model, &late_s, &acceleration);
    cr_assert_float_eq(late_s, 0.12, 0.021);
    cr_assert_float_eq(acceleration, 0.8, 1e-9);
    cr_assert_gt(before, 0.1);
    command_model_command(&model, 80.02, (struct dpl_twist2){0.4, 0.0});
    cr_assert_lt(width(80.0, 80.5), 0.5 * before);
}

Test(command_model, knows_nothing_before_the_first_command_and_long_after_the_last)
{
    command_model_init(&model, AXLE_M, (double)INFINITY);
    cr_assert_not(command_model_covers(&model, 0.0, 1.0, 1.0));
    command_model_command(&model, 5.0, (struct dpl_twist2){0.4, 0.0});
    cr_assert_not(command_model_covers(&model, 5.0, 5.9, 1.0));
    command_model_command(&model, 6.0, (struct dpl_twist2){0.4, 0.0});
    cr_assert(command_model_covers(&model, 5.5, 6.5, 1.0));
    cr_assert_not(command_model_covers(&model, 6.5, 7.5, 1.0));
}

Test(command_model, ignores_commands_that_are_not_finite_or_go_back)
{
    struct command_travel travel;
    command_model_init(&model, AXLE_M, (double)INFINITY);
    command_model_command(&model, 1.0, (struct dpl_twist2){0.4, 0.0});
    command_model_command(&model, 2.0, (struct dpl_twist2){(double)NAN, 0.0});
    command_model_command(&model, 0.5, (struct dpl_twist2){9.0, 0.0});
    command_model_command(&model, (double)INFINITY, (struct dpl_twist2){9.0, 0.0});
    command_model_travel(&model, 4.0, 5.0, &travel);
    cr_assert_float_eq(travel.high[0], 0.4, 1e-9);
}

Test(command_model, survives_a_gap_longer_than_its_memory)
{
    struct command_travel travel;
    command_model_init(&model, AXLE_M, (double)INFINITY);
    command_model_command(&model, 0.0, (struct dpl_twist2){0.4, 0.0});
    command_model_command(&model, 1e6, (struct dpl_twist2){0.2, 0.0});
    cr_assert_not(command_model_covers(&model, 1e6 - 1.0, 1e6, 1.0));
    command_model_travel(&model, 1e6 + 3.0, 1e6 + 4.0, &travel);
    cr_assert_float_eq(travel.low[0], 0.2, 1e-6);
}
