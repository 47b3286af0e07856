/* SPDX-License-Identifier: Apache-2.0 */
/* Steered wheels to motion. */
#include "planar_steer.h"

#include <errno.h>
#include <math.h>

static const struct dpl_place nowhere;
static const double same_m = 1e-6;           /* wheels of one axle differ by less along x */
static const double least_distance_m = 0.01; /* of the axles */

/* How far a wheel rolls per metre of the middle of the axle, with this curvature. Backwards: the
 * base turns about a point between the middle and the wheel. */
static double roll_of(const struct dpl_sim_wheel *wheel, const struct dpl_planar_steer *steer,
                      double curvature)
{
    double ahead = 1.0 - curvature * wheel->y;
    return wheel->steered ? copysign(hypot(ahead, curvature * steer->distance), ahead) : ahead;
}

static double curvature_of(const struct dpl_planar_steer *steer, double angle)
{
    return tan(angle) / steer->distance;
}

static bool is_driven(const struct dpl_sim_wheel *wheel)
{
    return wheel->motor[0] != '\0';
}

/* The mean way of the driven wheels per metre; 0: there are none. */
static double mean_roll(const struct dpl_sim_mobile *base, const struct dpl_planar_steer *steer,
                        double curvature)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < base->n_wheels; i++) {
        if (is_driven(&base->wheels[i])) {
            sum += roll_of(&base->wheels[i], steer, curvature);
            n++;
        }
    }
    return n > 0 ? sum / (double)n : 0.0;
}

/* The x of the wheels of one kind: 0, -ENOENT: there are none, -EDOM: they have several. */
static int find_axle(const struct dpl_sim_mobile *base, bool steered, double *ret_x)
{
    bool found = false;
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *wheel = &base->wheels[i];
        if (wheel->steered != steered) {
            continue;
        }
        if (found && fabs(wheel->x - *ret_x) > same_m) {
            return -EDOM;
        }
        *ret_x = wheel->x;
        found = true;
    }
    return found ? 0 : -ENOENT;
}

static bool has_plain_wheels(const struct dpl_sim_mobile *base)
{
    for (size_t i = 0; i < base->n_wheels; i++) {
        if (base->wheels[i].heading != 0.0 || base->wheels[i].has_rollers) {
            return false;
        }
    }
    return true;
}

int dpl__planar_steer_of(const struct dpl_sim_mobile *base, struct dpl_planar_steer *ret_steer,
                         struct dpl_diag *reterr)
{
    double fixed = 0.0, steered = 0.0;
    if (!has_plain_wheels(base)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "wheels of a base with a <steering> have no heading and no rollers");
    }
    if (find_axle(base, false, &fixed) < 0 || find_axle(base, true, &steered) < 0 ||
        fabs(steered - fixed) < least_distance_m) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "a base with a <steering> needs steered wheels at one x and others at "
                        "another one, at least 0.01 m apart");
    }
    struct dpl_planar_steer steer = {.axle = fixed, .distance = steered - fixed};
    for (int i = -16; i <= 16; i++) {
        double curvature = curvature_of(&steer, base->steering.limit * i / 16.0);
        if (mean_roll(base, &steer, curvature) < 0.1) {
            return dpl_fail(
                reterr, -EINVAL, nowhere,
                "a base with a <steering> needs wheels with a motor that drive it ahead "
                "with all angles up to the limit");
        }
    }
    *ret_steer = steer;
    return 0;
}

struct dpl_planar_twist dpl__planar_steered(const struct dpl_sim_mobile *base,
                                            const struct dpl_planar_steer *steer, double angle,
                                            const double *speeds, double *ret_rolls)
{
    double curvature = curvature_of(steer, angle), way = 0.0, n = 0.0;
    for (size_t i = 0; i < base->n_wheels; i++) {
        if (is_driven(&base->wheels[i])) {
            way += base->wheels[i].radius * speeds[i];
            n += 1.0;
        }
    }
    double speed = way / n / mean_roll(base, steer, curvature);
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *wheel = &base->wheels[i];
        ret_rolls[i] = roll_of(wheel, steer, curvature) * speed / wheel->radius;
    }
    return (struct dpl_planar_twist){
        .ahead = speed, .left = -curvature * speed * steer->axle, .turn = curvature * speed};
}
