/* SPDX-License-Identifier: Apache-2.0 */
/* Strategy `kanayama`: the tracking law on the raw measured poses. It knows nothing of either
 * drive, so nothing it could have learned wrongly can spoil it: the fallback of `adaptive`. */
#ifndef DPL_SYNC_KANAYAMA_H
#define DPL_SYNC_KANAYAMA_H

#include "control_law.h"

/* Command for the avatar from the latest poses of both robots, in one frame, and the speed of the
 * real robot. `trust` in [0, 1] scales the error (1 fresh poses, 0 feed-forward only). */
struct dpl_twist2 dpl_sync_kanayama(struct dpl_pose2 real, struct dpl_pose2 avatar,
                                    struct dpl_twist2 reference, struct dpl_sync_loop loop,
                                    double trust);

#endif
