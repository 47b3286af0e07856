/* SPDX-License-Identifier: Apache-2.0 */
/* The avatar driver of axes over a real world, cycle by cycle at 1.6 kHz on the simulated clock. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/drv/axes.h>
#include <doppel/math/geometry.h>
#include <doppel/plugin.h>
#include <doppel/sim/host.h>

#include "axes_motion.h"
#include "fake_device.h"

#define CYCLE ((dpl_ns)625000)

static struct dpl_sim_host *host;
static struct dpl_world_host face;
static struct fake_device fake;
static struct dpl_device *const device = &fake.device;
static struct dpl_axes_state at;
static struct dpl_diag diag;

static int open_link(struct dpl_device *self, const struct dpl_link_config *config,
                     struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    return face.ops->open_link(face.self, config, self, ret_link, reterr);
}

static void begin_in(const char *world)
{
    struct dpl_sim_host_options options = {.world = world, .seed = 1};
    host = dpl_sim_host_create(&options);
    face = dpl_sim_host_interface(host);
    fake_device_begin(&fake, dpl_plugin.driver);
    fake.device.name = "Servo";
    fake.open_link = open_link;
}

static void begin(void)
{
    begin_in(PROFILES "/worlds/hexafloat.xml");
}

static void end(void)
{
    fake_device_end(&fake);
    dpl_sim_host_destroy(host);
}

TestSuite(axes_avatar, .init = begin, .fini = end);

/* A cycle; the reference is followed when there is one. What was read is in `at`. */
static int cycle(const struct dpl_axes_reference *reference)
{
    struct dpl_tick tick = {
        .now = fake.now, .period = CYCLE, .cycle = (uint64_t)(fake.now / CYCLE)};
    cr_assert_eq(face.ops->advance(face.self, fake.now, &diag), 0);
    cr_assert_eq(dpl_axes_execute(device, &tick), 0);
    cr_assert_eq(dpl_axes_read(device, &at), 0);
    int err = reference ? dpl_axes_follow(device, reference) : 0;
    cr_assert_eq(dpl_axes_finish(device, &tick), 0);
    fake.now += CYCLE;
    return err;
}

static void cycles(int n)
{
    for (int i = 0; i < n; i++) {
        cycle(NULL);
    }
}

static void switch_on(void)
{
    fake_device_open(&fake);
    cr_assert_eq(dpl_axes_enable(device), 0);
    cycles(2);
    cr_assert_eq(dpl_axes_read(device, &at), 0);
    cr_assert_eq(at.mode, DPL_AXES_ON);
}

/* All axes around `home` on A sin(2 pi f t), as a planner would give them: where they are to be at
 * the end of the cycle. */
static void follow_sine(const double *home, double amplitude_m, double frequency_hz, dpl_ns from)
{
    struct dpl_axes_reference reference;
    double w = 2.0 * DPL_PI * frequency_hz, t = dpl_ns_to_s(fake.now - from + CYCLE);
    for (int i = 0; i < DPL_AXES_N; i++) {
        reference.position_m[i] = home[i] + amplitude_m * (1.0 - cos(w * t));
        reference.velocity_m_s[i] = amplitude_m * w * sin(w * t);
        reference.acceleration_m_s2[i] = amplitude_m * w * w * cos(w * t);
    }
    cr_assert_eq(cycle(&reference), 0);
}

static double largest_error(const double *home, double amplitude_m, double frequency_hz)
{
    double largest = 0.0;
    dpl_ns from = fake.now;
    for (int k = 0; k < 1600; k++) {
        follow_sine(home, amplitude_m, frequency_hz, from);
        double t = dpl_ns_to_s(at.stamp - from);
        double wanted = amplitude_m * (1.0 - cos(2.0 * DPL_PI * frequency_hz * t));
        for (int i = 0; i < DPL_AXES_N; i++) {
            largest = fmax(largest, fabs(at.position_m[i] - home[i] - wanted));
        }
    }
    return largest;
}

