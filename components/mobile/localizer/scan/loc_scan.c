/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_scan.h"

#include <stdlib.h>
#include <string.h>

#define SWEEP_PIECES 16
#define USUAL_BEAMS  682
#define CAST_BEYOND  1.25 /* of the scanner's range: a surface may be farther than the plan says */

bool loc_scan_init(struct loc_scan *scan, size_t n_max)
{
    memset(scan, 0, sizeof *scan);
    scan->n_max = n_max;
    double **arrays[] = {&scan->range, &scan->cosine, &scan->sine, &scan->x,
                         &scan->y,     &scan->dx,     &scan->dy};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = calloc(n_max, sizeof(double));
        if (!*arrays[i]) {
            return false;
        }
    }
    scan->first = calloc(n_max, sizeof *scan->first);
    scan->hit = calloc(n_max, sizeof *scan->hit);
    return scan->first && scan->hit;
}

void loc_scan_finish(struct loc_scan *scan)
{
    free(scan->range);
    free(scan->cosine);
    free(scan->sine);
    free(scan->x);
    free(scan->y);
    free(scan->dx);
    free(scan->dy);
    free(scan->first);
    free(scan->hit);
}

static double usable_range(const struct localizer_scan *from, size_t i)
{
    double range = (double)from->ranges[i];
    bool returned = range > 0.0 && range >= from->range_min && range <= from->range_max;
    return returned ? range : 0.0;
}

static bool is_sound(const struct loc_scan *scan, const struct localizer_scan *from)
{
    return from->n > 0 && from->n <= scan->n_max && isfinite(from->stamp_s) &&
           isfinite(from->start_angle) && isfinite(from->step_angle) && isfinite(from->range_max) &&
           from->range_max > 0.0 && dpl_pose2_is_finite(from->mount);
}

/* A scan without any return may repeat. */
static bool is_equal(const struct loc_scan *scan, const struct localizer_scan *from)
{
    bool equal = scan->n == from->n && scan->n_returned > 0;
    for (size_t i = 0; equal && i < from->n; i++) {
        equal = scan->range[i] == usable_range(from, i);
    }
    return equal;
}

static void aim_beams(struct loc_scan *scan, const struct localizer_scan *from)
{
    if (scan->n == from->n && scan->start_angle == from->start_angle &&
        scan->step_angle == from->step_angle) {
        return;
    }
    for (size_t i = 0; i < from->n; i++) {
        double angle = from->start_angle + (double)i * from->step_angle;
        scan->cosine[i] = cos(angle);
        scan->sine[i] = sin(angle);
    }
}

bool loc_scan_take(struct loc_scan *scan, const struct localizer_scan *from, bool *ret_equal)
{
    *ret_equal = false;
    if (!is_sound(scan, from)) {
        return false;
    }
    *ret_equal = is_equal(scan, from);
    if (*ret_equal) {
        return false;
    }
    aim_beams(scan, from);
    scan->n = from->n;
    scan->stamp_s = from->stamp_s;
    scan->start_angle = from->start_angle;
    scan->step_angle = from->step_angle;
    scan->range_max = from->range_max;
    scan->mount = from->mount;
    scan->n_returned = 0;
    for (size_t i = 0; i < from->n; i++) {
        scan->range[i] = usable_range(from, i);
        scan->n_returned += scan->range[i] > 0.0;
    }
    loc_scan_still(scan);
    return true;
}

void loc_scan_copy(struct loc_scan *to, const struct loc_scan *from)
{
    size_t bytes = from->n * sizeof(double);
    memcpy(to->range, from->range, bytes);
    memcpy(to->cosine, from->cosine, bytes);
    memcpy(to->sine, from->sine, bytes);
    memcpy(to->x, from->x, bytes);
    memcpy(to->y, from->y, bytes);
    memcpy(to->dx, from->dx, bytes);
    memcpy(to->dy, from->dy, bytes);
    to->n = from->n;
    to->n_returned = from->n_returned;
    to->stamp_s = from->stamp_s;
    to->start_angle = from->start_angle;
    to->step_angle = from->step_angle;
    to->range_max = from->range_max;
    to->mount = from->mount;
}

