/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic window over linear and angular velocity. */
#include "window.h"
#include "clearance.h"

#define MARGIN_M         0.015 /* beyond the body, at standstill: for laser noise and thinning */
#define MARGIN_PER_SPEED 0.10  /* and per m/s: for unequal wheels and late commands */
#define SPEEDS           5
#define TURNS            9
#define LOOK_AHEAD_M     0.6
#define COST_SPEED       1.0
#define COST_TURN        1.0
#define COST_NEAR        0.8

/* Constants for all candidates. */
struct search {
    const struct dpl_nav_limits *limits;
    const struct dpl_nav_points *points;
    struct dpl_twist2 wish;
    double soft_radius, reaction_s;
};

double dpl_nav_hard_radius(const struct dpl_nav_limits *limits, double speed)
{
    return limits->radius_m + MARGIN_M + MARGIN_PER_SPEED * fabs(speed);
}

double dpl_nav_window_reach(const struct dpl_nav_limits *limits)
{
    double stop = dpl_nav_stopping_distance(
        limits->linear_m_s, limits->period_s + limits->latency_s, limits->linear_m_s2);
    return fmax(stop + 0.02, LOOK_AHEAD_M) +
           fmax(limits->safe_radius_m, dpl_nav_hard_radius(limits, limits->linear_m_s));
}

/* Free arcs longer than a half circle are not used: the robot decides again before it gets
 * there. */
static double look_ahead(double curvature)
{
    double half_circle = DPL_PI / fmax(fabs(curvature), 1e-3);
    return fmin(LOOK_AHEAD_M, half_circle);
}

/* Infinite if the candidate is not admissible, or certainly worse than `best`. */
static double cost_of(const struct search *search, struct dpl_twist2 twist, double best)
{
    const struct dpl_nav_limits *limits = search->limits;
    double speed_error = (twist.linear - search->wish.linear) / limits->linear_m_s;
    double turn_error = (twist.angular - search->wish.angular) / limits->angular_rad_s;
    double cost = COST_SPEED * speed_error * speed_error + COST_TURN * turn_error * turn_error;
    if (twist.linear < 1e-6 || cost >= best) {
        return cost;
    }
    double curvature = twist.angular / twist.linear;
    double stop = dpl_nav_stopping_distance(twist.linear, search->reaction_s, limits->linear_m_s2);
    double hard = dpl_nav_free_arc(search->points, dpl_nav_hard_radius(limits, twist.linear),
                                   curvature, false, stop + 0.01);
    if (hard <= stop) {
        return HUGE_VAL;
    }
    double ahead = look_ahead(curvature);
    double soft = dpl_nav_free_arc(search->points, search->soft_radius, curvature, false, ahead);
    double lack = 1.0 - soft / ahead;
    return cost + COST_NEAR * lack * lack * twist.linear / limits->linear_m_s;
}

static double spread(double low, double high, int index, int count)
{
    return low + (high - low) * (double)index / (double)(count - 1);
}

/* Evaluates one velocity and keeps it if it is the best so far. */
static void consider(const struct search *search, struct dpl_twist2 twist, double *best,
                     struct dpl_nav_choice *choice)
{
    double cost = cost_of(search, twist, *best);
    if (cost < *best) {
        *best = cost;
        choice->twist = twist;
        choice->admissible = true;
    }
}

struct dpl_nav_choice dpl_nav_window_choose(const struct dpl_nav_limits *limits,
                                            const struct dpl_nav_points *points,
                                            struct dpl_twist2 present, struct dpl_twist2 wish)
{
    double nearest = dpl_nav_nearest(points, limits->safe_radius_m, NULL);
    struct search search = {limits, points, wish,
                            .soft_radius = fmax(nearest - 0.005, limits->radius_m),
                            .reaction_s = limits->period_s + limits->latency_s};
    double dv = limits->linear_m_s2 * limits->period_s;
    double dw = limits->angular_rad_s2 * limits->period_s;
    double v_low = dpl_clamp(present.linear - dv, 0.0, limits->linear_m_s);
    double v_high = dpl_clamp(present.linear + dv, 0.0, limits->linear_m_s);
    double w_low = dpl_clamp(present.angular - dw, -limits->angular_rad_s, limits->angular_rad_s);
    double w_high = dpl_clamp(present.angular + dw, -limits->angular_rad_s, limits->angular_rad_s);
    double w_wish = dpl_clamp(wish.angular, w_low, w_high);
    struct dpl_nav_choice choice = {.twist = {0.0, w_wish}};
    double best = HUGE_VAL;
    double v_wish = dpl_clamp(wish.linear, v_low, v_high);
    consider(&search, (struct dpl_twist2){v_wish, w_wish}, &best, &choice);
    for (int i = 0; i < SPEEDS; i++) {
        double v = spread(v_low, v_high, i, SPEEDS);
        for (int j = 0; j < TURNS; j++) {
            consider(&search, (struct dpl_twist2){v, spread(w_low, w_high, j, TURNS)}, &best,
                     &choice);
        }
        consider(&search, (struct dpl_twist2){v, w_wish}, &best, &choice);
    }
    return choice;
}
