/* SPDX-License-Identifier: Apache-2.0 */
/* Served worlds whose time follows grants, against the embedded world. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "link_embedded.h"
#include "link_world.h"
#include "remote_world.h"

static const char *const part = "avatar";
static const struct dpl_sim_load_options world_options = {.has_seed = true, .seed = 1};

struct drive_result {
    double left[50], right[50];
    int64_t scans[50];
    float ranges[50][682];
};

static void drive_in_steps(struct dpl_link *link, int (*advance)(void *, dpl_ns), void *user,
                           struct drive_result *ret)
{
    struct dpl_channel left = find_in(link, "LeftWheel/speed");
    struct dpl_channel right = find_in(link, "RightWheel/speed");
    struct dpl_channel on = find_in(link, "laser/on"), scan = find_out(link, "laser/ranges");
    struct dpl_channel left_angle = find_out(link, "enc_left/angle");
    struct dpl_channel right_angle = find_out(link, "enc_right/angle");
    struct dpl_channel scans = find_out(link, "laser/scans");
    memset(ret, 0, sizeof *ret);
    cr_assert_eq(advance(user, 0), 0);
    dpl_channel_put_flag(on, true);
    for (int i = 0; i < 50; i++) {
        dpl_ns stamp;
        if (i % 3 == 0) {
            dpl_channel_put_number(left, 3.0 + 0.1 * i);
            dpl_channel_put_number(right, 4.0 - 0.07 * i);
        }
        cr_assert_eq(advance(user, (i + 1) * 20 * DPL_MS), 0);
        cr_assert_eq(dpl_link_refresh(link, &stamp), 0);
        cr_assert_eq(stamp, (i + 1) * 20 * DPL_MS);
        cr_assert_eq(dpl_channel_get(left_angle, &ret->left[i], &stamp), 0);
        cr_assert_eq(stamp, (i + 1) * 20 * DPL_MS);
        cr_assert_eq(dpl_channel_get(right_angle, &ret->right[i], NULL), 0);
        cr_assert_eq(dpl_channel_get(scans, &ret->scans[i], NULL), 0);
        dpl_channel_get(scan, ret->ranges[i], NULL);
    }
}

/* Time 0 is the start: then all links have frames of what they have found. */
static int advance_remote(void *user, dpl_ns to)
{
    return to == 0 ? remote_worlds_start(user, 0, NULL) : remote_worlds_advance(user, to, NULL);
}

static int advance_embedded(void *user, dpl_ns to)
{
    hosted_world_advance(user, to);
    return 0;
}

Test(link_lockstep, gives_in_lock_step_bit_for_bit_what_the_embedded_world_gives, .timeout = 30)
{
    static struct drive_result far, near;
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_diag error = {0};
    drive_in_steps(link, advance_remote, list, &far);
    remote_worlds_destroy(list);
    unserve(&served);

    struct hosted_world *world;
    cr_assert_eq(hosted_world_create(PROFILES "/worlds/office.xml", &world_options, &world, &error),
                 0, "%s", error.text);
    struct dpl_link_config config = {.part = part};
    cr_assert_eq(link_embedded_open(world, &config, NULL, &link, &error), 0, "%s", error.text);
    drive_in_steps(link, advance_embedded, world, &near);
    hosted_world_destroy(world);

    cr_assert_gt(near.left[49], 1.0);
    cr_assert_gt(near.scans[49], 5);
    cr_assert_eq(memcmp(&far, &near, sizeof far), 0);
}

