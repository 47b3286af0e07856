/* SPDX-License-Identifier: Apache-2.0 */
/* JointController in whole runs: it goes through its waypoints, does what its service is asked, and
 * holds the joints still when something else happens. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/joints.h>

#include "bench.h"
#include "ports.h"

#define N 3

enum port { PORT_SERVICE };

static const char *folder;
static double position[N], velocity[N], effort[N];

static void begin(void)
{
    folder = bench_make_folder();
}

static void end(void)
{
    bench_remove_folder(folder);
}

TestSuite(joint_controller, .init = begin, .fini = end, .timeout = 60);

/* ---- who asks ---- */

static int read_joints(struct dpl_component *self)
{
    Doppel__JointState state = DOPPEL__JOINT_STATE__INIT;
    state.position = position;
    state.velocity = velocity;
    state.effort = effort;
    state.n_position = state.n_velocity = state.n_effort = N;
    int err = dpl_joint_call_get_joints(self, PORT_SERVICE, &state);
    return err == 0 && !state.valid ? -EAGAIN : err;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)read_joints(self);
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_SERVICE] =
        PORT_SERVICE("JointService", IN, &doppel__joint_service__descriptor, .required = true),
};
static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class probe = {
    .name = "JointProbe", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports)};
static const struct bench_wire wires[] = {{PORT_SERVICE, "JointController", "JointService"}};

static struct bench bench_of(const struct bench_step *steps, size_t n_steps, double duration_s)
{
    return (struct bench){.file = PROFILES "/apps/joint_arm.xml",
                          .sets = {"JointController.ApiName=mock", "JointController.Lag=0",
                                   "JointController.MaximumError=0"},
                          .duration_s = duration_s,
                          .out_dir = folder,
                          .added = &probe,
                          .wires = wires,
                          .n_wires = DPL_COUNT(wires),
                          .steps = steps,
                          .n_steps = n_steps};
}

static void run(const struct bench *bench)
{
    cr_assert_eq(bench_run(bench), DPL_EXIT_DONE, "%s", bench_error());
}

static void expect(double waist, double shoulder, double elbow, double tolerance)
{
    const double wanted[N] = {waist, shoulder, elbow};
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(position[i], wanted[i], tolerance, "joint %d at %g, not %g", i,
                           position[i], wanted[i]);
    }
}

/* ---- waypoints ---- */

/* The mock without lag is where it was told at the end of the cycle before. It is ready in the
 * second cycle. */
static void expect_first(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(0.0, -0.8, 1.2, 1e-9);
}

static void expect_half_of_second(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(0.4, -0.8, 1.2, 1e-9);
}

Test(joint_controller, goes_through_its_waypoints_with_a_quintic)
{
    static const struct bench_step steps[] = {{1.01, expect_first}, {1.51, expect_half_of_second}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 1.6);
    run(&bench);
    cr_assert_eq(bench_summary(folder, "JointController.refused"), 0.0);
    cr_assert_lt(bench_summary(folder, "JointController.largest_error"), 1e-12);
}

static void expect_last(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(-0.8, -0.4, 1.6, 1e-9);
}

static void expect_to_repeat(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(-0.4, -0.6, 1.4, 1e-9); /* half of the way to the first one */
}

Test(joint_controller, stays_at_the_last_waypoint_or_repeats)
{
    static const struct bench_step stays[] = {{5.01, expect_last}, {5.51, expect_last}};
    static const struct bench_step repeats[] = {{5.01, expect_last}, {5.51, expect_to_repeat}};
    struct bench bench = bench_of(stays, DPL_COUNT(stays), 5.6);
    bench.sets[3] = "JointController.Repeat=false";
    run(&bench);
    bench = bench_of(repeats, DPL_COUNT(repeats), 5.6);
    run(&bench);
}

Test(joint_controller, waypoints_of_another_number_of_joints_are_an_error)
{
    struct bench bench = bench_of(NULL, 0, 0.1);
    bench.sets[3] = "JointController.Waypoints=1 0 0";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Waypoints have 2 joint(s), but the device has 3"),
                       "%s", bench_error());
}

/* ---- the service ---- */

static int ask_positions(struct dpl_component *from, size_t n, double first, double duration_s)
{
    double wanted[N + 1] = {first, -0.5, 0.5};
    Doppel__JointTarget target = DOPPEL__JOINT_TARGET__INIT;
    target.position = wanted;
    target.n_position = n;
    target.duration = duration_s;
    return dpl_joint_call_set_joint_positions(from, PORT_SERVICE, &target);
}

static int ask_velocities(struct dpl_component *from, size_t n, double first)
{
    double wanted[N + 1] = {first, 0.0, -0.1};
    Doppel__JointVelocities target = DOPPEL__JOINT_VELOCITIES__INIT;
    target.velocity = wanted;
    target.n_velocity = n;
    return dpl_joint_call_set_joint_velocities(from, PORT_SERVICE, &target);
}

static void go_there(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(ask_positions(from, N, 1.0, 0.5), 0);
}

static void expect_there(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(1.0, -0.5, 0.5, 1e-9);
}

static void drive(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(ask_velocities(from, N, 0.25), 0);
}

static void expect_driven(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(1.0 + 0.25, -0.5, 0.5 - 0.1, 0.25 * 0.02);
    cr_assert_eq(velocity[0], 0.25);
    cr_assert_eq(effort[0], 0.25); /* friction */
}

