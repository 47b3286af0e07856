/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of names, paths and ends. */
#include "star_reading.h"

Test(star_names, names_that_are_wrong_or_missing_are_errors)
{
    static const struct star_row rows[] = {
        {"a second joint of a name is an error",
         "{\"assemblies\": [{\"name\": \"m\", \"bodies\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n"
         "\"joints\": [\n"
         "{\"name\": \"A\", \"type\": \"rigid\", \"parent\": [[\"fixed\"], \"origin\"], \"child\": "
         "[[\"a\"], \"origin\"]},\n"
         "{\"name\": \"A\", \"type\": \"rigid\", \"parent\": [[\"a\"], \"origin\"], \"child\": "
         "[[\"b\"], \"origin\"]}]}]}",
         "w.json:4:10: error: assemblies[0].joints[1]: there is already a joint 'A' in this "
         "assembly\n"},
        {"a second body of a name is an error",
         "{\"assemblies\": [{\"name\": \"m\", \"bodies\": [{\"name\": \"a\"},\n"
         "{\"name\": \"a\"}]}]}",
         "w.json:2:10: error: assemblies[0].bodies[1]: there is already a body 'a'\n"},
        {"a second assembly of a name is an error",
         "{\"assemblies\": [{\"name\": \"m\"},\n"
         "  {\"name\": \"m\"}]}",
         "w.json:2:12: error: assemblies[1]: there is already an assembly 'm'\n"},
        {"a second frame of a name is an error",
         "{\"fixed\": {\"frames\": [{\"name\": \"f\"},\n"
         "{\"name\": \"f\"}]}, \"assembly\": {}}",
         "w.json:2:10: error: fixed.frames[1]: there is already a frame 'f'\n"},
        {"names that are reserved are errors",
         BODIES("\"fixed\": {},\n"
                "\"a\": {\"frames\": {\n"
                "\"origin\": {}}}"),
         "w.json:3:1: error: assembly.m.bodies.fixed: 'fixed' is the body that stands still\n"
         "w.json:5:1: error: assembly.m.bodies.a.frames.origin: 'origin' is the frame that every "
         "body has by itself\n"},
        {"names with a colon or without a byte are errors",
         BODIES("\"a:b\": {},\n"
                "\"\": {}"),
         "w.json:3:1: error: assembly.m.bodies[\"a:b\"]: ':' is in a name, where it would end a "
         "part of a path\n"
         "w.json:4:1: error: assembly.m.bodies[\"\"]: a name is empty\n"},
        {"a name with a control character is an error", BODIES("\"a\\u0001b\": {}"),
         "w.json:3:1: error: assembly.m.bodies[\"a\\u0001b\"]: a control character is in a name\n"},
        {"a name of 256 bytes is an error",
         "{\"assembly\": "
         "{\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
         "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
         "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\": "
         "{}}}",
         "w.json:1:15: error: "
         "assembly."
         "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
         "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
         "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: a name has more "
         "than 255 bytes\n"},
        {"an element without a name is an error",
         "{\"assemblies\": [{\"bodies\": []},\n"
         "3]}",
         "w.json:1:17: error: assemblies[0]: this has no \"name\"\n"
         "w.json:2:1: error: assemblies[1]: an object is expected, not a number\n"},
        {"a list that is none is an error", "{\"assembly\": 3}",
         "w.json:1:14: error: assembly: an object, or an array of objects with names is expected, "
         "not a number\n"},
        {"a world without assemblies is an error", "{\"model_parameters\": {}}",
         "w.json:1:1: error: $: this has no \"assembly\"\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}

Test(star_names, ends_and_joints_that_are_not_there_are_told)
{
    static const struct star_row rows[] = {
        {"an unknown body is told with the nearest name",
         WORLD("\"A\": {\"type\": \"Rz\", \"body_frame_pairs\": [[\"fixde\", \"origin\"],\n"
               "  [\"b\", \"origin\"]]}",
               ""),
         "w.json:6:43: error: assembly.m.joints.A.body_frame_pairs[0][0]: there is no body 'fixde' "
         "in this assembly; did you mean 'fixed'?\n"},
        {"an unknown frame is told with the nearest name",
         WORLD("\"A\": {\"type\": \"Rz\", \"body_frame_pairs\": [[\"a\", \"tipp\"],\n"
               "  [\"b\", \"origin\"]]}",
               ""),
         "w.json:6:48: error: assembly.m.joints.A.body_frame_pairs[0][1]: the body 'a' has no "
         "frame 'tipp'; did you mean 'tip'?\n"},
        {"an unknown path is told with the nearest path",
         WORLD("\"A\": {\"type\": \"Rz\", \"body_frame_pairs\": [[\"m:c\", \"tip\"],\n"
               "  [\"fixed\", \"origin\"]]}",
               ""),
         "w.json:6:43: error: assembly.m.joints.A.body_frame_pairs[0][0]: there is no body 'm:c'; "
         "did you mean 'm:a'?\n"},
        {"both wrong ends are told",
         WORLD("\"A\": {\"type\": \"Rz\", \"body_frame_pairs\": [[\"xxxx\", \"tip\"],\n"
               "  [\"yyyy\", \"origin\"]]}",
               ""),
         "w.json:6:43: error: assembly.m.joints.A.body_frame_pairs[0][0]: there is no body 'xxxx' "
         "in this assembly\n"
         "w.json:7:4: error: assembly.m.joints.A.body_frame_pairs[1][0]: there is no body 'yyyy' "
         "in this assembly\n"},
        {"an unknown joint is told with the nearest name",
         WORLD("\"elbow\": {\"type\": \"Rz\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\"s\": {\"type\": \"spring\", \"joint\": \"elbov\", "
               "\"coefficients\": [1, 0]}}"),
         "w.json:7:49: error: assembly.m.restraints.s.joint: there is no joint 'elbov' in this "
         "assembly; did you mean 'elbow'?\n"},
        {"a joint with an error is no second error where it is named",
         WORLD("\"A\": {\"type\": \"Rq\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\"s\": {\"type\": \"spring\", \"joint\": \"A\", \"coefficients\": "
               "[1, 0]}}"),
         "w.json:6:15: error: assembly.m.joints.A.type: 'Rq' is none of Rx, Ry, Rz, Tx, Ty, Tz, "
         "rigid, float, cylindrical, universal, planar, spherical, screw, revolute, prismatic; did "
         "you mean 'Rx'?\n"},
        {"ends that are no ends are told",
         WORLD(
             "\"A\": {\"type\": \"Rz\", \"body_frame_pairs\": [\"a\",\n"
             "[\"b\"]]},\n"
             "\"B\": {\"type\": \"Rz\", \"body_frame_pairs\": 3},\n"
             "\"C\": {\"type\": \"Rz\", \"parent\": [\"a\", \"tip\"]},\n"
             "\"D\": {\"type\": \"Rz\"},\n"
             "\"E\": {\"type\": \"Rz\", \"body_frame_pairs\": [[[], \"origin\"], [3, \"origin\"]]}",
             ""),
         "w.json:6:42: error: assembly.m.joints.A.body_frame_pairs[0]: this names no frame: [body, "
         "frame] is expected\n"
         "w.json:7:1: error: assembly.m.joints.A.body_frame_pairs[1]: [body, frame] is expected\n"
         "w.json:8:41: error: assembly.m.joints.B.body_frame_pairs: [[body, frame], [body, frame]] "
         "is expected\n"
         "w.json:9:6: error: assembly.m.joints.C: this has no ends: \"body_frame_pairs\", or "
         "\"parent\" and \"child\"\n"
         "w.json:10:6: error: assembly.m.joints.D: this has no ends: \"body_frame_pairs\", or "
         "\"parent\" and \"child\"\n"
         "w.json:11:43: error: assembly.m.joints.E.body_frame_pairs[0][0]: this path is empty\n"
         "w.json:11:59: error: assembly.m.joints.E.body_frame_pairs[1][0]: a text is expected, not "
         "a number\n"},
        {"ends said twice are an error",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B ",\n"
               " \"child\": [\"a\", \"tip\"]}",
               ""),
         "w.json:7:11: error: assembly.m.joints.A.child: the same as 'body_frame_pairs', which is "
         "there too\n"},
        {"both ends on one body are an error",
         WORLD("\"A\": {\"type\": \"Rz\",\n"
               " \"body_frame_pairs\": [[\"a\", \"tip\"], [\"a\", \"origin\"]]}",
               ""),
         "w.json:7:22: error: assembly.m.joints.A.body_frame_pairs: both ends are on the body "
         "'a'\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}

Test(star_names, the_body_after_the_last_possible_one_is_the_last_error)
{
    static char text[1 << 20] = "{\"assembly\": {\"m\": {\"bodies\": {\n";
    size_t length = strlen(text);
    for (int i = 0; i <= DPL_MB_BODIES_MAX + 1; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "\"%d\": {}%s\n", i,
                                   i <= DPL_MB_BODIES_MAX ? "," : "}}}}");
    }
    expect_errors(text, "w.json:65537:10: error: assembly.m.bodies.65535: there is no number for "
                        "one more body: at most 65535, also removed ones\n");
}
