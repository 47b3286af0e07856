/* SPDX-License-Identifier: Apache-2.0 */
/* WheelController's service over mock bases: whom a command reaches, when the base stops by itself,
 * what parameters can be read and set. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/device.h>
#include <doppel/msg/parameter_methods.h>

#include "probe.h"

static void run(const struct bench_step *steps, size_t n_steps, double duration_s, const char *set)
{
    struct bench bench = {PROBE_BENCH("base.xml"), .sets = {set}, .duration_s = duration_s,
                          .steps = steps, .n_steps = n_steps};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

#define RUN(duration_s, set, ...)                                                                  \
    do {                                                                                           \
        static const struct bench_step steps[] = {__VA_ARGS__};                                    \
        run(steps, DPL_COUNT(steps), duration_s, set);                                             \
    } while (0)

#define STEP(name) static void name(struct dpl_component *from, const struct dpl_tick *tick)

static double speed(struct dpl_component *from, unsigned port)
{
    struct probe_reading now = probe_odometry(from, port);
    cr_assert_eq(now.err, 0);
    cr_assert(now.valid);
    return now.twist.linear;
}

STEP(drive)
{
    cr_assert_eq(probe_drive(from, PROBE_BASE, 0.1, 0.0), 0);
}

STEP(expect_driving)
{
    cr_assert_float_eq(speed(from, PROBE_BASE), 0.1, 1e-6, "%g", speed(from, PROBE_BASE));
}

STEP(expect_standing)
{
    cr_assert_float_eq(speed(from, PROBE_BASE), 0.0, 1e-6, "%g", speed(from, PROBE_BASE));
}

Test(wheel_controller, stops_when_no_command_came_for_the_timeout)
{
    RUN(2.0, "WheelController.CommandTimeout=500", {0.0, drive}, {0.45, expect_driving},
        {1.0, expect_standing});
}

Test(wheel_controller, drives_on_when_commands_come_or_the_timeout_is_0)
{
    RUN(2.0, "WheelController.CommandTimeout=500", {0.0, drive}, {0.4, drive}, {0.8, drive},
        {1.2, expect_driving});
    RUN(2.0, "WheelController.CommandTimeout=0", {0.0, drive}, {1.9, expect_driving});
}

STEP(refuse_move)
{
    cr_assert_eq(probe_move(from, PROBE_BASE, (double)NAN, 0.1), -EINVAL);
    cr_assert_eq(probe_move(from, PROBE_BASE, 0.1, 0.0), -EINVAL);
    cr_assert_eq(probe_rotate(from, PROBE_BASE, 0.1, -1.0), -EINVAL);
    cr_assert_eq(probe_drive(from, PROBE_BASE, (double)NAN, 0.0), -EINVAL);
}

Test(wheel_controller, still_stops_at_the_timeout_when_a_later_command_was_refused)
{
    RUN(2.0, "WheelController.CommandTimeout=500", {0.0, drive}, {0.3, refuse_move},
        {0.4, expect_driving}, {1.0, expect_standing});
}

STEP(move)
{
    cr_assert_eq(probe_move(from, PROBE_BASE, 0.3, 0.1), 0);
}

STEP(expect_running)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__Running response = DOPPEL__RUNNING__INIT;
    cr_assert_eq(dpl_service_call(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_IS_WHEEL_RUNNING, &request,
                                  &response),
                 0);
    cr_assert(response.running);
}

STEP(expect_moved)
{
    struct probe_reading now = probe_odometry(from, PROBE_BASE);
    cr_assert_not(now.running);
    cr_assert_float_eq(now.pose.x, 0.3, 0.051, "%g", now.pose.x);
}

Test(wheel_controller, lets_a_move_end_that_takes_longer_than_the_timeout)
{
    RUN(6.0, "WheelController.CommandTimeout=100", {0.0, move}, {1.0, expect_running},
        {5.9, expect_moved});
}

STEP(refuse_simulation)
{
    struct dpl_pose2 pose = {0};
    bool valid = true;
    cr_assert_eq(probe_drive(from, PROBE_SIMULATION, 0.1, 0.0), -ENOTSUP);
    cr_assert_eq(probe_move(from, PROBE_SIMULATION, 0.1, 0.1), -ENOTSUP);
    cr_assert_eq(probe_rotate(from, PROBE_SIMULATION, 0.1, 0.1), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_STOP_WHEEL), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_TAKE_WHEEL), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_RELEASE_WHEEL), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_ENABLE), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_DISABLE), -ENOTSUP);
    cr_assert_eq(probe_set_position(from, PROBE_SIMULATION, pose), -ENOTSUP);
    cr_assert_eq(probe_odometry(from, PROBE_SIMULATION).err, -ENOTSUP);
    cr_assert_eq(
        probe_pose(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_GET_POSITION, &valid, &pose),
        -ENOTSUP);
    cr_assert_not(valid);
    cr_assert_eq(probe_pose(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_GET_TRUTH, &valid, &pose),
                 -ENOTSUP);
}

STEP(drive_hardware)
{
    cr_assert_eq(probe_drive(from, PROBE_HARDWARE, 0.1, 0.0), 0);
}

Test(wheel_controller, has_no_simulation_side_over_a_plain_driver_and_the_device_as_hardware_side)
{
    RUN(1.0, NULL, {0.0, refuse_simulation}, {0.0, drive_hardware}, {0.4, expect_driving});
}

Test(wheel_controller, stops_at_the_timeout_when_commanded_as_hardware_without_sides)
{
    RUN(2.0, "WheelController.CommandTimeout=500", {0.0, drive_hardware}, {0.4, drive_hardware},
        {0.8, expect_driving}, {1.2, expect_standing});
    RUN(2.0, "WheelController.CommandTimeout=0", {0.0, drive_hardware}, {1.9, expect_driving});
}

static struct dpl_pose2 far_away = {100.0, -50.0, 0.5};

STEP(set_position)
{
    cr_assert_eq(probe_set_position(from, PROBE_BASE, far_away), 0);
    cr_assert_eq(probe_set_position(from, PROBE_BASE, (struct dpl_pose2){(double)NAN, 0, 0}),
                 -EINVAL);
}

STEP(expect_far_away)
{
    struct dpl_pose2 pose;
    bool valid;
    cr_assert_eq(probe_pose(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_POSITION, &valid, &pose), 0);
    cr_assert(valid);
    cr_assert_lt(dpl_pose2_distance(pose, far_away), 1e-9);
    cr_assert_eq(probe_pose(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_TRUTH, &valid, &pose), 0);
    cr_assert_lt(hypot(pose.x, pose.y), 1e-9);
}

Test(wheel_controller, counts_no_way_for_a_position_that_is_set)
{
    static const struct bench_step steps[] = {{0.2, set_position}, {0.4, expect_far_away}};
    const char *folder = bench_make_folder();
    struct bench bench = {PROBE_BENCH("base.xml"), .duration_s = 0.6, .out_dir = folder,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    double way = bench_summary(folder, "WheelController.distance_m");
    bench_remove_folder(folder);
    cr_assert_lt(way, 1e-6, "%g m", way);
}

STEP(use_parameters)
{
    char value[DPL_PARAMETER_VALUE_SIZE] = "";
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "SafeRadius", value), 0);
    cr_assert_str_eq(value, "0.3");
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "WheelDiameter", value), 0);
    cr_assert_str_eq(value, "0.13");
    cr_assert_eq(probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "Nonsense", value),
                 -ENOENT);
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "SafeRadius", NULL),
        -EINVAL);
    cr_assert_eq(
        probe_set(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_SET_PARAMETER, "SafeRadius", "45 cm"), 0);
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "SafeRadius", value), 0);
    cr_assert_str_eq(value, "0.45");
    cr_assert_eq(
        probe_set(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_SET_PARAMETER, "WheelDiameter", "1"),
        -EPERM);
    cr_assert_eq(
        probe_set(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_SET_PARAMETER, "SafeRadius", "nan"),
        -EINVAL);
    cr_assert_eq(
        probe_set(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_SET_PARAMETER, "SafeRadius", "-1"),
        -EINVAL);
    cr_assert_eq(probe_set(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_SET_PARAMETER, "Nonsense", "1"),
                 -ENOENT);
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "SafeRadius", value), 0);
    cr_assert_str_eq(value, "0.45");
}

STEP(expect_safe_radius_as_before)
{
    char value[DPL_PARAMETER_VALUE_SIZE] = "";
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "SafeRadius", value), 0);
    cr_assert_str_eq(value, "0.3");
}

Test(wheel_controller, tells_parameters_and_sets_live_ones_only)
{
    RUN(0.2, NULL, {0.1, use_parameters});
    RUN(0.2, NULL, {0.1, expect_safe_radius_as_before});
}

STEP(scoped_parameters)
{
    char value[DPL_PARAMETER_VALUE_SIZE] = "";
    cr_assert_eq(probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER,
                           "hardware.WheelDiameter", value),
                 0);
    cr_assert_str_eq(value, "0.1");
    cr_assert_eq(probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER,
                           "simulation.WheelDiameter", value),
                 0);
    cr_assert_str_eq(value, "0.2");
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "OwnershipTimeout", value),
        0);
    cr_assert_str_eq(value, "500");
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "hardware.Nonsense", value),
        -ENOENT);
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "hardware.", value),
        -ENOENT);
    cr_assert_eq(
        probe_get(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_GET_PARAMETER, "elsewhere.Seed", value),
        -ENOENT);
}

static void run_hil(const struct bench_step *steps, size_t n_steps, double duration_s)
{
    struct bench bench = {PROBE_BENCH("base.xml"),
                          .sets = {"WheelController.ApiName=hil",
                                   "WheelController.HardwareDriver=mock",
                                   "WheelController.SimulationDriver=mock",
                                   "WheelController.hardware.WheelDiameter=0.1",
                                   "WheelController.simulation.WheelDiameter=0.2"},
                          .duration_s = duration_s, .steps = steps, .n_steps = n_steps};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(wheel_controller, tells_the_parameters_of_each_side_of_a_hil_driver)
{
    static const struct bench_step steps[] = {{0.1, scoped_parameters}};
    run_hil(steps, DPL_COUNT(steps), 0.2);
}

static int ask_simulation(struct dpl_component *from, unsigned method)
{
    return probe_call(from, PROBE_SIMULATION, method);
}

STEP(drive_simulation)
{
    cr_assert_eq(probe_drive(from, PROBE_SIMULATION, 0.05, 0.0), -EPERM, "it has to be taken");
    cr_assert_eq(probe_move(from, PROBE_SIMULATION, 1.0, 0.1), -EPERM);
    cr_assert_eq(probe_rotate(from, PROBE_SIMULATION, 1.0, 0.1), -EPERM);
    cr_assert_eq(ask_simulation(from, DPL_WHEEL_CONTROLLER_TAKE_WHEEL), 0);
    cr_assert_eq(probe_drive(from, PROBE_SIMULATION, 0.05, 0.0), 0);
}

STEP(expect_only_simulation)
{
    cr_assert_float_eq(speed(from, PROBE_SIMULATION), 0.05, 1e-6);
    expect_standing(from, tick);
}

STEP(expect_both_standing)
{
    expect_standing(from, tick);
    cr_assert_float_eq(speed(from, PROBE_SIMULATION), 0.0, 1e-6);
}

STEP(take_base)
{
    cr_assert_eq(probe_call(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_TAKE_WHEEL), -ENOTSUP);
    cr_assert_eq(probe_call(from, PROBE_HARDWARE, DPL_WHEEL_CONTROLLER_RELEASE_WHEEL), -ENOTSUP);
}

/* The next command would need another TakeWheel. */
STEP(release_simulation)
{
    cr_assert_eq(ask_simulation(from, DPL_WHEEL_CONTROLLER_RELEASE_WHEEL), 0);
    cr_assert_eq(ask_simulation(from, DPL_WHEEL_CONTROLLER_RELEASE_WHEEL), -EPERM);
    cr_assert_eq(probe_drive(from, PROBE_SIMULATION, 0.05, 0.0), -EPERM);
}

