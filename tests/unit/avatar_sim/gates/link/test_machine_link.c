/* SPDX-License-Identifier: Apache-2.0 */
/* Links to the axes of a machine: found by name, exact on the simulated clock, without effort when
 * nobody speaks. test_link_remote.c does it over the network. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <criterion/criterion.h>
#include <doppel/sim/host.h>

#include "hexa_geometry.h"

static struct dpl_sim_host *host;
static struct dpl_world_host face;
static struct dpl_link *link_;
static struct dpl_diag diag;

struct axis {
    struct dpl_channel effort, position, velocity, force;
};
static struct axis axes[6];
static struct dpl_channel platform;

static struct dpl_channel find(struct dpl_link *link, const char *path, bool put)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_channel channel = {0};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), 0, "%s", diag.text);
    return channel;
}

static struct dpl_link *open_link(void)
{
    struct dpl_link_config config = {.world = "", .part = "avatar"};
    struct dpl_link *link = NULL;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0, "%s", diag.text);
    for (int i = 0; i < 6; i++) {
        char path[32];
        snprintf(path, sizeof path, "Axis%d/effort", i + 1);
        axes[i].effort = find(link, path, true);
        snprintf(path, sizeof path, "Axis%d/position", i + 1);
        axes[i].position = find(link, path, false);
        snprintf(path, sizeof path, "Axis%d/velocity", i + 1);
        axes[i].velocity = find(link, path, false);
        snprintf(path, sizeof path, "Axis%d/force", i + 1);
        axes[i].force = find(link, path, false);
    }
    platform = find(link, "platform", false);
    return link;
}

static void begin(void)
{
    struct dpl_sim_host_options options = {.world = PROFILES "/worlds/hexafloat.xml", .seed = 1};
    host = dpl_sim_host_create(&options);
    cr_assert_not_null(host);
    face = dpl_sim_host_interface(host);
    link_ = open_link();
}

static void end(void)
{
    dpl_sim_host_destroy(host);
}

TestSuite(machine_link, .init = begin, .fini = end);

static void advance(dpl_ns to)
{
    cr_assert_eq(face.ops->advance(face.self, to, &diag), 0, "%s", diag.text);
}

struct reading {
    dpl_ns stamp;
    double position_m, velocity_m_s, effort_n;
};

static struct reading get(unsigned i)
{
    struct reading reading;
    cr_assert_eq(dpl_link_refresh(link_, NULL), 0);
    cr_assert_eq(dpl_channel_get(axes[i].position, &reading.position_m, &reading.stamp), 0);
    cr_assert_eq(dpl_channel_get(axes[i].velocity, &reading.velocity_m_s, NULL), 0);
    cr_assert_eq(dpl_channel_get(axes[i].force, &reading.effort_n, NULL), 0);
    return reading;
}

static dpl_ns get_platform(double ret_pose[6])
{
    dpl_ns stamp = -1;
    cr_assert_eq(dpl_link_refresh(link_, NULL), 0);
    cr_assert_eq(dpl_channel_get(platform, ret_pose, &stamp), 0);
    return stamp;
}

static void put_effort(unsigned i, double effort_n)
{
    cr_assert_eq(dpl_channel_put_number(axes[i].effort, effort_n), 0);
}

Test(machine_link, knows_where_the_axes_are_before_the_first_step)
{
    cr_assert_eq(get(0).stamp, 0);
    cr_assert_float_eq(get(0).position_m, 0.856792452437, 1e-7);
    cr_assert_float_eq(get(5).position_m, 0.550247635031, 1e-7);
    double pose[6];
    cr_assert_eq(get_platform(pose), 0);
    cr_assert_eq(pose[2], 0.54);
}

Test(machine_link, moves_at_the_world_s_own_steps_which_are_no_whole_microseconds)
{
    for (int k = 1; k <= 1600; k++) {
        put_effort(1, 200.0);
        advance(k * (dpl_ns)625000);
        cr_assert_eq(get(1).stamp, k * (dpl_ns)625000);
    }
    cr_assert_eq(get(1).stamp, DPL_S);
    cr_assert_gt(get(1).position_m, -0.6993759);
}

Test(machine_link, gives_the_effort_from_the_next_step_on)
{
    put_effort(2, 1000.0);
    cr_assert_eq(get(2).effort_n, 0.0);
    advance(10 * DPL_MS);
    cr_assert_float_eq(get(2).effort_n, 1000.0, 1e-9);
    cr_assert_gt(get(2).velocity_m_s, 0.1);
    cr_assert_lt(get(2).velocity_m_s, 0.143);
    cr_assert_eq(get(3).velocity_m_s, 0.0);
    double pose[6];
    cr_assert_eq(get_platform(pose), 10 * DPL_MS);
    cr_assert_neq(pose[3], 0.0);
}

Test(machine_link, takes_the_effort_away_when_it_closes)
{
    put_effort(2, 1000.0);
    advance(10 * DPL_MS);
    dpl_link_close(link_);
    link_ = open_link();
    advance(20 * DPL_MS);
    cr_assert_lt(fabs(get(2).effort_n), 1e-6);
    advance(30 * DPL_MS);
    advance(80 * DPL_MS); /* the brake */
    cr_assert_eq(get(2).velocity_m_s, 0.0);
}

