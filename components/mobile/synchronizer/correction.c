/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth correction. */
#include "correction.h"

#define LATELY_S 0.2 /* some scans */

void dpl_sync_correction_init(struct dpl_sync_correction *correction, double safe_radius)
{
    *correction = (struct dpl_sync_correction){.safe_radius = safe_radius};
}

void dpl_sync_correction_start(struct dpl_sync_correction *correction, struct dpl_pose2 target,
                               uint64_t told, const struct dpl_pose2 *smooth)
{
    correction->started = correction->known = true;
    correction->target = target;
    correction->smooth = smooth ? *smooth : target;
    correction->told = told;
}

void dpl_sync_correction_aim(struct dpl_sync_correction *correction, struct dpl_pose2 target,
                             uint64_t told, bool known)
{
    correction->known = known;
    correction->withheld = !known && (correction->withheld || told != correction->told);
    if (correction->withheld) {
        return;
    }
    correction->target = target;
    correction->elsewhere |= told != correction->told;
    correction->told = told;
}

static bool is_near(const struct dpl_sync_correction *correction, struct dpl_pose2 residual)
{
    return hypot(residual.x, residual.y) <= correction->safe_radius &&
           fabs(residual.theta) <= DPL_SYNC_CORRECTION_MAX_RAD;
}

/* After a guess, or a doubt, the robot may be found where it was followed all the time. */
static bool is_here(struct dpl_pose2 residual)
{
    return hypot(residual.x, residual.y) <= DPL_SYNC_CORRECTION_HERE_M &&
           fabs(residual.theta) <= DPL_SYNC_CORRECTION_HERE_RAD;
}

static void count_jump(struct dpl_sync_correction *correction, struct dpl_pose2 residual,
                       bool leapt)
{
    if (!leapt) {
        correction->strayed++;
    } else if (!is_here(residual)) {
        correction->relocations++;
        correction->jump = residual;
    }
}

/* The pose of a frame in which a robot at `inside` is at `outside` of it. */
static struct dpl_pose2 frame_between(struct dpl_pose2 outside, struct dpl_pose2 inside)
{
    return dpl_pose2_compose(outside, dpl_pose2_relative(inside, (struct dpl_pose2){0}));
}

static double share_of(double elapsed_s, double time_s)
{
    return 1.0 - exp(-elapsed_s / time_s);
}

static void learn_rate(struct dpl_pose2 *rate, struct dpl_pose2 way, double elapsed_s)
{
    double share = share_of(elapsed_s, DPL_SYNC_SLIP_S);
    rate->x += share * (way.x / elapsed_s - rate->x);
    rate->y += share * (way.y / elapsed_s - rate->y);
    rate->theta += share * (way.theta / elapsed_s - rate->theta);
}

/* By how much C moved the robot, at most as far as the odometry went lately: a Localizer that
 * thinks again moves C, too, but that is no speed. */
static struct dpl_pose2 limit_pull(struct dpl_sync_slip *slip, struct dpl_pose2 pull)
{
    double length = hypot(pull.x, pull.y), taken = fmin(length, slip->way_m);
    double part = length > 0.0 ? taken / length : 0.0;
    double turn = dpl_clamp(pull.theta, -slip->way_rad, slip->way_rad);
    slip->way_m -= taken;
    slip->way_rad -= fabs(turn);
    return (struct dpl_pose2){part * pull.x, part * pull.y, turn};
}

