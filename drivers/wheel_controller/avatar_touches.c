/* SPDX-License-Identifier: Apache-2.0 */
/* See avatar_touches.h. */
#include "avatar_touches.h"

#include <doppel/protocol/bumper.h>

void avatar_touches_watch(struct dpl_device *device, struct avatar_touches *touches,
                          const struct dpl_pose2 *pose)
{
    int64_t ejections, touched;
    if (dpl_channel_get(touches->contacted, &touches->contacts, NULL) < 0 ||
        dpl_channel_get(touches->touched, &touched, NULL) < 0 ||
        dpl_channel_get(touches->ejected, &ejections, NULL) < 0) {
        return;
    }
    if (ejections > touches->ejections) {
        dpl_device_log(
            device, DPL_LOG_WARN,
            "moved out of an object with which it overlapped, to x %.2f m, y %.2f m of its world",
            pose->x, pose->y);
    }
    touches->pressed = dpl_bumper_of((uint32_t)touched) != 0;
    touches->ejections = ejections;
}