/* On, and along a sine for some cycles: 134 are a quarter of it, where it is fastest. */
static void gather_speed(int n)
{
    double home[DPL_AXES_N];
    switch_on();
    memcpy(home, at.position_m, sizeof home);
    dpl_ns from = fake.now;
    for (int k = 0; k < n; k++) {
        follow_sine(home, 0.02, 3.0, from);
    }
}

static double speed_of(int axis)
{
    return at.velocity_m_s[axis];
}

Test(axes_avatar, reads_where_the_axes_are_and_moves_nothing_while_it_is_off)
{
    fake_device_open(&fake);
    cr_assert_eq(dpl_axes_read(device, &at), 0);
    cr_assert_not(at.valid);
    cycles(100);
    cr_assert(at.valid);
    cr_assert_eq(at.mode, DPL_AXES_OFF);
    cr_assert_eq(at.stamp, 99 * CYCLE);
    cr_assert_eq(at.fault_axis, -1);
    cr_assert_float_eq(at.position_m[0], 0.856792452437, 1e-7);
    cr_assert_float_eq(at.position_m[1], -0.699375929539, 1e-7);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(at.effort_n[i], 0.0);
        cr_assert_eq(at.velocity_m_s[i], 0.0);
    }
}

/* Its own loops go on, but nobody answers for them. */
Test(axes_avatar, the_world_lets_go_of_axes_whose_commander_is_late)
{
    gather_speed(134);
    double speed = fabs(speed_of(0));
    cr_assert_gt(speed, 0.1);
    double home[DPL_AXES_N], before = at.position_m[0];
    memcpy(home, at.position_m, sizeof home);
    fake.is_late = true;
    for (int k = 0; k < 320; k++) {
        struct dpl_axes_reference reference = {.position_m = {0}};
        memcpy(reference.position_m, home, sizeof home);
        cycle(&reference);
    }
    double rest = at.position_m[0], way = fabs(rest - before);
    cr_assert_lt(fabs(speed_of(0)), 1e-6, "%g m/s", speed_of(0));
    cr_assert_lt(way, 0.01, "the brakes hold it: %g m from %g m/s", way, speed);
    cycles(320);
    cr_assert_lt(fabs(at.position_m[0] - rest), 1e-6);
    cr_assert_gt(way, 1e-4, "the loops would have brought it back");
}

Test(axes_avatar, holds_where_it_stands_when_it_is_switched_on)
{
    switch_on();
    cycles(1600);
    cr_assert_float_eq(at.position_m[0], 0.856792452437, 3e-7);
    cr_assert_float_eq(at.position_m[2], 0.550247635031, 3e-7);
}

Test(axes_avatar, follows_a_sine_of_3_hz)
{
    switch_on();
    double home[DPL_AXES_N];
    memcpy(home, at.position_m, sizeof home);
    double error = largest_error(home, 0.02, 3.0);
    cr_assert_lt(error, 0.0005, "%g m", error);
    cr_assert_gt(error, 1e-7);
}

Test(axes_avatar, comes_to_rest_on_its_own_deceleration_and_takes_references_again)
{
    double home[DPL_AXES_N];
    gather_speed(134);
    double speed = speed_of(3), where = at.position_m[3];
    cr_assert_gt(speed, 0.35);
    cr_assert_eq(dpl_axes_stop(device), 0);
    struct dpl_axes_reference reference = {0};
    cr_assert_eq(cycle(&reference), -EPERM);
    cr_assert_eq(at.mode, DPL_AXES_STOPPING);
    for (int k = 0; k < 1600 && at.mode == DPL_AXES_STOPPING; k++) {
        cycle(NULL);
        cr_assert_gt(speed_of(3), -0.01);
    }
    cr_assert_eq(at.mode, DPL_AXES_ON);
    double way = at.position_m[3] - where;
    cr_assert_float_eq(way, speed * speed / 20.0, 0.001, "%g m from %g m/s", way, speed);
    cycles(800);
    cr_assert_lt(fabs(speed_of(3)), 1e-3);
    memcpy(home, at.position_m, sizeof home);
    cr_assert_lt(largest_error(home, 0.01, 1.0), 0.0005);
}

