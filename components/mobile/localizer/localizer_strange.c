/* SPDX-License-Identifier: Apache-2.0 */
/* Where the newest scan shows something that the plan does not have. */
#include "localizer_parts.h"

#define STRANGE_M 0.1
#define THROUGH_M 0.05
#define BESIDE_M  0.02
#define GAP_M     0.15 /* between beams of the same thing */
#define NARROW_M  0.6  /* a thing whose middle is known from any side */
#define APART_M   0.1  /* of the places on a wide one */

/* Neighbouring beams that end on the same thing. */
struct cluster {
    size_t first, last; /* beams */
    double range_m;     /* of the last one */
};

static double true_range(const struct localizer *l, size_t i)
{
    const struct loc_laser *laser = &l->track.update.laser;
    return (l->scan.range[i] - laser->bias) / (1.0 + laser->scale);
}

/* The plan has a surface beside the beam's end: an object stands a little beside its place. */
static bool is_beside_surface(const struct loc_scan *scan, size_t i, double range_m)
{
    double share = STRANGE_M / fmax(range_m, STRANGE_M) / fabs(scan->step_angle);
    size_t aside = 1 + (size_t)share;
    size_t first = i > aside ? i - aside : 0, last = i + aside < scan->n ? i + aside : scan->n - 1;
    for (size_t j = first; j <= last; j++) {
        if (scan->hit[j].range < range_m + STRANGE_M) {
            return true;
        }
    }
    return false;
}

/* The beam ends well before the plan's surface, by the casts of the newest update. */
static bool is_strange(const struct localizer *l, size_t i)
{
    const struct loc_scan *scan = &l->scan;
    double range_m = true_range(l, i);
    double bound = 3.0 * loc_match_sigma(range_m) + STRANGE_M;
    return scan->range[i] > 0.0 && range_m < scan->hit[i].range - bound &&
           !is_beside_surface(scan, i, range_m);
}

static size_t add_point(struct localizer *l, size_t n, size_t beam, double range_m)
{
    const struct loc_scan *scan = &l->scan;
    const struct dpl_pose2 *laser = &l->track.update.laser.pose;
    double c = cos(laser->theta), s = sin(laser->theta);
    double x = scan->x[beam] + range_m * scan->dx[beam];
    double y = scan->y[beam] + range_m * scan->dy[beam];
    if (n == LOCALIZER_STRANGE) {
        return n;
    }
    l->strange[n][0] = laser->x + c * x - s * y;
    l->strange[n][1] = laser->y + s * x + c * y;
    return n + 1;
}

/* The beam of the cluster nearest to its middle that ends on the thing: the others between its ends
 * may see past it, or nothing. */
static size_t middle_of(const struct localizer *l, const struct cluster *cluster)
{
    size_t middle = (cluster->first + cluster->last) / 2, aside = 0;
    while (middle - aside > cluster->first && !is_strange(l, middle - aside) &&
           !is_strange(l, middle + aside)) {
        aside++;
    }
    return is_strange(l, middle - aside) ? middle - aside : middle + aside;
}

/* A narrow thing is told by its middle, as if it were round: the same place from all sides. A wide
 * one by points on its surface. */
static size_t add_cluster(struct localizer *l, size_t n, const struct cluster *cluster)
{
    size_t beams = cluster->last - cluster->first + 1;
    double spacing = fabs(l->scan.step_angle) * fmax(cluster->range_m, APART_M);
    double width = (double)beams * spacing;
    if (width <= NARROW_M) {
        size_t at = middle_of(l, cluster);
        return add_point(l, n, at, true_range(l, at) + 0.5 * width);
    }
    size_t every = 1 + (size_t)(APART_M / spacing);
    for (size_t i = cluster->first, step; i <= cluster->last; i += step) {
        bool ends_on_it = is_strange(l, i);
        n = ends_on_it ? add_point(l, n, i, true_range(l, i)) : n;
        step = ends_on_it ? every : 1;
    }
    return n;
}

static bool continues(const struct localizer *l, const struct cluster *cluster, size_t i)
{
    return i <= cluster->last + 2 && fabs(true_range(l, i) - cluster->range_m) <= GAP_M;
}

static size_t collect_strange(struct localizer *l)
{
    struct cluster cluster = {0};
    bool open = false;
    size_t n = 0;
    for (size_t i = 0; i < l->scan.n; i++) {
        if (!is_strange(l, i)) {
            continue;
        }
        if (open && !continues(l, &cluster, i)) {
            n = add_cluster(l, n, &cluster);
            open = false;
        }
        cluster.first = open ? cluster.first : i;
        cluster.last = i;
        cluster.range_m = true_range(l, i);
        open = true;
    }
    return open ? add_cluster(l, n, &cluster) : n;
}

/* The beam towards the point, and its neighbours, go well beyond it. Beams of a turning laser are
 * taken as of one instant. */
static bool looks_through(const void *context, double x, double y)
{
    const struct localizer *l = context;
    const struct loc_scan *scan = &l->scan;
    const struct dpl_pose2 *laser = &l->track.update.laser.pose;
    double dx = x - laser->x, dy = y - laser->y, distance = hypot(dx, dy);
    double angle = dpl_wrap_angle(atan2(dy, dx) - laser->theta - scan->start_angle);
    angle =
        angle * scan->step_angle < 0.0 ? angle + copysign(2.0 * DPL_PI, scan->step_angle) : angle;
    double beam = floor(angle / scan->step_angle + 0.5);
    double aside = 1.0 + floor(BESIDE_M / fmax(distance, BESIDE_M) / fabs(scan->step_angle));
    double least = distance + THROUGH_M + 3.0 * loc_match_sigma(distance);
    if (!(beam >= aside) || beam + aside + 1.0 > (double)scan->n) {
        return false;
    }
    for (size_t i = (size_t)(beam - aside); i <= (size_t)(beam + aside); i++) {
        if (!(scan->range[i] > least)) {
            return false;
        }
    }
    return true;
}

void localizer__strange_view(struct localizer *l, struct strangers_view *ret_view)
{
    const struct dpl_pose2 *laser = &l->track.update.laser.pose;
    *ret_view = (struct strangers_view){.points = (const double(*)[2])l->strange,
                                        .n_points = collect_strange(l),
                                        .from = {laser->x, laser->y},
                                        .looks_through = looks_through,
                                        .context = l};
}
