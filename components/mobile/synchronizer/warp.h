/* SPDX-License-Identifier: Apache-2.0 */
/* Time warp: a short memory of references, so that the avatar can follow the real robot's past (for
 * displays and replays that accept a constant delay). */
#ifndef DPL_SYNC_WARP_H
#define DPL_SYNC_WARP_H

#include "doppel/math/geometry.h"

#define DPL_SYNC_WARP_SLOTS 128
#define DPL_SYNC_MAX_WARP_S 1.0

/* What the avatar should follow, and from when it is. */
struct dpl_sync_reference {
    double time_s;
    struct dpl_pose2 pose;
    struct dpl_twist2 twist;
};

struct dpl_sync_warp {
    double delay_s;
    struct dpl_sync_reference slot[DPL_SYNC_WARP_SLOTS];
    unsigned next, count;
};

/* `delay_s` from 0 (off) to DPL_SYNC_MAX_WARP_S. */
void dpl_sync_warp_init(struct dpl_sync_warp *warp, double delay_s);

/* Keeps `newest` and returns the reference of `delay_s` before it, interpolated; the oldest there
 * is while the memory is younger than that. Times must increase. */
struct dpl_sync_reference dpl_sync_warp_step(struct dpl_sync_warp *warp,
                                             struct dpl_sync_reference newest);

#endif