Test(axes_avatar, switches_off_at_rest_when_it_is_disabled_while_it_moves)
{
    gather_speed(134);
    cr_assert_eq(dpl_axes_disable(device), 0);
    cycle(NULL);
    cr_assert_eq(at.mode, DPL_AXES_STOPPING);
    cycles(200);
    cr_assert_eq(at.mode, DPL_AXES_OFF);
    cr_assert_lt(fabs(at.effort_n[2]), 1e-6);
    cr_assert_lt(fabs(speed_of(2)), 1e-3);
}

Test(axes_avatar, faults_when_a_reference_jumps_and_friction_brings_it_to_rest)
{
    gather_speed(134);
    struct dpl_axes_reference reference = {0};
    memcpy(reference.position_m, at.position_m, sizeof reference.position_m);
    reference.position_m[4] += 0.02;
    cycle(&reference);
    cycles(2);
    cr_assert_eq(at.mode, DPL_AXES_FAULT);
    cr_assert_eq(at.fault, AXES_FAULT_FOLLOWING);
    cr_assert_eq(at.fault_axis, 4);
    cycles(40);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_lt(fabs(at.effort_n[i]), 1e-6);
    }
    double coasting = speed_of(3);
    cr_assert_gt(coasting, 0.1);
    cr_assert_eq(dpl_axes_enable(device), -EPERM);
    cr_assert_eq(dpl_axes_follow(device, &reference), -EPERM);
    cycles(1600);
    cr_assert_lt(fabs(speed_of(3)), 1e-3);
    cr_assert_eq(at.mode, DPL_AXES_FAULT);
    cr_assert_eq(dpl_axes_reset(device), 0);
    cycle(NULL);
    cr_assert_eq(at.mode, DPL_AXES_OFF);
    cr_assert_eq(at.fault, 0);
    cr_assert_eq(dpl_axes_enable(device), 0);
    cycles(2);
    cr_assert_eq(at.mode, DPL_AXES_ON);
}

Test(axes_avatar, takes_over_axes_that_still_coast)
{
    gather_speed(134);
    struct dpl_axes_reference reference = {.position_m = {9.0, 9.0, 9.0, 9.0, 9.0, 9.0}};
    cycle(&reference);
    cycles(3);
    dpl_axes_reset(device);
    cr_assert_gt(speed_of(0), 0.3);
    double before = at.position_m[0], speed = speed_of(0);
    dpl_axes_enable(device);
    cycles(200);
    cr_assert_eq(at.mode, DPL_AXES_ON);
    cr_assert_lt(fabs(speed_of(0)), 1e-3);
    cr_assert_lt(at.position_m[0] - before, 1.2 * speed * speed / 20.0 + 0.002);
    cr_assert_gt(at.position_m[0] - before, 0.8 * speed * speed / 20.0);
}

Test(axes_avatar, recovers_from_its_effort_limit_without_swinging)
{
    fake_device_set(&fake, "EffortLimit", "700"); /* 10 m/s2 */
    switch_on();
    struct dpl_axes_reference reference = {0};
    memcpy(reference.position_m, at.position_m, sizeof reference.position_m);
    double from = at.position_m[0], most = 0.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        reference.position_m[i] += 0.0045;
    }
    for (int k = 0; k < 4800; k++) { /* the integral has a time constant of Kv / Ki = 0.2 s */
        cycle(&reference);
        most = fmax(most, at.position_m[0] - from);
        cr_assert_leq(fabs(at.effort_n[0]), 700.0 + 1e-6);
    }
    cr_assert_float_eq(at.position_m[0] - from, 0.0045, 5e-6, "%.9g", at.position_m[0] - from);
    cr_assert_lt(most, 0.0045 * 1.25, "%g m", most);
    cr_assert_eq(at.mode, DPL_AXES_ON);
}

Test(axes_avatar, comes_to_rest_when_references_stop_coming)
{
    gather_speed(134);
    cycles(400);
    cr_assert_eq(at.mode, DPL_AXES_ON);
    cr_assert_lt(fabs(speed_of(5)), 1e-3);
}

