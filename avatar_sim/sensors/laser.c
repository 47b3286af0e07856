/* SPDX-License-Identifier: Apache-2.0 */
/* Laser scanners of a world: when they measure, from where, and how imperfectly. */
#include "laser.h"

#include <errno.h>
#include <stdlib.h>

#include <doppel/math/random.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/laser.h>

#include "element.h"
#include "laser_outline.h"
#include "model_checks.h"
#include "raycast.h"
#include "sample_clock.h"
#include "world_state.h"

static const struct dpl_place nowhere;

enum { STREAM_LASER = 2000 };

/* All lasers at one height share an index. */
struct view {
    double z;
    struct dpl_raycast_index *index;
    struct dpl_raycast_outline *moving; /* outlines of the robots, filled anew for a scan */
};

struct laser {
    const struct dpl_sim_laser *model;
    const struct dpl_sim_site *site;
    size_t n; /* beams */
    bool enabled;
    struct view *view;
    struct dpl_raycast_fan *fan; /* beams in the robot's frame without yaw of the mount */
    double *exact;               /* [n] */
    float *ranges;               /* [n] */
    struct dpl__sample_clock clock;
    dpl_ns stamp;
    uint64_t sequence;
    struct dpl_random rng;
};

/* ---- settings ---- */

struct laser_settings {
    struct dpl_sim_laser laser; /* first: what others read */
    int64_t steps, first, last, front;
};

static const struct dpl_field laser_fields[] = {
    DPL_TEXT(struct laser_settings, laser.name, "name", NULL, "name of the laser"),
    DPL_NUMBER(struct laser_settings, laser.x, "x", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_settings, laser.y, "y", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_settings, laser.z, "z", "m", NULL, 0.0, 10.0,
               "height of its plane over the ground"),
    DPL_NUMBER(struct laser_settings, laser.yaw, "yaw", "rad", "0", -10.0, 10.0,
               "direction of its front"),
    DPL_INT(struct laser_settings, steps, "steps", NULL, 1.0, 100000.0, "steps of a whole turn"),
    DPL_INT(struct laser_settings, first, "first", "0", 0.0, 100000.0, "first step measured"),
    DPL_INT(struct laser_settings, last, "last", NULL, 0.0, 100000.0, "last step measured"),
    DPL_INT(struct laser_settings, front, "front", NULL, 0.0, 100000.0, "step that points ahead"),
    DPL_NUMBER(struct laser_settings, laser.min_range, "min_range", "m", "0.02", 0.0, 100.0,
               "shortest valid range"),
    DPL_NUMBER(struct laser_settings, laser.max_range, "max_range", "m", NULL, 0.01, 1000.0,
               "longest valid range"),
    DPL_NUMBER(struct laser_settings, laser.resolution, "resolution", "m", "0.001", 0.0, 1.0,
               "step of a range; 0: exact"),
    DPL_NUMBER(struct laser_settings, laser.noise, "noise_m", "m", "0", 0.0, 1.0,
               "standard deviation of a range"),
    DPL_NUMBER(struct laser_settings, laser.dropout, "dropout", NULL, "0", 0.0, 1.0,
               "probability that a beam gives nothing"),
    DPL_NUMBER(struct laser_settings, laser.rate_hz, "rate_hz", "Hz", "10", 0.1, 1000.0,
               "scans a second"),
};

static void complete(void *settings)
{
    struct laser_settings *read = settings;
    read->laser.steps = (int)read->steps;
    read->laser.first = (int)read->first;
    read->laser.last = (int)read->last;
    read->laser.front = (int)read->front;
}

static int check(const void *settings, struct dpl_diag *reterr)
{
    const struct dpl_sim_laser *l = settings;
    if (l->steps < 1 || l->steps > 100000 || l->first < 0 || l->last < l->first ||
        l->last >= l->steps + l->first || dpl_sim_laser_beams(l) > DPL_SIM_BEAMS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "laser '%s' has steps %d, first %d, last %d; expected at most one turn and "
                        "%d beams",
                        l->name, l->steps, l->first, l->last, DPL_SIM_BEAMS_MAX);
    }
    int rc = dpl__check_place((double[4]){l->x, l->y, l->z, l->yaw}, reterr);
    rc = rc ? rc : dpl__check_range(l->max_range, 0.01, 1000.0, "max_range of a laser", reterr);
    rc =
        rc ? rc : dpl__check_range(l->min_range, 0.0, l->max_range, "min_range of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->resolution, 0.0, 1.0, "resolution of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->noise, 0.0, 1.0, "noise of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->dropout, 0.0, 1.0, "dropout of a laser", reterr);
    return rc ? rc : dpl__check_range(l->rate_hz, 0.1, 1000.0, "rate_hz of a laser", reterr);
}

/* Values that replace the model's when they are not negative. */
struct laser_changes {
    double noise, dropout;
};

static const struct dpl_field change_fields[] = {
    DPL_NUMBER_OPTIONAL(struct laser_changes, noise, "laser_noise_m", "m", 0.0, 1.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, dropout, "laser_dropout", NULL, 0.0, 1.0,
                        "in place of the model's"),
};

