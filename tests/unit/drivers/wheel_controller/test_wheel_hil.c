/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of wheel bases over two mocks: what reaches which side, who owns the simulation
 * side and until when, whose failures count. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>

#include "bench.h"

enum { HARDWARE, SIMULATION };
enum { OWNER = 7, OTHER = 8 };

static int n_cycles_halted, n_cycles;

static enum dpl_exit run(const struct bench_step *steps, size_t n_steps, double duration_s,
                         const char *on_lost)
{
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=hil",
                                   "WheelController.HardwareDriver=mock",
                                   "WheelController.SimulationDriver=mock", on_lost},
                          .duration_s = duration_s,
                          .instead = &bench_wheel_class,
                          .steps = steps,
                          .n_steps = n_steps};
    return bench_run(&bench);
}

#define RUN(steps, duration_s) cr_assert_eq(run(steps, DPL_COUNT(steps), duration_s, NULL), 0)

static struct dpl_device *side(struct dpl_component *from, size_t which)
{
    return dpl_device_side(dpl_component_device(from), which);
}

static double speed_of(struct dpl_component *from, size_t which)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(side(from, which), &now), 0);
    return now.twist.linear;
}

static void expect_speeds(struct dpl_component *from, double hardware, double simulation)
{
    cr_assert_float_eq(speed_of(from, HARDWARE), hardware, 1e-3, "hardware: %g m/s",
                       speed_of(from, HARDWARE));
    cr_assert_float_eq(speed_of(from, SIMULATION), simulation, 1e-3, "simulation: %g m/s",
                       speed_of(from, SIMULATION));
}

static int take(struct dpl_component *from, int64_t owner)
{
    return dpl_wheel_take_simulation(dpl_component_device(from), owner);
}

static int keep(struct dpl_component *from, int64_t owner)
{
    return dpl_wheel_keep_simulation(dpl_component_device(from), owner);
}

static int release(struct dpl_component *from, int64_t owner)
{
    return dpl_wheel_release_simulation(dpl_component_device(from), owner);
}

static void start(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_enable(dpl_component_device(from)), 0);
    cr_assert_eq(dpl_wheel_drive(dpl_component_device(from), 0.1, 0.0), 0);
}

static void own(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(take(from, OWNER), 0);
    cr_assert_eq(dpl_wheel_drive(side(from, SIMULATION), 0.05, 0.0), 0);
}

static void keep_on(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(keep(from, OWNER), 0);
}

static void drive_on(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_drive(dpl_component_device(from), 0.15, 0.0), 0);
}

static void stop(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_stop(dpl_component_device(from)), 0);
}

static void expect_both_at_10(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.1, 0.1);
}

static void expect_owned_at_5(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.15, 0.05);
}

static void expect_only_owner_at_5(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.0, 0.05);
}

static void expect_both_at_15(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.15, 0.15);
}

static void expect_standing(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.0, 0.0);
}

Test(wheel_hil, sends_commands_to_both_sides)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, expect_both_at_10}, {1.0, stop}, {2.0, expect_standing}};
    RUN(steps, 2.1);
}

static void release_to_base(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(release(from, OWNER), 0);
    cr_assert_eq(release(from, OWNER), -EPERM);
}

Test(wheel_hil, brings_the_simulation_what_the_base_does_as_soon_as_it_is_released)
{
    static const struct bench_step steps[] = {{0.0, start},           {1.0, own},
                                              {1.05, drive_on},       {1.2, expect_owned_at_5},
                                              {1.2, release_to_base}, {1.45, expect_both_at_15}};
    RUN(steps, 1.5);
}

static void stop_own_release(struct dpl_component *from, const struct dpl_tick *tick)
{
    stop(from, tick);
    own(from, tick);
    release_to_base(from, tick);
}

Test(wheel_hil, stops_the_simulation_that_is_released_while_the_base_stands)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, stop_own_release}, {1.6, expect_standing}};
    RUN(steps, 1.7);
}

static void others_are_refused(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(keep(from, OWNER), -EPERM, "nobody has taken it");
    own(from, tick);
    cr_assert_eq(take(from, OTHER), -EBUSY);
    cr_assert_eq(keep(from, OTHER), -EPERM);
    cr_assert_eq(release(from, OTHER), -EPERM);
    cr_assert_eq(take(from, OWNER), 0, "again");
    cr_assert_eq(release(from, OWNER), 0);
    cr_assert_eq(take(from, OTHER), 0);
    cr_assert_eq(keep(from, OWNER), -EPERM);
}

Test(wheel_hil, refuses_a_second_owner_until_the_first_has_released)
{
    static const struct bench_step steps[] = {{0.0, start}, {0.5, others_are_refused}};
    RUN(steps, 0.6);
}

static void another_owner(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(keep(from, OWNER), -EPERM, "it was silent for too long");
    cr_assert_eq(take(from, OTHER), 0);
}

Test(wheel_hil, takes_the_simulation_from_an_owner_that_hangs_and_lets_it_stand)
{
    static const struct bench_step steps[] = {
        {0.0, start},           {0.5, stop},         {1.0, own}, {1.45, expect_only_owner_at_5},
        {1.8, expect_standing}, {1.9, another_owner}};
    RUN(steps, 2.0);
}

