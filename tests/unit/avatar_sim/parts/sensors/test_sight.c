/* SPDX-License-Identifier: Apache-2.0 */
/* Light barriers and range finders of mechanisms, on bodies that are where the test says. */
#include <errno.h>

#include "entry_scene.h"

TestSuite(sight, .fini = reading_end);

enum { ARM, CAR, DISH };

/* The arm looks along x; the bodies are spheres of 0.1 m. */
static void place(int body, double x, double y, double z)
{
    memcpy(state->bodies.position[body], (double[3]){x, y, z}, sizeof(double[3]));
}

static bool flag(const char *path)
{
    bool value;
    cr_assert_eq(get(path, &value, NULL), 0);
    return value;
}

static double distance_with(double x, double y, double z, const char *path)
{
    double value;
    place(CAR, x, y, z);
    dpl_world_step(world, 1);
    cr_assert_eq(get(path, &value, NULL), 0);
    return value;
}

static bool broken_with(double x, double y, double z)
{
    place(CAR, x, y, z);
    dpl_world_step(world, 1);
    return flag("m/b/on");
}

#define BEAM "<Sensor name='b' type='beam' body='arm' "

Test(sight, beam_is_on_while_a_body_is_in_it)
{
    scene_make(SCENE(BEAM "length='2' x='0.2' z='5'/>"));
    cr_assert(broken_with(1.0, 0.0, 5.0));
    cr_assert(broken_with(1.0, 0.0999, 5.0));
    cr_assert_not(broken_with(1.0, 0.1001, 5.0));
    cr_assert(broken_with(2.2999, 0.0, 5.0), "its near side");
    cr_assert_not(broken_with(2.3001, 0.0, 5.0));
    cr_assert(broken_with(0.11, 0.0, 5.0), "around the lamp");
    cr_assert_not(broken_with(0.09, 0.0, 5.0), "behind it");
}

Test(sight, beam_turns_with_its_body_and_its_mount)
{
    scene_make(SCENE(BEAM "length='2' pitch='-90 deg'/>"));
    cr_assert(broken_with(0.0, 0.0, 1.0), "it looks up");
    const double about_x[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    memcpy(state->bodies.rotation[ARM], about_x, sizeof about_x);
    cr_assert_not(broken_with(0.0, 0.0, 1.0));
    cr_assert(broken_with(0.0, -1.0, 0.0), "the body was turned");
}

Test(sight, beam_may_see_one_body_only)
{
    scene_make(SCENE("<RigidObject name='dish' mass='1'><SphereShape radius='0.1'/><position "
                     "x='30'/></RigidObject>" BEAM "length='2' sees='dish'/>"));
    place(DISH, 30.0, 0.0, 0.0);
    cr_assert_not(broken_with(1.0, 0.0, 0.0));
    place(DISH, 0.5, 0.0, 0.0);
    cr_assert(broken_with(9.0, 0.0, 0.0));
    reading_end();
    cr_assert_eq(scene_read(SCENE(BEAM "length='2' sees='dash'/>")), -EINVAL);
    expect(0, SCENE_LINE, 1, "sees: there is no body 'dash'");
}

Test(sight, range_is_the_distance_to_the_nearest_surface)
{
    scene_make(SCENE("<Sensor name='r' type='range' body='arm' max_range='3' min_range='0.1' "
                     "resolution='1 cm'/><Sensor name='exact' type='range' body='arm' "
                     "max_range='3'/>"));
    place(ARM, 0.0, 0.0, 5.0);
    NEAR(distance_with(1.0, 0.06, 5.0, "m/exact/distance"), 1.0 - 0.08, 1e-12);
    cr_assert(flag("m/exact/seen"));
    NEAR(distance_with(1.003, 0.0, 5.0, "m/r/distance"), 0.9, 1e-12);
    NEAR(distance_with(0.15, 0.0, 5.0, "m/r/distance"), 0.1, 1e-12);
    NEAR(distance_with(3.2, 0.0, 5.0, "m/r/distance"), 3.0, 1e-12);
    cr_assert_not(flag("m/r/seen"));
    cr_assert_eq(describe("m/r/distance", false)->max, 3.0);
}

/* A sphere beside the axis: one ray passes it, a cone finds its near side. */
Test(sight, cone_finds_what_is_beside_its_axis)
{
    scene_make(SCENE("<Sensor name='r' type='range' body='arm' max_range='3' cone='30 deg' "
                     "rays='400'/><Sensor name='ahead' type='range' body='arm' max_range='3'/>"));
    place(ARM, 0.0, 0.0, 5.0);
    double found = distance_with(1.0, 0.2, 5.0, "m/r/distance");
    NEAR(found, hypot(1.0, 0.2) - 0.1, 2e-3);
    NEAR(distance_with(1.0, 0.2, 5.0, "m/ahead/distance"), 3.0, 1e-12);
    NEAR(distance_with(1.0, 0.5, 5.0, "m/r/distance"), 3.0, 1e-12);
}

Test(sight, ground_and_obstacles_are_seen_too)
{
    struct dpl_sim_obstacle wall = {.shape = {.kind = DPL_SIM_BOX,
                                              .x = 2.0,
                                              .z = 1.0,
                                              .size_x = 0.2,
                                              .size_y = 4.0,
                                              .size_z = 2.0,
                                              .yaw = 0.3}};
    struct dpl_sim_obstacle bar = {.shape = {.kind = DPL_SIM_CAPSULE,
                                             .x = -2.0,
                                             .z = 1.5,
                                             .radius = 0.1,
                                             .height = 1.0,
                                             .lying = true,
                                             .yaw = 0.5 * DPL_PI}};
    scene_make(
        SCENE("<Sensor name='down' type='range' body='arm' max_range='9' pitch='90 deg'/>"
              "<Sensor name='ahead' type='range' body='arm' max_range='9'/>"
              "<Sensor name='behind' type='range' body='arm' max_range='9' yaw='180 deg'/>"));
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &wall, NULL), 0);
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &bar, NULL), 0);
    scene_remake();
    place(ARM, 0.0, 0.0, 1.5);
    NEAR(distance_with(0.0, 50.0, 0.0, "m/down/distance"), 1.5, 1e-12);
    NEAR(distance_with(0.0, 50.0, 0.0, "m/ahead/distance"), 2.0 - 0.1 / cos(0.3), 1e-12);
    NEAR(distance_with(0.0, 50.0, 0.0, "m/behind/distance"), 1.9, 1e-12);
    place(ARM, 0.0, 0.0, 2.5);
    NEAR(distance_with(0.0, 50.0, 0.0, "m/ahead/distance"), 9.0, 1e-12);
}

Test(sight, hull_is_seen_by_its_faces)
{
    scene_make(SCENE("<RigidObject name='dish' density='1'><HullShape><point x='1'/><point x='-1'/>"
                     "<point y='1'/><point y='-1'/><point z='1'/><point z='-1'/></HullShape>"
                     "<position x='30'/></RigidObject>"
                     "<Sensor name='r' type='range' body='arm' max_range='9'/>"));
    place(ARM, 0.0, 0.0, 5.0);
    place(DISH, 4.0, 0.25, 5.25);
    NEAR(distance_with(0.0, 50.0, 0.0, "m/r/distance"), 4.0 - 0.5, 1e-12);
}

Test(sight, range_without_room_is_an_error)
{
    cr_assert_eq(scene_read(SCENE("<Sensor name='r' type='range' body='arm' min_range='2' "
                                  "max_range='2'/>")),
                 -EINVAL);
    expect(0, SCENE_LINE, 1, "range finder: min_range 2 m is not below max_range 2 m");
}
