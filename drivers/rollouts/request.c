/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <errno.h>
#include <math.h>

static bool is_scale(double scale)
{
    return scale > 0.0 && scale < 10.0;
}

static bool is_sound_want(const struct dpl_rollouts_want *want, double sample_s)
{
    return want->duration_s > 0.0 && want->duration_s <= sample_s * (DPL_ROLLOUTS_POSES_MAX - 2) &&
           (want->start == DPL_ROLLOUTS_HERE || dpl_pose2_is_finite(want->pose)) &&
           is_scale(want->scale_left) && is_scale(want->scale_right);
}

static bool is_sound_twist(const struct dpl_rollouts_twist *twist, int64_t n)
{
    return twist->rollout < n && twist->at_s >= 0.0 && twist->at_s < 1e6 &&
           isfinite(twist->twist.linear) && isfinite(twist->twist.angular);
}

int rollouts_check(const struct dpl_rollouts_request *request)
{
    bool sound = (request->wants || request->n == 0) &&
                 (request->twists || request->n_twists == 0) &&
                 request->n_twists <= DPL_ROLLOUTS_TWISTS_MAX;
    for (int64_t i = 0; sound && i < request->n; i++) {
        sound = is_sound_want(&request->wants[i], request->sample_s);
    }
    for (size_t i = 0; sound && i < request->n_twists; i++) {
        sound = is_sound_twist(&request->twists[i], request->n);
    }
    return sound ? 0 : -EINVAL;
}
