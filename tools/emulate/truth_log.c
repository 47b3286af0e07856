/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded robot as truth. It goes its own way: what a host commands has no effect. */
#include <errno.h>
#include <stdlib.h>

#include "recording_log.h"
#include "truth.h"

struct recorded {
    struct truth base;
    struct log_player player;
    dpl_ns start;
    uint64_t given; /* scans, from 1 on */
};

static int log_sense(struct truth *truth, dpl_ns now, struct kobuki_sensors *ret)
{
    const struct recorded *self = (struct recorded *)truth;
    struct log_motion motion = log_player_motion(&self->player, now - self->start);
    *ret = (struct kobuki_sensors){
        .stamp = now,
        .left_rad = motion.left_rad,
        .right_rad = motion.right_rad,
        .heading_rad = motion.heading_rad,
        .rate_rad_s = motion.rate_rad_s,
    };
    return 0;
}

static void give(const struct dpl_scip_geometry *geometry, const uint16_t *ranges_mm,
                 struct truth_scan *ret)
{
    ret->steps = geometry->end_step + 1;
    for (uint32_t step = 0; step < ret->steps; step++) {
        bool is_recorded = step >= LOG_FIRST_STEP && step < LOG_FIRST_STEP + LOG_RANGES;
        ret->ranges_mm[step] = is_recorded ? ranges_mm[step - LOG_FIRST_STEP] : 0;
    }
}

/* Until it begins to play, the first scan comes at the log's pace: the robot stands there. */
static int log_measure(struct truth *truth, dpl_ns now, const struct dpl_scip_geometry *geometry,
                       struct truth_scan *ret)
{
    struct recorded *self = (struct recorded *)truth;
    dpl_ns at = now - self->start;
    if (at < 0) {
        uint64_t turn = (uint64_t)(now / self->player.period) + 1;
        if (turn == self->given) {
            return -EAGAIN;
        }
        dpl_ns unused;
        self->given = turn;
        ret->stamp = (dpl_ns)(turn - 1) * self->player.period;
        give(geometry, log_player_scan(&self->player, 0, &unused), ret);
        return 0;
    }
    uint64_t number = log_player_scan_number(&self->player, at);
    if (self->given == number + 1) {
        return -EAGAIN;
    }
    self->given = number + 1;
    give(geometry, log_player_scan(&self->player, number, &ret->stamp), ret);
    ret->stamp += self->start;
    return 0;
}

static bool log_is_over(const struct truth *truth, dpl_ns now)
{
    const struct recorded *self = (const struct recorded *)truth;
    return log_player_is_over(&self->player, now - self->start);
}

static void log_destroy(struct truth *truth)
{
    struct recorded *self = (struct recorded *)truth;
    log_player_finish(&self->player);
    free(self);
}

static const struct truth_ops ops = {
    .sense = log_sense,
    .measure = log_measure,
    .is_over = log_is_over,
    .destroy = log_destroy,
};

int truth_log_open(const struct truth_options *options, struct truth **ret_truth,
                   struct dpl_diag *reterr)
{
    struct recorded *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    char file[4096];
    int err = recording_log_load(options->log, file, sizeof file, &self->player, reterr);
    if (err < 0 && reterr) {
        reterr->place.file = options->log; /* `file` ends here */
    }
    if (err < 0) {
        free(self);
        return err;
    }
    self->base.ops = &ops;
    self->player.speed = options->log_speed;
    self->player.loops = options->log_loops;
    self->player.geometry =
        (struct log_geometry){options->log_wheel_radius_m, options->log_axle_m, options->log_ticks};
    self->start = options->log_start;
    *ret_truth = &self->base;
    return 0;
}
