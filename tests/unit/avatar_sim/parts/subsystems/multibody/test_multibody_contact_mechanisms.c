/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms in STAR's format that strike what stands still, and what stands there: boxes,
 * cylinders, meshes, height fields. */
#include <doppel/field.h>
#include <doppel/sim/state.h>

#include "saved_world.h"
#include "star_scene.h"

TestSuite(multibody_contact_mechanisms, .init = scene_begin, .fini = scene_end);

static const char *const integrators[] = {"rk4", "semi_implicit", "dopri5"};
static const double g = 9.81;

#define WEIGHT "'gravity': [0, 0, -9.81]"
#define ON     "'include_worlds': ['scene.xml'], "

/* An arm of 1 m along x whose joint turns it about y, 1 m above the ground. */
#define ARM(shape, joint)                                                                          \
    "'bodies': {'arm': {'mass': 3, 'center_of_mass': [0.5, 0, 0], 'moment_of_inertia': {'Ixx': "   \
    "0.005, 'Iyy': 0.25, 'Izz': 0.25}, 'frames': {'tip': {'T': [1, 0, 0]}}, 'shapes': [" shape     \
    "]}}, 'joints': {'hinge': {'type': 'Ry', 'body_frame_pairs': [['fixed', 'post'], ['arm', "     \
    "'origin']]" joint "}}"
#define TIP "{'type': 'sphere', 'radius': 0.1, 'T': [1, 0, 0], 'restitution': 0.6"

/* ---- a pendulum that bounces ---- */

/* The arm is level when its tip touches: it comes straight down then. Restitution does not know the
 * mass that is in the way. */
Test(multibody_contact_mechanisms, an_arm_rebounds_as_a_free_ball_does)
{
    const double radius = 0.1, spin = 1.5;
    double rebounds[2];
    for (int k = 0; k < 2; k++) {
        char text[1024];
        if (k == 0) {
            snprintf(text, sizeof text,
                     "'bodies': {'ball': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, "
                     "'Izz': 1}, 'shapes': [{'type': 'sphere', 'radius': %g, 'restitution': 0.6, "
                     "'stiffness': 1e6}]}}, 'joints': {'f': {'type': 'Tz', 'body_frame_pairs': "
                     "[['fixed', 'origin'], ['ball', 'origin']], 'initial_displacement': 0.101, "
                     "'initial_velocity': %g}}",
                     radius, -spin);
        } else {
            snprintf(text, sizeof text,
                     "'bodies': {'base': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, "
                     "'Izz': 1}, 'frames': {'up': {'T': [0, 0, %g]}}}, 'arm': {'mass': 3, "
                     "'center_of_mass': [0.5, 0, 0], 'moment_of_inertia': {'Ixx': 0.005, 'Iyy': "
                     "0.25, 'Izz': 0.25}, 'shapes': [" TIP
                     ", 'stiffness': 1e6, 'friction': 0}]}}, 'joints': {'weld': {'type': 'rigid', "
                     "'body_frame_pairs': [['fixed', 'origin'], ['base', 'origin']]}, 'hinge': "
                     "{'type': 'Ry', 'body_frame_pairs': [['base', 'up'], ['arm', 'origin']], "
                     "'initial_displacement': -0.001, 'initial_velocity': %g}}",
                     radius, spin);
        }
        scene_open("dopri5", 1e-3, "'gravity': [0, 0, 0]", text);
        scene_run(0.5);
        rebounds[k] = fabs(number(k == 0 ? "a/f/velocity" : "a/hinge/velocity")) / spin;
        reading_end();
    }
    cr_expect_float_eq(rebounds[0], rebounds[1], 5e-4, "%.6f and %.6f", rebounds[0], rebounds[1]);
    cr_expect_gt(rebounds[0], 0.4);
    cr_expect_lt(rebounds[0], 0.6);
}

