/* SPDX-License-Identifier: Apache-2.0 */
/* Computed torque along a path. */
#include "delta_control.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "delta_workspace.h"
#include "quintic.h"

static const double most_condition = 8.0;

enum { PATH_SAMPLES = 600 }; /* of a cycle, to check it */

static const char *breach_of(const struct dpl_delta_control *control)
{
    const char *what = NULL;
    if (dpl_delta_check(&control->delta, &what) || dpl_pick_place_check(&control->path, &what)) {
        return what;
    }
    if (!(control->bandwidth_rad_s > 0.0) || !isfinite(control->bandwidth_rad_s)) {
        return "the bandwidth is not above 0";
    }
    if (!(control->approach_s > 0.0) || !isfinite(control->approach_s)) {
        return "the time of the approach is not above 0";
    }
    for (int i = 0; i < PATH_SAMPLES; i++) {
        double p[3], v[3], a[3];
        dpl_pick_place_at(&control->path, 2.0 * control->path.way_s * i / PATH_SAMPLES, p, v, a);
        enum dpl_delta_place place = dpl_delta_place(&control->delta, p, most_condition);
        if (place != DPL_DELTA_ALLOWED) {
            return dpl_delta_place_name(place);
        }
    }
    return NULL;
}

int dpl_delta_control_start(struct dpl_delta_control *control, const double *q,
                            const char **reterr_what)
{
    const char *breach = breach_of(control);
    struct dpl_delta_motion now = {0};
    memcpy(now.q, q, sizeof now.q);
    if (!breach && dpl_delta_motion_of_platform(&control->delta, &now)) {
        breach = "the joints are not those of a delta that is whole";
    }
    if (breach && reterr_what) {
        *reterr_what = breach;
    }
    memcpy(control->from_q, q, sizeof control->from_q);
    return breach ? -EINVAL : 0;
}

/* Along the path; p, v, a and the joints. */
static int follow_path(const struct dpl_delta_control *control, double at_s,
                       struct dpl_delta_motion *ret_motion)
{
    dpl_pick_place_at(&control->path, at_s, ret_motion->p, ret_motion->v, ret_motion->a);
    return dpl_delta_motion_of_joints(&control->delta, ret_motion);
}

/* Each joint moves by a quintic from where it was to the start of the path. */
static int approach(const struct dpl_delta_control *control, double at_s,
                    struct dpl_delta_motion *ret_motion)
{
    struct dpl_delta_motion begin;
    int err = follow_path(control, 0.0, &begin);
    if (err) {
        return err;
    }
    double rate = 1.0 / control->approach_s;
    struct dpl_quintic s = dpl_quintic_at(at_s * rate);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double way = begin.q[i] - control->from_q[i];
        ret_motion->q[i] = control->from_q[i] + way * s.s;
        ret_motion->qd[i] = way * s.ds * rate;
        ret_motion->qdd[i] = way * s.dds * rate * rate;
    }
    return dpl_delta_motion_of_platform(&control->delta, ret_motion);
}

int dpl_delta_control_reference(const struct dpl_delta_control *control, double at_s,
                                struct dpl_delta_motion *ret_motion)
{
    double on_path_s = at_s - control->approach_s;
    return on_path_s < 0.0 ? approach(control, at_s, ret_motion)
                           : follow_path(control, on_path_s, ret_motion);
}

int dpl_delta_control_torque(const struct dpl_delta_control *control,
                             const struct dpl_delta_motion *reference, const double *q,
                             const double *qd, double *ret_torque_nm)
{
    double w = control->bandwidth_rad_s;
    struct dpl_delta_motion wanted;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        wanted.q[i] = q[i];
        wanted.qd[i] = qd[i];
        wanted.qdd[i] = reference->qdd[i] + 2.0 * w * (reference->qd[i] - qd[i]) +
                        w * w * (reference->q[i] - q[i]);
    }
    int err = dpl_delta_motion_of_platform(&control->delta, &wanted);
    return err ? err : dpl_delta_torque(&control->delta, &wanted, ret_torque_nm);
}
