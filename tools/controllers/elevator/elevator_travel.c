/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_travel.h"

#include <math.h>

static const double correction_1_s = 3.0;

void elevator_travel_begin(struct elevator_travel *travel, const struct dpl_line_limits *limits,
                           double start_m, double target_m)
{
    *travel = (struct elevator_travel){
        .limits = *limits,
        .start_m = start_m,
        .target_m = target_m,
    };
    if (dpl_rest_to_rest_plan(limits, target_m - start_m, &travel->plan) < 0) {
        travel->plan = (struct dpl_rest_to_rest){.distance = target_m - start_m};
    }
}

double elevator_travel_speed(const struct elevator_travel *travel, double at_s, double position_m)
{
    struct dpl_line_point at = dpl_rest_to_rest_at(&travel->plan, at_s);
    return at.velocity + correction_1_s * (travel->start_m + at.position - position_m);
}

/* When a profile begins to do something that a longer one does not: it ends its constant velocity,
 * or, if it has none, its constant acceleration. */
static double time_of_parting(const struct dpl_rest_to_rest *plan)
{
    double speeding_up_s = plan->jerk_s + plan->steady_s;
    return plan->cruise_s > 0.0 ? speeding_up_s + plan->jerk_s + plan->cruise_s : speeding_up_s;
}

bool elevator_travel_can_turn_to(const struct elevator_travel *travel, double at_s, double target_m)
{
    struct dpl_rest_to_rest other;
    double distance = target_m - travel->start_m;
    if (distance * travel->plan.distance <= 0.0 ||
        dpl_rest_to_rest_plan(&travel->limits, distance, &other) < 0) {
        return false;
    }
    return at_s < fmin(time_of_parting(&travel->plan), time_of_parting(&other));
}
