/* SPDX-License-Identifier: Apache-2.0 */
/* What the wheels should have done, from the twists that the drive was commanded. How late and how
 * hard a drive follows is not known at first, so a family of candidates is kept: a wheel speeds up
 * at one of some accelerations, and all comes later by one of some delays (a motor's first-order
 * lag is a delay of its travel). The answer is an interval that holds the travel of every candidate
 * that is still plausible; the drive's own motion narrows it. Pure; no memory beyond the struct. */
#ifndef COMMAND_MODEL_H
#define COMMAND_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#define COMMAND_MODEL_ACCELERATIONS 7
#define COMMAND_MODEL_DELAYS        16
#define COMMAND_MODEL_GRID_S        0.01
#define COMMAND_MODEL_RING          512 /* 5.1 s; a power of two */

struct command_model {
    double axle_m, speed_max;
    double command[2]; /* m/s, left and right, after saturation */
    double first_s, last_s;
    bool started;
    int64_t head; /* newest grid point of the rings */
    double speed[COMMAND_MODEL_ACCELERATIONS][2];
    double travel[COMMAND_MODEL_ACCELERATIONS][2][COMMAND_MODEL_RING]; /* m, since the start */
    double cost[COMMAND_MODEL_ACCELERATIONS][COMMAND_MODEL_DELAYS];    /* m^2 */
    double weight;
    bool plausible[COMMAND_MODEL_ACCELERATIONS][COMMAND_MODEL_DELAYS];
};

/* Travel of the wheels, left and right, m: what the plausible candidates span. */
struct command_travel {
    double low[2], high[2];
};

/* `axle_m` > 0: the one that the drive makes wheel speeds of a twist with. `speed_max` of a wheel
 * (m/s), INFINITY: not known. */
void command_model_init(struct command_model *model, double axle_m, double speed_max);

/* The twist that was sent to the drive at `stamp_s`. Held until the next. What is not finite or
 * comes earlier than the last one is left out. Bounded work for a gap of any length. */
void command_model_command(struct command_model *model, double stamp_s, struct dpl_twist2 twist);

/* False: the commands of that time are not known, because they began later, are too long ago, or
 * the last one is more than `hold_s` old. */
bool command_model_covers(const struct command_model *model, double from_s, double to_s,
                          double hold_s);

/* From one instant to a later one, at most 4 s apart. Commands after the last one are the last
 * one. */
void command_model_travel(struct command_model *model, double from_s, double to_s,
                          struct command_travel *ret_travel);

/* Tells what the wheels did in the same interval, when nothing was wrong with them. */
void command_model_learn(struct command_model *model, double from_s, double to_s,
                         const double wheels_m[2]);

/* The delay (s) and acceleration (m/s^2) that fit best. */
void command_model_best(const struct command_model *model, double *ret_delay_s,
                        double *ret_acceleration);

#endif
