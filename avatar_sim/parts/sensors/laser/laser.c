/* SPDX-License-Identifier: Apache-2.0 */
/* Laser scanners of a world: when they measure, from where, and how imperfectly. */
#include "laser_state.h"

#include <errno.h>
#include <stdlib.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/show.h>

#include "element.h"
#include "laser_outline.h"
#include "world_state.h"

enum { STREAM_LASER = 2000 };

/* ---- building ---- */

static void *heap_zeroed(void *heap, size_t n, size_t size)
{
    return dpl__heap_zeroed(heap, n, size);
}

static struct dpl_raycast_memory memory_of(struct dpl_heap *heap)
{
    return (struct dpl_raycast_memory){heap_zeroed, heap};
}

/* The outlines at height z of all obstacles that are seen. NULL if out of memory. */
static struct dpl_raycast_index *index_at(const struct dpl_sim_site *site, double z,
                                          size_t max_moving)
{
    const struct dpl_sim_model *model = site->model;
    struct dpl_raycast_outline *outlines =
        calloc(model->n_obstacles * DPL_OUTLINES_A_SHAPE + 1, sizeof *outlines);
    if (!outlines) {
        return NULL;
    }
    size_t n = 0;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        if (!model->obstacles[i].transparent) {
            n += dpl__laser_outline(&model->obstacles[i].shape, (struct dpl_pose2){0}, z,
                                    DPL_RAYCAST_NO_OWNER, &outlines[n]);
        }
    }
    struct dpl_raycast_memory memory = memory_of(site->world->heap);
    struct dpl_raycast_index *index = dpl_raycast_index_create(&memory, outlines, n, max_moving);
    free(outlines);
    return index;
}

static struct view *make_view(const struct dpl_sim_site *site, double z)
{
    size_t max_moving = 0;
    for (size_t r = 0; r < site->model->n_robots; r++) {
        max_moving += site->model->robots[r].n_shapes * DPL_OUTLINES_A_SHAPE;
    }
    struct view *view = dpl_world_alloc(site->world, 1, sizeof *view);
    if (!view) {
        return NULL;
    }
    view->z = z;
    view->moving = dpl_world_alloc(site->world, max_moving, sizeof *view->moving);
    view->index = index_at(site, z, max_moving);
    return view->moving && view->index ? view : NULL;
}

/* That of a laser before this one at the same height, or a new one; NULL if out of memory. */
static struct view *view_of(const struct dpl_sim_site *site, double z)
{
    for (int i = 0; i < site->number; i++) {
        const struct laser *other = dpl_world_entry(site->world, &dpl_laser, i);
        if (other->view && other->view->z == z) {
            return other->view;
        }
    }
    return make_view(site, z);
}

/* Beams in the robot's frame without the yaw of the mount. NULL if out of memory. */
static struct dpl_raycast_fan *fan_of(struct dpl_heap *heap, const struct dpl_sim_laser *model)
{
    size_t n = dpl_sim_laser_beams(model);
    double *cosine = calloc(n, sizeof *cosine), *sine = calloc(n, sizeof *sine);
    struct dpl_raycast_fan *fan = NULL;
    for (size_t i = 0; cosine && sine && i < n; i++) {
        double angle = (model->first + (int)i - model->front) * (2.0 * DPL_PI) / model->steps;
        cosine[i] = cos(angle);
        sine[i] = sin(angle);
    }
    if (cosine && sine) {
        struct dpl_raycast_memory memory = memory_of(heap);
        fan = dpl_raycast_fan_create(&memory, cosine, sine, n);
    }
    free(cosine);
    free(sine);
    return fan;
}

int dpl__laser_build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct laser *laser = state;
    const struct dpl_sim_laser *model = site->entry->settings;
    (void)reterr;
    laser->model = model;
    laser->site = site;
    laser->n = dpl_sim_laser_beams(model);
    laser->rng = dpl_random_seeded(site->model->seed, STREAM_LASER + 1 + (uint64_t)site->number);
    laser->total = dpl_sim_laser_ranges(model);
    laser->exact = dpl_world_alloc(site->world, laser->total, sizeof *laser->exact);
    laser->ranges = dpl_world_alloc(site->world, laser->total, sizeof *laser->ranges);
    laser->next = dpl_world_alloc(site->world, laser->total, sizeof *laser->next);
    laser->scan_time = model->scan_time;
    if (!laser->exact || !laser->ranges || !laser->next) {
        return -ENOMEM;
    }
    /* Mechanisms have no outline at a height, and may carry the laser up. */
    if (model->layers > 0 || dpl_sim_model_has_mechanisms(site->model)) {
        return dpl__laser_layers_build(laser);
    }
    laser->fan = fan_of(site->world->heap, model);
    laser->view = view_of(site, model->z);
    return laser->fan && laser->view ? 0 : -ENOMEM;
}