Test(multibody_contact_mechanisms, a_pendulum_that_bounces_on_a_wall_loses_height)
{
    /* It hangs 1 m long from 1.5 m; the wall is where it hangs straight down. */
    star_text_write(scene_xml,
                    "<world name='scene'><box x='-0.6' y='0' z='0.5' size_x='1' size_y='1' "
                    "size_z='1'/></world>");
    for (size_t i = 0; i < DPL_COUNT(integrators); i++) {
        scene_open(
            integrators[i], 1e-3, ON WEIGHT,
            "'bodies': {'base': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, 'Izz': "
            "1}, 'frames': {'up': {'T': [0, 0, 1.5]}}}, 'arm': {'mass': 3, "
            "'center_of_mass': [0.5, 0, 0], 'moment_of_inertia': {'Ixx': 0.005, 'Iyy': 0.25, "
            "'Izz': 0.25}, 'shapes': [" TIP "}]}}, 'joints': {'weld': {'type': 'rigid', "
            "'body_frame_pairs': [['fixed', 'origin'], ['base', 'origin']]}, 'hinge': "
            "{'type': 'Ry', 'body_frame_pairs': [['base', 'up'], ['arm', 'origin']], "
            "'initial_displacement': 0.9}}");
        const double down = acos(-1.0) / 2.0;
        double first = number("multibody/kinetic_energy") + number("multibody/potential_energy");
        double highest = 0.0, before = 10.0, angle = 0.9;
        int bounces = 0;
        for (int k = 0; k < 6000; k++) {
            double last = angle;
            scene_run(1e-3);
            angle = number("a/hinge/position");
            cr_assert_leq(angle, down + 0.02, "%s: through the wall", integrators[i]);
            highest = fmax(highest, down - angle);
            if (last < angle && scene_count("a/arm/contact") > 0 && highest > 0.05) {
                cr_assert_lt(highest, before);
                before = highest;
                highest = 0.0;
                bounces++;
            }
        }
        cr_expect_geq(bounces, 3, "%s: %d", integrators[i], bounces);
        cr_expect_lt(number("multibody/kinetic_energy") + number("multibody/potential_energy"),
                     first);
        reading_end();
    }
}

/* ---- arms that are stopped ---- */

/* A driven arm strikes the edge of a box in its middle, where it has no corner, and rests: the
 * force times its lever is the torque. */
Test(multibody_contact_mechanisms, an_arm_is_stopped_by_an_edge_in_its_middle)
{
    star_text_write(scene_xml, "<world name='scene'><box x='0.65' y='0' size_x='0.1' size_y='2' "
                               "size_z='0.3'/></world>");
    for (size_t i = 0; i < DPL_COUNT(integrators); i++) {
        scene_open(
            integrators[i], 1e-3, ON "'gravity': [0, 0, 0]",
            "'bodies': {'base': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, 'Izz': "
            "1}, 'frames': {'up': {'T': [0, 0, 0.6]}}}, 'arm': {'mass': 3, "
            "'center_of_mass': [0.5, 0, 0], 'moment_of_inertia': {'Ixx': 0.005, 'Iyy': 0.25, "
            "'Izz': 0.25}, 'shapes': [{'type': 'box', 'x': 1, 'y': 0.1, 'z': 0.1, 'T': [0.5, "
            "0, 0], 'friction': 0}]}}, 'joints': {'weld': {'type': 'rigid', "
            "'body_frame_pairs': [['fixed', 'origin'], ['base', 'origin']]}, 'hinge': "
            "{'type': 'Ry', 'body_frame_pairs': [['base', 'up'], ['arm', 'origin']], 'motor': "
            "{'mode': 'force'}}}");
        put("a/hinge/command/effort", 20.0);
        scene_run(4.0);
        double angle = number("a/hinge/position");
        /* The lower side, 0.05 m below the middle line, is at the edge (0.7, 0.3). */
        double reach = hypot(0.7, 0.3), expected = asin(0.3 / reach) - asin(0.05 / reach);
        double lever = sqrt(reach * reach - 0.05 * 0.05);
        double force[3];
        cr_assert_eq(get("a/arm/contact_force", force, NULL), 0);
        cr_expect_float_eq(angle, expected, 3e-3, "%s: %.5f rad, expected %.5f", integrators[i],
                           angle, expected);
        /* Edges are rounded by 2 mm, where the lever is 0.3 % less. */
        cr_expect_float_eq(hypot(force[0], force[2]) * lever, 20.0, 0.1, "%s: %.4f N m",
                           integrators[i], hypot(force[0], force[2]) * lever);
        cr_expect_lt(fabs(number("a/hinge/velocity")), 1e-4, "%s", integrators[i]);
        reading_end();
    }
}

