/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth correction. */
#include "correction.h"

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

/* The pose of a frame in which a robot at `inside` is at `outside` of it. */
static struct dpl_pose2 frame_between(struct dpl_pose2 outside, struct dpl_pose2 inside)
{
    return dpl_pose2_compose(outside, dpl_pose2_relative(inside, (struct dpl_pose2){0}));
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
    if (correction->elsewhere || far) {
        correction->elsewhere = false;
        correction->smooth = correction->target;
        correction->relocations++;
        return true;
    }
    double share = 1.0 - exp(-elapsed_s / DPL_SYNC_CORRECTION_S);
    double length = hypot(residual.x, residual.y), most = DPL_SYNC_CORRECTION_M_S * elapsed_s;
    double straight = share * length > most ? most / length : share;
    double turn = DPL_SYNC_CORRECTION_RAD_S * elapsed_s;
    struct dpl_pose2 step = {straight * residual.x, straight * residual.y,
                             dpl_clamp(share * residual.theta, -turn, turn)};
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
