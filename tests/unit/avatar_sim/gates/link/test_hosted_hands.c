/* SPDX-License-Identifier: Apache-2.0 */
/* Hands of those who look, in worlds of this process: what they hold, for how long, and who else
 * commands an input. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/host/scene.h>
#include <doppel/sim/host.h>

static struct dpl_sim_host *host;
static struct dpl_world_host face;
static struct dpl_link *link_;
static struct dpl_scene *shown;
static struct dpl_diag diag;
static dpl_ns now;

/* The world with a device that commands nothing. */
static void begin(const char *world)
{
    const struct dpl_sim_host_options options = {.world = world, .seed = 1};
    const struct dpl_link_config config = {.world = ""};
    host = dpl_sim_host_create(&options);
    cr_assert_not_null(host);
    face = dpl_sim_host_interface(host);
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link_, &diag), 0, "%s", diag.text);
    shown = face.ops->scene(face.self, 0);
    cr_assert_not_null(shown);
    now = 0;
}

static void begin_lift(void)
{
    begin(PROFILES "/worlds/elevator_shaft.xml");
}

static void end(void)
{
    dpl_sim_host_destroy(host);
}

TestSuite(hosted_hands, .init = begin_lift, .fini = end);

static size_t number(const char *path, bool put)
{
    const struct dpl_channel_want want = {.path = path, .put = put};
    int channel = dpl_channel_find(shown->channels, shown->n_channels, &want, &diag);
    cr_assert_geq(channel, 0, "%s", diag.text);
    return (size_t)channel;
}

static struct dpl_channel find(const char *path, bool put)
{
    const struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_channel channel = {0};
    cr_assert_eq(dpl_link_find(link_, &want, &channel, &diag), 0, "%s", diag.text);
    return channel;
}

static int put(const char *path, const void *value, dpl_ns hold)
{
    return face.ops->put(face.self, 0, number(path, true), value, hold, &diag);
}

static int state(const char *path)
{
    return face.ops->hand(face.self, 0, number(path, true), &diag);
}

static void go(dpl_ns by)
{
    now += by;
    cr_assert_eq(face.ops->advance(face.self, now, &diag), 0, "%s", diag.text);
    if (link_) {
        dpl_link_refresh(link_, NULL);
    }
}

static double get_number(struct dpl_channel channel)
{
    double value = (double)NAN;
    cr_assert_eq(dpl_channel_get(channel, &value, NULL), 0);
    return value;
}

static bool get_flag(struct dpl_channel channel)
{
    bool value = false;
    cr_assert_eq(dpl_channel_get(channel, &value, NULL), 0);
    return value;
}

static const bool on = true, off = false;

Test(hosted_hands, press_for_a_while_and_let_go)
{
    struct dpl_channel lamp = find("elevator/hatch/on", false);
    cr_assert_eq(state("elevator/hatch/press"), DPL_HAND_FREE);
    cr_assert_eq(put("elevator/hatch/press", &on, 300 * DPL_MS), 0, "%s", diag.text);
    cr_assert_eq(state("elevator/hatch/press"), DPL_HAND_WAITS);
    go(10 * DPL_MS);
    cr_assert(get_flag(lamp));
    cr_assert_eq(state("elevator/hatch/press"), DPL_HAND_HOLDS);
    go(280 * DPL_MS);
    cr_assert(get_flag(lamp));
    go(30 * DPL_MS);
    cr_assert(!get_flag(lamp), "its time is over");
    cr_assert_eq(state("elevator/hatch/press"), DPL_HAND_FREE);
    put("elevator/hatch/press", &on, 0);
    go(10 * DPL_S);
    cr_assert(get_flag(lamp), "for ever");
    put("elevator/hatch/press", &off, 0);
    go(10 * DPL_MS);
    cr_assert(!get_flag(lamp));
    put("elevator/hatch/press", &on, 0);
    go(10 * DPL_MS);
    cr_assert_eq(put("elevator/hatch/press", NULL, 0), 0);
    go(10 * DPL_MS);
    cr_assert(!get_flag(lamp) && state("elevator/hatch/press") == DPL_HAND_FREE);
    cr_assert_eq(put("elevator/hatch/press", &off, 0), -EBUSY,
                 "others may hold it: that does nothing");
    cr_assert(strstr(diag.text, "is shared"), "%s", diag.text);
    put("elevator/hatch/press", &on, 0);
    cr_assert_eq(put("elevator/hatch/press", &off, 0), 0, "one's own is taken back at once");
    go(10 * DPL_MS);
    cr_assert(!get_flag(lamp));
}

