/* SPDX-License-Identifier: Apache-2.0 */
#include "scan_points.h"

#include <math.h>

/* The odometry's velocity around scan `i`, per second, in the frame of the base. */
static struct dpl_pose2 velocity(const struct recording *recording, size_t i)
{
    const struct recorded_scan *scans = recording->scans;
    size_t a = i > 0 ? i - 1 : i, b = i + 1 < recording->n ? i + 1 : i;
    double seconds = scans[b].time_s - scans[a].time_s;
    if (seconds <= 0.0) {
        return (struct dpl_pose2){0};
    }
    struct dpl_pose2 moved = dpl_pose2_relative(scans[a].odometry, scans[b].odometry);
    double forward = hypot(moved.x, moved.y) * (moved.x < 0.0 ? -1.0 : 1.0);
    return (struct dpl_pose2){forward / seconds, 0.0, moved.theta / seconds};
}

/* Whether the range is far from a neighbour's, in depth. */
static bool differs(float range, float other)
{
    return other <= 0.0f || fabsf(range - other) > 0.08f + 0.05f * range;
}

static bool stands_alone(const float *ranges, size_t n, size_t i)
{
    bool left = i == 0 || differs(ranges[i], ranges[i - 1]);
    bool right = i + 1 >= n || differs(ranges[i], ranges[i + 1]);
    return left && right;
}

size_t scan_points_of(const struct recording *recording, size_t i,
                      const struct scan_points_options *options, struct scan_point *ret)
{
    const struct recorded_scan *scan = &recording->scans[i];
    const float *ranges = recording->ranges + scan->first;
    struct dpl_pose2 speed = velocity(recording, i);
    double beam_s = options->sweep_s * fabs(scan->step_angle) / (2.0 * DPL_PI);
    size_t n = 0;
    for (size_t k = 0; k < scan->n; k++) {
        double range = (double)ranges[k];
        bool left_out = !options->lone && stands_alone(ranges, scan->n, k);
        if (range <= options->min_range_m || left_out) {
            continue;
        }
        double late_s = beam_s * ((double)k - 0.5 * (double)(scan->n - 1));
        struct dpl_pose2 moved = {speed.x * late_s, 0.0, speed.theta * late_s};
        struct dpl_pose2 laser = dpl_pose2_compose(moved, scan->mount);
        double angle = laser.theta + scan->start_angle + (double)k * scan->step_angle;
        ret[n++] = (struct scan_point){laser.x + range * cos(angle), laser.y + range * sin(angle),
                                       laser.x, laser.y, range};
    }
    return n;
}
