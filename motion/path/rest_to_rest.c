/* SPDX-License-Identifier: Apache-2.0 */
/* The plan, and its first half; the second half is its mirror image. */
#include "rest_to_rest.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

static bool usable(double limit)
{
    return isfinite(limit) && limit > 0.0;
}

int dpl_rest_to_rest_plan(const struct dpl_line_limits *limits, double distance,
                          struct dpl_rest_to_rest *ret_plan)
{
    double v = limits->velocity, j = limits->jerk, s = fabs(distance);
    if (!usable(v) || !usable(limits->acceleration) || !usable(j) || !isfinite(distance)) {
        return -EINVAL;
    }
    /* The acceleration that is reached on the way to the full velocity. */
    double a = fmin(limits->acceleration, sqrt(v * j));
    struct dpl_rest_to_rest plan = {.distance = distance, .jerk = copysign(j, distance)};
    if (s >= v * v / a + v * a / j) {
        plan.jerk_s = a / j;
        plan.steady_s = fmax(v / a - a / j, 0.0);
        plan.cruise_s = s / v - v / a - a / j;
    } else if (s >= 2.0 * a * a * a / (j * j)) {
        plan.jerk_s = a / j;
        plan.steady_s = fmax(0.5 * (sqrt(a / j * (a / j) + 4.0 * s / a) - 3.0 * a / j), 0.0);
    } else {
        plan.jerk_s = cbrt(s / (2.0 * j));
    }
    plan.total_s = 4.0 * plan.jerk_s + 2.0 * plan.steady_s + plan.cruise_s;
    plan.peak_velocity = j * plan.jerk_s * (plan.jerk_s + plan.steady_s);
    if (!isfinite(plan.total_s) || !isfinite(plan.peak_velocity)) {
        return -EINVAL;
    }
    *ret_plan = plan;
    return 0;
}

/* Advances a point by t with a constant jerk. */
static struct dpl_line_point advance(struct dpl_line_point at, double jerk, double t)
{
    return (struct dpl_line_point){
        .position = at.position + t * (at.velocity + t * (at.acceleration / 2.0 + t * jerk / 6.0)),
        .velocity = at.velocity + t * (at.acceleration + t * jerk / 2.0),
        .acceleration = at.acceleration + t * jerk,
    };
}

/* The point at a time in the first half. */
static struct dpl_line_point first_half(const struct dpl_rest_to_rest *plan, double t)
{
    const struct {
        double jerk, duration;
    } phases[] = {
        {plan->jerk, plan->jerk_s},
        {0.0, plan->steady_s},
        {-plan->jerk, plan->jerk_s},
        {0.0, plan->cruise_s},
    };
    struct dpl_line_point at = {0};
    for (int i = 0; i < 4; i++) {
        double part = fmin(t, phases[i].duration);
        at = advance(at, phases[i].jerk, part);
        t -= part;
    }
    return at;
}

struct dpl_line_point dpl_rest_to_rest_at(const struct dpl_rest_to_rest *plan, double at_s)
{
    if (!(at_s > 0.0)) {
        return (struct dpl_line_point){0};
    }
    if (at_s >= plan->total_s) {
        return (struct dpl_line_point){.position = plan->distance};
    }
    if (at_s <= 0.5 * plan->total_s) {
        return first_half(plan, at_s);
    }
    struct dpl_line_point mirror = first_half(plan, plan->total_s - at_s);
    return (struct dpl_line_point){
        .position = plan->distance - mirror.position,
        .velocity = mirror.velocity,
        .acceleration = -mirror.acceleration,
    };
}
