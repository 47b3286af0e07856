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

#define DPL_SYNC_ALIGN_SAMPLES 1000 /* most poses of a robot */

/* Median of poses by component, so that less than half of them may be wrong. Each list is sorted.
 */
struct dpl_sync_pose_median {
    double x[DPL_SYNC_ALIGN_SAMPLES], y[DPL_SYNC_ALIGN_SAMPLES], theta[DPL_SYNC_ALIGN_SAMPLES];
    double stamp_s; /* of the newest */
    int count;
};

struct dpl_sync_alignment {
    enum dpl_sync_align mode;
    int samples;
    bool done;
    struct dpl_sync_pose_median real, avatar;
    struct dpl_pose2 transform; /* pose of the real robot's frame in the avatar's */
};

/* `samples` poses of each robot are taken, at least 1 and at most DPL_SYNC_ALIGN_SAMPLES. Mode
 * `none` is done at once. */
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

/* Median of the poses taken; count must not be 0. That of headings is counted from the opposite of
 * the middle of the shortest arc that holds more than half of them (Rousseeuw, Least median of
 * squares regression, JASA 79, 1984). */
struct dpl_pose2 dpl_sync_pose_median_get(const struct dpl_sync_pose_median *median);

#endif