/* The crank of a four-bar turns its coupler's tip into the ground and stands; loops stay closed. */
Test(multibody_contact_mechanisms, a_four_bar_is_stopped_with_its_loop_closed)
{
    static const char four_bar[] =
        "'bodies': {'base': {'mass': 1, 'moment_of_inertia': {'Ixx': 1, 'Iyy': 1, 'Izz': 1}, "
        "'frames': {'left': {'T': [0, 0, 1]}, 'right': {'T': [1, 0, 1]}}},"
        "'crank': {'mass': 1, 'center_of_mass': [0.25, 0, 0], 'moment_of_inertia': {'Ixx': 0.001, "
        "'Iyy': 0.02, 'Izz': 0.02}, 'frames': {'tip': {'T': [0.5, 0, 0]}}},"
        "'rocker': {'mass': 1, 'center_of_mass': [0.25, 0, 0], 'moment_of_inertia': {'Ixx': 0.001, "
        "'Iyy': 0.02, 'Izz': 0.02}, 'frames': {'tip': {'T': [0.5, 0, 0]}}},"
        "'coupler': {'mass': 2, 'center_of_mass': [0.5, 0, 0], 'moment_of_inertia': {'Ixx': 0.01, "
        "'Iyy': 0.2, 'Izz': 0.2}, 'frames': {'tip': {'T': [1, 0, 0]}}, 'shapes': [{'type': 'box', "
        "'x': 1, 'y': 0.1, 'z': 0.1, 'T': [0.5, 0, 0]}]}},"
        "'joints': {'weld': {'type': 'rigid', 'body_frame_pairs': [['fixed', 'origin'], ['base', "
        "'origin']]},"
        "'A': {'type': 'Ry', 'body_frame_pairs': [['base', 'left'], ['crank', 'origin']], "
        "'initial_displacement': 0.3},"
        "'D': {'type': 'Ry', 'body_frame_pairs': [['base', 'right'], ['rocker', 'origin']], "
        "'initial_displacement': 0.3},"
        "'B': {'type': 'Ry', 'body_frame_pairs': [['crank', 'tip'], ['coupler', 'origin']], "
        "'initial_displacement': -0.3},"
        "'C': {'type': 'Ry', 'body_frame_pairs': [['rocker', 'tip'], ['coupler', 'tip']], "
        "'initial_displacement': -0.3}}";
    /* A box under the coupler, at which a parallelogram's bars stand at 0.8 rad. */
    char scene[256];
    double top = 1.0 - 0.5 * sin(0.8) - 0.05;
    snprintf(
        scene, sizeof scene,
        "<world name='scene'><box x='0.85' y='0' size_x='3' size_y='1' size_z='%.9f'/></world>",
        top);
    star_text_write(scene_xml, scene);
    for (size_t i = 0; i < DPL_COUNT(integrators); i++) {
        scene_open(integrators[i], 1e-3, ON WEIGHT, four_bar);
        scene_run(5.0);
        cr_expect_float_eq(number("a/A/position"), 0.8, 2e-3, "%s", integrators[i]);
        cr_expect_lt(fabs(number("a/A/velocity")), 1e-2, "%s", integrators[i]);
        cr_expect_lt(number("multibody/loop_residual"), 1e-12, "%s", integrators[i]);
        cr_expect_eq(scene_count("a/coupler/contact"), 4, "%s", integrators[i]);
        reading_end();
    }
}

/* ---- what stands still ---- */

