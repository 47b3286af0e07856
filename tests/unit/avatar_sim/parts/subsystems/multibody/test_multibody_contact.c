/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in STAR's format that fall, rest, slide and tumble on what stands still. */
#include <doppel/field.h>

#include "star_scene.h"

TestSuite(multibody_contacts, .init = scene_begin, .fini = scene_end);

#define INERTIA "'moment_of_inertia': {'Ixx': 0.0133, 'Iyy': 0.0133, 'Izz': 0.0133}"
/* A body `b` that floats. */
#define FREE(mass, shape, start)                                                                   \
    "'bodies': {'b': {'mass': " mass ", " INERTIA ", 'shapes': [" shape "]}}, "                    \
    "'joints': {'f': {'type': 'float', 'body_frame_pairs': [['fixed', 'origin'], ['b', "           \
    "'origin']], " start "}}"
#define WEIGHT "'gravity': [0, 0, -9.81]"
#define ON     "'include_worlds': ['scene.xml'], " WEIGHT
#define BOX    "{'type': 'box', 'x': 0.2, 'y': 0.2, 'z': 0.2}"

static const double g = 9.81;
static const char *const integrators[] = {"rk4", "semi_implicit", "dopri5"};
enum { INTEGRATORS = 3 };

/* ---- a sphere that falls ---- */

/* Hunt and Crossley's factor for which an impact with 1 m/s has restitution e, by Newton's method:
 * the two sides of the motion's integral, x = a v. */
static double factor_of(double e)
{
    double x = 1.0;
    for (int i = 0; i < 200; i++) {
        double f = log((1.0 + x) / (1.0 - e * x)) - x * (1.0 + e);
        double slope = 1.0 / (1.0 + x) + e / (1.0 - e * x) - (1.0 + e);
        double next = x - f / slope;
        x = next > 0.0 && next < 1.0 / e ? next : 0.5 * (x + (next <= 0.0 ? 0.0 : 1.0 / e));
    }
    return x;
}

/* The height of a ball's rebound, by its own equation of motion with short steps of the midpoint
 * rule. */
static double rebound(double height, double mass, double stiffness, double factor)
{
    const double h = 1e-6;
    double z = height, v = 0.0;
    bool has_touched = false;
    while (!has_touched || v > 0.0 || z < 0.0) {
        double zm = z, vm = v;
        for (int half = 0; half < 2; half++) {
            double depth = fmax(0.0, -zm);
            double force = fmax(0.0, stiffness * depth * (1.0 - factor * vm));
            double a = force / mass - g, part = half == 0 ? 0.5 * h : h;
            double z_now = z + part * vm;
            vm = v + part * a;
            zm = z_now;
        }
        z = zm;
        v = vm;
        has_touched |= z < 0.0;
    }
    return z;
}

Test(multibody_contacts, a_ball_rebounds_as_the_law_says)
{
    const double drop = 0.2, factor = factor_of(0.5), stiffness = 1e6;
    const double expected = rebound(drop, 1.0, stiffness, factor);
    for (int i = 0; i < INTEGRATORS; i++) {
        scene_open(integrators[i], 1e-4, WEIGHT,
                   FREE("1",
                        "{'type': 'sphere', 'radius': 0.1, 'restitution': 0.5, 'stiffness': 1e6}",
                        "'initial_displacement': {'T': [0, 0, 0.3]}"));
        double highest = 0.0, lowest = 1.0;
        for (int k = 0; k < 5000; k++) {
            scene_run(1e-4);
            double z = scene_value("a/b/pose", 2) - 0.1;
            lowest = fmin(lowest, z);
            highest = lowest < 0.0 ? fmax(highest, z) : 0.0;
        }
        cr_expect_float_eq(highest, expected, 0.005 * expected, "%s: %.6f m, expected %.6f m",
                           integrators[i], highest, expected);
        reading_end();
    }
}

/* Without weight x (1 + e) = ln((1 + x) / (1 - x e)) with x = a v, whatever mass and stiffness are.
 */
