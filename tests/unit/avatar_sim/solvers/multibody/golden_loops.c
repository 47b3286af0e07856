/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds whose structure is known. */
#include <math.h>
#include <string.h>

#include "golden.h"

void golden_sarrus(struct golden_world *ret_world)
{
    static const char *const lower[3] = {"lower0", "lower1", "lower2"},
                             *const upper[3] = {"upper0", "upper1", "upper2"},
                             *const legs[3] = {"leg0", "leg1", "leg2"},
                             *const names[9] = {"base0", "middle0", "top0",    "base1", "middle1",
                                                "top1",  "base2",   "middle2", "top2"};
    const double pi = 3.14159265358979323846, rise = 0.6, length = 0.5;
    *ret_world = (struct golden_world){.gravity = {0, 0, -9.81},
                                       .bodies[0] = {"platform", 1, {0, 0, 0}, {.1, .1, .1}}};
    for (int l = 0; l < 3; l++) {
        double c = cos(2 * pi * l / 3), s = sin(2 * pi * l / 3);
        struct golden_frame seat = {
            "fixed", legs[l], {.3 * c, .3 * s, 0}, {c, -s, 0, s, c, 0, 0, 0, 1}};
        ret_world->frames[4 * l] = seat;
        seat.body = "platform";
        ret_world->frames[4 * l + 1] = seat;
        for (int k = 0; k < 2; k++) {
            const char *name = k ? upper[l] : lower[l];
            ret_world->bodies[1 + 2 * l + k] =
                (struct golden_body){name, .5, {length / 2, 0, 0}, {.01, .01, .01}};
            ret_world->frames[4 * l + 2 + k] =
                (struct golden_frame){.body = name, .name = "tip", .at = {length, 0, 0}};
        }
        struct golden_joint *joints = &ret_world->joints[3 * l];
        joints[0] = (struct golden_joint){
            names[3 * l], DPL_MB_RY, {{"fixed", legs[l]}, {lower[l], NULL}}, -rise};
        joints[1] = (struct golden_joint){
            names[3 * l + 1], DPL_MB_RY, {{lower[l], "tip"}, {upper[l], NULL}}, 2 * rise - pi};
        joints[2] = (struct golden_joint){
            names[3 * l + 2], DPL_MB_RY, {{upper[l], "tip"}, {"platform", legs[l]}}, pi - rise};
    }
}

void golden_two_four_bars(bool common, struct golden_world *ret_world)
{
    static const char *const names[2][8] = {
        {"crank", "coupler", "rocker", "A", "B", "C", "D", "pivot"},
        {"crank2", "coupler2", "rocker2", "A2", "B2", "C2", "D2", "pivot2"}};
    *ret_world = golden_four_bar;
    for (int b = 0; b < 3; b++) {
        ret_world->bodies[3 + b] = golden_four_bar.bodies[b];
        ret_world->bodies[3 + b].name = names[1][b];
        ret_world->frames[4 + b] = golden_four_bar.frames[1 + b];
        ret_world->frames[4 + b].body = names[1][b];
    }
    for (int j = 0; j < 4; j++) {
        struct golden_joint *joint = &ret_world->joints[4 + j];
        *joint = golden_four_bar.joints[j];
        joint->name = names[1][3 + j];
        for (int end = 0; end < 2; end++) {
            for (int b = 0; b < 3; b++) {
                if (strcmp(joint->ends[end][0], names[0][b]) == 0) {
                    joint->ends[end][0] = names[1][b];
                }
            }
        }
    }
    if (common) {
        ret_world->joints[8] =
            (struct golden_joint){"weld", DPL_MB_RZ, {{"coupler", NULL}, {"coupler2", NULL}}};
    }
}
