/* SPDX-License-Identifier: Apache-2.0 */
/* The lag is detected by the activity of the saturation stage, not by a distance: while the stage
 * copies its input there is no lag at any speed. */
#include "lag.h"

#include <math.h>

static void find_axis(struct dpl_traj_lag *lag, const struct dpl_traj_axes *axes,
                      const struct dpl_traj_trace *trace)
{
    double worst = -1.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double off = fabs(trace->deflected[i] - trace->saturated[i]);
        if (off / axes->step_max[i] > worst) {
            worst = off / axes->step_max[i];
            lag->axis = i;
            lag->off = off;
        }
    }
}

void dpl_traj_lag_stop(struct dpl_traj_lag *lag)
{
    lag->lasts_s = lag->rests_s = 0.0;
}

static enum dpl_traj_lag_event rest(struct dpl_traj_lag *lag, double limit_s, double period_s)
{
    lag->rests_s += period_s;
    if (lag->lasts_s == 0.0 || lag->rests_s < DPL_TRAJ_LAG_REST_S) {
        return DPL_TRAJ_LAG_NOTHING;
    }
    bool was_long = limit_s > 0.0 && lag->lasts_s > limit_s;
    dpl_traj_lag_stop(lag);
    return was_long ? DPL_TRAJ_LAG_ENDS : DPL_TRAJ_LAG_NOTHING;
}

enum dpl_traj_lag_event dpl_traj_lag_step(struct dpl_traj_lag *lag, double limit_s,
                                          const struct dpl_traj_axes *axes,
                                          const struct dpl_traj_trace *trace)
{
    if ((trace->acted & DPL_TRAJ_SATURATION) == 0) {
        return rest(lag, limit_s, axes->period_s);
    }
    double before_s = lag->lasts_s;
    lag->lasts_s += axes->period_s + lag->rests_s * (before_s > 0.0);
    lag->rests_s = 0.0;
    lag->longest_s = fmax(lag->longest_s, lag->lasts_s);
    find_axis(lag, axes, trace);
    if (limit_s > 0.0 && lag->lasts_s > limit_s && before_s <= limit_s) {
        lag->n++;
        return DPL_TRAJ_LAG_BEGINS;
    }
    return DPL_TRAJ_LAG_NOTHING;
}