static void stop_joints(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_joint_call_stop_joints(from, PORT_SERVICE), 0);
}

static void expect_stopped(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(1.0 + 0.25, -0.5, 0.5 - 0.1, 0.25 * 0.02);
    cr_assert_eq(velocity[0], 0.0);
}

Test(joint_controller, goes_where_and_as_fast_as_it_is_asked_and_stops)
{
    static const struct bench_step steps[] = {
        {0.3, go_there},      {0.85, expect_there}, {1.0, expect_there},   {1.0, drive},
        {2.0, expect_driven}, {2.0, stop_joints},   {3.0, expect_stopped},
    };
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 3.1);
    run(&bench);
    cr_assert_eq(bench_summary(folder, "JointController.refused"), 0.0);
}

static double before[N];

static void keep(struct dpl_component *from, const struct dpl_tick *tick)
{
    memcpy(before, velocity, sizeof before);
    cr_assert_gt(fabs(before[2]), 1.0); /* in the middle of a way */
    cr_assert_eq(ask_positions(from, N, 1.0, 1.0), 0);
}

/* No jump of the velocity. */
static void expect_as_fast(struct dpl_component *from, const struct dpl_tick *tick)
{
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(velocity[i], before[i], 0.06, "joint %d: %g, then %g", i, before[i],
                           velocity[i]);
    }
}

Test(joint_controller, turns_off_a_way_without_a_jump)
{
    static const struct bench_step steps[] = {
        {0.5, keep}, {0.52, expect_as_fast}, {1.55, expect_there}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 1.6);
    run(&bench);
}

static void ask_badly(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(ask_positions(from, N - 1, 1.0, 1.0), -EINVAL);
    cr_assert_eq(ask_positions(from, N + 1, 1.0, 1.0), -EINVAL);
    cr_assert_eq(ask_positions(from, N, (double)NAN, 1.0), -EINVAL);
    cr_assert_eq(ask_positions(from, N, 1.0, 0.0), -EINVAL);
    cr_assert_eq(ask_positions(from, N, 1.0, (double)NAN), -EINVAL);
    cr_assert_eq(ask_velocities(from, N - 1, 1.0), -EINVAL);
    cr_assert_eq(ask_velocities(from, N, (double)INFINITY), -EINVAL);
}

Test(joint_controller, refuses_what_makes_no_sense_and_goes_on)
{
    static const struct bench_step steps[] = {{0.5, ask_badly}, {1.01, expect_first}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 1.1);
    run(&bench);
}

static void ask_too_early(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(ask_positions(from, N, 1.0, 1.0), -EAGAIN);
    cr_assert_eq(ask_velocities(from, N, 1.0), -EAGAIN);
}

static void expect_begin(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(0.0, 0.0, 0.0, 0.0);
}

static void expect_late_first(struct dpl_component *from, const struct dpl_tick *tick)
{
    expect(0.0, -0.8, 1.2, 1e-9);
}

Test(joint_controller, waits_until_the_joints_are_ready)
{
    static const struct bench_step steps[] = {
        {0.4, ask_too_early}, {0.49, expect_begin}, {1.5, expect_late_first}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 1.6);
    bench.sets[3] = "JointController.StartTime=0.5";
    run(&bench);
    cr_assert_eq(bench_summary(folder, "JointController.refused"), 0.0);
}

/* ---- when something happens ---- */

static double held[N];

static void keep_position(struct dpl_component *from, const struct dpl_tick *tick)
{
    memcpy(held, position, sizeof held);
}

static void expect_to_hold(struct dpl_component *from, const struct dpl_tick *tick)
{
    for (int i = 0; i < N; i++) {
        cr_assert_float_eq(position[i], held[i], 1e-6, "joint %d", i);
    }
}

static void expect_other_place(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_gt(fabs(position[2] - held[2]), 0.05, "%g", position[2]);
}

/* Lag makes them late: 1.5 rad/s behind by 0.1 s. */
Test(joint_controller, joints_that_do_not_follow_are_a_fault_and_stop)
{
    static const struct bench_step steps[] = {{2.0, keep_position}, {3.0, expect_to_hold}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 3.1);
    bench.sets[1] = "JointController.Lag=0.1";
    bench.sets[2] = "JointController.MaximumError=0.1";
    cr_assert_eq(bench_run(&bench), DPL_EXIT_FAULT, "%s", bench_error());
    cr_assert_eq(bench_summary(folder, "JointController.faults"), 1.0);
}

/* The component is in ERROR meanwhile; then the waypoints begin anew from where the joints are. */
Test(joint_controller, a_device_that_is_lost_stops_and_begins_anew_when_it_is_found)
{
    static const struct bench_step steps[] = {
        {0.5, keep_position}, {0.9, expect_to_hold}, {1.5, expect_other_place}};
    struct bench bench = bench_of(steps, DPL_COUNT(steps), 2.2);
    bench.sets[3] = "JointController.LostFrom=0.5";
    bench.sets[4] = "JointController.LostTo=1";
    (void)bench_run(&bench);
    cr_assert_eq(bench_summary(folder, "devices/JointController/losses"), 1.0, "%s", bench_error());
    expect(0.0, -0.8, 1.2, 0.3);
}
