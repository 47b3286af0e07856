/* SPDX-License-Identifier: Apache-2.0 */
/* See avatar_place.h. */
#include "avatar_place.h"

#include <doppel/protocol/bumper.h>
#include <errno.h>

/* A world that does not answer within this time has not heard. */
#define PLACE_PATIENCE DPL_S
/* Who asks again and again is not answered in the log each time. */
#define REFUSAL_EVERY  (10 * DPL_S)

int avatar_place_ask(struct avatar_place *place, const struct dpl_pose2 *pose, dpl_ns now)
{
    place->result = -EINPROGRESS;
    place->asked_at = now;
    place->pose = *pose;
    dpl_channel_put(place->channel, (const double[3]){pose->x, pose->y, pose->theta});
    return -EINPROGRESS;
}

bool avatar_place_is_answered(struct avatar_place *place, dpl_ns now)
{
    if (place->result != -EINPROGRESS) {
        return false;
    }
    int result = dpl_channel_answer(place->channel);
    if (result == -EINPROGRESS && now - place->asked_at < PLACE_PATIENCE) {
        return false;
    }
    place->result = result == -EINPROGRESS ? -ETIMEDOUT : result;
    return true;
}

static const char *refusal_of(int result)
{
    switch (result) {
    case -EBUSY: return "something stands there";
    case -ETIMEDOUT: return "the world does not answer";
    case -ENOTCONN: return "the world was lost";
    default: return "it cannot be placed";
    }
}

void avatar_place_report_refusal(struct dpl_device *device, struct avatar_place *place)
{
    dpl_ns now = dpl_device_now(device);
    place->n_refused++;
    if (place->refusal_told != 0 && now - place->refusal_told < REFUSAL_EVERY) {
        return;
    }
    place->refusal_told = now > 0 ? now : 1;
    dpl_device_log(
        device, DPL_LOG_WARN,
        "not placed at x %.2f m, y %.2f m, %.0f deg of its world: %s; it stays where it is",
        place->pose.x, place->pose.y, dpl_rad_to_deg(place->pose.theta), refusal_of(place->result));
}

/* ---- touches ---- */

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
