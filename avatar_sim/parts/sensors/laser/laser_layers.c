/* SPDX-License-Identifier: Apache-2.0 */
/* A laser whose beams go into space, from its body wherever that is: one with layers, or a planar
 * one in a world with mechanisms. */
#include <errno.h>
#include <math.h>

#include <doppel/math/vector3.h>

#include "laser_state.h"

int dpl__laser_layers_build(struct laser *laser)
{
    const struct dpl_sim_laser *model = laser->model;
    laser->along = dpl_world_alloc(laser->site->world, laser->total, sizeof *laser->along);
    laser->scenery = dpl__scenery_of(laser->site);
    laser->unseen_robot = dpl__scenery_own_robot(laser->site);
    if (!laser->along || !laser->scenery) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < laser->total; i++) {
        double up = model->layers > 0 ? model->elevation[i / laser->n] : 0.0;
        int step = model->first + (int)(i % laser->n) - model->front;
        double around = step * (2.0 * DPL_PI) / model->steps;
        laser->along[i] =
            (struct dpl_vector3){cos(up) * cos(around), cos(up) * sin(around), sin(up)};
    }
    return 0;
}

struct dpl_pose3 dpl__laser_body(const struct laser *laser)
{
    return dpl_sim_body_pose3(laser->site->state, laser->site->body);
}

static struct dpl_pose3 mounted(const struct dpl_sim_laser *model, struct dpl_pose3 body)
{
    struct dpl_pose3 mount = {
        {model->x + model->off_x, model->y + model->off_y, model->z},
        dpl_quaternion_from_rpy(model->roll, model->pitch, model->yaw + model->off_yaw)};
    return dpl_pose3_compose(body, mount);
}

static double cast(const struct laser *laser, const struct dpl_pose3 *from, size_t range,
                   double max_range)
{
    struct dpl__scenery_ray ray = {
        .from = from->position,
        .along = dpl_quaternion_turn(from->orientation, laser->along[range]),
        .max_range = max_range,
        .robot = laser->unseen_robot,
        .body = laser->site->body,
    };
    return dpl__scenery_cast(laser->scenery, &ray).range;
}

void dpl__laser_cast_layers(const struct laser *laser, double max_range, double *ranges)
{
    struct dpl_pose3 from = mounted(laser->model, dpl__laser_body(laser));
    for (size_t i = 0; i < laser->total; i++) {
        ranges[i] = cast(laser, &from, i, max_range);
    }
}

/* On a straight line; the shorter way round, evenly to the third order of the turn in a step. */
static struct dpl_pose3 between(struct dpl_pose3 a, struct dpl_pose3 b, double share)
{
    struct dpl_quaternion p = a.orientation, q = b.orientation;
    double way = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0.0 ? -share : share;
    double rest = 1.0 - share;
    struct dpl_quaternion mixed = {rest * p.w + way * q.w, rest * p.x + way * q.x,
                                   rest * p.y + way * q.y, rest * p.z + way * q.z};
    return (struct dpl_pose3){
        dpl_vector3_add(dpl_vector3_times(a.position, rest), dpl_vector3_times(b.position, share)),
        dpl_quaternion_normalise(mixed),
    };
}

double dpl__laser_cast_swept(const struct laser *laser, dpl_ns now, dpl_ns at, size_t range,
                             double max_range)
{
    dpl_ns since = laser->sweep.from_time;
    struct dpl_pose3 body = dpl__laser_body(laser);
    if (now > since && at < now) {
        double share = (double)(at - since) / (double)(now - since);
        body = between(laser->from_pose, body, fmax(share, 0.0));
    }
    struct dpl_pose3 from = mounted(laser->model, body);
    return cast(laser, &from, range, max_range);
}
