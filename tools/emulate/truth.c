/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses a source of truth; the ideal robot. */
#include "truth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int truth_open(const struct truth_options *options, enum truth_device device,
               struct truth **ret_truth, struct dpl_diag *reterr)
{
    if (options->log) {
        return truth_log_open(options, ret_truth, reterr);
    }
    if (options->robot.world) {
        return truth_world_open(options, device, ret_truth, reterr);
    }
    int err = truth_ideal_open(ret_truth);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "out of memory") : 0;
}

/* A base whose wheels turn exactly as they are told, and a scanner in the middle of a room of
 * 6 m by 4 m. */

#define ROOM_HALF_X 3.0
#define ROOM_HALF_Y 2.0

struct ideal {
    struct truth base;
    struct kobuki_wheels wheels;
    struct kobuki_sensors sensors;
    dpl_ns last_turn;
    bool laser;
};

static void turn_wheels(struct ideal *ideal, dpl_ns now)
{
    struct kobuki_sensors *s = &ideal->sensors;
    double dt = dpl_ns_to_s(now - s->stamp);
    if (dt <= 0.0) {
        return;
    }
    s->left_rad += ideal->wheels.left_rad_s * dt;
    s->right_rad += ideal->wheels.right_rad_s * dt;
    double to_heading = DPL_KOBUKI_WHEEL_RADIUS_M / DPL_KOBUKI_AXLE_M;
    s->heading_rad = (s->right_rad - s->left_rad) * to_heading;
    s->rate_rad_s = (ideal->wheels.right_rad_s - ideal->wheels.left_rad_s) * to_heading;
    s->stamp = now;
}

static void ideal_drive(struct truth *truth, struct kobuki_wheels wheels, dpl_ns now)
{
    struct ideal *ideal = (struct ideal *)truth;
    turn_wheels(ideal, now);
    ideal->wheels = wheels;
}

static int ideal_sense(struct truth *truth, dpl_ns now, struct kobuki_sensors *ret)
{
    struct ideal *ideal = (struct ideal *)truth;
    turn_wheels(ideal, now);
    *ret = ideal->sensors;
    ret->left_rad_s = ideal->wheels.left_rad_s;
    ret->right_rad_s = ideal->wheels.right_rad_s;
    return 0;
}

static void ideal_enable_laser(struct truth *truth, bool enable)
{
    ((struct ideal *)truth)->laser = enable;
}

static uint32_t room_mm(double angle_rad)
{
    double x = fabs(cos(angle_rad)), y = fabs(sin(angle_rad));
    double to_x = x > 1e-9 ? ROOM_HALF_X / x : 1e9, to_y = y > 1e-9 ? ROOM_HALF_Y / y : 1e9;
    return (uint32_t)lround(1000.0 * fmin(to_x, to_y));
}

static int ideal_measure(struct truth *truth, dpl_ns now, const struct dpl_scip_geometry *geometry,
                         struct truth_scan *ret)
{
    struct ideal *ideal = (struct ideal *)truth;
    dpl_ns period = dpl_scip_scan_period_ns(geometry);
    dpl_ns turn = now / period;
    if (!ideal->laser || turn == ideal->last_turn) {
        return -EAGAIN;
    }
    ideal->last_turn = turn;
    ret->stamp = turn * period;
    ret->steps = geometry->end_step + 1;
    for (uint32_t i = 0; i < ret->steps; i++) {
        uint32_t mm = room_mm(dpl_scip_step_to_rad(geometry, i));
        bool is_seen = i >= geometry->first_step && dpl_scip_is_range(geometry, mm);
        ret->ranges_mm[i] = is_seen ? mm : 0;
    }
    return 0;
}

static void ideal_destroy(struct truth *truth)
{
    free(truth);
}

static const struct truth_ops ideal_ops = {
    .drive = ideal_drive,
    .sense = ideal_sense,
    .enable_laser = ideal_enable_laser,
    .measure = ideal_measure,
    .destroy = ideal_destroy,
};

int truth_ideal_open(struct truth **ret_truth)
{
    struct ideal *ideal = calloc(1, sizeof *ideal);
    if (!ideal) {
        return -ENOMEM;
    }
    ideal->base.ops = &ideal_ops;
    *ret_truth = &ideal->base;
    return 0;
}
