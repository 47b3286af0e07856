/* SPDX-License-Identifier: Apache-2.0 */
/* Three quintics: up, across, down. */
#include "pick_place.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "quintic.h"

const struct dpl_pick_place dpl_pick_place_reference = {
    .pick_m = {-0.1525, 0.0, -0.5},
    .place_m = {0.1525, 0.0, -0.5},
    .lift_m = 0.025,
    .way_s = 0.30,
    .lift_s = 0.10,
    .across_after_s = 0.05,
};

static bool finite3(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static const char *breach_of(const struct dpl_pick_place *path)
{
    if (!finite3(path->pick_m) || !finite3(path->place_m)) {
        return "a place is not finite";
    }
    if (!(path->lift_m >= 0.0) || !isfinite(path->lift_m)) {
        return "the lift is negative or not finite";
    }
    if (!(path->way_s > 0.0) || !isfinite(path->way_s)) {
        return "the time of a way is not above 0";
    }
    if (!(path->lift_s > 0.0 && path->lift_s <= 0.5 * path->way_s)) {
        return "the time of the lift is not above 0 and at most half of the way";
    }
    if (!(path->across_after_s >= 0.0 && path->across_after_s < 0.5 * path->way_s)) {
        return "the movement across does not begin within the first half of the way";
    }
    return NULL;
}

int dpl_pick_place_check(const struct dpl_pick_place *path, const char **reterr_what)
{
    const char *breach = breach_of(path);
    if (breach && reterr_what) {
        *reterr_what = breach;
    }
    return breach ? -EINVAL : 0;
}

/* Adds a movement by `distance` that begins and lasts so long. */
static void add_movement(double distance, double elapsed_s, double duration_s, double *p, double *v,
                         double *a)
{
    struct dpl_quintic s = dpl_quintic_at(elapsed_s / duration_s);
    *p += distance * s.s;
    *v += distance * s.ds / duration_s;
    *a += distance * s.dds / (duration_s * duration_s);
}

void dpl_pick_place_at(const struct dpl_pick_place *path, double at_s, double *ret_p, double *ret_v,
                       double *ret_a)
{
    double cycle = 2.0 * path->way_s, t = fmod(at_s, cycle);
    t = t < 0.0 ? t + cycle : t;
    bool back = t >= path->way_s;
    const double *from = back ? path->place_m : path->pick_m;
    const double *to = back ? path->pick_m : path->place_m;
    t = back ? t - path->way_s : t;
    double across_s = path->way_s - 2.0 * path->across_after_s;
    for (int k = 0; k < 3; k++) {
        ret_p[k] = from[k];
        ret_v[k] = ret_a[k] = 0.0;
    }
    for (int k = 0; k < 2; k++) {
        add_movement(to[k] - from[k], t - path->across_after_s, across_s, &ret_p[k], &ret_v[k],
                     &ret_a[k]);
    }
    double top = fmax(from[2], to[2]) + path->lift_m;
    add_movement(top - from[2], t, path->lift_s, &ret_p[2], &ret_v[2], &ret_a[2]);
    add_movement(to[2] - top, t - (path->way_s - path->lift_s), path->lift_s, &ret_p[2], &ret_v[2],
                 &ret_a[2]);
}
