/* SPDX-License-Identifier: Apache-2.0 */
/* Strategy `kanayama`. */
#include "kanayama.h"

struct dpl_twist2 dpl_sync_kanayama(struct dpl_pose2 real, struct dpl_pose2 avatar,
                                    struct dpl_twist2 reference, double period_s, double trust)
{
    struct dpl_pose2 error = dpl_pose2_relative(avatar, real);
    struct dpl_sync_tracking tracking = {
        .error = {trust * error.x, trust * error.y, trust * error.theta},
        .reference = reference,
        .period_s = period_s,
    };
    return dpl_sync_control(&tracking);
}