Test(machine_link, takes_the_effort_away_when_it_falls_silent_and_gives_it_again)
{
    put_effort(2, 100.0);
    for (int k = 1; k <= 20; k++) {
        advance(k * DPL_MS);
        cr_assert_gt(get(2).effort_n, 90.0);
    }
    advance(25 * DPL_MS);
    cr_assert_lt(fabs(get(2).effort_n), 1e-3);
    put_effort(2, 100.0);
    advance(30 * DPL_MS);
    cr_assert_gt(get(2).effort_n, 90.0);
}

static int find_error(struct dpl_link *link, const char *path, bool put)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_channel channel;
    return dpl_link_find(link, &want, &channel, &diag);
}

Test(machine_link, suggests_an_axis_when_a_name_is_unknown)
{
    cr_assert_eq(find_error(link_, "Axs3/effort", true), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "did you mean 'avatar/Axis"), "%s", diag.text);
    cr_assert_eq(find_error(link_, "Axis1/speed", true), -ENOENT, "an axis is no wheel");
    cr_assert_eq(find_error(link_, "Axis1/effort", false), -EINVAL);
}

Test(machine_link, has_no_platform_at_a_mobile_robot)
{
    struct dpl_link_config config = {.world = PROFILES "/worlds/empty.xml", .part = "avatar"};
    struct dpl_link *mobile = NULL;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &mobile, &diag), 0);
    cr_assert_eq(find_error(mobile, "platform", false), -ENOENT);
    cr_assert_eq(find_error(mobile, "Axis1/effort", true), -ENOENT);
}

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

/* ---- as part of a run ---- */

static struct dpl_run_thread *const no_thread;
static atomic_int n_entered, n_woken;
static char entered[64];

static struct dpl_run_thread *enter(void *run, const char *name, dpl_ns period)
{
    snprintf(entered, sizeof entered, "%s", name);
    cr_assert_gt(period, 0);
    atomic_fetch_add(&n_entered, 1);
    return run;
}

static void woke(struct dpl_run_thread *thread, dpl_ns late)
{
    cr_assert_neq(thread, no_thread);
    cr_assert_geq(late, 0);
    atomic_fetch_add(&n_woken, 1);
}

static bool is_stopping(void *run)
{
    return false;
}

/* Each step that is over, none that is not: a reading of the future would be no reading. */
Test(machine_link, follows_the_real_clock_step_by_step_and_never_ahead_of_it, .timeout = 20)
{
    struct dpl_run_services services = {
        .run = &services, .enter = enter, .woke = woke, .is_stopping = is_stopping};
    face.ops->attend(face.self, &services);
    dpl_ns epoch = monotonic(), last = -1;
    cr_assert_eq(face.ops->start(face.self, epoch, &diag), 0);
    int n_readings = 0;
    while (last < 200 * DPL_MS && monotonic() - epoch < 10 * DPL_S) {
        dpl_ns stamp = get(0).stamp;
        dpl_ns now = monotonic() - epoch;
        cr_assert_leq(stamp, now, "%lld ns ahead", (long long)(stamp - now));
        n_readings += stamp != last;
        last = stamp;
    }
    face.ops->stop(face.self);
    cr_assert_gt(n_readings, 20);
    cr_assert_eq(n_entered, 1, "one thread, which says that it is one of the run's");
    cr_assert_str_eq(entered, "world hexafloat");
    cr_assert_gt(n_woken, 20);
}

/* On the real clock the world has a thread of its own. */
Test(machine_link, moves_an_axis_on_the_real_clock, .timeout = 20)
{
    dpl_ns epoch = monotonic();
    cr_assert_eq(face.ops->start(face.self, epoch, &diag), 0);
    bool moved = false;
    for (int tries = 0; tries < 5000 && !moved; tries++) {
        put_effort(4, 300.0);
        moved = get(4).velocity_m_s > 0.05;
        poll(NULL, 0, moved ? 0 : 1);
    }
    cr_assert(moved, "not within 5 s");
    face.ops->stop(face.self);
}
