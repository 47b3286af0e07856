/* SPDX-License-Identifier: Apache-2.0 */
/* Frame alignment. */
#include "alignment.h"

#include <stddef.h>

void dpl_sync_alignment_init(struct dpl_sync_alignment *alignment, enum dpl_sync_align mode,
                             int samples)
{
    *alignment = (struct dpl_sync_alignment){
        .mode = mode,
        .samples = samples < 1                        ? 1
                   : samples > DPL_SYNC_ALIGN_SAMPLES ? DPL_SYNC_ALIGN_SAMPLES
                                                      : samples,
        .done = mode == DPL_SYNC_ALIGN_NONE,
    };
}

static void insert(double sorted[], int n, double value)
{
    int i = n;
    for (; i > 0 && sorted[i - 1] > value; i--) {
        sorted[i] = sorted[i - 1];
    }
    sorted[i] = value;
}

/* What one robot showed while the other was not there is of another time: both are collected from
 * the first moment on that both are seen. */
static void add(struct dpl_sync_pose_median *median, const struct dpl_sync_stamped_pose *measured,
                int limit, bool alone)
{
    if (measured && alone && measured->stamp_s > median->stamp_s) {
        median->count = 0;
    }
    if (!measured || median->count >= limit || !dpl_pose2_is_finite(measured->pose) ||
        (median->count > 0 && measured->stamp_s <= median->stamp_s)) {
        return;
    }
    insert(median->x, median->count, measured->pose.x);
    insert(median->y, median->count, measured->pose.y);
    insert(median->theta, median->count, dpl_wrap_angle(measured->pose.theta));
    median->stamp_s = measured->stamp_s;
    median->count++;
}

static double middle(const double sorted[], int n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
}

/* The i-th angle, counted on over the end of the circle. */
static double around(const double sorted[], int n, int i)
{
    return i < n ? sorted[i] : sorted[i - n] + 2.0 * DPL_PI;
}

static double middle_on_circle(const double sorted[], int n)
{
    int half = n / 2, first = 0;
    for (int i = 1; i < n; i++) {
        double arc = around(sorted, n, i + half) - sorted[i];
        first = arc < around(sorted, n, first + half) - sorted[first] ? i : first;
    }
    double opposite =
        dpl_wrap_angle((sorted[first] + around(sorted, n, first + half)) / 2.0 + DPL_PI);
    int from = 0;
    while (from < n && sorted[from] < opposite) {
        from++;
    }
    double low = around(sorted, n, from + (n - 1) / 2), high = around(sorted, n, from + n / 2);
    return dpl_wrap_angle((low + high) / 2.0);
}

struct dpl_pose2 dpl_sync_pose_median_get(const struct dpl_sync_pose_median *median)
{
    int n = median->count;
    return (struct dpl_pose2){middle(median->x, n), middle(median->y, n),
                              middle_on_circle(median->theta, n)};
}

/* The pose of the real frame that takes the median real pose to the median avatar pose. */
static struct dpl_pose2 transform_between(struct dpl_pose2 real, struct dpl_pose2 avatar)
{
    struct dpl_pose2 origin_seen_from_real = dpl_pose2_relative(real, (struct dpl_pose2){0});
    return dpl_pose2_compose(avatar, origin_seen_from_real);
}

bool dpl_sync_alignment_offer(struct dpl_sync_alignment *alignment,
                              const struct dpl_sync_stamped_pose *real,
                              const struct dpl_sync_stamped_pose *avatar, bool moving)
{
    if (alignment->done) {
        return false;
    }
    bool real_alone = alignment->avatar.count == 0, avatar_alone = alignment->real.count == 0;
    add(&alignment->real, real, alignment->samples, real_alone);
    add(&alignment->avatar, avatar, alignment->samples, avatar_alone);
    int fewest = alignment->real.count < alignment->avatar.count ? alignment->real.count
                                                                 : alignment->avatar.count;
    if (fewest < (moving ? 1 : alignment->samples)) {
        return false;
    }
    if (alignment->mode == DPL_SYNC_ALIGN_FRAMES) {
        alignment->transform = transform_between(dpl_sync_pose_median_get(&alignment->real),
                                                 dpl_sync_pose_median_get(&alignment->avatar));
    }
    alignment->done = true;
    return true;
}

struct dpl_pose2 dpl_sync_alignment_apply(const struct dpl_sync_alignment *alignment,
                                          struct dpl_pose2 real)
{
    return dpl_pose2_compose(alignment->transform, real);
}
