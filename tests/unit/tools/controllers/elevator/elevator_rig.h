/* SPDX-License-Identifier: Apache-2.0 */
/* A unit and its elevator, together. */
#ifndef ELEVATOR_RIG_H
#define ELEVATOR_RIG_H

#include "elevator_plant.h"
#include "elevator_unit.h"

struct elevator_rig {
    struct elevator_plant plant;
    struct elevator_unit unit;
    struct elevator_outputs outputs;   /* of the last scan */
    unsigned phase;                    /* step of the first scan, 0 to 4 */
    double load_goal_kg;               /* the load goes there by 315 kg/s */
    double state_s[ELEVATOR_N_STATES]; /* when each state was entered last, s; below 0: never */
    uint16_t watchdog;
};

void rig_init(struct elevator_rig *rig, enum elevator_mistake mistake, unsigned seed,
              unsigned floor, double load_kg);

double rig_seconds(const struct elevator_rig *rig);

void rig_step(struct elevator_rig *rig);
void rig_run(struct elevator_rig *rig, double seconds);

/* Runs until the unit is in a state; false: it was not within these seconds. */
bool rig_until(struct elevator_rig *rig, enum elevator_state state, double within_s);

/* Metres from a floor. */
double rig_offset(const struct elevator_rig *rig, unsigned floor);

static inline uint32_t floor_bit(unsigned floor)
{
    return (uint32_t)1 << floor;
}

#endif
