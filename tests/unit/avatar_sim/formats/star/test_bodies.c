/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of bodies, frames, lights, units and settings. */
#include "star_reading.h"

Test(star_bodies, what_is_wrong_with_bodies_lights_units_and_settings_is_told)
{
    static const struct star_row rows[] = {
        {"arrays of wrong length are errors",
         BODIES("\"a\": {\"center_of_mass\": [1, 2],\n"
                "\"frames\": {\"f\": {\"T\": [1, 2, 3, 4]},\n"
                "\"g\": {\"R\": [[1, 0, 0], [0, 1], [0, 0, 1]]}, \"h\": {\"R\": [1]}}}"),
         "w.json:3:25: error: assembly.m.bodies.a.center_of_mass: an array of 3 numbers is "
         "expected, not one of 2\n"
         "w.json:4:23: error: assembly.m.bodies.a.frames.f.T: an array of 3 numbers is expected, "
         "not one of 4\n"
         "w.json:5:24: error: assembly.m.bodies.a.frames.g.R[1]: an array of 3 numbers is "
         "expected, not one of 2\n"
         "w.json:5:56: error: assembly.m.bodies.a.frames.h.R: an array of 3 rows is expected\n"},
        {"what is no number is an error",
         BODIES("\"a\": {\"mass\": \"1\",\n"
                "\"moment_of_inertia\": {\"Ixx\": true, \"Iyy\": 1, \"Izz\": 1},\n"
                "\"center_of_mass\": [0, null, 0]}"),
         "w.json:3:15: error: assembly.m.bodies.a.mass: a number is expected, not a text\n"
         "w.json:4:30: error: assembly.m.bodies.a.moment_of_inertia.Ixx: a number is expected, not "
         "true\n"
         "w.json:5:23: error: assembly.m.bodies.a.center_of_mass[1]: a number is expected, not "
         "null\n"},
        {"a number that is too large in si units is an error",
         WORLD_OF("\"gravity\": [0, 0, 1e308], \"units\": {\"length\": \"inches\", \"time\": "
                  "\"milliseconds\"}",
                  "",
                  "\"a\": {\"mass\": 1e308,\n"
                  "\"moment_of_inertia\": {\"Ixx\": 1e308, \"Iyy\": 1e308, \"Izz\": 1e308}}",
                  "", ""),
         "w.json:1:41: error: model_parameters.gravity[2]: too large in SI units\n"},
        {"rotations that are none are errors",
         BODIES("\"a\": {\"frames\": {\n"
                "\"f\": {\"R\": [[1, 0, 0], [0, 1, 0.1], [0, 0, 1]]},\n"
                "\"g\": {\"R\": [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]},\n"
                "\"h\": {\"quaternion\": [1, 0, 0, 1]},\n"
                "\"i\": {\"axis_angle\": [0, 0, 0, 1]},\n"
                "\"j\": {\"quaternion\": [1, 0, 0, 0], \"axis_angle\": [0, 0, 1, 0]}}}"),
         "w.json:4:12: error: assembly.m.bodies.a.frames.f.R: no rotation: R R^T differs from 1 by "
         "0.1\n"
         "w.json:5:12: error: assembly.m.bodies.a.frames.g.R: no rotation: it mirrors, since its "
         "determinant is negative\n"
         "w.json:6:21: error: assembly.m.bodies.a.frames.h.quaternion: a quaternion has the length "
         "1, not 1.41421356\n"
         "w.json:7:21: error: assembly.m.bodies.a.frames.i.axis_angle: an axis has a direction: "
         "its numbers are not all 0\n"
         "w.json:8:21: error: assembly.m.bodies.a.frames.j.quaternion: a second rotation: "
         "'axis_angle' is there too\n"},
        {"masses that no body has are errors",
         BODIES(
             "\"a\": {\"mass\": -1},\n"
             "\"b\": {\"moment_of_inertia\": {\"Ixx\": 1, \"Iyy\": 1, \"Izz\": 1, \"Ixy\": 2}},\n"
             "\"c\": {\"mass\": 1, \"moment_of_inertia\": {\"mass\": 2, \"Ixx\": 1, \"Iyy\": 1, "
             "\"Izz\": 1}},\n"
             "\"d\": {\"inertia\": {}, \"moment_of_inertia\": {}}"),
         "w.json:3:15: error: assembly.m.bodies.a.mass: a mass is 0 or more\n"
         "w.json:4:28: error: assembly.m.bodies.b.moment_of_inertia: no body has this inertia: its "
         "principal moments are 3, 1 and -1 kg m^2, expected all to be 0 or more\n"
         "w.json:5:48: error: assembly.m.bodies.c.moment_of_inertia.mass: a second mass: 'mass' of "
         "the body is there too\n"
         "w.json:6:18: error: assembly.m.bodies.d.inertia: the same as 'moment_of_inertia', which "
         "is there too\n"},
        {"wrong lights are errors",
         "{\"fixed\": {\"lights\": {\"a\": {\"type\": \"sun\", \"parent\": [\"fixed\", "
         "\"origin\"]},\n"
         "\"b\": {\"type\": \"spot\"}, \"c\": {\"type\": \"spot\", \"parent\": [\"fixed\", "
         "\"up\"], \"Ka\": [1, 1]}}}, \"assembly\": {}}",
         "w.json:1:37: error: fixed.lights.a.type: 'sun' is none of point, spot, directional\n"
         "w.json:2:6: error: fixed.lights.b: this has no \"parent\"\n"
         "w.json:2:66: error: fixed.lights.c.parent[1]: the body 'fixed' has no frame 'up'\n"},
        {"wrong geometry is an error",
         BODIES("\"a\": {\"geometry\": [{\"type\": \"sphere\"},\n"
                "{\"type\": \"mesh\"}, 3], \"mass\": 1},\n"
                "\"b\": {\"body_def\": [1]},\n"
                "\"c\": {\"body_def\": [\"a.obj\"], \"definition\": [\"b.obj\"]}"),
         "w.json:3:29: error: assembly.m.bodies.a.geometry[0].type: 'sphere' is none of mesh\n"
         "w.json:4:1: error: assembly.m.bodies.a.geometry[1]: this has no \"filename\"\n"
         "w.json:4:19: error: assembly.m.bodies.a.geometry[2]: an object is expected, not a "
         "number\n"
         "w.json:5:20: error: assembly.m.bodies.b.body_def[0]: a text is expected, not a number\n"
         "w.json:6:44: error: assembly.m.bodies.c.definition: the same as 'body_def', which is "
         "there too\n"},
        {"wrong units are told with the nearest word",
         "{\"model_parameters\": {\"units\": {\"length\": \"metrs\",\n"
         "\"mass\": 3}}, \"assembly\": {}}",
         "w.json:1:43: error: model_parameters.units.length: 'metrs' is none of meters, meter, "
         "metres, metre, m, millimeters, millimeter, millimetres, millimetre, mm, centimeters, "
         "centimeter, centimetres, centimetre, cm, inches, inch, in, feet, foot, ft; did you mean "
         "'meters'?\n"
         "w.json:2:9: error: model_parameters.units.mass: a text is expected, not a number\n"},
        {"wrong settings are errors",
         "{\"model_parameters\": {\"integrator\": {\"type\": \"rk5\", \"time_step\": 0},\n"
         "\"solver\": {\"infinity_norm_multiplier\": 20, \"correction\": \"lazy\"}, "
         "\"include_dir\": 3}, \"assembly\": {}}",
         "w.json:1:46: error: model_parameters.integrator.type: 'rk5' is none of semi_implicit, "
         "rk4, dopri5, gragg, ode113, ode113b; did you mean 'rk4'?\n"
         "w.json:1:66: error: model_parameters.integrator.time_step: more than 0 is expected\n"
         "w.json:2:40: error: model_parameters.solver.infinity_norm_multiplier: 1.2 to 10 is "
         "expected, not 20\n"
         "w.json:2:58: error: model_parameters.solver.correction: 'lazy' is none of projected, "
         "lagged\n"
         "w.json:2:82: error: model_parameters.include_dir: a text, or an array of texts is "
         "expected, not a number\n"},
        {"two versions are an error",
         "{\"model_parameters\": {\"star_version\": \"2.0.1\", \"version\": \"0.2\"}, "
         "\"assembly\": {}}",
         "w.json:1:59: error: model_parameters.version: the same as 'star_version', which is there "
         "too\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}

Test(star_bodies, errors_after_50_are_counted_by_nobody)
{
    char text[2048] = "{\"model_parameters\": {\"gravity\": [0, 0, 0], \"units\": {}}, "
                      "\"assembly\": {\"m\": {\"bodies\": {";
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    for (int i = 0; i < 60; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s\"a:%d\": {}", i > 0 ? ", " : "", i);
    }
    strcat(text, "}}}}");
    cr_expect_eq(dpl_star_read_text("w.json", text, strlen(text), NULL, &world, &diags), -EINVAL);
    cr_expect_eq(diags.n_errors, DPL_STAR_ERRORS_MAX);
    cr_assert_eq(diags.n, DPL_STAR_ERRORS_MAX + 1);
    char line[200];
    dpl_diag_format(&diags.items[DPL_STAR_ERRORS_MAX], line, sizeof line);
    cr_expect_str_eq(line,
                     "w.json: note: there are more errors than 50; the others are not listed");
    dpl_diags_finish(&diags);
}
