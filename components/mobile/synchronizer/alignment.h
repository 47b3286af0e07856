/* SPDX-License-Identifier: Apache-2.0 */
/* Frame alignment: the real robot's pose comes in a frame of its own (odometry). From some poses of
 * both robots at rest follows the transform into the avatar's frame, or where to put the avatar. */
#ifndef DPL_SYNC_ALIGNMENT_H
#define DPL_SYNC_ALIGNMENT_H

#include "observer.h"

enum dpl_sync_align {
    DPL_SYNC_ALIGN_FRAMES, /* `align`: transform the real pose, move nothing */
    DPL_SYNC_ALIGN_SNAP,   /* put the avatar where the real robot is, once */
    DPL_SYNC_ALIGN_NONE    /* the frames are one; an initial offset is driven out */
};

/* Mean of poses: arithmetic for the position, circular for the heading. */
struct dpl_sync_pose_mean {
    double x, y, cos_sum, sin_sum, stamp_s;
    int count;
};

struct dpl_sync_alignment {
    enum dpl_sync_align mode;
    int samples;
    bool done;
    struct dpl_sync_pose_mean real, avatar;
    struct dpl_pose2 transform; /* pose of the real robot's frame in the avatar's */
};

/* `samples` poses of each robot are averaged, at least 1. Mode `none` is done at once. */
void dpl_sync_alignment_init(struct dpl_sync_alignment *alignment, enum dpl_sync_align mode,
                             int samples);

/* Offers the latest poses (NULL: none yet); repeated and unusable ones are left out, and of
 * a robot that is seen alone only the newest counts. `moving` ends
 * the collection with what there is, as soon as there is one of each. True when it became done. */
bool dpl_sync_alignment_offer(struct dpl_sync_alignment *alignment,
                              const struct dpl_sync_stamped_pose *real,
                              const struct dpl_sync_stamped_pose *avatar, bool moving);

/* A pose of the real robot in the avatar's frame. */
struct dpl_pose2 dpl_sync_alignment_apply(const struct dpl_sync_alignment *alignment,
                                          struct dpl_pose2 real);

/* Mean of the poses taken; count must not be 0. */
struct dpl_pose2 dpl_sync_pose_mean_get(const struct dpl_sync_pose_mean *mean);

#endif
