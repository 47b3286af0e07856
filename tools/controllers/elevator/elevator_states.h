/* SPDX-License-Identifier: Apache-2.0 */
/* The states of the unit: each looks at the inputs and says which state is next. */
#ifndef ELEVATOR_STATES_H
#define ELEVATOR_STATES_H

#include "elevator_unit.h"

/* The state after this scan of the present one; it notes in the unit why a fault is next. */
enum elevator_state elevator_states_next(struct elevator_unit *unit,
                                         const struct elevator_inputs *inputs);

/* Enters a state: the brake is commanded, the pre-load measured, timers start. */
void elevator_states_enter(struct elevator_unit *unit, enum elevator_state state,
                           const struct elevator_inputs *inputs);

/* Which floor the car is nearest to, and how far it is off. */
void elevator_states_locate(struct elevator_unit *unit, double position_m);

/* Seconds from a time to now. */
double elevator_states_since(const struct elevator_unit *unit, uint32_t from_ms);

/* Does the drive hold or move the car in this state? */
bool elevator_states_driven(enum elevator_state state);

/* The most that the car may be commanded to do while it levels with open doors. */
#define ELEVATOR_RELEVEL_M_S 0.030

#endif
