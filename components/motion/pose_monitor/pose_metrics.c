/* SPDX-License-Identifier: Apache-2.0 */
/* Errors between two poses, and the estimation of the lag. */
#include "pose_metrics.h"

#include <math.h>
#include <string.h>

/* Least motion for the estimation of a lag: 10 mm in a span once, or less motion for a longer
 * time. */
#define MOTION_LEAST_M2 1e-4

static void rotation(const double pose[DPL_SIX], double ret[3][3])
{
    double sr = sin(pose[3]), cr = cos(pose[3]);
    double sp = sin(pose[4]), cp = cos(pose[4]);
    double sy = sin(pose[5]), cy = cos(pose[5]);
    const double r[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                            {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                            {-sp, cp * sr, cp * cr}};
    memcpy(ret, r, sizeof r);
}

/* From the chord |Ra - Rb| = sqrt(8) sin(angle/2). This is accurate also for small angles, for
 * which the trace is not. */
static double angle_between(const double first[DPL_SIX], const double second[DPL_SIX])
{
    double a[3][3], b[3][3], square = 0.0;
    rotation(first, a);
    rotation(second, b);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            square += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
        }
    }
    return 2.0 * asin(fmin(sqrt(square / 8.0), 1.0));
}

struct pose_error pose_error_of(const double first[DPL_SIX], const double second[DPL_SIX])
{
    double dx = second[0] - first[0], dy = second[1] - first[1], dz = second[2] - first[2];
    return (struct pose_error){sqrt(dx * dx + dy * dy + dz * dz), angle_between(first, second)};
}

void pose_statistics_add(struct pose_statistics *statistics, const struct pose_error *error)
{
    statistics->n++;
    statistics->position_m2 += error->position_m * error->position_m;
    statistics->orientation_rad2 += error->orientation_rad * error->orientation_rad;
    statistics->most.position_m = fmax(statistics->most.position_m, error->position_m);
    statistics->most.orientation_rad =
        fmax(statistics->most.orientation_rad, error->orientation_rad);
}

struct pose_error pose_statistics_rms(const struct pose_statistics *statistics)
{
    double n = statistics->n > 0 ? (double)statistics->n : 1.0;
    return (struct pose_error){sqrt(statistics->position_m2 / n),
                               sqrt(statistics->orientation_rad2 / n)};
}

void pose_lag_init(struct pose_lag *lag, double length_m)
{
    *lag = (struct pose_lag){.length_m = length_m};
}

void pose_lag_break(struct pose_lag *lag)
{
    lag->n = 0;
}

/* The motion of a pose in a ring over the span that ended `back` samples ago. */
static void motion_of(const struct pose_lag *lag, double ring[POSE_RING][DPL_SIX], uint64_t back,
                      double ret[DPL_SIX])
{
    const double *to = ring[(lag->n - 1 - back) % POSE_RING];
    const double *from = ring[(lag->n - 1 - back - POSE_SPAN) % POSE_RING];
    for (int i = 0; i < DPL_SIX; i++) {
        ret[i] = to[i] - from[i];
    }
}

/* Square of the distance of two motions; small angles add as vectors. */
static double distance2(const struct pose_lag *lag, const double a[DPL_SIX],
                        const double b[DPL_SIX])
{
    double sum = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double d = (a[i] - b[i]) * (i < 3 ? 1.0 : lag->length_m);
        sum += d * d;
    }
    return sum;
}

/* The second pose of POSE_LAGS samples ago has neighbours of the first pose on both sides. */
static void compare(struct pose_lag *lag)
{
    static const double none[DPL_SIX];
    double first[DPL_SIX], second[DPL_SIX];
    motion_of(lag, lag->second, POSE_LAGS, second);
    for (int i = 0; i < POSE_BANK; i++) {
        motion_of(lag, lag->first, (uint64_t)i, first);
        lag->cost_m2[i] += distance2(lag, second, first);
    }
    lag->motion_m2 += distance2(lag, second, none);
}

void pose_lag_add(struct pose_lag *lag, const double first[DPL_SIX], const double second[DPL_SIX])
{
    memcpy(lag->first[lag->n % POSE_RING], first, sizeof lag->first[0]);
    memcpy(lag->second[lag->n % POSE_RING], second, sizeof lag->second[0]);
    lag->n++;
    if (lag->n >= POSE_RING) {
        compare(lag);
    }
}

bool pose_lag_estimate(const struct pose_lag *lag, double *ret_samples)
{
    const double *cost = lag->cost_m2;
    int best = 0;
    for (int i = 1; i < POSE_BANK; i++) {
        best = cost[i] < cost[best] ? i : best;
    }
    if (lag->motion_m2 < MOTION_LEAST_M2 || best == 0 || best == POSE_BANK - 1) {
        return false;
    }
    double bend = cost[best - 1] - 2.0 * cost[best] + cost[best + 1];
    double shift = bend > 0.0 ? 0.5 * (cost[best - 1] - cost[best + 1]) / bend : 0.0;
    *ret_samples = (double)(best - POSE_LAGS) + shift;
    return true;
}
