/* SPDX-License-Identifier: Apache-2.0 */
/* How well a pose explains the newest scan. Mount, bias and scale of the laser are the filter's;
 * its pose and the odometry are not used. */
#include "localizer_parts.h"

#define LEAST_JUDGED 20

/* The k-th smallest of n numbers, which are put into another order (Hoare, Algorithm 65: Find,
 * Communications of the ACM 4(7), 1961). qsort may allocate. */
static double select_kth(double *numbers, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = numbers[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            for (; numbers[i] < pivot; i++) {
            }
            for (; numbers[j] > pivot; j--) {
            }
            if (i >= j) {
                break;
            }
            double kept = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = kept;
        }
        /* low .. j at most the pivot, the rest at least */
        if (k <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return numbers[low];
}

/* Median distance between measured and exact range over the beams that returned; a beam that should
 * have met nothing counts with the scanner's range. */
static double median_distance(struct localizer *l, const struct loc_laser *laser)
{
    const struct loc_scan *scan = &l->scan;
    size_t n = 0;
    for (size_t i = 0; i < scan->n; i++) {
        if (scan->range[i] > 0.0) {
            double exact = fmin(scan->hit[i].range, scan->range_max);
            l->scratch[n++] = fabs(scan->range[i] - laser->bias - (1.0 + laser->scale) * exact);
        }
    }
    return n > 0 ? select_kth(l->scratch, n, n / 2) : 0.0;
}

static struct loc_laser laser_at_base(const struct localizer *l, struct dpl_pose2 base)
{
    return loc_filter_laser(&l->track.filter, base, l->scan.mount);
}

void localizer_view(struct localizer *localizer, struct dpl_pose2 avatar,
                    struct localizer_view *ret_view)
{
    *ret_view = (struct localizer_view){0};
    if (!isfinite(localizer->scan_came_s) || !dpl_pose2_is_finite(avatar)) {
        return;
    }
    const struct loc_filter *filter = &localizer->track.filter;
    struct loc_wheels wheels = loc_filter_wheels(filter);
    struct dpl_pose2 moved = loc_history_move(&localizer->history, &wheels, filter->time_s,
                                              localizer_scan_time(localizer));
    struct dpl_pose2 base = dpl_pose2_compose(loc_filter_pose(filter), moved);
    struct loc_laser here = laser_at_base(localizer, base);
    struct loc_laser there = laser_at_base(localizer, avatar);
    struct loc_judgement judged;
    loc_scan_cast(&localizer->scan, localizer->plan, &here.pose, 1);
    double q0 = median_distance(localizer, &here);
    loc_scan_cast(&localizer->scan, localizer->plan, &there.pose, 1);
    double q = median_distance(localizer, &there);
    loc_match_judge(&localizer->match, &localizer->scan, &there, 1, &judged);
    ret_view->valid = judged.n_judged >= LEAST_JUDGED;
    if (ret_view->valid) {
        ret_view->agreement = judged.agreement;
        ret_view->scan_distance_m = sqrt(fmax(0.0, q * q - q0 * q0));
    }
}