static double restitution_of(double x)
{
    double low = 0.0, high = fmin(1.0, 1.0 / x);
    for (int i = 0; i < 100; i++) {
        double e = 0.5 * (low + high);
        if (log((1.0 + x) / (1.0 - x * e)) < x * (1.0 + e)) {
            low = e;
        } else {
            high = e;
        }
    }
    return low;
}

Test(multibody_contacts, restitution_falls_with_the_speed_of_the_impact)
{
    const double factor = factor_of(0.6);
    cr_assert_float_eq(restitution_of(factor), 0.6, 1e-9);
    for (double speed = 0.25; speed < 5.0; speed *= 2.0) {
        char text[1024];
        snprintf(text, sizeof text,
                 FREE("2",
                      "{'type': 'sphere', 'radius': 0.1, 'restitution': 0.6, 'stiffness': 5e5}",
                      "'initial_displacement': {'T': [0, 0, 0.101]}, 'initial_velocity': [0, 0, "
                      "%g, 0, 0, 0]"),
                 -speed);
        scene_open("dopri5", 1e-3, "'gravity': [0, 0, 0]", text);
        scene_run(0.5);
        double e = scene_value("a/b/twist", 2) / speed, expected = restitution_of(factor * speed);
        cr_expect_float_eq(e, expected, 1e-4, "%g m/s: %.7f, expected %.7f", speed, e, expected);
        reading_end();
    }
}

/* ---- rest ---- */

static const char *const scene =
    "<world name='scene'><box x='0' y='0' z='0.5' size_x='0.6' size_y='0.6' size_z='0.4'/></world>";

#define ROCK                                                                                       \
    "{'type': 'hull', 'points': [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0, 0.1, -0.1], [0, 0, "   \
    "0.1]]}"

Test(multibody_contacts, all_shapes_rest_with_their_weight_on_ground_and_boxes)
{
    static const char *const resting[] = {
        FREE("2", BOX, "'initial_displacement': {'T': [0, 0, %g]}"),
        FREE("2", "{'type': 'sphere', 'radius': 0.1}", "'initial_displacement': {'T': [0, 0, %g]}"),
        FREE("2", "{'type': 'cylinder', 'radius': 0.1, 'height': 0.2}",
             "'initial_displacement': {'T': [0, 0, %g]}"),
        FREE("2", "{'type': 'cylinder', 'radius': 0.1, 'height': 0.2}",
             "'initial_displacement': {'T': [0, 0, %g], 'R': [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}"),
        FREE("2", "{'type': 'capsule', 'radius': 0.1, 'height': 0.2}",
             "'initial_displacement': {'T': [0, 0, %g], 'R': [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}"),
        FREE("2", ROCK, "'initial_displacement': {'T': [0, 0, %g]}"),
    };
    star_text_write(scene_xml, scene);
    for (size_t i = 0; i < DPL_COUNT(resting); i++) {
        for (int k = 0; k < INTEGRATORS; k++) {
            double ground = k == 1 ? 0.7 : 0.0;
            char text[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, resting[i], ground + 0.105);
#pragma GCC diagnostic pop
            scene_open(integrators[k], 1e-3, k == 1 ? ON : WEIGHT, text);
            scene_run(3.0);
            const double weight = 2.0 * g;
            cr_expect_float_eq(scene_value("a/b/contact_force", 2), weight, 1e-3 * weight,
                               "shape %zu, %s", i, integrators[k]);
            cr_expect_float_eq(scene_value("a/b/pose", 2), ground + 0.1, 5e-4, "shape %zu, %s", i,
                               integrators[k]);
            cr_expect_lt(fabs(scene_value("a/b/twist", 2)), 1e-4);
            cr_expect_geq(scene_count("a/b/contact"), 1);
            reading_end();
        }
    }
}

/* ---- slopes: the plane is level, and gravity leans ---- */