/* ---- measuring ---- */

/* A robot alone sees nothing that moves. */
static void insert_robots(const struct dpl_sim_site *site, const struct view *view)
{
    if (site->model->n_robots < 2) {
        return;
    }
    size_t n = 0;
    for (size_t r = 0; r < site->model->n_robots; r++) {
        const struct dpl_sim_robot *robot = &site->model->robots[r];
        int body = site->state->robots[r].first_body;
        for (size_t i = 0; i < robot->n_shapes; i++) {
            n += dpl__laser_outline(&robot->shapes[i], dpl_sim_body_pose2(site->state, body),
                                    view->z, (int)r, &view->moving[n]);
        }
    }
    dpl_raycast_index_move(view->index, view->moving, n);
}

/* Where the laser is when its robot is at `robot`. */
static struct dpl_pose2 pose_of_laser(const struct dpl_sim_laser *model, struct dpl_pose2 robot)
{
    struct dpl_pose2 mount = {model->x + model->off_x, model->y + model->off_y,
                              model->yaw + model->off_yaw};
    return dpl_pose2_compose(robot, mount);
}

static struct dpl_pose2 pose_of_robot(const struct laser *laser)
{
    return dpl_sim_body_pose2(laser->site->state, laser->site->body);
}

/* In its turn of the step that ends at `now`. */
static void insert_moving(struct laser *laser, dpl_ns now)
{
    if (laser->scenery) {
        dpl__scenery_refresh_at(laser->scenery, now);
    } else {
        insert_robots(laser->site, laser->view);
    }
}

/* What moves is where it was inserted last. */
static void cast_beams(const struct laser *laser, double max_range, double *ranges)
{
    const struct dpl_sim_laser *model = laser->model;
    if (laser->scenery) {
        dpl__laser_cast_layers(laser, max_range, ranges);
        return;
    }
    struct dpl_pose2 at = pose_of_laser(model, pose_of_robot(laser));
    struct dpl_raycast_scan scan = {at.x, at.y, at.theta, max_range, laser->site->robot};
    dpl_raycast_scan_fan(laser->view->index, laser->fan, &scan, ranges);
}

/* From a true distance to what the device would report: 0 is no valid measurement. */
static float spoil(struct laser *laser, double range)
{
    const struct dpl_sim_laser *model = laser->model;
    if (model->dropout > 0.0 && dpl_random_uniform(&laser->rng, 0.0, 1.0) < model->dropout) {
        return 0.0f;
    }
    if (isinf(range)) {
        return 0.0f;
    }
    range = model->range_bias + (1.0 + model->range_scale) * range;
    if (model->noise > 0.0) {
        range += model->noise * dpl_random_normal(&laser->rng);
    }
    if (model->resolution > 0.0) {
        range = floor(range / model->resolution + 0.5) * model->resolution;
    }
    return range >= model->min_range && range <= model->max_range ? (float)range : 0.0f;
}

/* Errors may bring a wall just out of reach into it, so look a little further. */
static double reach_of(const struct dpl_sim_laser *model)
{
    double reach = model->max_range + 5.0 * model->noise;
    return (reach + fabs(model->range_bias)) / (1.0 - fabs(model->range_scale));
}

static void measure(struct laser *laser, dpl_ns now)
{
    insert_moving(laser, now);
    cast_beams(laser, reach_of(laser->model), laser->exact);
    for (size_t i = 0; i < laser->total; i++) {
        laser->ranges[i] = spoil(laser, laser->exact[i]);
    }
    laser->stamp = now;
    laser->sequence++;
}

/* ---- a laser that turns ---- */

static dpl_ns next_beam_time(const struct laser *laser)
{
    return dpl__laser_beam_time(laser->model, laser->scan_time, laser->clock.due,
                                laser->sweep.beam);
}

static double cast_beam(const struct laser *laser, struct dpl_pose2 robot)
{
    const struct dpl_sim_laser *model = laser->model;
    struct dpl_pose2 at = pose_of_laser(model, robot);
    int step = model->first + (int)laser->sweep.beam - model->front;
    double angle = at.theta + step * (2.0 * DPL_PI) / model->steps;
    struct dpl_raycast_ray ray = {
        at.x, at.y, cos(angle), sin(angle), reach_of(model), laser->site->robot};
    struct dpl_raycast_hit hit;
    dpl_raycast_ray(laser->view->index, &ray, &hit);
    return hit.range;
}