#define BOX_OF_2_KG                                                                                \
    "'bodies': {'b': {'mass': 2, 'moment_of_inertia': {'Ixx': 0.0133, 'Iyy': 0.0133, 'Izz': "      \
    "0.0133}, 'shapes': [{'type': '%s', %s}]}}, 'joints': {'f': {'type': 'float', "                \
    "'body_frame_pairs': [['fixed', 'origin'], ['b', 'origin']], 'initial_displacement': {'T': "   \
    "[%g, 0, %g]}}}"

/* Rests on what stands still, its origin at `height`, with its weight. */
static void expect_rest(const char *kind, const char *sizes, double from, double height)
{
    char text[1024];
    snprintf(text, sizeof text, BOX_OF_2_KG, kind, sizes, 0.0, from);
    scene_open("rk4", 1e-3, ON WEIGHT, text);
    scene_run(3.0);
    cr_expect_float_eq(scene_value("a/b/pose", 2), height, 1e-3, "%s: %.5f m", kind,
                       scene_value("a/b/pose", 2));
    cr_expect_float_eq(scene_value("a/b/contact_force", 2), 2.0 * g, 2e-3 * g, "%s", kind);
    cr_expect_lt(fabs(scene_value("a/b/pose", 0)), 0.02, "%s", kind);
    reading_end();
}

static const char box_sizes[] = "'x': 0.2, 'y': 0.2, 'z': 0.2";

Test(multibody_contact_mechanisms, a_plate_rests_on_a_smaller_box)
{
    star_text_write(scene_xml, "<world name='scene'><box x='0' y='0' size_x='0.1' size_y='0.1' "
                               "size_z='0.5'/></world>");
    expect_rest("box", box_sizes, 0.61, 0.6);
}

Test(multibody_contact_mechanisms, bodies_rest_on_cylinders)
{
    star_text_write(scene_xml, "<world name='scene'><cylinder x='0' y='0' radius='0.3' "
                               "height='0.5'/></world>");
    expect_rest("box", box_sizes, 0.61, 0.6);
    expect_rest("sphere", "'radius': 0.1", 0.61, 0.6);
    expect_rest("cylinder", "'radius': 0.1, 'height': 0.2", 0.61, 0.6);
}

Test(multibody_contact_mechanisms, bodies_rest_on_hulls_meshes_and_fields)
{
    static const char *const shapes[] = {
        "<HullShape><point x='-1' y='-1' z='0.2'/><point x='1' y='-1' z='0.2'/><point x='0' "
        "y='1.5' "
        "z='0.2'/><point x='0' y='0' z='-1'/></HullShape>",
        "<MeshShape><point x='-1' y='-1' z='0.2'/><point x='1' y='-1' z='0.2'/><point x='0' "
        "y='1.5' "
        "z='0.2'/><point x='0' y='0' z='-1'/><face a='0' b='1' c='2'/><face a='0' b='3' c='1'/>"
        "<face a='1' b='3' c='2'/><face a='2' b='3' c='0'/></MeshShape>",
        "<HeightFieldShape file='land.pgm' cell='1' height='0.2'/>",
    };
    star_text_write(scene_xml,
                    "<world name='scene'><robot name='still' model='still.xml'/></world>");
    star_text_write(scene_land, "P2\n3 3\n255\n255 255 255 255 255 255 255 255 255\n");
    for (size_t i = 0; i < DPL_COUNT(shapes); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mechanism name='still'><RigidObject name='it' static='true'><position "
                 "z='0.5'/>%s</RigidObject></mechanism>",
                 shapes[i]);
        star_text_write(scene_still, text);
        expect_rest("box", box_sizes, 0.81, 0.8);
        expect_rest("sphere", "'radius': 0.1", 0.81, 0.8);
    }
}

/* ---- state ---- */

