/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking law: the gains follow from the delay in the loop, so that one set serves every period.
 */
#include "control_law.h"

#include <stddef.h>

#define DAMPING          0.8
#define LATERAL_GAIN     9.0 /* 1/m */
#define MAX_ALONG        0.10
/* A fast robot misses what its wheels promise by the same part of its speed as a slow one. */
#define SLOW             0.2 /* m/s */
#define MAX_ALONG_PART   0.5 /* of the fastest speed */
#define BIAS_PART        0.1
#define HASTE_FROM       0.1 /* m */
#define MOST_HASTE       2.0
/* A speed that catches up has to be shed while the wheels may already brake as the robot does. */
#define SPARE_PART       0.2 /* of the wheels' acceleration */
#define MAX_LATERAL      0.15
#define MAX_TURN         0.8
/* The loop's delay beyond the period; a slower drive is not made slower still by lower gains. */
#define FREE_DELAY_S     0.15
#define MAX_MORE_DELAY_S 0.15
#define LEAST_ALONG      0.3 /* of what the wheels can do */
#define STANDSTILL_SPEED 0.005
#define STANDSTILL_ERROR 0.003
#define STANDSTILL_SIGMA 2.0 /* a smaller error than this is noise */

static double sinc(double x)
{
    return fabs(x) < 1e-6 ? 1.0 : sin(x) / x;
}

/* Where the follower stands, only an error that is none of the noise is worth a motion. */
static double rest_error(double doubt_m)
{
    return doubt_m > 0.0 ? fmin(STANDSTILL_ERROR, STANDSTILL_SIGMA * doubt_m) : STANDSTILL_ERROR;
}

struct dpl_twist2 dpl_sync_control(const struct dpl_sync_tracking *tracking)
{
    double vr = tracking->reference.linear, wr = tracking->reference.angular;
    double ex = tracking->error.x, ey = tracking->error.y, et = tracking->error.theta;
    double more = tracking->latency_s + tracking->lag_s - FREE_DELAY_S;
    double delay = tracking->loop.period_s + 0.05 + dpl_clamp(more, 0.0, MAX_MORE_DELAY_S);
    double g = LATERAL_GAIN;

    if (fabs(vr) > 1e-6) {
        g = fmin(g, 0.30 / (delay * fabs(vr)));
    }
    if (fabs(vr) < STANDSTILL_SPEED && fabs(ex) < rest_error(tracking->doubt_m)) {
        ex = 0.0;
    }
    double k1 = fmin(2.5, 0.35 / delay);
    double kth = fmax(1.5, 2.0 * DAMPING * sqrt(wr * wr / 4.0 + g * g * vr * vr));
    kth = fmin(kth, 0.45 / delay);
    double lateral = g * g * vr * sinc(et) * dpl_clamp(ey, -MAX_LATERAL, MAX_LATERAL);
    double haste = tracking->checked ? dpl_clamp(fabs(ex) / HASTE_FROM, 1.0, MOST_HASTE) : 1.0;
    double along = fmax(haste * MAX_ALONG, MAX_ALONG_PART * tracking->loop.max_velocity);
    if (tracking->acceleration > 0.0) {
        along = fmin(along, sqrt(2.0 * SPARE_PART * tracking->acceleration * fabs(ex)));
    }
    return (struct dpl_twist2){
        vr * cos(et) + dpl_clamp(k1 * ex, -along, along),
        wr + dpl_clamp(lateral + kth * et, -MAX_TURN, MAX_TURN),
    };
}

struct dpl_twist2 dpl_sync_control_compensate(struct dpl_twist2 wanted, struct dpl_twist2 bias,
                                              const struct dpl_sync_map *map)
{
    double most = BIAS_PART * fmax(SLOW, fabs(wanted.linear));
    struct dpl_twist2 command = {
        wanted.linear - dpl_clamp(bias.linear / 2.0, -most, most),
        wanted.angular - dpl_clamp(bias.angular / 2.0, -0.1, 0.1),
    };
    dpl_sync_map_invert(map, command, &command);
    return command;
}

struct dpl_twist2 dpl_sync_control_allocate(struct dpl_twist2 command,
                                            const struct dpl_sync_wheels_now *wheels,
                                            double horizon_s)
{
    double mean = (wheels->left + wheels->right) / 2.0;
    double half = (wheels->right - wheels->left) / 2.0;
    double reach = wheels->acceleration * horizon_s;
    double turning = fabs(command.angular * wheels->axle_m / 2.0 - half);
    double rest = fmax(reach - turning, fmax(LEAST_ALONG * reach, SLOW));
    command.linear = dpl_clamp(command.linear, mean - rest, mean + rest);
    return command;
}

struct dpl_twist2 dpl_sync_saturate(struct dpl_twist2 command, const struct dpl_sync_limits *limits,
                                    bool *ret_saturated)
{
    struct dpl_twist2 cut = {
        dpl_clamp(command.linear, -limits->linear, limits->linear),
        dpl_clamp(command.angular, -limits->angular, limits->angular),
    };
    if (ret_saturated) {
        *ret_saturated = cut.linear < command.linear || cut.linear > command.linear ||
                         cut.angular < command.angular || cut.angular > command.angular;
    }
    return cut;
}