/* An axis is released when nobody speaks for 20 ms: what was put before is not said again. */
Test(link_lockstep, moves_an_axis_in_lock_step_and_lets_it_fall_silent, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_sim_server_options options = {.world = PROFILES "/worlds/hexafloat.xml",
                                             .lockstep = true};
    serve(&served, options);
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel effort = find_in(link, "Axis3/effort");
    struct dpl_channel force = find_out(link, "Axis3/force");
    struct dpl_channel platform = find_out(link, "platform");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    for (int k = 1; k <= 20; k++) {
        cr_assert_eq(dpl_channel_put_number(effort, 100.0), 0);
        cr_assert_eq(remote_worlds_advance(list, k * DPL_MS, NULL), 0);
        cr_assert_gt(number_of(force), 90.0);
    }
    cr_assert_eq(remote_worlds_advance(list, 50 * DPL_MS, NULL), 0);
    cr_assert_lt(fabs(number_of(force)), 1e-3);
    double pose[6];
    dpl_ns stamp;
    cr_assert_eq(dpl_channel_get(platform, pose, &stamp), 0);
    cr_assert_eq(stamp, 50 * DPL_MS);
    cr_assert_neq(pose[3], 0.0);
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Grants are answered within 5 s; a test that waits in vain has less patience. */
static void be_impatient(struct remote_world *world)
{
    pthread_mutex_lock(&world->lock);
    cr_assert_eq(world->patience, 5 * DPL_S);
    world->patience = DPL_S;
    pthread_mutex_unlock(&world->lock);
}

struct waiting {
    struct remote_world *list;
    struct dpl_diag error;
    int err;
};

static void *grant_a_second(void *argument)
{
    struct waiting *waiting = argument;
    waiting->err = remote_worlds_advance(waiting->list, DPL_S, &waiting->error);
    return NULL;
}

Test(link_lockstep, lets_the_slowest_of_two_lock_step_clients_decide, .timeout = 30)
{
    struct served served;
    struct waiting fast = {0};
    struct remote_world *slow = NULL;
    pthread_t thread;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true, .clients = 2});
    open_remote(&fast.list, served.address, part);
    struct dpl_link *watched = open_remote(&slow, served.address, part);
    cr_assert_eq(remote_worlds_start(fast.list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_start(slow, 0, NULL), 0);
    be_impatient(fast.list);
    cr_assert_eq(pthread_create(&thread, NULL, grant_a_second, &fast), 0);
    for (dpl_ns to = 10 * DPL_MS; to <= 30 * DPL_MS; to += 10 * DPL_MS) {
        dpl_ns stamp;
        cr_assert_eq(remote_worlds_advance(slow, to, NULL), 0);
        cr_assert_eq(dpl_link_refresh(watched, &stamp), 0);
        cr_assert_eq(stamp, to);
    }
    pthread_join(thread, NULL);
    cr_assert_eq(fast.err, -ETIMEDOUT);
    cr_assert_not_null(strstr(fast.error.text, served.address), "%s", fast.error.text);
    cr_assert_not_null(strstr(fast.error.text, "within 1 s; it waits for client '"), "%s",
                       fast.error.text);
    remote_worlds_destroy(fast.list);
    remote_worlds_destroy(slow);
    unserve(&served);
}

Test(link_lockstep, says_when_the_world_is_served_in_the_other_mode, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    open_remote(&list, served.address, part);
    cr_assert_eq(remote_worlds_start(list, 0, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "--lockstep"), "%s", error.text);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_lockstep, names_a_lock_step_world_that_went_away, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    open_remote(&list, served.address, part);
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_advance(list, 10 * DPL_MS, NULL), 0);
    be_impatient(list);
    unserve(&served);
    int err = remote_worlds_advance(list, 20 * DPL_MS, &error);
    cr_assert(err == -ETIMEDOUT || err == -ECONNRESET);
    cr_assert_not_null(strstr(error.text, served.address), "%s", error.text);
    remote_worlds_destroy(list);
}

Test(link_lockstep, ramps_motors_in_the_served_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel ramp = find_in(link, "LeftWheel/ramp");
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel velocity = find_out(link, "enc_left/velocity");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    dpl_channel_put_number(ramp, 4.0);
    dpl_channel_put_number(speed, 3.0);
    for (int i = 1; i <= 5; i++) {
        cr_assert_eq(remote_worlds_advance(list, i * 100 * DPL_MS, NULL), 0);
        double turns = number_of(velocity);
        cr_assert_float_eq(turns, 0.4 * i, 0.1, "%g rad/s after %d00 ms", turns, i);
    }
    dpl_link_close(link);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_lockstep, releases_what_was_put_before_and_keeps_what_is_put_after, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel left = find_in(link, "LeftWheel/speed");
    struct dpl_channel right = find_in(link, "RightWheel/speed");
    struct dpl_channel turns_left = find_out(link, "enc_left/velocity");
    struct dpl_channel turns_right = find_out(link, "enc_right/velocity");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    dpl_channel_put_number(left, 3.0);
    dpl_channel_put_number(right, 3.0);
    cr_assert_eq(remote_worlds_advance(list, DPL_S, NULL), 0);
    cr_assert_gt(number_of(turns_left), 2.5);
    dpl_link_release(link);
    dpl_channel_put_number(right, 2.0);
    cr_assert_eq(remote_worlds_advance(list, 2 * DPL_S, NULL), 0);
    cr_assert_lt(fabs(number_of(turns_left)), 0.1);
    cr_assert_float_eq(number_of(turns_right), 2.0, 0.3);
    remote_worlds_destroy(list);
    unserve(&served);
}
