/* SPDX-License-Identifier: Apache-2.0 */
/* Frame alignment. */
#include "alignment.h"

#include <stddef.h>

void dpl_sync_alignment_init(struct dpl_sync_alignment *alignment, enum dpl_sync_align mode,
                             int samples)
{
    *alignment = (struct dpl_sync_alignment){
        .mode = mode,
        .samples = samples < 1 ? 1 : samples,
        .done = mode == DPL_SYNC_ALIGN_NONE,
    };
}

/* What one robot showed while the other was not there is of another time: both are collected from
 * the first moment on that both are seen. */
static void add(struct dpl_sync_pose_mean *mean, const struct dpl_sync_stamped_pose *measured,
                int limit, bool alone)
{
    if (measured && alone && measured->stamp_s > mean->stamp_s) {
        *mean = (struct dpl_sync_pose_mean){0};
    }
    if (!measured || mean->count >= limit || !dpl_pose2_is_finite(measured->pose) ||
        (mean->count > 0 && measured->stamp_s <= mean->stamp_s)) {
        return;
    }
    mean->x += measured->pose.x;
    mean->y += measured->pose.y;
    mean->cos_sum += cos(measured->pose.theta);
    mean->sin_sum += sin(measured->pose.theta);
    mean->stamp_s = measured->stamp_s;
    mean->count++;
}

struct dpl_pose2 dpl_sync_pose_mean_get(const struct dpl_sync_pose_mean *mean)
{
    return (struct dpl_pose2){mean->x / mean->count, mean->y / mean->count,
                              atan2(mean->sin_sum, mean->cos_sum)};
}

/* The pose of the real frame that takes the mean real pose to the mean avatar pose. */
static struct dpl_pose2 transform_between(struct dpl_pose2 real, struct dpl_pose2 avatar)
{
    struct dpl_pose2 origin_seen_from_real = dpl_pose2_relative(real, (struct dpl_pose2){0});
    return dpl_pose2_compose(avatar, origin_seen_from_real);
}

bool dpl_sync_alignment_offer(struct dpl_sync_alignment *alignment,
                              const struct dpl_sync_stamped_pose *real,
                              const struct dpl_sync_stamped_pose *avatar, bool moving)
{
    if (alignment->done) {
        return false;
    }
    bool real_alone = alignment->avatar.count == 0, avatar_alone = alignment->real.count == 0;
    add(&alignment->real, real, alignment->samples, real_alone);
    add(&alignment->avatar, avatar, alignment->samples, avatar_alone);
    int fewest = alignment->real.count < alignment->avatar.count ? alignment->real.count
                                                                 : alignment->avatar.count;
    if (fewest < (moving ? 1 : alignment->samples)) {
        return false;
    }
    if (alignment->mode == DPL_SYNC_ALIGN_FRAMES) {
        alignment->transform = transform_between(dpl_sync_pose_mean_get(&alignment->real),
                                                 dpl_sync_pose_mean_get(&alignment->avatar));
    }
    alignment->done = true;
    return true;
}

struct dpl_pose2 dpl_sync_alignment_apply(const struct dpl_sync_alignment *alignment,
                                          struct dpl_pose2 real)
{
    return dpl_pose2_compose(alignment->transform, real);
}
