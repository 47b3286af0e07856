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

static void add(struct dpl_sync_pose_mean *mean, const struct dpl_sync_stamped_pose *measured,
                int limit)
{
    if (measured == NULL || mean->count >= limit || !dpl_pose2_is_finite(measured->pose) ||
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
    add(&alignment->real, real, alignment->samples);
    add(&alignment->avatar, avatar, alignment->samples);
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