Test(wheel_controller, lets_the_simulation_stand_with_the_base_when_it_is_released)
{
    static const struct bench_step steps[] = {{0.0, drive_simulation},
                                              {0.3, expect_only_simulation},
                                              {0.3, release_simulation},
                                              {0.5, expect_both_standing}};
    run_hil(steps, DPL_COUNT(steps), 0.6);
}

Test(wheel_controller, gives_nobody_the_base_or_its_hardware_alone)
{
    static const struct bench_step steps[] = {{0.1, take_base}};
    run_hil(steps, DPL_COUNT(steps), 0.2);
}

/* The owner says nothing more: the simulation does as the base, which stands. */
Test(wheel_controller, drives_the_simulation_alone_through_its_service)
{
    static const struct bench_step steps[] = {
        {0.0, drive_simulation}, {0.3, expect_only_simulation}, {1.2, expect_both_standing}};
    run_hil(steps, DPL_COUNT(steps), 1.3);
}

STEP(expect_both_driving)
{
    expect_driving(from, tick);
    cr_assert_float_eq(speed(from, PROBE_SIMULATION), 0.1, 1e-6);
}

STEP(expect_only_hardware)
{
    expect_driving(from, tick);
    cr_assert_float_eq(speed(from, PROBE_SIMULATION), 0.0, 1e-6);
}