static void open_slope(int integrator, double angle, const char *more)
{
    char gravity[96], text[1024];
    snprintf(gravity, sizeof gravity, "'gravity': [%.17g, 0, %.17g]", g * sin(angle),
             -g * cos(angle));
    snprintf(text, sizeof text,
             "'bodies': {'b': {'mass': 2, 'moment_of_inertia': {'Ixx': 0.028, 'Iyy': 0.028, 'Izz': "
             "0.053}, 'shapes': [{'type': 'box', 'x': 0.4, 'y': 0.4, 'z': 0.1, 'friction': 0.5 "
             "%s}]}}, 'joints': {'f': {'type': 'float', 'body_frame_pairs': [['fixed', 'origin'], "
             "['b', 'origin']], 'initial_displacement': {'T': [0, 0, 0.0498]}}}",
             more);
    scene_open(integrators[integrator], 1e-3, gravity, text);
}

Test(multibody_contacts, a_block_slides_down_a_slope_as_coulomb_says)
{
    const double angle = 0.6;
    for (int i = 0; i < INTEGRATORS; i++) {
        open_slope(i, angle, "");
        scene_run(0.5);
        double before = scene_value("a/b/twist", 0);
        scene_run(1.0);
        double a = scene_value("a/b/twist", 0) - before;
        double expected = g * (sin(angle) - 0.5 * cos(angle));
        cr_expect_float_eq(a, expected, 0.01 * expected, "%s: %.5f m/s^2, expected %.5f",
                           integrators[i], a, expected);
        cr_expect_float_eq(scene_value("a/b/pose", 2), 0.05, 1e-3);
        reading_end();
    }
}

/* Less steep than its friction: it creeps as docs/reference/star.md says. Where steps are explicit
 * and of a fixed length a point has no more damping than 2.5 / (4 step / mass of a corner). */
Test(multibody_contacts, a_block_on_a_slope_creeps_no_faster_than_documented)
{
    const double angle = 0.3, h = 1e-3, corner = 1.0 / (1.0 / 2.0 + 2.0 * 0.2 * 0.2 / 0.028);
    const double fixed = 0.25 * 2.0 * g * sin(angle) / (2.5 * corner / (4.0 * h));
    static const double creeps[] = {0.005, 1e-4};
    for (int i = 0; i < INTEGRATORS; i++) {
        for (int k = 0; k < 2; k++) {
            double most = creeps[k] * atanh(tan(angle) / 0.5);
            most = i == 0 ? fmax(most, fixed) : most;
            open_slope(i, angle, k == 0 ? "" : ", 'creep_speed': 1e-4");
            scene_run(1.0);
            double v = scene_value("a/b/twist", 0);
            cr_expect_leq(v, 1.02 * most, "%s: %g m/s, expected at most %g", integrators[i], v,
                          most);
            cr_expect_geq(v, 0.5 * most);
            reading_end();
        }
    }
}

/* ---- energy ---- */

static double energy(void)
{
    return number("multibody/kinetic_energy") + number("multibody/potential_energy");
}

/* While it touches, some energy is in the contact, which nothing else counts; so it is looked at
 * between the contacts. */
Test(multibody_contacts, a_box_that_tumbles_never_gains_energy)
{
    for (int i = 0; i < INTEGRATORS; i++) {
        scene_open(integrators[i], 1e-3, WEIGHT,
                   FREE("2", "{'type': 'box', 'x': 0.3, 'y': 0.2, 'z': 0.1, 'restitution': 0.8}",
                        "'initial_displacement': {'T': [0, 0, 0.5]}, 'initial_velocity': [1, 0.3, "
                        "0, 6, -9, 4]"));
        double least = energy(), first = least;
        int flights = 0;
        bool was_on = false;
        for (int k = 0; k < 4000; k++) {
            scene_run(1e-3);
            bool is_on = scene_count("a/b/contact") > 0;
            double now = energy();
            if (!is_on) {
                cr_assert_leq(now, least + 2e-3 * first, "%s at %d ms: %.6f J after %.6f J",
                              integrators[i], k, now, least);
                least = fmin(least, now);
                flights += was_on;
            }
            was_on = is_on;
        }
        cr_expect_gt(flights, 3);
        cr_expect_lt(energy(), 0.5 * first);
        reading_end();
    }
}
