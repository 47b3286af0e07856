/* SPDX-License-Identifier: Apache-2.0 */
/* Laser scanners of a world: when they measure, from where, and how imperfectly. */
#include "world_state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "laser_outline.h"

enum { STREAM_LASER = 2000 };

/* The outlines of all obstacles at height z. NULL if out of memory. */
static struct dpl_laser_index *index_at(const struct dpl_world *world, double z)
{
    const struct dpl_sim_model *model = world->model;
    struct dpl_laser_outline *outlines =
        calloc(model->n_obstacles * DPL_OUTLINES_A_SHAPE + 1, sizeof *outlines);
    if (!outlines) {
        return NULL;
    }
    size_t n = 0;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        n += dpl__laser_outline(&model->obstacles[i].shape, (struct dpl_pose2){0}, z,
                                DPL_LASER_NO_OWNER, &outlines[n]);
    }
    struct dpl_laser_index *index =
        dpl__laser_index_create(world->heap, outlines, n, world->max_moving);
    free(outlines);
    return index;
}

static int find_view(struct dpl_world *world, double z, size_t *ret_view)
{
    for (size_t i = 0; i < world->n_views; i++) {
        if (world->views[i].z == z) {
            *ret_view = i;
            return 0;
        }
    }
    struct dpl_laser_index *index = index_at(world, z);
    if (!index) {
        return -ENOMEM;
    }
    *ret_view = world->n_views;
    world->views[world->n_views++] = (struct dpl__view){z, index};
    return 0;
}

/* Beams in the robot's frame without the yaw of the mount. NULL if out of memory. */
static struct dpl_laser_fan *fan_of(struct dpl_heap *heap, const struct dpl_sim_laser *model)
{
    size_t n = dpl_sim_laser_beams(model);
    double *cosine = calloc(n, sizeof *cosine), *sine = calloc(n, sizeof *sine);
    struct dpl_laser_fan *fan = NULL;
    for (size_t i = 0; cosine && sine && i < n; i++) {
        double angle = (model->first + (int)i - model->front) * (2.0 * DPL_PI) / model->steps;
        cosine[i] = cos(angle);
        sine[i] = sin(angle);
    }
    if (cosine && sine) {
        fan = dpl__laser_fan_create(heap, cosine, sine, n);
    }
    free(cosine);
    free(sine);
    return fan;
}

static int add_laser(struct dpl_world *world, int robot, const struct dpl_sim_laser *model)
{
    struct dpl__laser *laser = &world->lasers[world->n_lasers++];
    size_t n = dpl_sim_laser_beams(model);
    laser->model = model;
    laser->robot = robot;
    laser->n = n;
    laser->rng = dpl_random_seeded(world->model->seed, STREAM_LASER + world->n_lasers);
    laser->fan = fan_of(world->heap, model);
    laser->exact = dpl__heap_zeroed(world->heap, n, sizeof *laser->exact);
    laser->ranges = dpl__heap_zeroed(world->heap, n, sizeof *laser->ranges);
    if (!laser->fan || !laser->exact || !laser->ranges) {
        return -ENOMEM;
    }
    return find_view(world, model->z, &laser->view);
}

static bool make_room(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    size_t n_lasers = 0, n_shapes = 0;
    for (size_t r = 0; r < model->n_robots; r++) {
        n_lasers += model->robots[r].n_lasers;
        n_shapes += model->robots[r].n_shapes;
    }
    world->max_moving = n_shapes * DPL_OUTLINES_A_SHAPE;
    world->lasers = dpl__heap_zeroed(world->heap, n_lasers, sizeof *world->lasers);
    world->views = dpl__heap_zeroed(world->heap, n_lasers, sizeof *world->views);
    world->moving = dpl__heap_zeroed(world->heap, world->max_moving, sizeof *world->moving);
    return world->lasers && world->views && world->moving;
}

int dpl__lasers_init(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    if (!make_room(world)) {
        return -ENOMEM;
    }
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_lasers; i++) {
            int rc = add_laser(world, (int)r, &model->robots[r].lasers[i]);
            if (rc) {
                return rc;
            }
        }
    }
    return 0;
}

