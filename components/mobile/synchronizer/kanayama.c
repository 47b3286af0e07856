/* SPDX-License-Identifier: Apache-2.0 */
/* Strategy `kanayama`. */
#include "kanayama.h"

struct dpl_twist2 dpl_sync_kanayama(struct dpl_pose2 real, struct dpl_pose2 avatar,
                                    struct dpl_twist2 reference, struct dpl_sync_loop loop,
                                    double trust)
{
    struct dpl_pose2 error = dpl_pose2_relative(avatar, real);
    struct dpl_sync_tracking tracking = {
        .error = {trust * error.x, trust * error.y, trust * error.theta},
        .reference = reference,
        .loop = loop,
    };
    return dpl_sync_control(&tracking);
}