static void end_sweep(struct laser *laser)
{
    float *done = laser->next;
    laser->next = laser->ranges;
    laser->ranges = done;
    laser->stamp = laser->clock.due;
    laser->sequence++;
    laser->sweep.beam = 0;
    dpl__sample_clock_next(&laser->clock, laser->model->rate_hz, laser->clock.due);
}

/* The next beam; all layers measure theirs at one instant. */
static void take_beam(struct laser *laser, dpl_ns now, dpl_ns at)
{
    size_t beam = laser->sweep.beam;
    if (!laser->scenery) {
        struct dpl_pose2 robot = pose_of_robot(laser);
        double range = cast_beam(laser, dpl__laser_pose_at(&laser->sweep, now, robot, at));
        laser->next[beam] = spoil(laser, range);
        return;
    }
    double reach = reach_of(laser->model);
    for (size_t i = beam; i < laser->total; i += laser->n) {
        laser->next[i] = spoil(laser, dpl__laser_cast_swept(laser, now, at, i, reach));
    }
}

static void keep_place(struct laser *laser, dpl_ns now)
{
    laser->sweep.from_time = now;
    laser->sweep.from = pose_of_robot(laser);
    laser->from_pose = dpl__laser_body(laser);
}

/* The beams of this step. Other robots are where they are at its end. */
static void turn(struct laser *laser, dpl_ns now)
{
    if (next_beam_time(laser) <= now) {
        insert_moving(laser, now);
    }
    for (dpl_ns at = next_beam_time(laser); at <= now; at = next_beam_time(laser)) {
        take_beam(laser, now, at);
        if (++laser->sweep.beam == laser->n) {
            end_sweep(laser);
        }
    }
    keep_place(laser, now);
}

/* The first sweep is one that has not begun. */
static void start_turning(struct laser *laser, dpl_ns now)
{
    laser->sweep = (struct dpl__laser_sweep){0};
    keep_place(laser, now);
    while (next_beam_time(laser) <= now) {
        dpl__sample_clock_next(&laser->clock, laser->model->rate_hz, laser->clock.due);
    }
}

void dpl__laser_step(void *state, const struct dpl_sim_tick *tick)
{
    struct laser *laser = state;
    if (laser->enabled && laser->scan_time > 0.0) {
        turn(laser, tick->now);
        return;
    }
    if (laser->enabled && tick->now >= laser->clock.due) {
        measure(laser, tick->now);
        dpl__sample_clock_next(&laser->clock, laser->model->rate_hz, tick->now);
    }
}

/* ---- from outside ---- */

const struct dpl_sim_laser *dpl_world_laser(const struct dpl_world *world, int laser)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    return found ? found->model : NULL;
}

static void start_measuring(struct laser *laser, dpl_ns now)
{
    dpl__sample_clock_start(&laser->clock, laser->model->rate_hz, now);
    if (laser->scan_time > 0.0) {
        start_turning(laser, now);
    }
}

void dpl_world_enable_laser(struct dpl_world *world, int laser, bool enable)
{
    struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found || found->enabled == enable) {
        return;
    }
    found->enabled = enable;
    if (enable) {
        start_measuring(found, world->now);
    }
}

void dpl_world_turn_laser(struct dpl_world *world, int laser, bool turn)
{
    struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found || found->model->scan_time > 0.0 || turn == (found->scan_time > 0.0)) {
        return;
    }
    found->scan_time = turn ? 1.0 / found->model->rate_hz : 0.0;
    if (found->enabled) {
        start_measuring(found, world->now);
    }
}

int dpl_world_get_scan(const struct dpl_world *world, int laser, struct dpl_world_scan *ret_scan)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found || found->sequence == 0) {
        return -EAGAIN;
    }
    *ret_scan = (struct dpl_world_scan){found->stamp, found->sequence, found->total, found->ranges};
    return 0;
}

void dpl_world_measure_exact(struct dpl_world *world, int laser, double *ranges_m)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found) {
        return;
    }
    if (found->scenery) {
        dpl__scenery_refresh(found->scenery); /* between steps a body may have been placed */
    } else {
        insert_robots(found->site, found->view);
    }
    cast_beams(found, found->model->max_range, ranges_m);
}
