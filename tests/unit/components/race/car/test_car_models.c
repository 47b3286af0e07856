/* SPDX-License-Identifier: Apache-2.0 */
/* The models of a car behind their one interface: dynamics, outcomes, rows, sensors, scene. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "car.h"
#include "car_scene.h"

#define NEAR(value, expected, tolerance)                                                           \
    do {                                                                                           \
        double value_ = (value);                                                                   \
        cr_assert_float_eq(value_, expected, tolerance, "%.9g, not %.9g", value_,                  \
                           (double)(expected));                                                    \
    } while (0)

static struct car car;

/* A corridor along y, 1 m wide, its finish at y = 2. */
static struct car_config corridor(enum car_model model, double tick)
{
    return (struct car_config){
        .model = model,
        .tick = tick,
        .around = {.n_walls = 2,
                   .walls = {{{-0.5, -1}, {-0.5, 5}}, {{0.5, -1}, {0.5, 5}}},
                   .has_finish = true,
                   .finish = {{-0.5, 2}, {0.5, 2}}},
        .n_sensors = 3,
        .sensor_deg = {0, 90, 270},
        .reach = 10.0,
        .length = 0.25,
        .width = 0.15,
        .behind = 0.06,
        .track_width = 0.13,
        .wheel_base = 0.15,
        .motor = {.time_constant_s = 0.05, .limit = 1.0},
        .steering = {.time_constant_s = 0.05, .limit = 0.5},
    };
}

static const struct dpl_pose2 start = {0, 0, DPL_PI / 2.0};

static void begin(const struct car_config *config)
{
    size_t wall;
    cr_assert_eq(car_init(&car, config, &wall), 0);
    car_place(&car, start);
}

static enum dpl_car_outcome drive(double left, double right, double steering, double seconds)
{
    struct car_command command = {
        .driven = true, .left = left, .right = right, .steering = steering};
    enum dpl_car_outcome outcome = DPL_CAR_DRIVES;
    int n = (int)lround(seconds / car.config.tick);
    for (int i = 0; i < n && outcome == DPL_CAR_DRIVES; i++) {
        car_command(&car, &command);
        outcome = car_move(&car);
    }
    return outcome;
}

Test(car_models, drive_straight_with_equal_wheels_or_no_steering)
{
    for (enum car_model model = CAR_MODEL_DIFFERENTIAL; model <= CAR_MODEL_ACKERMANN; model++) {
        struct car_config config = corridor(model, 0.02);
        begin(&config);
        cr_assert_eq(drive(0.5, 0.5, 0.0, 2.0), DPL_CAR_DRIVES);
        /* a first-order lag loses its time constant */
        NEAR(car_pose(&car).y, 0.5 * (2.0 - 0.05), 1e-6);
        NEAR(car_pose(&car).x, 0.0, 1e-12);
        NEAR(car_twist(&car).linear, 0.5, 1e-9);
    }
}

Test(car_models, know_their_room)
{
    for (enum car_model model = CAR_MODEL_PAPER; model <= CAR_MODEL_ACKERMANN; model++) {
        struct car_config config = corridor(model, 0.1);
        config.around = (struct car_surroundings){
            .n_walls = 2, .walls = {{{1.0, -5.0}, {1.0, 5.0}}, {{4.0, -5.0}, {4.0, 5.0}}}};
        config.length = 0.4;
        config.behind = 0.1;
        config.width = 0.2;
        begin(&config);
        car_place(&car, (struct dpl_pose2){1.5, 1.0, DPL_PI / 2.0});
        struct car_room room = car_room(&car);
        NEAR(room.left, 0.5, 1e-9);
        NEAR(room.right, 2.5, 1e-9);
        NEAR(room.clearance, model == CAR_MODEL_PAPER ? 0.5 : 0.4, 1e-9);
        car_place(&car, (struct dpl_pose2){3.5, 1.0, 0.0});
        room = car_room(&car);
        cr_assert(isinf(room.left) && isinf(room.right));
        NEAR(room.clearance, model == CAR_MODEL_PAPER ? 0.5 : 0.2, 1e-9);
    }
}

/* The lag's mean over a tick is exact, so its length changes nothing on straight lines. */
Test(car_models, come_to_the_same_place_whatever_the_tick)
{
    double at[3], tick[] = {0.01, 0.02, 0.1};
    for (int i = 0; i < 3; i++) {
        struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, tick[i]);
        begin(&config);
        drive(0.8, 0.8, 0.0, 1.0);
        at[i] = car_pose(&car).y;
    }
    NEAR(at[1], at[0], 1e-12);
    NEAR(at[2], at[0], 1e-12);
}

