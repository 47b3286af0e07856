/* SPDX-License-Identifier: Apache-2.0 */
/* The fifteen steps that an elevator's unit has to pass, each from a rest of its own. */
#ifndef ELEVATOR_STEPS_H
#define ELEVATOR_STEPS_H

#include "elevator_unit.h"

enum { ELEVATOR_N_STEPS = 15 };

/* True: passed. Else `said` has why. */
bool elevator_step_passes(int step, enum elevator_mistake mistake, unsigned seed, char said[160]);

#endif
