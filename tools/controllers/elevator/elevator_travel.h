/* SPDX-License-Identifier: Apache-2.0 */
/* The movement of a car from where it is to a floor: a jerk-limited profile, and a correction of
 * the position that keeps the car on it. Pure. */
#ifndef ELEVATOR_TRAVEL_H
#define ELEVATOR_TRAVEL_H

#include <stdbool.h>

#include "rest_to_rest.h"

struct elevator_travel {
    struct dpl_line_limits limits;
    double start_m, target_m;
    struct dpl_rest_to_rest plan;
};

/* Plans from rest at one position to rest at another; both finite, limits above 0. */
void elevator_travel_begin(struct elevator_travel *travel, const struct dpl_line_limits *limits,
                           double start_m, double target_m);

/* The reference of the drive's speed at a time since the start, for a car that is at a position:
 * the profile's, and 3 1/s times what the position lacks. */
double elevator_travel_speed(const struct elevator_travel *travel, double at_s, double position_m);

/* Can another target be taken at this time since the start, with not the least step of the
 * reference? It can as long as the profiles of both targets are the same. */
bool elevator_travel_can_turn_to(const struct elevator_travel *travel, double at_s,
                                 double target_m);

#endif