/* A robot alone sees nothing that moves. */
static void insert_robots(struct dpl_world *world, const struct dpl__view *view)
{
    if (world->model->n_robots < 2) {
        return;
    }
    size_t n = 0;
    for (size_t r = 0; r < world->model->n_robots; r++) {
        const struct dpl_sim_robot *robot = &world->model->robots[r];
        struct dpl_pose2 pose = dpl__world_pose(world, (int)r);
        for (size_t i = 0; i < robot->n_shapes; i++) {
            n += dpl__laser_outline(&robot->shapes[i], pose, view->z, (int)r, &world->moving[n]);
        }
    }
    dpl__laser_index_move(view->index, world->moving, n);
}

static void cast_beams(struct dpl_world *world, const struct dpl__laser *laser, double max_range,
                       double *ranges)
{
    const struct dpl_sim_laser *model = laser->model;
    struct dpl_pose2 at = dpl_pose2_compose(dpl__world_pose(world, laser->robot),
                                            (struct dpl_pose2){model->x, model->y, model->yaw});
    struct dpl_laser_scan scan = {at.x, at.y, at.theta, max_range, laser->robot};
    insert_robots(world, &world->views[laser->view]);
    dpl__laser_index_scan(world->views[laser->view].index, laser->fan, &scan, ranges);
}

/* From a true distance to what the device would report: 0 is no valid measurement. */
static float spoil(struct dpl__laser *laser, double range)
{
    const struct dpl_sim_laser *model = laser->model;
    if (model->dropout > 0.0 && dpl_random_uniform(&laser->rng, 0.0, 1.0) < model->dropout) {
        return 0.0f;
    }
    if (isinf(range)) {
        return 0.0f;
    }
    if (model->noise > 0.0) {
        range += model->noise * dpl_random_normal(&laser->rng);
    }
    if (model->resolution > 0.0) {
        range = floor(range / model->resolution + 0.5) * model->resolution;
    }
    return range >= model->min_range && range <= model->max_range ? (float)range : 0.0f;
}

static void measure(struct dpl_world *world, struct dpl__laser *laser)
{
    /* Noise may bring a wall just out of reach into it, so look a little further. */
    double reach = laser->model->max_range + 5.0 * laser->model->noise;
    cast_beams(world, laser, reach, laser->exact);
    for (size_t i = 0; i < laser->n; i++) {
        laser->ranges[i] = spoil(laser, laser->exact[i]);
    }
    laser->stamp = world->now;
    laser->sequence++;
}

static void plan_next(struct dpl__laser *laser, dpl_ns now)
{
    do {
        laser->turn++;
        laser->due = dpl_ns_from_s((double)laser->turn / laser->model->rate_hz);
    } while (laser->due <= now);
}

void dpl__lasers_step(struct dpl_world *world)
{
    for (size_t i = 0; i < world->n_lasers; i++) {
        struct dpl__laser *laser = &world->lasers[i];
        if (laser->enabled && world->now >= laser->due) {
            measure(world, laser);
            plan_next(laser, world->now);
        }
    }
}

static struct dpl__laser *laser_at(const struct dpl_world *world, int laser)
{
    bool known = laser >= 0 && (size_t)laser < world->n_lasers;
    return known ? &world->lasers[laser] : NULL;
}

const struct dpl_sim_laser *dpl_world_laser(const struct dpl_world *world, int laser)
{
    const struct dpl__laser *found = laser_at(world, laser);
    return found ? found->model : NULL;
}

void dpl_world_enable_laser(struct dpl_world *world, int laser, bool enable)
{
    struct dpl__laser *found = laser_at(world, laser);
    if (!found || found->enabled == enable) {
        return;
    }
    found->enabled = enable;
    if (enable) {
        found->turn = (uint64_t)(dpl_ns_to_s(world->now) * found->model->rate_hz);
        plan_next(found, world->now);
    }
}

int dpl_world_get_scan(const struct dpl_world *world, int laser, struct dpl_world_scan *ret_scan)
{
    const struct dpl__laser *found = laser_at(world, laser);
    if (!found || found->sequence == 0) {
        return -EAGAIN;
    }
    *ret_scan = (struct dpl_world_scan){found->stamp, found->sequence, found->n, found->ranges};
    return 0;
}

void dpl_world_measure_exact(struct dpl_world *world, int laser, double *ranges_m)
{
    const struct dpl__laser *found = laser_at(world, laser);
    if (found) {
        cast_beams(world, found, found->model->max_range, ranges_m);
    }
}
