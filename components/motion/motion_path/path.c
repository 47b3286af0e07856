/* SPDX-License-Identifier: Apache-2.0 */
/* The servo side of the pose buffer. Each half of a move is a segment of the spline. At the start
 * of a segment, the knot two segments ahead is computed: the end of this move, or the middle of the
 * next. */
#include "path.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define HALF_MOVE (DPL_TIME_BASE_MOVE / 2)

static int map_pose(const struct dpl_path *path, const double pose[DPL_SIX],
                    double ret_axes[DPL_AXES_N])
{
    const struct dpl_pose_map *map = &path->config.map;
    if (map->to_axes) {
        return map->to_axes(map->context, pose, ret_axes);
    }
    memcpy(ret_axes, pose, DPL_AXES_N * sizeof ret_axes[0]);
    return 0;
}

int dpl_path_rest_at(struct dpl_path *path, const double pose[DPL_SIX])
{
    double axes[DPL_AXES_N];
    for (int i = 0; i < DPL_SIX; i++) {
        if (!isfinite(pose[i])) {
            return -EINVAL;
        }
    }
    int r = map_pose(path, pose, axes);
    if (r < 0) {
        return r;
    }
    dpl_pose_buffer_rest_at(&path->buffer, pose);
    dpl_blend_reset(&path->blend, pose);
    dpl_spline_reset(&path->spline, axes);
    dpl_time_base_init(&path->time_base, &path->config.time_base);
    path->phase = 0;
    path->second = false;
    path->moving = false;
    return 0;
}

int dpl_path_reset(struct dpl_path *path, const struct dpl_path_config *config,
                   const double pose[DPL_SIX])
{
    if (!(config->servo_period_s > 0.0) || !isfinite(config->servo_period_s) ||
        !config->brake.next) {
        return -EINVAL;
    }
    *path = (struct dpl_path){.config = *config};
    int r = dpl_time_base_init(&path->time_base, &config->time_base);
    return r < 0 ? r : dpl_path_rest_at(path, pose);
}

/* The knot of the blend at `part`; if the map has no solution, the newest knot again. */
static int push_knot(struct dpl_path *path, const struct dpl_blend *blend, double part)
{
    double pose[DPL_SIX], axes[DPL_AXES_N];
    dpl_blend_at(blend, part, pose);
    int r = map_pose(path, pose, axes);
    if (r < 0) {
        path->n_map_faults++;
        memcpy(axes, path->spline.knot[3], sizeof axes);
    }
    dpl_spline_push(&path->spline, axes);
    return r;
}

/* The second half of a move uses the next move. */
static int begin_second_half(struct dpl_path *path)
{
    struct dpl_blend next = path->blend;
    dpl_pose_buffer_ensure(&path->buffer, &path->config.brake);
    dpl_blend_push(&next, dpl_pose_buffer_peek(&path->buffer));
    path->second = true;
    return push_knot(path, &next, 0.5);
}

static int begin_move(struct dpl_path *path)
{
    dpl_blend_push(&path->blend, dpl_pose_buffer_peek(&path->buffer));
    dpl_pose_buffer_advance(&path->buffer);
    dpl_time_base_evaluate(&path->time_base, dpl_pose_buffer_distance(&path->buffer),
                           0.25 * (double)path->age_ticks);
    path->second = false;
    return push_knot(path, &path->blend, 1.0);
}

bool dpl_path_at_rest(const struct dpl_path *path)
{
    const size_t size = sizeof path->blend.pose[0];
    const double(*knot)[DPL_AXES_N] = path->spline.knot;
    bool rest = dpl_pose_buffer_holds_only(&path->buffer, path->blend.pose[2]);
    for (int i = 0; rest && i < 3; i++) {
        rest = memcmp(path->blend.pose[i], path->blend.pose[2], size) == 0 &&
               memcmp(knot[i], knot[3], sizeof knot[3]) == 0;
    }
    return rest;
}

/* Whether nothing moves and no new pose is in the buffer. */
static bool stands_still(const struct dpl_path *path)
{
    return dpl_pose_buffer_distance(&path->buffer) == 0 && dpl_path_at_rest(path);
}

static int begin(struct dpl_path *path)
{
    if (dpl_pose_buffer_distance(&path->buffer) <= path->config.time_base.distance) {
        return 0;
    }
    dpl_time_base_init(&path->time_base, &path->config.time_base);
    path->phase = 0;
    path->moving = true;
    int r = begin_second_half(path);
    int s = begin_move(path);
    return r < 0 ? r : s;
}

static int go_on(struct dpl_path *path)
{
    path->phase += dpl_time_base_tick(&path->time_base);
    if (path->phase >= DPL_TIME_BASE_MOVE) {
        path->phase -= DPL_TIME_BASE_MOVE;
        return begin_move(path);
    }
    if (path->second || path->phase < HALF_MOVE) {
        return 0;
    }
    if (stands_still(path)) {
        path->moving = false;
        return 0;
    }
    return begin_second_half(path);
}

static void refer(const struct dpl_path *path, struct dpl_axis_reference *ret_reference)
{
    struct dpl_spline_point point;
    double part = (double)(path->phase % HALF_MOVE) / HALF_MOVE;
    double factor = dpl_time_base_factor(&path->time_base);
    double per_s = factor / (2.0 * path->config.servo_period_s);
    dpl_spline_at(&path->spline, part, &point);
    memcpy(ret_reference->position, point.position, sizeof point.position);
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret_reference->velocity[i] = point.rate[i] * per_s;
        ret_reference->acceleration[i] = point.curvature[i] * per_s * per_s;
    }
    ret_reference->factor = factor;
}

int dpl_path_step(struct dpl_path *path, struct dpl_axis_reference *ret_reference)
{
    path->age_ticks = path->buffer.written == path->seen ? path->age_ticks + 1 : 0;
    path->seen = path->buffer.written;
    int r = path->moving ? go_on(path) : begin(path);
    refer(path, ret_reference);
    return r;
}
