/* SPDX-License-Identifier: Apache-2.0 */
/* A planar body with an outline and range sensors. */
#include "car_body.h"

#include "car_motion.h"

static void sense(struct car_body *body)
{
    for (size_t i = 0; i < body->n_sensors; i++) {
        const struct car_mount *sensor = &body->sensors[i];
        struct dpl_pose2 mount = {sensor->at.x, sensor->at.y, sensor->angle_rad};
        struct dpl_pose2 eye = dpl_pose2_compose(body->pose, mount);
        body->ranges[i] = car_ray_range((struct car_point){eye.x, eye.y}, eye.theta,
                                        body->around->walls, body->around->n_walls, body->reach);
    }
}

void car_body_place(struct car_body *body, struct dpl_pose2 pose)
{
    body->pose = pose;
    body->pose.theta = dpl_wrap_angle(pose.theta);
    body->twist = (struct dpl_twist2){0};
    sense(body);
}

enum dpl_car_outcome car_body_move(struct car_body *body, double t)
{
    const struct car_surroundings *around = body->around;
    enum dpl_car_outcome outcome = DPL_CAR_DRIVES;
    double end = t, crossed;
    if (car_motion_contact(&body->footprint, body->pose, body->twist, t, around->walls,
                           around->n_walls, &end)) {
        outcome = DPL_CAR_HIT;
    }
    if (around->has_finish &&
        car_motion_crosses(body->pose, body->twist, end, &around->finish, &crossed)) {
        outcome = DPL_CAR_FINISHED;
        end = crossed;
    }
    body->pose = car_motion_arc(body->pose, body->twist, end);
    if (outcome == DPL_CAR_DRIVES) {
        sense(body);
    }
    return outcome;
}
