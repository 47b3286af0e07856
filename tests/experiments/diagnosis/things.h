/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around the robot that the plan does not have: a pillar, and people who stop. */
#ifndef DIAGNOSIS_THINGS_H
#define DIAGNOSIS_THINGS_H

#include "robot.h"

/* A pillar beside the robot, which will drive around it. */
struct dpl_raycast_outline things_pillar(const struct dpl_raycast_index *room, struct dpl_pose2 at,
                                         struct route *route);

/* From this place to the nearest thing (m), by rays of 5 deg. */
double things_clearance(const struct dpl_raycast_index *room, struct dpl_pose2 at);

/* Whether the laser of a robot there sees the middle of the pillar; `room` has it. */
bool things_are_in_sight(const struct dpl_raycast_index *room, struct dpl_pose2 at,
                         const struct dpl_raycast_outline *pillar);

/* Somebody stands for 8 s in the room at a place near the robot; 12 s later the next one does. */
struct bystanders {
    struct dpl_random random;
    double next_s; /* when the next one comes */
};

/* Once a scan; `room` is without people. */
void bystanders_step(struct bystanders *bystanders, const struct dpl_raycast_index *room,
                     double now_s, struct dpl_pose2 robot, struct robot_bystander *person);

#endif