/* True when C has jumped since the step before. */
static bool learn_slip(struct dpl_sync_correction *correction, struct dpl_pose2 odometry,
                       double elapsed_s)
{
    struct dpl_sync_slip *slip = &correction->slip;
    bool jumped = true;
    if (slip->has_step && elapsed_s > 0.0) {
        struct dpl_pose2 way = dpl_pose2_relative(slip->odometry, odometry);
        struct dpl_pose2 pull = dpl_pose2_relative(dpl_pose2_compose(slip->target, odometry),
                                                   dpl_pose2_compose(correction->target, odometry));
        jumped = !is_near(correction, pull);
        double keep = exp(-elapsed_s / LATELY_S);
        slip->way_m = keep * slip->way_m + hypot(way.x, way.y);
        slip->way_rad = keep * slip->way_rad + fabs(way.theta);
        learn_rate(&slip->pace, way, elapsed_s);
        learn_rate(&slip->run, limit_pull(slip, pull), elapsed_s);
    }
    slip->odometry = odometry;
    slip->target = correction->target;
    slip->has_step = true;
    return jumped;
}

/* The share of a rate that is made up for, where the odometry has `pace`. */
static double slip_share(double run, double pace)
{
    double part = pace > 0.0 ? run / pace : 0.0;
    return dpl_clamp((part - DPL_SYNC_SLIP_FROM) / (DPL_SYNC_SLIP_WHOLE - DPL_SYNC_SLIP_FROM), 0.0,
                     1.0);
}

static struct dpl_pose2 slipping(const struct dpl_sync_slip *slip)
{
    struct dpl_pose2 run = slip->run;
    double straight = slip_share(hypot(run.x, run.y), hypot(slip->pace.x, slip->pace.y));
    double round = slip_share(fabs(run.theta), fabs(slip->pace.theta));
    return (struct dpl_pose2){straight * run.x, straight * run.y, round * run.theta};
}

/* What C_s moves the robot by in this time towards C, in its frame. */
static struct dpl_pose2 smooth_step(struct dpl_pose2 residual, struct dpl_pose2 slip,
                                    double elapsed_s)
{
    double share = share_of(elapsed_s, DPL_SYNC_CORRECTION_S);
    double length = hypot(residual.x, residual.y);
    double most = (DPL_SYNC_CORRECTION_M_S + hypot(slip.x, slip.y)) * elapsed_s;
    double straight = share * length > most ? most / length : share;
    double turn = (DPL_SYNC_CORRECTION_RAD_S + fabs(slip.theta)) * elapsed_s;
    return (struct dpl_pose2){
        straight * residual.x + slip.x * elapsed_s, straight * residual.y + slip.y * elapsed_s,
        dpl_clamp(share * residual.theta, -turn, turn) + slip.theta * elapsed_s};
}

bool dpl_sync_correction_step(struct dpl_sync_correction *correction, struct dpl_pose2 odometry,
                              double elapsed_s)
{
    struct dpl_pose2 followed = dpl_pose2_compose(correction->smooth, odometry);
    struct dpl_pose2 found = dpl_pose2_compose(correction->target, odometry);
    struct dpl_pose2 residual = dpl_pose2_relative(followed, found);
    bool far = !is_near(correction, residual);
    if (far && !correction->known && !correction->elsewhere) {
        correction->target = correction->smooth;
        correction->withheld = true;
        return false;
    }
    bool leapt = learn_slip(correction, odometry, elapsed_s) || correction->elsewhere;
    if (correction->elsewhere || far) {
        correction->elsewhere = false;
        correction->smooth = correction->target;
        count_jump(correction, residual, leapt);
        return true;
    }
    struct dpl_pose2 step = smooth_step(residual, slipping(&correction->slip), elapsed_s);
    correction->smooth = frame_between(dpl_pose2_compose(followed, step), odometry);
    return false;
}

struct dpl_pose2 dpl_sync_correction_apply(const struct dpl_sync_correction *correction,
                                           struct dpl_pose2 odometry)
{
    return dpl_pose2_compose(correction->smooth, odometry);
}

struct dpl_pose2 dpl_sync_correction_unsmoothed(const struct dpl_sync_correction *correction,
                                                struct dpl_pose2 followed)
{
    struct dpl_pose2 odometry = dpl_pose2_relative(correction->smooth, followed);
    return dpl_pose2_compose(correction->target, odometry);
}