static const struct laser_changes no_changes = {-1.0, -1.0};

static void change(void *settings, const void *changes)
{
    struct dpl_sim_laser *laser = settings;
    const struct laser_changes *wanted = changes;
    laser->noise = wanted->noise >= 0.0 ? wanted->noise : laser->noise;
    laser->dropout = wanted->dropout >= 0.0 ? wanted->dropout : laser->dropout;
}

/* ---- building ---- */

static void *heap_zeroed(void *heap, size_t n, size_t size)
{
    return dpl__heap_zeroed(heap, n, size);
}

static struct dpl_raycast_memory memory_of(struct dpl_heap *heap)
{
    return (struct dpl_raycast_memory){heap_zeroed, heap};
}

/* The outlines of all obstacles at height z. NULL if out of memory. */
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
        n += dpl__laser_outline(&model->obstacles[i].shape, (struct dpl_pose2){0}, z,
                                DPL_RAYCAST_NO_OWNER, &outlines[n]);
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
        if (other->view->z == z) {
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

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct laser *laser = state;
    const struct dpl_sim_laser *model = site->entry->settings;
    (void)reterr;
    laser->model = model;
    laser->site = site;
    laser->n = dpl_sim_laser_beams(model);
    laser->rng = dpl_random_seeded(site->model->seed, STREAM_LASER + 1 + (uint64_t)site->number);
    laser->fan = fan_of(site->world->heap, model);
    laser->exact = dpl_world_alloc(site->world, laser->n, sizeof *laser->exact);
    laser->ranges = dpl_world_alloc(site->world, laser->n, sizeof *laser->ranges);
    if (!laser->fan || !laser->exact || !laser->ranges) {
        return -ENOMEM;
    }
    laser->view = view_of(site, model->z);
    return laser->view ? 0 : -ENOMEM;
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

static void cast_beams(const struct laser *laser, double max_range, double *ranges)
{
    const struct dpl_sim_laser *model = laser->model;
    const struct dpl_sim_site *site = laser->site;
    struct dpl_pose2 at = dpl_pose2_compose(dpl_sim_body_pose2(site->state, site->body),
                                            (struct dpl_pose2){model->x, model->y, model->yaw});
    struct dpl_raycast_scan scan = {at.x, at.y, at.theta, max_range, site->robot};
    insert_robots(site, laser->view);
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
    if (model->noise > 0.0) {
        range += model->noise * dpl_random_normal(&laser->rng);
    }
    if (model->resolution > 0.0) {
        range = floor(range / model->resolution + 0.5) * model->resolution;
    }
    return range >= model->min_range && range <= model->max_range ? (float)range : 0.0f;
}

static void measure(struct laser *laser, dpl_ns now)
{
    /* Noise may bring a wall just out of reach into it, so look a little further. */
    double reach = laser->model->max_range + 5.0 * laser->model->noise;
    cast_beams(laser, reach, laser->exact);
    for (size_t i = 0; i < laser->n; i++) {
        laser->ranges[i] = spoil(laser, laser->exact[i]);
    }
    laser->stamp = now;
    laser->sequence++;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct laser *laser = state;
    if (laser->enabled && tick->now >= laser->clock.due) {
        measure(laser, tick->now);
        dpl__sample_clock_next(&laser->clock, laser->model->rate_hz, tick->now);
    }
}

const struct dpl_sim_entry_class dpl_laser = {
    .name = "laser",
    .summary = "a planar laser scanner",
    .phase = DPL_SIM_SENSOR,
    .element = "laser",
    .settings = {laser_fields, DPL_COUNT(laser_fields), sizeof(struct laser_settings), NULL},
    .changes = {change_fields, DPL_COUNT(change_fields), sizeof(struct laser_changes), &no_changes},
    .complete = complete,
    .change = change,
    .check = check,
    .state_size = sizeof(struct laser),
    .build = build,
    .step = step,
    .channels = &dpl__laser_channels,
};

/* ---- from outside ---- */

const struct dpl_sim_laser *dpl_world_laser(const struct dpl_world *world, int laser)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    return found ? found->model : NULL;
}

void dpl_world_enable_laser(struct dpl_world *world, int laser, bool enable)
{
    struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found || found->enabled == enable) {
        return;
    }
    found->enabled = enable;
    if (enable) {
        dpl__sample_clock_start(&found->clock, found->model->rate_hz, world->now);
    }
}

int dpl_world_get_scan(const struct dpl_world *world, int laser, struct dpl_world_scan *ret_scan)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (!found || found->sequence == 0) {
        return -EAGAIN;
    }
    *ret_scan = (struct dpl_world_scan){found->stamp, found->sequence, found->n, found->ranges};
    return 0;
}

void dpl_world_measure_exact(struct dpl_world *world, int laser, double *ranges_m)
{
    const struct laser *found = dpl_world_entry(world, &dpl_laser, laser);
    if (found) {
        cast_beams(found, found->model->max_range, ranges_m);
    }
}