/* OwnershipTimeout is 500 ms: taken at 1.0 s, the simulation is given back at 1.5 s. */
Test(wheel_hil, leaves_the_simulation_to_its_owner_until_the_timeout)
{
    static const struct bench_step steps[] = {{0.0, start},
                                              {1.0, own},
                                              {1.1, drive_on},
                                              {1.45, expect_owned_at_5},
                                              {1.8, expect_both_at_15}};
    RUN(steps, 1.9);
}

Test(wheel_hil, keeps_the_owner_as_long_as_it_says_something)
{
    static const struct bench_step steps[] = {{0.0, start},   {1.0, own},
                                              {1.4, own},     {1.6, drive_on},
                                              {1.8, keep_on}, {2.2, expect_owned_at_5}};
    RUN(steps, 2.25);
}

Test(wheel_hil, stops_the_simulation_too_although_it_is_owned)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, own}, {1.1, stop}, {1.4, expect_standing}, {3.0, expect_standing}};
    RUN(steps, 3.1);
}

static void move(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_move(dpl_component_device(from), 10.0, 0.1), 0);
}

static void expect_only_hardware_at_10(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect_speeds(from, 0.1, 0.0);
}

Test(wheel_hil, does_not_revive_an_older_drive_when_ownership_ends_during_a_move)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, own}, {1.1, move}, {2.0, expect_only_hardware_at_10}};
    RUN(steps, 2.1);
}

static void drive_while_hardware_refuses(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    cr_assert_eq(dpl_wheel_disable(side(from, HARDWARE)), 0);
    cr_assert_eq(dpl_wheel_stop(side(from, SIMULATION)), 0);
    cr_assert_eq(dpl_wheel_drive(device, 0.1, 0.0), -EPERM);
    cr_assert_eq(dpl_wheel_move(device, 1.0, 0.1), -EPERM);
    cr_assert_eq(dpl_wheel_rotate(device, 1.0, 0.1), -EPERM);
}

Test(wheel_hil, keeps_from_the_simulation_what_the_hardware_refuses)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, drive_while_hardware_refuses}, {2.0, expect_standing}};
    RUN(steps, 2.1);
}

static void disable_own_drive_enable(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    own(from, NULL);
    cr_assert_eq(dpl_wheel_disable(device), 0);
    cr_assert_eq(dpl_wheel_drive(device, 0.15, 0.0), -EPERM);
    cr_assert_eq(dpl_wheel_enable(device), 0);
}

Test(wheel_hil, does_not_revive_a_refused_drive_when_ownership_ends)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, disable_own_drive_enable}, {2.0, expect_standing}};
    RUN(steps, 2.1);
}

static void drive_while_simulation_refuses(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_disable(side(from, SIMULATION)), 0);
    cr_assert_eq(dpl_wheel_drive(dpl_component_device(from), 0.1, 0.0), 0);
}

Test(wheel_hil, answers_what_the_hardware_answers_and_counts_the_simulation)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, drive_while_simulation_refuses}, {2.0, expect_only_hardware_at_10}};
    const char *folder = bench_make_folder();
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=hil",
                                   "WheelController.HardwareDriver=mock",
                                   "WheelController.SimulationDriver=mock"},
                          .duration_s = 2.1,
                          .out_dir = folder,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    double errors = bench_summary(folder, "devices/WheelController/simulation_errors");
    bench_remove_folder(folder);
    cr_assert_eq(errors, 1.0, "%g", errors);
}

static void count(struct dpl_component *from, const struct dpl_tick *tick)
{
    n_cycles++;
    n_cycles_halted += tick->halt != 0;
}

static void lose_simulation(struct dpl_component *from, const struct dpl_tick *tick)
{
    dpl_device_lost(side(from, SIMULATION), "unplugged for the test");
}

static void lose(const char *policy)
{
    static const struct bench_step steps[] = {{0.0, start}, {0.5, lose_simulation}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=hil",
                                   "WheelController.HardwareDriver=mock",
                                   "WheelController.SimulationDriver=mock", policy},
                          .duration_s = 1.0,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps),
                          .each_cycle = count};
    bench_run(&bench);
}

static void lose_owned_simulation(struct dpl_component *from, const struct dpl_tick *tick)
{
    own(from, tick);
    lose_simulation(from, tick);
    cr_assert_eq(take(from, OTHER), -ENODEV);
}

static void find_simulation(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(keep(from, OWNER), -EPERM, "lost with the simulation");
    dpl_device_found(side(from, SIMULATION));
    cr_assert_eq(take(from, OTHER), 0);
}

Test(wheel_hil, has_no_owner_of_a_simulation_that_was_lost)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {0.5, lose_owned_simulation}, {0.6, find_simulation}};
    RUN(steps, 0.7);
}

Test(wheel_hil, goes_on_without_the_simulation_by_default)
{
    lose("WheelController.OnSimulationLost=continue");
    cr_assert_geq(n_cycles, 99, "%d", n_cycles);
    cr_assert_eq(n_cycles_halted, 0);
}

Test(wheel_hil, stops_without_the_simulation_when_told_so)
{
    lose("WheelController.OnSimulationLost=stop");
    cr_assert_leq(n_cycles - n_cycles_halted, 52, "%d cycles, %d halted", n_cycles,
                  n_cycles_halted);
}