Test(car_models, differential_turns_on_the_circle_of_its_wheels)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.02);
    config.motor.time_constant_s = 0.0;
    config.around.n_walls = 0;
    config.around.has_finish = false;
    begin(&config);
    /* radius 0.13 / 2 * (0.3 + 0.1) / (0.3 - 0.1) = 0.13 m, to the left */
    drive(0.1, 0.3, 0.0, 0.5);
    double turned = 0.2 / 0.13 * 0.5;
    NEAR(car_pose(&car).theta, dpl_wrap_angle(DPL_PI / 2.0 + turned), 1e-9);
    NEAR(car_pose(&car).x, -0.13 * (1.0 - cos(turned)), 1e-9);
    NEAR(car_pose(&car).y, 0.13 * sin(turned), 1e-9);
}

Test(car_models, ackermann_turns_on_the_circle_of_its_steering)
{
    struct car_config config = corridor(CAR_MODEL_ACKERMANN, 0.02);
    config.motor.time_constant_s = config.steering.time_constant_s = 0.0;
    config.around.n_walls = 0;
    config.around.has_finish = false;
    begin(&config);
    drive(0.4, 0.0, -0.3, 1.0);
    double radius = 0.15 / tan(0.3), turned = 0.4 / radius;
    NEAR(car_pose(&car).x, radius * (1.0 - cos(turned)), 1e-9);
    NEAR(car_pose(&car).y, radius * sin(turned), 1e-9);
    /* the limit of the steering holds */
    drive(0.4, 0.0, -3.0, 0.1);
    NEAR(car_twist(&car).angular, -0.4 * tan(0.5) / 0.15, 1e-9);
}

Test(car_models, finish_where_the_reference_point_crosses)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.1);
    begin(&config);
    cr_assert_eq(drive(1.0, 1.0, 0.0, 10.0), DPL_CAR_FINISHED);
    NEAR(car_pose(&car).y, 2.0, 1e-9);
}

Test(car_models, hit_a_wall_with_the_outline_and_stop_there)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.1);
    config.around.walls[2] = (struct car_segment){{-0.5, 1.0}, {0.5, 1.0}};
    config.around.n_walls = 3;
    begin(&config);
    cr_assert_eq(drive(1.0, 1.0, 0.0, 10.0), DPL_CAR_HIT);
    NEAR(car_pose(&car).y, 1.0 - 0.19, 1.1e-4);
}

/* In one long tick the car would reach both: what comes first on the way counts. */
Test(car_models, decide_by_what_comes_first_on_the_way)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 4.0);
    config.motor.time_constant_s = 0.0;
    config.around.walls[2] = (struct car_segment){{-0.5, 2.5}, {0.5, 2.5}};
    config.around.n_walls = 3;
    begin(&config);
    cr_assert_eq(drive(1.0, 1.0, 0.0, 4.0), DPL_CAR_FINISHED);
    config.around.walls[2] = (struct car_segment){{-0.5, 2.1}, {0.5, 2.1}};
    begin(&config);
    cr_assert_eq(drive(1.0, 1.0, 0.0, 4.0), DPL_CAR_HIT);
    NEAR(car_pose(&car).y, 2.1 - 0.19, 1.1e-4);
}

Test(car_models, stop_when_nobody_drives)
{
    for (enum car_model model = CAR_MODEL_PAPER; model <= CAR_MODEL_ACKERMANN; model++) {
        struct car_config config = corridor(model, 0.1);
        begin(&config);
        drive(0.5, 0.5, 0.0, 1.0);
        struct car_command nobody = {.left = 0.5, .right = 0.5};
        for (int i = 0; i < 20; i++) {
            car_command(&car, &nobody);
            car_move(&car);
        }
        struct dpl_pose2 stands = car_pose(&car);
        NEAR(car_twist(&car).linear, 0.0, 1e-9);
        car_command(&car, &nobody);
        car_move(&car);
        NEAR(dpl_pose2_distance(stands, car_pose(&car)), 0.0, 1e-9);
        cr_assert_gt(stands.y, 0.4);
    }
}

Test(car_models, follow_a_script_at_once)
{
    for (enum car_model model = CAR_MODEL_PAPER; model <= CAR_MODEL_ACKERMANN; model++) {
        struct car_config config = corridor(model, 0.1);
        begin(&config);
        struct car_command script = {
            .scripted = true, .driven = true, .heading_deg = 60.0, .velocity_mm_s = 1000.0};
        struct car_row row;
        car_command(&car, &script);
        car_row(&car, &row);
        cr_assert_eq(row.heading_deg, 60);
        cr_assert_eq(row.velocity_mm_s, 1000);
        cr_assert_eq(row.x_mm, 0);
        car_move(&car);
        NEAR(car_pose(&car).x, 0.05, 1e-3);
        NEAR(car_pose(&car).y, 0.0866, 1e-3);
    }
}

