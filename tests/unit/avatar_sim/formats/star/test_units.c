/* SPDX-License-Identifier: Apache-2.0 */
/* Units: each number is converted once, and comes back to the last bit. */
#include <math.h>

#include "star_reading.h"

#include "units.h"

#define PI 3.14159265358979323846

static const struct dpl_star_units odd = {
    .angle = PI / 180, .length = 1e-3, .mass = 1e-3, .time = 1e-3};

static void expect_close(double value, double expected)
{
    cr_expect_float_eq(value, expected, 1e-15 * fabs(expected), "%.17g, not %.17g", value,
                       expected);
}

Test(star_units, derived_units_are_products)
{
    expect_close(dpl__star_gravity(&odd), 1e3);
    expect_close(dpl__star_inertia(&odd), 1e-9);
    expect_close(dpl__star_effort(&odd, false), 1.0);
    expect_close(dpl__star_effort(&odd, true), 1e-3);
    expect_close(dpl__star_rate(&odd, true), PI / 0.18);
    expect_close(dpl__star_rate(&odd, false), 1.0);
}

Test(star_units, the_argument_of_a_turning_law_is_in_the_files_angles)
{
    /* c x^2 with x in degrees is c (180 / pi)^2 x^2 with x in radians. */
    expect_close(dpl__star_coefficient(&odd, true, false, 2), 1e-3 * (180 / PI) * (180 / PI));
    expect_close(dpl__star_coefficient(&odd, false, true, 1), 1.0);
    expect_close(dpl__star_coefficient(&odd, false, false, 0), 1.0);
}

Test(star_units, all_words_of_units_are_read)
{
    static const struct {
        const char *key, *word;
        double value;
    } cases[] = {
        {"length", "m", 1},
        {"length", "millimeters", 1e-3},
        {"length", "cm", 1e-2},
        {"length", "inches", 0.0254},
        {"length", "feet", 0.3048},
        {"length", "metres", 1},
        {"mass", "kilograms", 1},
        {"mass", "grams", 1e-3},
        {"mass", "pounds", 0.45359237},
        {"time", "seconds", 1},
        {"time", "milliseconds", 1e-3},
        {"angle", "radians", 1},
        {"angle", "degrees", PI / 180},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"model_parameters\": {\"units\": {\"%s\": \"%s\"}}, \"assembly\": {}}",
                 cases[i].key, cases[i].word);
        struct dpl_star_world *world = read_star(text);
        const struct dpl_star_units *units = &world->units;
        double value = cases[i].key[0] == 'l'   ? units->length
                       : cases[i].key[0] == 'm' ? units->mass
                       : cases[i].key[0] == 't' ? units->time
                                                : units->angle;
        cr_expect_eq(value, cases[i].value, "%s", cases[i].word);
        dpl_star_destroy(world);
    }
}

/* The double pendulum of the same bodies in millimetres, grams, milliseconds and degrees. */
Test(star_units, numbers_of_a_world_are_converted)
{
    struct dpl_star_world *world = read_star(WORLD_OF(
        "\"gravity\": [0, -0.00981, 0], \"units\": {\"angle\": \"degrees\", \"length\": \"mm\", "
        "\"mass\": \"g\", \"time\": \"ms\"}",
        "",
        "\"a\": {\"mass\": 1500, \"center_of_mass\": [250, 0, 0], \"moment_of_inertia\": {\"Ixx\": "
        "2e6, \"Iyy\": 8.5e7, \"Izz\": 8.5e7}, \"frames\": {\"tip\": {\"T\": [1000, 0, 0]}}},\n"
        "\"b\": {}",
        "\"A\": {\"type\": \"Rz\", \"initial_displacement\": 90, \"initial_velocity\": 0.18, "
        "\"limits\": {\"lower\": -180, \"upper\": 180, \"stiffness\": 1000, \"damping\": 1000}, "
        "\"motor\": {\"mode\": \"position\", \"kp\": 1000, \"kd\": 1000, \"max\": 5000}, " A_TO_B
        "},\n\"B\": {\"type\": \"Tx\", \"initial_displacement\": 20, \"initial_velocity\": 3, "
        "\"damping\": [0, 7], " A_TO_B "},\n\"C\": {\"type\": \"screw\", \"pitch\": 2, " A_TO_B "}",
        ",\n\"restraints\": {\"s\": {\"type\": \"spring\", \"joint\": \"A\", \"knot_points\": "
        "[45], \"coefficients\": [[1000, 0], [2000]]}},\n\"gears\": {\"g\": {\"joints\": [\"B\", "
        "\"A\"], \"ratio\": 3}}"));
    const struct dpl_mb_graph *graph = world->graph;
    expect_close(graph->gravity[1], -9.81);
    expect_close(graph->bodies[1].mass, 1.5);
    expect_close(graph->bodies[1].centre[0], 0.25);
    expect_close(graph->bodies[1].inertia[1], 0.085);
    expect_close(graph->bodies[2].mass, 1e-3); /* 1 of the file */
    expect_close(graph->frames[graph->joints[0].frames[0]].in_body.position[0], 1.0);
    expect_close(graph->joints[0].displacement[0], PI / 2);
    expect_close(graph->joints[0].velocity[0], PI);
    expect_close(graph->joints[0].limit.upper, PI);
    expect_close(graph->joints[0].limit.stiffness, 180 / PI);
    expect_close(graph->joints[0].limit.damping, 0.18 / PI);
    expect_close(graph->joints[0].motor.kp, 180 / PI);
    expect_close(graph->joints[0].motor.kd, 0.18 / PI);
    expect_close(graph->joints[0].motor.max, 5.0);
    expect_close(graph->joints[1].displacement[0], 0.02);
    expect_close(graph->joints[1].velocity[0], 3.0);
    expect_close(graph->joints[2].pitch, 0.002 * 180 / PI);
    expect_close(graph->restraints[0].law.coefficients[0], 7.0);
    expect_close(graph->restraints[1].law.knots[0], PI / 4);
    expect_close(graph->restraints[1].law.coefficients[0], 180 / PI);
    expect_close(graph->restraints[1].law.coefficients[2], 2.0);
    expect_close(graph->gears[0].ratio, 3e-3 * 180 / PI);
    dpl_star_destroy(world);
}

Test(star_units, a_number_comes_back_as_the_shortest_that_is_read_as_the_same)
{
    const double scales[] = {PI / 180, 1e-3, 0.0254,   0.45359237,
                             1e-9,     1e3,  180 / PI, 1e-3 * 0.3048};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        for (int k = -2000; k <= 2000; k++) {
            double written = k * 0.1, si = written * scales[i];
            double again = dpl__star_in_file(si, scales[i]);
            cr_assert_eq(again * scales[i], si, "%.17g by %.17g", written, scales[i]);
            cr_assert_float_eq(again, written, 4e-16 * fabs(written) + 1e-300);
        }
    }
    cr_expect_eq(dpl__star_in_file(37.7 * (PI / 180), PI / 180), 37.7);
    cr_expect_not(signbit(dpl__star_in_file(0.0, 1e-3)));
    cr_expect(signbit(dpl__star_in_file(-0.0, 1e-3)));
}
