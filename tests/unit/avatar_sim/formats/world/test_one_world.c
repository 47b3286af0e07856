/* SPDX-License-Identifier: Apache-2.0 */
/* Bases on wheels and mechanisms in one world: they touch, carry and see each other. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/gravity.h>
#include <doppel/sim/audit.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/state.h>
#include <doppel/sim/world.h>

#include "saved_world.h"

#define SCENES UNIT "/avatar_sim/fixtures/one_world/"

static const double robot_kg = 2.2 + 0.16 + 2 * 0.1; /* profiles/robots/kobuki_urg.xml */
static const double robot_radius = 0.1755, wheel_radius = 0.035, axle_m = 0.23;

struct scene {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
};

static void open_with(struct scene *scene, const char *file, const char *param)
{
    const struct dpl_sim_set params[] = {{.text = param}};
    struct dpl_sim_load_options options = {.params = params, .n_params = param ? 1 : 0};
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_load_world_with(file, &options, &scene->model, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(scene->model, &scene->world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(scene->world, &scene->channels), 0);
}

static void close_scene(struct scene *scene)
{
    dpl_world_channels_destroy(scene->channels);
    dpl_world_destroy(scene->world);
    dpl_sim_model_destroy(scene->model);
}

static size_t find(const struct scene *scene, const char *path, bool put)
{
    struct dpl_diag diag;
    struct dpl_channel_want want = {.path = path, .put = put};
    int found = dpl_world_channels_find(scene->channels, &want, &diag);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

static void get(const struct scene *scene, const char *path, void *ret_value)
{
    dpl_ns stamp;
    cr_assert_eq(
        dpl_world_channels_get(scene->channels, find(scene, path, false), ret_value, &stamp), 0,
        "%s", path);
}

static double number(const struct scene *scene, const char *path)
{
    double value;
    get(scene, path, &value);
    return value;
}

static int put(const struct scene *scene, const char *path, const void *value)
{
    return dpl_world_channels_put(scene->channels, find(scene, path, true), value);
}

static void drive(const struct scene *scene, double left, double right)
{
    cr_assert_eq(put(scene, "r/LeftWheel/speed", &left), 0);
    cr_assert_eq(put(scene, "r/RightWheel/speed", &right), 0);
}

static struct dpl_pose3 pose(const struct scene *scene, const char *path)
{
    struct dpl_pose3 value;
    get(scene, path, &value);
    return value;
}

static void run(const struct scene *scene, double seconds)
{
    dpl_world_run_until(scene->world, dpl_world_now(scene->world) + dpl_ns_from_s(seconds));
}

Test(one_world, a_base_pushes_a_body)
{
    struct scene scene;
    open_with(&scene, SCENES "push.xml", NULL);
    drive(&scene, 9.0, 9.0);
    run(&scene, 2.0);
    cr_assert_float_eq(pose(&scene, "m/parcel/pose").position.x, 1.0, 1e-4, "not yet");
    run(&scene, 8.0);
    double robot = number(&scene, "r/x"), parcel = pose(&scene, "m/parcel/pose").position.x;
    cr_expect_float_eq(parcel - robot, robot_radius + 0.15, 1e-3, "%.4f", parcel - robot);
    cr_expect_float_eq(robot, 10.0 * 9.0 * wheel_radius, 0.02, "%.4f", robot);
    int64_t contacts;
    get(&scene, "r/contacts", &contacts);
    cr_expect_geq(contacts, 1);
    close_scene(&scene);
}

Test(one_world, a_platform_carries_a_base)
{
    struct scene scene;
    open_with(&scene, SCENES "ride.xml", NULL);
    double up = 0.5;
    bool broken;
    cr_assert_eq(put(&scene, "l/drive/setpoint", &up), 0);
    run(&scene, 6.0);
    cr_expect_float_eq(pose(&scene, "r/pose").position.z,
                       pose(&scene, "l/platform/pose").position.z + 0.05, 2e-4);
    double effort = number(&scene, "l/guide/effort");
    double weight = (50.0 + robot_kg) * DPL_STANDARD_GRAVITY_M_S2;
    cr_expect_float_eq(effort, weight, 2e-3 * weight, "%.3f N, weight %.3f N", effort, weight);
    get(&scene, "l/eye/on", &broken);
    cr_expect_not(broken);
    drive(&scene, 6.0, 6.0); /* onto the landing, over a gap of 10 mm */
    run(&scene, 1.01 / (6.0 * wheel_radius));
    cr_expect_float_eq(pose(&scene, "r/pose").position.z, 0.5, 1e-3);
    cr_expect_gt(number(&scene, "r/x"), 0.9);
    get(&scene, "l/eye/on", &broken);
    cr_expect(broken, "the light barrier sees the robot");
    effort = number(&scene, "l/guide/effort");
    cr_expect_float_eq(effort, 50.0 * DPL_STANDARD_GRAVITY_M_S2, 0.1, "%.3f N", effort);
    close_scene(&scene);
}

/* Reactions count what wheels give; and those of a mechanism far away need none. */
Test(one_world, a_force_sensor_weighs_a_base)
{
    struct scene scene;
    open_with(&scene, SCENES "weigh.xml", NULL);
    double up = 0.2, wrench[6];
    cr_assert_eq(put(&scene, "l/drive/setpoint", &up), 0);
    run(&scene, 4.0);
    get(&scene, "l/cell/wrench", wrench);
    double weight = (50.0 + robot_kg) * DPL_STANDARD_GRAVITY_M_S2;
    cr_expect_float_eq(wrench[2], weight, 2e-3 * weight, "%.3f N, weight %.3f N", wrench[2],
                       weight);
    close_scene(&scene);
}

/* What starts in the ground comes out of it, and does not fly: it came out at 0.2 of its depth a
 * step. */
Test(one_world, a_tree_is_not_shot_out_of_the_ground)
{
    struct scene scene;
    double velocity[6], fastest = 0.0;
    open_with(&scene, SCENES "sunk.xml", NULL);
    for (int i = 0; i < 1000; i++) {
        dpl_world_step(scene.world, 1);
        get(&scene, "m/plate/velocity", velocity);
        fastest = fmax(fastest, fabs(velocity[2]));
    }
    cr_expect_lt(fastest, 0.6, "%.3f m/s", fastest);
    cr_expect_gt(pose(&scene, "m/plate/pose").position.z, 0.0099);
    close_scene(&scene);
}

/* What a base gives is not in the balance: nothing is judged. */
Test(one_world, an_audit_says_what_a_base_touched)
{
    struct scene scene;
    struct dpl_audit *audit;
    struct dpl_audit_balance balance;
    open_with(&scene, SCENES "push.xml", NULL);
    cr_assert_eq(dpl_audit_create(scene.world, &audit), 0);
    drive(&scene, 9.0, 9.0);
    for (int i = 0; i < 4000; i++) {
        dpl_world_step(scene.world, 1);
        dpl_audit_step(audit);
        dpl_audit_balance(audit, 0, &balance);
        cr_assert(i > 2000 || !balance.is_touched, "step %d", i);
    }
    cr_expect(balance.is_touched);
    cr_expect_not(dpl_audit_fails(audit));
    dpl_audit_destroy(audit);
    close_scene(&scene);
}

/* The odometry of a circle: without the second direction of friction it is 0.8 mm off. */
Test(one_world, a_base_rolls_as_in_a_world_of_its_own)
{
    struct dpl_pose3 end[2];
    for (int i = 0; i < 2; i++) {
        struct scene scene;
        open_with(&scene, SCENES "circle.xml", i ? "MECHANISM=1" : NULL);
        drive(&scene, 6.0, 10.0);
        run(&scene, 20.0);
        end[i] = pose(&scene, "r/pose");
        double ways = number(&scene, "r/enc_right/angle") - number(&scene, "r/enc_left/angle");
        double turned = ways * wheel_radius / axle_m;
        double left = remainder(turned - number(&scene, "r/heading"), 2.0 * DPL_PI);
        cr_expect_lt(fabs(left), 3e-3 * turned, "%.3g rad of %.3g", left, turned);
        close_scene(&scene);
    }
    double gap =
        hypot(end[0].position.x - end[1].position.x, end[0].position.y - end[1].position.y);
    cr_expect_lt(gap, 1e-4, "%.3g m", gap);
}

Test(one_world, a_planar_laser_sees_bodies_at_its_height)
{
    struct scene scene;
    open_with(&scene, SCENES "push.xml", NULL);
    bool on = true;
    double exact[682], nearest = (double)INFINITY;
    cr_assert_eq(put(&scene, "r/laser/on", &on), 0);
    run(&scene, 0.3);
    dpl_world_measure_exact(scene.world, 0, exact);
    for (size_t i = 0; i < 682; i++) {
        nearest = fmin(nearest, exact[i]);
    }
    const struct dpl_sim_laser *laser = dpl_world_laser(scene.world, 0);
    struct dpl_pose3 mount = {{laser->x, laser->y, laser->z}, {1.0, 0.0, 0.0, 0.0}};
    struct dpl_pose3 at = dpl_pose3_compose(pose(&scene, "r/pose"), mount);
    double expected = 1.0 - 0.15 - at.position.x;
    cr_expect_float_eq(nearest, expected, 1e-4, "%.5f, expected %.5f", nearest, expected);
    close_scene(&scene);
}

Test(one_world, a_loose_mechanism_is_put_elsewhere)
{
    struct scene scene;
    open_with(&scene, SCENES "places.xml", NULL);
    run(&scene, 0.2);
    double planar[3], spin[6], before[6];
    get(&scene, "a/planar", planar);
    cr_expect_float_eq(planar[0], 1.0, 1e-3);
    cr_expect_float_eq(planar[2], 0.5 * DPL_PI, 1e-3);
    double turned = number(&scene, "a/turn/position");
    get(&scene, "a/boom/velocity", before);
    cr_expect_eq(put(&scene, "a/place", (double[3]){3.0, 0.1, 0.0}), -EBUSY, "the base is there");
    cr_expect_eq(put(&scene, "a/place", (double[3]){0.0, 5.0, 0.0}), -EBUSY, "a wall is there");
    cr_expect_eq(put(&scene, "a/place", (double[3]){-5.0, 0.0, 0.0}), 0, "on the platform");
    cr_expect_eq(put(&scene, "a/place", (double[3]){0.0, -2.0, -0.5}), 0);
    get(&scene, "a/planar", planar);
    cr_expect_float_eq(planar[0], 0.0, 1e-12);
    cr_expect_float_eq(planar[1], -2.0, 1e-12);
    cr_expect_float_eq(planar[2], -0.5, 1e-12);
    cr_expect_float_eq(number(&scene, "a/turn/position"), turned, 1e-12);
    run(&scene, 1.0);
    get(&scene, "a/planar", planar);
    get(&scene, "a/boom/velocity", spin);
    cr_expect_float_eq(planar[1], -2.0, 1e-3, "it stands there");
    cr_expect_float_eq(pose(&scene, "a/foot/pose").position.z, 0.1, 1e-3);
    cr_expect_eq(dpl_world_set_pose(scene.world, 2, (struct dpl_pose2){0}), -EINVAL,
                 "a lift hangs on the world");
    close_scene(&scene);
}

/* Two bodies that nothing connects are not one thing. A boom that hangs off a lift would be in the
 * ground beside it. */
Test(one_world, what_is_put_elsewhere_is_one_piece_over_the_ground)
{
    struct scene scene;
    open_with(&scene, SCENES "pieces.xml", NULL);
    cr_expect_eq(dpl_world_set_pose(scene.world, 0, (struct dpl_pose2){9.0, 9.0, 0.0}), -EINVAL);
    double up = 0.5, beside[] = {5.0, 5.0, 0.0};
    cr_expect_eq(put(&scene, "swing/place", (double[3]){-0.38, 0.0, DPL_PI}), 0);
    cr_assert_eq(put(&scene, "l/drive/setpoint", &up), 0);
    run(&scene, 6.0);
    cr_expect_lt(number(&scene, "swing/turn/position"), -0.5, "it hangs off");
    cr_expect_eq(put(&scene, "swing/place", beside), -EBUSY, "it would be in the ground");
    cr_expect_float_eq(pose(&scene, "swing/block/pose").position.z, 0.6, 2e-3, "it stays");
    close_scene(&scene);
}

Test(one_world, a_base_does_not_start_within_a_body)
{
    struct dpl_sim_model *model;
    struct dpl_sim_load_options options = {0};
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_load_world_with(SCENES "taken.xml", &options, &model, &diag), -EINVAL);
    cr_expect(strstr(diag.text, "'m'"), "%s", diag.text);
    cr_expect_eq(diag.place.line, 2);
}

/* After a snapshot both go on to the same bits. */
Test(one_world, snapshots_hold_bases_and_mechanisms)
{
    struct scene scene;
    open_with(&scene, SCENES "push.xml", NULL);
    drive(&scene, 9.0, 8.0);
    run(&scene, 3.0);
    struct saved_world saved = world_saved(scene.world);
    run(&scene, 3.0);
    struct dpl_pose3 robot = pose(&scene, "r/pose"), parcel = pose(&scene, "m/parcel/pose");
    world_back(scene.world, &saved);
    run(&scene, 3.0);
    struct dpl_pose3 again = pose(&scene, "r/pose"), parcel_again = pose(&scene, "m/parcel/pose");
    cr_expect_eq(memcmp(&robot, &again, sizeof robot), 0);
    cr_expect_eq(memcmp(&parcel, &parcel_again, sizeof parcel), 0);
    free(saved.bytes);
    close_scene(&scene);
}
