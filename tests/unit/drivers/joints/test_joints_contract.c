/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class joints (doppel/drv/joints.h), checked on every driver that runs
 * without hardware: alone, and as HIL over two of them. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/joints.h>

#include "bench.h"

#define N 3

static const struct joints_case {
    const char *name;
    const char *sets[4];
    bool has_weight; /* the joints are those of the world */
} cases[] = {
    {"mock", {"JointController.ApiName=mock"}},
    {"avatar", {"JointController.ApiName=avatar", "JointController.Device=cell/arm"}, true},
    {"hil over mock and avatar",
     {"JointController.ApiName=hil", "JointController.HardwareDriver=mock",
      "JointController.SimulationDriver=avatar", "JointController.simulation.Device=cell/arm"}},
    {"hil over avatar and mock",
     {"JointController.ApiName=hil", "JointController.HardwareDriver=avatar",
      "JointController.SimulationDriver=mock", "JointController.hardware.Device=cell/arm"},
     true},
};

static const struct joints_case *current;
static struct dpl_joints_state first, last, kept;

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct dpl_device *device = dpl_component_device(self);
    cr_assert_eq(dpl_joints_read(device, &first), 0, "%s", current->name);
    return dpl_joints_enable(device);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    cr_assert_eq(dpl_joints_execute(device, tick), 0, "%s", current->name);
    cr_assert_eq(dpl_joints_read(device, &last), 0, "%s", current->name);
    cr_assert(!last.valid || last.stamp <= tick->now, "%s", current->name);
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.initialize = initialize, .execute = execute};
static const struct dpl_component_class joints_bench = {
    .name = "JointsBench", .ops = &ops, .device_class = DPL_JOINTS_CLASS};

static struct bench bench_of(const struct joints_case *of, const struct bench_step *steps,
                             size_t n_steps, double duration_s)
{
    struct bench bench = {.file = PROFILES "/apps/joint_arm.xml",
                          .duration_s = duration_s,
                          .instead = &joints_bench,
                          .steps = steps,
                          .n_steps = n_steps};
    memcpy(bench.sets, of->sets, sizeof of->sets);
    current = of;
    first = last = kept = (struct dpl_joints_state){0};
    return bench;
}

static void on_all(const struct bench_step *steps, size_t n_steps, double duration_s)
{
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        struct bench bench = bench_of(&cases[i], steps, n_steps, duration_s);
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", current->name, bench_error());
    }
}

static int send_command(struct dpl_component *from, int64_t mode, double waist, double shoulder,
                        double elbow)
{
    const struct dpl_joints_command command = {
        .mode = mode, .n = N, .value = {waist, shoulder, elbow}};
    return dpl_joints_command(dpl_component_device(from), &command);
}

static void send_positions(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    cr_assert_eq(send_command(from, DPL_JOINTS_POSITION, 0.4, -0.6, 0.9), 0, "%s", current->name);
}

static void expect_positions(struct dpl_component *from, const struct dpl_tick *tick)
{
    static const double wanted[N] = {0.4, -0.6, 0.9};
    (void)from, (void)tick;
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(last.position[i], wanted[i], 0.006, "%s: joint %d at %g", current->name,
                           i, last.position[i]);
        cr_assert_float_eq(last.velocity[i], 0.0, 0.002, "%s: joint %d", current->name, i);
    }
    cr_assert_eq(last.fault, 0);
    /* the weight of the arm is on the shoulder */
    double weight = 9.81 * (3.0 * 0.2 + 2.0 * 0.4) * cos(0.6) + 9.81 * 2.0 * 0.17 * cos(0.3);
    cr_assert_float_eq(last.effort[1], current->has_weight ? -weight : 0.0, 0.05, "%s: %g N m",
                       current->name, last.effort[1]);
}

Test(joints_contract, knows_its_joints_from_the_beginning_and_comes_to_positions)
{
    static const struct bench_step steps[] = {{0.05, send_positions}, {2.0, expect_positions}};
    on_all(steps, DPL_COUNT(steps), 2.1);
    cr_assert_eq(first.n, N);
    cr_assert_not(first.valid);
    cr_assert(last.valid && last.ready);
}

static void send_velocities(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    cr_assert_eq(send_command(from, DPL_JOINTS_VELOCITY, 0.5, 0.0, 0.2), 0, "%s", current->name);
}

static void keep(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    kept = last;
}

static void expect_way(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    cr_assert_float_eq(last.position[0] - kept.position[0], 0.5, 0.005, "%s: %g", current->name,
                       last.position[0] - kept.position[0]);
    cr_assert_float_eq(last.velocity[0], 0.5, 0.005, "%s", current->name);
}

static void send_efforts(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    cr_assert_eq(send_command(from, DPL_JOINTS_EFFORT, -4.0, 0.0, 0.0), 0, "%s", current->name);
}

static void expect_to_go_back(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    cr_assert_lt(last.velocity[0], -0.3, "%s: %g", current->name, last.velocity[0]);
    cr_assert_float_eq(last.effort[0], -4.0, 1e-9, "%s: %g", current->name, last.effort[0]);
}

