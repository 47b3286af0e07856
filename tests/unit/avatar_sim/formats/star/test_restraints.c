/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of restraints, gears and devices. */
#include "star_reading.h"

Test(star_restraints, what_is_wrong_with_restraints_is_told)
{
    static const struct star_row rows[] = {
        {"knots and coefficients must fit",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\n"
               "\"a\": {\"type\": \"spring\", \"joint\": \"A\", \"knot_points\": [0], "
               "\"coefficients\": [[1]]},\n"
               "\"b\": {\"type\": \"spring\", \"joint\": \"A\", \"knot_points\": [0, 1, 1], "
               "\"coefficients\": [[1], [2], [3], [4]]},\n"
               "\"c\": {\"type\": \"spring\", \"joint\": \"A\", \"coefficients\": []},\n"
               "\"d\": {\"type\": \"spring\", \"joint\": \"A\", \"coefficients\": [[]]},\n"
               "\"e\": {\"type\": \"spring\", \"joint\": \"A\", \"knot_points\": [0], "
               "\"coefficients\": [1, 2]},\n"
               "\"f\": {\"type\": \"spring\", \"joint\": \"A\"},\n"
               "\"g\": {\"type\": \"spring\", \"joint\": \"A\", \"coefficients\": [1, \"2\"]},\n"
               "\"h\": {\"type\": \"spring\", \"joint\": \"A\", \"knot_points\": 1, "
               "\"coefficients\": [1]}}"),
         "w.json:8:75: error: assembly.m.restraints.a.coefficients: 1 knots need 2 arrays of "
         "coefficients, not 1\n"
         "w.json:9:61: error: assembly.m.restraints.b.knot_points[2]: knots rise: this one is not "
         "more than the one before\n"
         "w.json:10:55: error: assembly.m.restraints.c.coefficients: an array of coefficients is "
         "expected, at least 1\n"
         "w.json:11:56: error: assembly.m.restraints.d.coefficients[0]: an array of coefficients "
         "is expected, at least 1\n"
         "w.json:12:76: error: assembly.m.restraints.e.coefficients[0]: an array of coefficients "
         "is expected, at least 1\n"
         "w.json:12:79: error: assembly.m.restraints.e.coefficients[1]: an array of coefficients "
         "is expected, at least 1\n"
         "w.json:13:6: error: assembly.m.restraints.f: this has no \"coefficients\"\n"
         "w.json:14:59: error: assembly.m.restraints.g.coefficients[1]: a number is expected, not "
         "a text\n"
         "w.json:15:54: error: assembly.m.restraints.h.knot_points: an array of numbers is "
         "expected\n"},
        {"a restraint is along one joint or of one pair",
         WORLD("\"A\": {\"type\": \"spherical\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\n"
               "\"a\": {\"type\": \"spring\", \"coefficients\": [1]},\n"
               "\"b\": {\"type\": \"spring\", \"joint\": \"A\", \"coefficients\": [1]},\n"
               "\"c\": {\"type\": \"spring\", \"body_frame_pair\": [[\"a\", \"tip\"], [\"a\", "
               "\"origin\"]], \"coefficients\": [1]},\n"
               "\"d\": {\"type\": \"spring\", \"joint\": \"A\", \"body_frame_pair\": [[\"a\", "
               "\"tip\"], [\"b\", \"origin\"]], \"coefficients\": [1]},\n"
               "\"e\": {\"body_frame_pair\": [[\"a\", \"tip\"], [\"b\", \"origin\"]], "
               "\"coefficients\": [1]}}"),
         "w.json:8:6: error: assembly.m.restraints.a: a restraint has \"joint\" or "
         "\"body_frame_pair\", one of both\n"
         "w.json:9:34: error: assembly.m.restraints.b.joint: the joint 'A' of type 'spherical' has "
         "3 coordinates, a restraint needs 1\n"
         "w.json:10:44: error: assembly.m.restraints.c.body_frame_pair: both ends are on the body "
         "'a'\n"
         "w.json:11:6: error: assembly.m.restraints.d: a restraint has \"joint\" or "
         "\"body_frame_pair\", one of both\n"
         "w.json:12:6: error: assembly.m.restraints.e: this has no \"type\"\n"},
        {"a torsional restraint of a pair is an error",
         WORLD("", ",\n"
                   "\"restraints\": {\"a\": {\"type\": \"spring\", \"body_frame_pair\": [[\"a\", "
                   "\"tip\"], [\"b\", \"origin\"]],\n"
                   "\"distance_type\": \"Rz\", \"coefficients\": [1]},\n"
                   "\"b\": {\"type\": \"spring\", \"body_frame_pair\": [[\"a\", \"tip\"], [\"b\", "
                   "\"origin\"]], \"distance_type\": \"tx\", \"coefficients\": [1]}}"),
         "w.json:8:18: error: assembly.m.restraints.a.distance_type: a torsional restraint is "
         "possible along a joint only\n"
         "w.json:9:94: error: assembly.m.restraints.b.distance_type: 'tx' is none of Tx, Ty, Tz; "
         "did you mean 'Tx'?\n"},
        {"friction that is not possible is an error",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "}",
               ",\n"
               "\"restraints\": {\n"
               "\"a\": {\"type\": \"friction\", \"joint\": \"A\", \"coefficients\": [1], "
               "\"regularization\": 0},\n"
               "\"b\": {\"type\": \"friction\", \"joint\": \"A\", \"coefficients\": [1], "
               "\"normal\": true}}"),
         "w.json:8:80: error: assembly.m.restraints.a.regularization: more than 0 is expected\n"
         "w.json:9:72: error: assembly.m.restraints.b.normal: friction by the reaction of a joint "
         "is not possible\n"},
        {"wrong gears are errors",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "},\n"
               "\"B\": {\"type\": \"spherical\", " FIXED_TO_A "}",
               ",\n"
               "\"gears\": {\n"
               "\"a\": {\"joints\": [\"A\"], \"ratio\": 1},\n"
               "\"b\": {\"joints\": [\"A\", \"B\"], \"ratio\": 1},\n"
               "\"c\": {\"joints\": [\"A\", \"A\"], \"ratio\": 1},\n"
               "\"d\": {\"joints\": [\"A\", \"C\"], \"ratio\": 1}}"),
         "w.json:9:6: error: assembly.m.gears.a: a gear has \"joints\": [a, b], and a \"ratio\"\n"
         "w.json:10:6: error: assembly.m.gears.b: the spherical joint \"B\" has 3 coordinates, "
         "expected 1\n"
         "w.json:11:6: error: assembly.m.gears.c: both joints are the joint \"A\", expected two "
         "joints\n"
         "w.json:12:23: error: assembly.m.gears.d.joints[1]: there is no joint 'C' in this "
         "assembly; did you mean 'A'?\n"},
        {"wrong devices are errors",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "}",
               ",\n"
               "\"devices\": {\n"
               "\"a\": {\"joints\": [\"A\", \"B\"]},\n"
               "\"b\": {\"sensors\": [{\"type\": \"sonar\", \"frame\": [\"a\", \"tip\"]},\n"
               "{\"type\": \"lidar\"},\n"
               "{\"type\": \"lidar\", \"joint\": \"A\"},\n"
               "{\"type\": \"lidar\", \"frame\": [\"a\", \"tip\"]}, {\"type\": \"lidar\", "
               "\"frame\": [\"a\", \"tip\"]},\n"
               "{\"frame\": [\"a\", \"tip\"]}]},\n"
               "\"c\": {\"joints\": \"A\"}}"),
         "w.json:8:23: error: assembly.m.devices.a.joints[1]: there is no joint 'B' in this "
         "assembly; did you mean 'A'?\n"
         "w.json:9:28: error: assembly.m.devices.b.sensors[0].type: 'sonar' is none of encoder, "
         "contact, lidar, radar, camera, pose\n"
         "w.json:10:1: error: assembly.m.devices.b.sensors[1]: this has no \"frame\"\n"
         "w.json:11:28: error: assembly.m.devices.b.sensors[2].joint: only an encoder is at a "
         "joint\n"
         "w.json:12:43: error: assembly.m.devices.b.sensors[4]: there is already a sensor 'lidar' "
         "in this device\n"
         "w.json:13:1: error: assembly.m.devices.b.sensors[5]: this has no \"type\"\n"
         "w.json:14:17: error: assembly.m.devices.c.joints: an array of joints is expected\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}
