/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters by name, with their limits. */
#include "elevator_params.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "elevator_io.h"

const struct elevator_params elevator_params_reference = {
    .floors = 12,
    .height_m = 3.2,
    .speed_m_s = 1.6,
    .acceleration_m_s2 = 1.0,
    .jerk_m_s3 = 1.2,
    .rated_load_kg = 630.0,
    .car_kg = 800.0,
    .counterweight_kg = 1115.0,
    .sheave_radius_m = 0.3,
    .door_travel_m = 0.45,
};

const char elevator_params_help[] =
    "  FLOORS  2 to 32 (12)                 HEIGHT  from floor to floor, m (3.2)\n"
    "  SPEED   rated, m/s (1.6)             ACC     m/s^2 (1.0)\n"
    "  JERK    m/s^3 (1.2)                  LOAD    rated, kg (630)\n"
    "  CAR     empty, kg (800)              CW      counterweight, kg (1115)\n"
    "  RADIUS  of the sheave, m (0.3)       DOOR    travel of a panel, m (0.45)\n";

static const struct {
    const char *name;
    size_t offset;
    double least, most;
    const char *expected;
} names[] = {
    {"FLOORS", offsetof(struct elevator_params, floors), 2, ELEVATOR_MAX_FLOORS,
     "expected a whole number from 2 to 32"},
    {"HEIGHT", offsetof(struct elevator_params, height_m), 1, 30, "expected 1 to 30 m"},
    {"SPEED", offsetof(struct elevator_params, speed_m_s), 0.1, 20, "expected 0.1 to 20 m/s"},
    {"ACC", offsetof(struct elevator_params, acceleration_m_s2), 0.05, 5,
     "expected 0.05 to 5 m/s^2"},
    {"JERK", offsetof(struct elevator_params, jerk_m_s3), 0.05, 50, "expected 0.05 to 50 m/s^3"},
    {"LOAD", offsetof(struct elevator_params, rated_load_kg), 1, 1e5, "expected 1 to 100000 kg"},
    {"CAR", offsetof(struct elevator_params, car_kg), 1, 1e5, "expected 1 to 100000 kg"},
    {"CW", offsetof(struct elevator_params, counterweight_kg), 0, 1e5, "expected 0 to 100000 kg"},
    {"RADIUS", offsetof(struct elevator_params, sheave_radius_m), 0.01, 5, "expected 0.01 to 5 m"},
    {"DOOR", offsetof(struct elevator_params, door_travel_m), 0.05, 5, "expected 0.05 to 5 m"},
};

int elevator_params_set(struct elevator_params *params, const char *name, double value,
                        const char **reterr_what)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) != 0) {
            continue;
        }
        bool is_whole =
            names[i].offset != offsetof(struct elevator_params, floors) || value == floor(value);
        if (!(value >= names[i].least && value <= names[i].most) || !is_whole) {
            *reterr_what = names[i].expected;
            return -ERANGE;
        }
        memcpy((char *)params + names[i].offset, &value, sizeof value);
        return 0;
    }
    *reterr_what = "there is no such parameter";
    return -ENOENT;
}
