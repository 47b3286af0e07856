/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of joints and their drives. */
#include "star_reading.h"

Test(star_joints, what_is_wrong_with_joints_is_told)
{
    static const struct star_row rows[] = {
        {"an unknown type of joint is an error",
         WORLD("\"A\": {\"type\": \"Rzz\", " A_TO_B "},\n"
               "\"B\": {" A_TO_B "}",
               ""),
         "w.json:6:15: error: assembly.m.joints.A.type: 'Rzz' is none of Rx, Ry, Rz, Tx, Ty, Tz, "
         "rigid, float, cylindrical, universal, planar, spherical, screw, revolute, prismatic; did "
         "you mean 'Rz'?\n"
         "w.json:7:6: error: assembly.m.joints.B: this has no \"type\"\n"},
        {"a joint without its axis is an error",
         WORLD("\"A\": {\"type\": \"revolute\", " A_TO_B "}", ""),
         "w.json:6:6: error: assembly.m.joints.A: this has no \"axis\"\n"},
        {"an axis of no length is an error",
         WORLD("\"A\": {\"type\": \"revolute\", \"axis\": [0, 0, 0], " A_TO_B "},\n"
               "\"B\": {\"type\": \"revolute\", \"axis\": \"w\", " A_TO_B "}",
               ""),
         "w.json:6:35: error: assembly.m.joints.A.axis: an axis has a direction: its numbers are "
         "not all 0\n"
         "w.json:7:35: error: assembly.m.joints.B.axis: 'w' is none of x, y, z, -x, -y, -z; did "
         "you mean 'x'?\n"},
        {"an axis of a joint that has none to choose is an error",
         WORLD("\"A\": {\"type\": \"Rx\", \"axis\": \"x\", " A_TO_B "}", ""),
         "w.json:6:29: error: assembly.m.joints.A.axis: a joint of type 'Rx' has no axis to "
         "choose\n"},
        {"a start that does not fit the joint is an error",
         WORLD("\"A\": {\"type\": \"Rz\", \"initial_displacement\": [1], " A_TO_B "},\n"
               "\"B\": {\"type\": \"rigid\", \"initial_velocity\": 1, " A_TO_B "},\n"
               "\"C\": {\"type\": \"float\", \"initial_velocity\": [1, 2, 3], " A_TO_B "},\n"
               "\"D\": {\"type\": \"spherical\", \"initial_displacement\": {\"T\": [1, 0, "
               "0]}, " A_TO_B "},\n"
               "\"E\": {\"type\": \"rigid\", \"initial_displacement\": 1, " A_TO_B "},\n"
               "\"F\": {\"type\": \"universal\", \"initial_displacement\": 1, " A_TO_B "}",
               ""),
         "w.json:6:45: error: assembly.m.joints.A.initial_displacement: a number is expected, not "
         "an array\n"
         "w.json:7:44: error: assembly.m.joints.B.initial_velocity: a rigid joint does not move\n"
         "w.json:8:44: error: assembly.m.joints.C.initial_velocity: an array of 6 numbers is "
         "expected, not one of 3\n"
         "w.json:9:58: error: assembly.m.joints.D.initial_displacement.T: a spherical joint only "
         "turns, it has no T\n"
         "w.json:10:48: error: assembly.m.joints.E.initial_displacement: an object is expected, "
         "not a number\n"
         "w.json:11:52: error: assembly.m.joints.F.initial_displacement: an array of 2 numbers is "
         "expected, not a number\n"},
        {"pitches are of screws",
         WORLD("\"A\": {\"type\": \"screw\", " A_TO_B "},\n"
               "\"B\": {\"type\": \"Rz\", \"pitch\": 1, " A_TO_B "}",
               ""),
         "w.json:6:6: error: assembly.m.joints.A: this has no \"pitch\"\n"
         "w.json:7:30: error: assembly.m.joints.B.pitch: only a screw has a pitch\n"},
        {"wrong limits and motors are errors",
         WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B ", \"limits\": {\"lower\": 1, \"upper\": 0}},\n"
               "\"B\": {\"type\": \"Rz\", " A_TO_B ", \"limits\": {\"stiffness\": -1}},\n"
               "\"C\": {\"type\": \"Rz\", " A_TO_B ", \"motor\": {\"mode\": \"speed\"}},\n"
               "\"D\": {\"type\": \"Rz\", " A_TO_B ", \"motor\": {}},\n"
               "\"E\": {\"type\": \"spherical\", " A_TO_B ", \"motor\": {\"mode\": \"force\"}},\n"
               "\"F\": {\"type\": \"rigid\", " A_TO_B ", \"limits\": {}},\n"
               "\"G\": {\"type\": \"Rz\", " A_TO_B
               ", \"motor\": {\"mode\": \"position\", \"kp\": -1, \"kd\": \"2\"}}",
               ""),
         "w.json:6:84: error: assembly.m.joints.A.limits: the lower limit is above the upper one\n"
         "w.json:7:98: error: assembly.m.joints.B.limits.stiffness: 0 or more is expected\n"
         "w.json:8:92: error: assembly.m.joints.C.motor.mode: 'speed' is none of force, velocity, "
         "position\n"
         "w.json:9:83: error: assembly.m.joints.D.motor: this has no \"mode\"\n"
         "w.json:10:90: error: assembly.m.joints.E.motor: a joint of type 'spherical' has no "
         "single coordinate for it\n"
         "w.json:11:87: error: assembly.m.joints.F.limits: a joint of type 'rigid' has no single "
         "coordinate for it\n"
         "w.json:12:110: error: assembly.m.joints.G.motor.kp: 0 or more is expected\n"
         "w.json:12:120: error: assembly.m.joints.G.motor.kd: a number is expected, not a text\n"},
        {"flags are true or false",
         WORLD("\"A\": {\"type\": \"Rz\", \"hold\": 1,\n"
               "\"active\": \"yes\", " A_TO_B "}",
               ""),
         "w.json:6:29: error: assembly.m.joints.A.hold: true or false is expected, not a number\n"
         "w.json:7:11: error: assembly.m.joints.A.active: true or false is expected, not a text\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}
