/* SPDX-License-Identifier: Apache-2.0 */
/* What is read with a warning or a note. */
#include "star_reading.h"

Test(star_warnings, warnings_are_told_at_their_places)
{
    static const struct star_row rows[] = {
        {"what is not said is a warning",
         "{\"assembly\": {\"m\": {\"bodies\": {\"a\": {},\n"
         "\"b\": {\"mass\": 1}, \"c\": {\"moment_of_inertia\": {\"Ixx\": 2, \"Izz\": 2}}}}}}",
         "w.json:1:1: warning: $: there are no units: they are SI units, angles are in radians\n"
         "w.json:1:1: warning: $: there is no gravity: it is 0\n"
         "w.json:1:37: warning: assembly.m.bodies.a: neither mass nor inertia: the mass is 1, Ixx, "
         "Iyy and Izz are 1, in units of the file\n"
         "w.json:2:6: warning: assembly.m.bodies.b: there is no inertia: Ixx, Iyy and Izz are 1 in "
         "units of the file\n"
         "w.json:2:24: warning: assembly.m.bodies.c: there is no mass: it is 1 in units of the "
         "file\n"
         "w.json:2:46: warning: assembly.m.bodies.c.moment_of_inertia: there is no Iyy: it is 1\n"},
        {"unknown keys are warnings with the nearest key",
         WORLD_OF(NO_GRAVITY,
                  "\n"
                  "\"terrain\": [], ",
                  TWO_BODIES, "\"A\": {\"type\": \"Rz\", \"limit\": {}, " A_TO_B "}",
                  ",\n"
                  "\"colour\": 3"),
         "w.json:2:1: warning: terrain: this key is not known, and only kept\n"
         "w.json:7:21: warning: assembly.m.joints.A.limit: this key is not known, and only kept; "
         "did you mean 'limits'?\n"
         "w.json:8:1: warning: assembly.m.colour: this key is not known, and only kept\n"},
        {"a tensor of no body is a warning",
         BODIES("\"a\": {\"mass\": 1,\n"
                "\"moment_of_inertia\": {\"Ixx\": 1, \"Iyy\": 1, \"Izz\": 3}}"),
         "w.json:4:22: warning: assembly.m.bodies.a.moment_of_inertia: one principal moment is "
         "more than the sum of the others, which no body has\n"},
        {"a floating joint in a loop is a warning",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "},\n"
               "\"B\": {\"type\": \"float\", " A_TO_B "},\n"
               "\"C\": {\"type\": \"float\", " FIXED_TO_A "}",
               ""),
         "w.json:7:6: warning: assembly.m.joints.B: this floating joint is in a loop, where it "
         "constrains nothing\n"},
        {"a distance along a joint is a warning",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\"s\": {\"type\": \"spring\", \"joint\": \"A\", "
               "\"distance_type\": \"Tx\", \"coefficients\": [1, 0]}}"),
         "w.json:7:71: warning: assembly.m.restraints.s.distance_type: along a joint there is no "
         "distance to choose\n"},
        {"versions that are not known are warnings",
         "{\"model_parameters\": {\"version\": \"3.1\", \"gravity\": [0, 0, 0]},\n"
         "\"assemblies\": []}",
         "w.json:1:22: warning: model_parameters: there are no units: they are SI units, angles "
         "are in radians\n"
         "w.json:1:34: warning: model_parameters.version: only versions 0.2 and 2.0 are known; it "
         "is read as 2.0.0\n"},
        {"the integrator of others is a note",
         "{\"model_parameters\": {\"gravity\": [0, 0, 0], \"units\": {}, \"integrator\": "
         "[{\"type\": \"ode113\"},\n"
         "{\"type\": \"rk4\"}]}, \"assembly\": {}}",
         "w.json:1:82: note: model_parameters.integrator[0].type: there is no integrator 'ode113'; "
         "gragg takes its place\n"
         "w.json:2:1: warning: model_parameters.integrator[1]: only the first one counts\n"},
        {"what is inactive by others is counted in a note",
         WORLD_OF(NO_GRAVITY, "",
                  "\"a\": {\"active\": false, " GOOD_MASS ", \"frames\": {\"tip\": {}}},\n"
                  "\"b\": {" GOOD_MASS "}",
                  "\"A\": {\"type\": \"Rz\", " A_TO_B "}",
                  ",\n"
                  "\"restraints\": {\"s\": {\"type\": \"spring\", \"joint\": \"A\", "
                  "\"coefficients\": [1, 0]}},\n"
                  "\"devices\": {\"d\": {\"joints\": [\"A\"]}}"),
         "w.json:1:1: note: $: not active because of what they refer to: 1 joints, 1 restraints, 1 "
         "devices\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, true);
}

Test(star_warnings, errors_are_listed_behind_any_number_of_warnings)
{
    static char text[200000] = "{\"assembly\": {\"m\": {\"bodies\": {";
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    size_t length = strlen(text);
    for (int i = 0; i < 2000; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "\"b%d\": {\"c\": 1}, ", i);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "\"a:b\": {}}}}}");
    cr_expect_eq(dpl_star_read_text("w.json", text, length, NULL, &world, &diags), -EINVAL);
    cr_assert_eq(diags.n, DPL_STAR_WARNINGS_MAX + 2);
    char line[300];
    dpl_diag_format(&diags.items[DPL_STAR_WARNINGS_MAX], line, sizeof line);
    cr_expect_str_eq(line, "w.json:1:36922: error: assembly.m.bodies[\"a:b\"]: ':' is in a name, "
                           "where it would end a part of a path");
    dpl_diag_format(&diags.items[DPL_STAR_WARNINGS_MAX + 1], line, sizeof line);
    cr_expect_str_eq(line,
                     "w.json: note: there are more warnings than 200; the others are not listed");
    dpl_diags_finish(&diags);
}