void loc_scan_still(struct loc_scan *scan)
{
    memset(scan->x, 0, scan->n * sizeof *scan->x);
    memset(scan->y, 0, scan->n * sizeof *scan->y);
    memcpy(scan->dx, scan->cosine, scan->n * sizeof *scan->dx);
    memcpy(scan->dy, scan->sine, scan->n * sizeof *scan->dy);
}

/* The laser at an instant of the sweep in its own frame at mid-sweep. */
static struct dpl_pose2 laser_during(const struct loc_sweep *sweep, double after_s)
{
    struct dpl_pose2 moved = loc_history_move(sweep->history, &sweep->wheels, sweep->middle_s,
                                              sweep->middle_s + after_s);
    return dpl_pose2_relative(sweep->mount, dpl_pose2_compose(moved, sweep->mount));
}

/* The turn within half a sweep is small: sine and cosine by their series, exact to 1e-9. */
static void turn_beam(struct loc_scan *scan, size_t i, double turn)
{
    double t2 = turn * turn;
    double c = 1.0 - t2 / 2.0 + t2 * t2 / 24.0, s = turn * (1.0 - t2 / 6.0 + t2 * t2 / 120.0);
    scan->dx[i] = c * scan->cosine[i] - s * scan->sine[i];
    scan->dy[i] = s * scan->cosine[i] + c * scan->sine[i];
}

void loc_scan_deskew(struct loc_scan *scan, const struct loc_sweep *sweep)
{
    struct dpl_pose2 knots[SWEEP_PIECES + 1];
    double last = (double)(scan->n - 1);
    double lasts_s = last * fabs(scan->step_angle) / (2.0 * DPL_PI) * sweep->revolution_s;
    for (int k = 0; k <= SWEEP_PIECES; k++) {
        knots[k] = laser_during(sweep, lasts_s * ((double)k / SWEEP_PIECES - 0.5));
    }
    for (size_t i = 0; i < scan->n; i++) {
        double place = last > 0.0 ? (double)i / last * SWEEP_PIECES : 0.0;
        int k = place < SWEEP_PIECES ? (int)place : SWEEP_PIECES - 1;
        double share = place - k;
        const struct dpl_pose2 *a = &knots[k], *b = &knots[k + 1];
        scan->x[i] = a->x + share * (b->x - a->x);
        scan->y[i] = a->y + share * (b->y - a->y);
        turn_beam(scan, i, a->theta + share * (b->theta - a->theta));
    }
}

static struct dpl_raycast_ray turned_ray(const struct loc_scan *scan, const struct dpl_pose2 *laser,
                                         double c, double s, size_t i)
{
    return (struct dpl_raycast_ray){
        .x = laser->x + c * scan->x[i] - s * scan->y[i],
        .y = laser->y + s * scan->x[i] + c * scan->y[i],
        .dx = c * scan->dx[i] - s * scan->dy[i],
        .dy = s * scan->dx[i] + c * scan->dy[i],
        .max_range = CAST_BEYOND * scan->range_max,
        .owner = DPL_RAYCAST_NO_OWNER,
    };
}

struct dpl_raycast_ray loc_scan_ray(const struct loc_scan *scan, const struct dpl_pose2 *laser,
                                    size_t i)
{
    return turned_ray(scan, laser, cos(laser->theta), sin(laser->theta), i);
}

void loc_scan_cast(struct loc_scan *scan, const struct dpl_raycast_index *plan,
                   const struct dpl_pose2 *laser, size_t every)
{
    double c = cos(laser->theta), s = sin(laser->theta);
    for (size_t i = 0; i < scan->n; i += every) {
        struct dpl_raycast_ray ray = turned_ray(scan, laser, c, s, i);
        dpl_raycast_ray(plan, &ray, &scan->first[i]);
        scan->hit[i] = scan->first[i];
    }
}

size_t loc_scan_every(const struct loc_scan *scan, size_t most)
{
    size_t every = most * scan->n / USUAL_BEAMS;
    return every < 1 ? 1 : every > most ? most : every;
}