Test(car_models, paper_turns_its_heading_by_the_servo_each_tick)
{
    struct car_config config = corridor(CAR_MODEL_PAPER, 0.1);
    config.around.n_walls = 0;
    begin(&config);
    struct car_command command = {.driven = true, .left = 0.158, .steering = dpl_deg_to_rad(-30)};
    struct car_row row;
    for (int i = 1; i <= 4; i++) {
        car_command(&car, &command);
        car_row(&car, &row);
        cr_assert_eq(row.heading_deg, (90 - 30 * i + 360) % 360);
        cr_assert_eq(row.velocity_mm_s, 158);
        car_move(&car);
    }
}

Test(car_models, take_any_finite_command)
{
    for (enum car_model model = CAR_MODEL_PAPER; model <= CAR_MODEL_ACKERMANN; model++) {
        struct car_config config = corridor(model, 0.1);
        config.around.n_walls = 0;
        begin(&config);
        drive(1e300, -1e300, -1e300, 0.5);
        drive(-1e300, 1e300, 1e300, 0.5);
        cr_assert(dpl_pose2_is_finite(car_pose(&car)), "model %d", (int)model);
    }
}

Test(car_models, sense_from_where_their_sensors_are_mounted)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.1);
    config.mounts[0] = (struct car_point){0.19, 0.0};
    config.mounts[1] = (struct car_point){0.1, 0.075};
    config.around.walls[2] = (struct car_segment){{-0.5, 3.0}, {0.5, 3.0}};
    config.around.n_walls = 3;
    begin(&config);
    double ranges[CAR_SENSORS_MAX];
    cr_assert_eq(car_ranges(&car, ranges), 3);
    NEAR(ranges[0], 3.0 - 0.19, 1e-12);
    NEAR(ranges[1], 0.5 - 0.075, 1e-12);
    NEAR(ranges[2], 0.5, 1e-12);
    config.reach = 0.45;
    begin(&config);
    car_ranges(&car, ranges);
    cr_assert(isinf(ranges[0]) && isfinite(ranges[1]) && isinf(ranges[2]));
}

Test(car_models, show_in_a_row_what_held_before_the_move)
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.1);
    config.motor.time_constant_s = 0.0;
    begin(&config);
    drive(0.5, 0.5, 0.0, 0.1);
    struct car_command command = {.driven = true, .left = 0.25, .right = 0.25};
    struct car_row row;
    car_command(&car, &command);
    car_row(&car, &row);
    cr_assert_eq(row.x_mm, 0);
    cr_assert_eq(row.y_mm, 50);
    cr_assert_eq(row.velocity_mm_s, 250);
    cr_assert_eq(row.heading_deg, 90);
    cr_assert_eq(row.n_ranges, 3);
    NEAR(row.ranges[1], 0.5, 1e-9);
    cr_assert(isinf(row.ranges[0]));
}

Test(car_models, only_paper_refuses_slanted_walls)
{
    size_t wall = 99;
    struct car_config config = corridor(CAR_MODEL_PAPER, 0.1);
    config.around.walls[1].a.x = 0.6;
    cr_assert_eq(car_init(&car, &config, &wall), -EINVAL);
    cr_assert_eq(wall, 1);
    config.model = CAR_MODEL_ACKERMANN;
    cr_assert_eq(car_init(&car, &config, &wall), 0);
}

static void read_scene(struct car_segment finish, char ret_text[1024])
{
    struct car_config config = corridor(CAR_MODEL_DIFFERENTIAL, 0.1);
    config.around.finish = finish;
    begin(&config);
    FILE *file = fmemopen(ret_text, 1024, "w");
    car_scene_write(&car, file);
    cr_assert_eq(fclose(file), 0);
}

/* Only a line without ends is drawn as far as the walls go. */
Test(car_models, write_a_finish_beyond_the_walls_whole)
{
    char text[1024];
    read_scene((struct car_segment){{-2, 6.5}, {3, 7}}, text);
    cr_assert_not_null(strstr(text, "\"finish\": [[-2, 6.5, 3, 7]]"), "%s", text);
}

Test(car_models, write_their_scene)
{
    char text[1024];
    read_scene((struct car_segment){{-1000, 2}, {1000, 2}}, text);
    cr_assert_not_null(strstr(text, "\"walls\": [[-0.5, -1, -0.5, 5], [0.5, -1, 0.5, 5]]"));
    cr_assert_not_null(strstr(text, "\"finish\": [[-0.5, 2, 0.5, 2]]"), "%s", text);
    cr_assert_not_null(strstr(text, "\"sensors_deg\": [0, 90, 270]"));
    cr_assert_not_null(strstr(text, "\"footprint\": [[0.19, -0.075], [0.19, 0.075], "
                                    "[-0.06, 0.075], [-0.06, -0.075]]"));
    cr_assert_not_null(strstr(text, "\"end\": [0, 0]"));
}