Test(multibody_contact_mechanisms, a_world_repeats_from_a_snapshot)
{
    char text[1024];
    snprintf(text, sizeof text, BOX_OF_2_KG, "box", box_sizes, 0.0, 0.3);
    star_text_write(scene_xml, "<world name='scene'><box x='0.2' y='0.1' size_x='0.3' size_y='0.3' "
                               "size_z='0.1'/></world>");
    scene_open("rk4", 1e-3, ON WEIGHT, text);
    scene_run(0.2);
    struct saved_world saved = world_saved(world);
    double once[13], again[13];
    for (int k = 0; k < 2; k++) {
        double *to = k == 0 ? once : again;
        if (k == 1) {
            world_back(world, &saved);
        }
        scene_run(0.8);
        cr_assert_eq(get("a/b/pose", to, NULL), 0);
        cr_assert_eq(get("a/b/twist", to + 7, NULL), 0);
    }
    cr_expect_eq(memcmp(once, again, sizeof once), 0);
    free(saved.bytes);
}

Test(multibody_contact_mechanisms, a_contact_sensor_tells_obstacles_from_the_ground)
{
    star_text_write(scene_xml, "<world name='scene'><box x='3' y='0' size_x='1' size_y='1' "
                               "size_z='0.2'/></world>");
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 BOX_OF_2_KG ", 'devices': {'d': {'sensors': [{'type': 'contact', 'frame': ['b', "
                             "'origin']}]}}",
                 "box", box_sizes, k == 0 ? 0.0 : 3.0, k == 0 ? 0.1 : 0.3);
        scene_open("rk4", 1e-3, ON WEIGHT, text);
        cr_expect_eq(diags.n, 0, "%s", reading_first());
        scene_run(0.5);
        bool value = false;
        cr_assert_eq(get("a/d/contact/on", &value, NULL), 0);
        cr_expect_eq(value, k == 1);
        cr_expect_eq(scene_count("a/b/contact"), 4);
        reading_end();
    }
}

/* Turned by a quarter and lifted: gravity that leans along x of the file leans along y of the
 * world.
 */
Test(multibody_contact_mechanisms, a_robot_touches_where_its_frame_is)
{
    char text[1024];
    snprintf(text, sizeof text, BOX_OF_2_KG, "box", box_sizes, 0.5, -0.3);
    scene_open("rk4", 1e-3, "'gravity': [1, 0, -9.81]", text);
    reading_end();
    star_text_write(scene_xml,
                    "<world name='scene' step_ms='1'><robot name='r' star='world.json' x='2' "
                    "y='1' z='0.4' yaw='90 deg'/></world>");
    cr_assert_eq(dpl_sim_read_world(&arena, scene_xml, NULL, &model, &diags), 0, "%s",
                 reading_first());
    reading_make();
    scene_run(2.0);
    cr_expect_float_eq(scene_value("r/a/b/pose", 0), 2.0, 1e-6);
    cr_expect_float_eq(scene_value("r/a/b/pose", 1), 1.5, 0.03);
    cr_expect_float_eq(scene_value("r/a/b/pose", 2), 0.1, 1e-3);
    cr_expect_float_eq(scene_value("r/a/b/contact_force", 0), 0.0, 1e-6);
    cr_expect_float_eq(scene_value("r/a/b/contact_force", 1), -2.0, 2e-3);
    cr_expect_float_eq(scene_value("r/a/b/contact_force", 2), 2.0 * g, 2e-3 * g);
}

Test(multibody_contact_mechanisms, what_is_switched_on_again_touches)
{
    char text[1024];
    snprintf(text, sizeof text, BOX_OF_2_KG, "box", box_sizes, 0.0, 0.1);
    scene_open("rk4", 1e-3, WEIGHT, text);
    bool on = false;
    scene_run(0.1);
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("a/switch", true), &on), 0);
    scene_run(0.1);
    cr_expect_eq(scene_count("a/b/contact"), 0);
    on = true;
    cr_assert_eq(dpl_world_channels_put(channels, channel_of("a/switch", true), &on), 0);
    scene_run(1.0);
    cr_expect_eq(scene_count("a/b/contact"), 4);
    cr_expect_float_eq(scene_value("a/b/contact_force", 2), 2.0 * g, 2e-3 * g);
}
