/* SPDX-License-Identifier: Apache-2.0 */
/* Which call comes next: full collective control. Pure. */
#ifndef ELEVATOR_DISPATCH_H
#define ELEVATOR_DISPATCH_H

#include "elevator_io.h"

enum elevator_direction { ELEVATOR_DOWN = -1, ELEVATOR_NO_DIRECTION = 0, ELEVATOR_UP = 1 };

struct elevator_stop {
    unsigned floor;
    enum elevator_direction direction; /* in which the car leaves this floor, as far as known */
};

/* The next stop of a car that rests at `floor` and has this direction: calls of the car and of the
 * direction ahead, nearest first (a call here is the nearest); then the farthest call of the
 * opposite direction ahead; then the same with the directions changed. Without a direction:
 * that of the nearest call, above before below. False: there is no call. */
bool elevator_next_stop(const struct elevator_calls *calls, unsigned floor,
                        enum elevator_direction direction, struct elevator_stop *ret_stop);

/* The same for a car that moves: only ahead of it, and only among `reachable` floors. */
bool elevator_next_on_the_way(const struct elevator_calls *calls, unsigned floor,
                              enum elevator_direction direction, uint32_t reachable,
                              struct elevator_stop *ret_stop);

/* The nearest floor with any call; what a collective control does not do. */
bool elevator_nearest_call(const struct elevator_calls *calls, unsigned floor,
                           struct elevator_stop *ret_stop);

/* The direction in which a car leaves the floor where it stops, having come in `direction`: that
 * one if a call at the floor or ahead needs it, else the opposite if a call needs that, else
 * none. */
enum elevator_direction elevator_leaving(const struct elevator_calls *calls, unsigned floor,
                                         enum elevator_direction direction);

/* The calls that a stop here serves, of a car that leaves in this direction; none: all here. */
struct elevator_calls elevator_served(unsigned floor, enum elevator_direction direction);

#endif