Test(hosted_hands, load_the_car)
{
    struct dpl_channel present = find("elevator/load/present", false);
    const double mass = 200.0;
    cr_assert_eq(put("elevator/load/mass", &mass, 0), 0, "%s", diag.text);
    go(2 * DPL_S);
    cr_assert_float_eq(get_number(present), 200.0, 1e-9);
    cr_assert_eq(state("elevator/load/mass"), DPL_HAND_HOLDS);
    cr_assert_null(face.ops->commander(face.self, 0, number("elevator/load/mass", true)));
}

Test(hosted_hands, do_not_take_what_a_device_of_the_run_commands)
{
    const double speed = 1.0;
    const char *path = "elevator/drive/speed";
    find(path, true);
    cr_assert_str_eq(face.ops->commander(face.self, 0, number(path, true)), "a device of this run");
    cr_assert_eq(put(path, &speed, 0), -EBUSY);
    cr_assert_str_eq(diag.text,
                     "channel 'elevator/drive/speed' is commanded by a device of this run");
    dpl_link_close(link_);
    link_ = NULL;
    cr_assert_eq(put(path, &speed, 0), 0, "it is nobody's now: %s", diag.text);
    go(10 * DPL_MS);
    cr_assert_eq(state(path), DPL_HAND_HOLDS);
}

Test(hosted_hands, are_taken_while_time_stands_and_leave_no_trace_when_nobody_puts)
{
    struct dpl_channel load = find("elevator/load/present", false);
    const double mass = 100.0;
    go(DPL_S);
    put("elevator/load/mass", &mass, 0);
    cr_assert_eq(state("elevator/load/mass"), DPL_HAND_WAITS);
    face.ops->look(face.self);
    cr_assert_eq(state("elevator/load/mass"), DPL_HAND_HOLDS);
    cr_assert_eq(get_number(load), 0.0, "it comes with time");
    go(2 * DPL_MS);
    cr_assert_gt(get_number(load), 0.0);
}

static void begin_office(void)
{
    begin(PROFILES "/worlds/office.xml");
}

TestSuite(hosted_hands_robot, .init = begin_office, .fini = end);

Test(hosted_hands_robot, is_carried_though_the_run_drives_it)
{
    struct dpl_channel place = find("avatar/place", true), at = find("avatar/planar", false);
    const double free_place[3] = {-6.9, 0.0, 1.0}, outside[3] = {(double)NAN, 0.0, 0.0};
    double pose[3];
    (void)place;
    cr_assert_eq(put("avatar/place", free_place, 0), 0, "%s", diag.text);
    go(10 * DPL_MS);
    cr_assert_eq(state("avatar/place"), DPL_HAND_FREE, "%s", diag.text);
    dpl_channel_get(at, pose, NULL);
    cr_assert_float_eq(pose[0], -6.9, 1e-2);
    cr_assert_float_eq(pose[2], 1.0, 1e-2);
    put("avatar/place", outside, 0);
    go(10 * DPL_MS);
    cr_assert_lt(state("avatar/place"), 0);
    cr_assert(strstr(diag.text, "channel 'avatar/place': the world refuses"), "%s", diag.text);
    cr_assert_eq(put("avatar/place", NULL, 0), -EINVAL);
    cr_assert_eq(put("avatar/place", free_place, DPL_S), -EINVAL);
    cr_assert(strstr(diag.text, "is a request"), "%s", diag.text);
}