Test(axes_avatar, follows_in_a_world_that_is_not_as_its_model_says, .init = NULL)
{
    begin_in(PROFILES "/worlds/hexafloat_truth.xml");
    fake_device_set(&fake, "RobotName", "robot");
    switch_on();
    double home[DPL_AXES_N];
    memcpy(home, at.position_m, sizeof home);
    double error = largest_error(home, 0.02, 3.0);
    cr_assert_lt(error, 0.001, "%g m", error);
}

static struct dpl_axes_state run_once(void)
{
    switch_on();
    double home[DPL_AXES_N];
    memcpy(home, at.position_m, sizeof home);
    largest_error(home, 0.02, 3.0);
    return at;
}

Test(axes_avatar, repeats_to_the_last_bit)
{
    struct dpl_axes_state one = run_once();
    end();
    begin();
    struct dpl_axes_state other = run_once();
    cr_assert_eq(memcmp(one.position_m, other.position_m, sizeof one.position_m), 0);
    cr_assert_eq(memcmp(one.effort_n, other.effort_n, sizeof one.effort_n), 0);
}

Test(axes_avatar, names_the_axes_there_are_when_one_is_unknown)
{
    fake_device_set(&fake, "Axis3", "Axsi3");
    fake_device_refuses(&fake, -ENOENT, "did you mean 'avatar/Axis3/effort'");
}

Test(axes_avatar, refuses_one_axis_twice)
{
    fake_device_set(&fake, "Axis3", "Axis2");
    fake_device_refuses(&fake, -EINVAL, "Axis2 and Axis3 are both 'Axis2'");
}

Test(axes_avatar, refuses_a_robot_that_is_no_machine)
{
    fake_device_set(&fake, "World", PROFILES "/worlds/empty.xml");
    fake_device_refuses(&fake, -ENOENT, "no channel 'avatar/Axis1/effort'");
}

Test(axes_avatar, leaves_no_effort_behind_when_it_closes)
{
    gather_speed(100);
    fake_device_close(&fake);
    face.ops->advance(face.self, fake.now += 10 * DPL_MS, &diag);
    fake_device_open(&fake);
    cycle(NULL);
    cr_assert_lt(fabs(at.effort_n[0]), 1e-6);
}

/* Time without cycles, then a look at the axes. */
static void read_after(dpl_ns passed)
{
    fake.now += passed;
    face.ops->advance(face.self, fake.now, &diag);
    dpl_axes_execute(device, &(struct dpl_tick){.now = fake.now, .period = CYCLE});
    dpl_axes_read(device, &at);
}

/* A component that stops calls no more cycles: the newest effort must not push on. */
Test(axes_avatar, leaves_no_effort_behind_when_no_more_cycles_come)
{
    gather_speed(60);
    cr_assert_gt(at.effort_n[0], 100.0);
    dpl_axes_stop(device);
    dpl_axes_disable(device);
    dpl_axes_idle(device);
    read_after(5 * DPL_MS);
    cr_assert_eq(at.mode, DPL_AXES_OFF);
    cr_assert_lt(fabs(at.effort_n[0]), 1e-3, "%g N", at.effort_n[0]);
}

/* The reading after it is a second old; the world's brakes have stopped the axes meanwhile. */
Test(axes_avatar, holds_without_a_kick_when_cycles_come_again_after_a_second)
{
    fake_device_set(&fake, "MaxFollowingError", "0");
    gather_speed(134);
    double speed = speed_of(3), where = at.position_m[3];
    struct dpl_axes_reference reference = {0};
    read_after(DPL_S);
    cr_assert_lt(fabs(speed_of(3)), 1e-3, "%g m/s", speed_of(3));
    double way = at.position_m[3] - where;
    cr_assert_lt(way, speed * 0.03, "%g m from %g m/s: the effort stays for 20 ms", way, speed);
    memcpy(reference.position_m, at.position_m, sizeof reference.position_m);
    double most = 0.0;
    for (int k = 0; k < 160; k++) {
        cycle(&reference);
        most = fmax(most, fabs(at.effort_n[3]));
    }
    cr_assert_lt(most, 700.0, "%g N", most);
    cr_assert_float_eq(at.position_m[3], reference.position_m[3], 1e-4);
}