Test(joints_contract, goes_from_positions_to_velocities_to_efforts)
{
    static const struct bench_step steps[] = {
        {0.05, send_positions}, {1.0, send_velocities}, {1.5, keep},
        {2.5, expect_way},      {2.5, send_efforts},    {2.65, expect_to_go_back}};
    on_all(steps, DPL_COUNT(steps), 2.7);
}

static void stop(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    kept = last;
    cr_assert_eq(dpl_joints_stop(dpl_component_device(from)), 0, "%s", current->name);
}

static void stop_again(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    cr_assert_eq(dpl_joints_stop(dpl_component_device(from)), 0, "%s", current->name);
}

/* Not far from where it was told: at most the way of the mock's lag from its largest speed. */
static void expect_rest(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(last.position[i], kept.position[i], 0.16, "%s: joint %d from %g to %g",
                           current->name, i, kept.position[i], last.position[i]);
        cr_assert_float_eq(last.velocity[i], 0.0, 0.001, "%s: joint %d", current->name, i);
    }
    kept = last;
}

static void expect_the_same_place(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(last.position[i], kept.position[i], 0.001, "%s: joint %d", current->name,
                           i);
    }
}

Test(joints_contract, stops_and_holds_still_in_every_mode)
{
    static const bench_action moves[] = {send_positions, send_velocities, send_efforts};
    for (size_t i = 0; i < DPL_COUNT(moves); i++) {
        const struct bench_step steps[] = {{0.05, moves[i]},
                                           {0.2, stop},
                                           {1.2, expect_rest},
                                           {1.5, stop_again},
                                           {2.2, expect_the_same_place}};
        on_all(steps, DPL_COUNT(steps), 2.3);
    }
}

static void command_two(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    struct dpl_device *device = dpl_component_device(from);
    const struct dpl_joints_command command = {.mode = DPL_JOINTS_POSITION, .n = 2};
    cr_assert_eq(dpl_joints_command(device, &command), -EINVAL, "%s", current->name);
    cr_assert_eq(device->n_refused, 1, "%s", current->name);
}

Test(joints_contract, refuses_a_command_for_another_number_of_joints)
{
    static const struct bench_step steps[] = {{0.1, command_two}};
    on_all(steps, DPL_COUNT(steps), 0.2);
}

static void read_avatar(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    struct dpl_joints_state avatar;
    int err = dpl_joints_read_side(dpl_component_device(from), 1, &avatar);
    cr_assert_eq(err, strncmp(current->name, "hil", 3) == 0 ? 0 : -ENOTSUP, "%s", current->name);
    if (err == 0) {
        cr_assert_float_eq(avatar.position[0], 0.4, 0.005, "%s: %g", current->name,
                           avatar.position[0]);
    }
}

Test(joints_contract, over_hil_both_sides_move_and_can_be_read)
{
    static const struct bench_step steps[] = {{0.05, send_positions}, {2.0, read_avatar}};
    on_all(steps, DPL_COUNT(steps), 2.1);
}

/* ---- the mock ---- */

static void expect_to_be_refused(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)tick;
    cr_assert_not(last.ready);
    cr_assert_eq(send_command(from, DPL_JOINTS_POSITION, 1, 1, 1), -EPERM);
    cr_assert_eq(last.position[2], 0.25);
}

static void expect_to_be_ready(struct dpl_component *from, const struct dpl_tick *tick)
{
    (void)from, (void)tick;
    cr_assert(last.ready);
}

Test(joints_contract, the_mock_begins_where_and_when_it_is_told)
{
    static const struct bench_step steps[] = {{0.4, expect_to_be_refused},
                                              {0.6, expect_to_be_ready}};
    struct bench bench = bench_of(&cases[0], steps, DPL_COUNT(steps), 0.7);
    bench.sets[1] = "JointController.StartTime=0.5";
    bench.sets[2] = "JointController.Start=1 -2 0.25";
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

static void expect_error(const struct joints_case *of, const char *set, const char *why)
{
    struct bench bench = bench_of(of, NULL, 0, 0.1);
    bench.sets[strcmp(of->name, "mock") == 0 ? 1 : 2] = set;
    cr_assert_lt(bench_create_error(&bench), 0, "%s", set);
    cr_assert_not_null(strstr(bench_error(), why), "%s: %s", set, bench_error());
}

Test(joints_contract, a_name_or_number_that_is_wrong_is_an_error)
{
    expect_error(&cases[0], "JointController.Start=1 2", "Start has 2 numbers, but there are 3");
    expect_error(&cases[0], "JointController.Start=1 2 x", "character 5");
    expect_error(&cases[1], "JointController.Device=cell/arn", "did you mean 'cell/arm/waist");
    expect_error(&cases[1], "JointController.Joints=waist elbov", "did you mean 'cell/arm/elbow");
    expect_error(&cases[1], "JointController.Device=nowhere", "Device or Joints");
}