Test(wheel_controller, stops_the_hardware_alone_when_its_own_commander_falls_silent)
{
    static const struct bench_step steps[] = {
        {0.0, drive_hardware}, {0.4, expect_only_hardware}, {1.0, expect_both_standing}};
    run_hil(steps, DPL_COUNT(steps), 1.1);
}

/* The application's command replaces the one to the hardware alone, and goes on being repeated. */
Test(wheel_controller, watches_the_commander_that_drove_last)
{
    static const struct bench_step steps[] = {{0.0, drive_hardware},
                                              {0.3, drive},
                                              {0.7, drive},
                                              {1.1, expect_both_driving},
                                              {1.6, expect_both_standing}};
    run_hil(steps, DPL_COUNT(steps), 1.7);
}

STEP(place_simulation)
{
    cr_assert_eq(probe_set_position(from, PROBE_SIMULATION, far_away), 0);
}

STEP(expect_simulation_there)
{
    struct dpl_pose2 pose;
    bool valid;
    cr_assert_eq(probe_pose(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_GET_TRUTH, &valid, &pose),
                 0);
    cr_assert_lt(dpl_pose2_distance(pose, far_away), 1e-6, "%g %g", pose.x, pose.y);
    cr_assert_eq(probe_pose(from, PROBE_HARDWARE, DPL_WHEEL_CONTROLLER_GET_TRUTH, &valid, &pose),
                 0);
    cr_assert_lt(hypot(pose.x, pose.y), 1e-6);
}

Test(wheel_controller, puts_the_avatar_itself_to_the_position_that_its_service_is_told)
{
    static const struct bench_step steps[] = {{0.1, place_simulation},
                                              {0.2, expect_simulation_there}};
    run_hil(steps, DPL_COUNT(steps), 0.3);
}

STEP(lose)
{
    dpl_device_lost(dpl_component_device(from), "unplugged for the test");
}

/* Commands keep coming for two more seconds; from the loss on they are refused. */
Test(wheel_controller, stands_still_when_any_device_of_the_application_is_lost)
{
    static const struct bench_step steps[] = {{1.0, lose}};
    const char *folder = bench_make_folder();
    struct bench bench = {.file = UNIT "/components/mobile/data/halt.xml",
                          .duration_s = 3.0,
                          .out_dir = folder,
                          .instead = &bench_laser_class,
                          BENCH_STEPS(steps)};
    bench_run(&bench);
    double way = bench_summary(folder, "WheelController.distance_m");
    double refused = bench_summary(folder, "VelocityScript.refused");
    bench_remove_folder(folder);
    cr_assert(way > 0.08 && way < 0.12, "%g m", way);
    cr_assert_gt(refused, 190.0, "%g", refused);
}
