/* SPDX-License-Identifier: Apache-2.0 */
/* Units of measure: one table of names, dimensions and factors to SI. */
#include "unit.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <doppel/field.h>

enum dimension {
    DIMENSION_LENGTH,
    DIMENSION_ANGLE,
    DIMENSION_TIME,
    DIMENSION_SPEED,
    DIMENSION_ANGULAR_SPEED,
    DIMENSION_ACCELERATION,
    DIMENSION_ANGULAR_ACCELERATION,
    DIMENSION_JERK,
    DIMENSION_FREQUENCY,
    DIMENSION_VOLTAGE,
    DIMENSION_CURRENT,
    DIMENSION_RESISTANCE,
    DIMENSION_INDUCTANCE,
    DIMENSION_RATIO,
    DIMENSION_MASS,
    DIMENSION_MASS_RATE,
    DIMENSION_FORCE,
    DIMENSION_TORQUE,
    DIMENSION_INERTIA,
    DIMENSION_STIFFNESS,
    DIMENSION_DAMPING,
};

#define PI 3.14159265358979323846

/* A value is factor / divisor of the SI unit. The two numbers are exact, which 1/1000 is not, so
 * that 130 mm is the double nearest to 0.13. */
struct unit {
    const char *name;
    enum dimension dimension;
    double factor, divisor;
};

/* Within a dimension, units are suggested in this order. */
static const struct unit units[] = {
    {"m", DIMENSION_LENGTH, 1, 1},
    {"mm", DIMENSION_LENGTH, 1, 1000},
    {"cm", DIMENSION_LENGTH, 1, 100},
    {"km", DIMENSION_LENGTH, 1000, 1},
    {"in", DIMENSION_LENGTH, 254, 10000},
    {"rad", DIMENSION_ANGLE, 1, 1},
    {"deg", DIMENSION_ANGLE, PI, 180},
    {"s", DIMENSION_TIME, 1, 1},
    {"ms", DIMENSION_TIME, 1, 1000},
    {"us", DIMENSION_TIME, 1, 1000000},
    {"min", DIMENSION_TIME, 60, 1},
    {"m/s", DIMENSION_SPEED, 1, 1},
    {"mm/s", DIMENSION_SPEED, 1, 1000},
    {"cm/s", DIMENSION_SPEED, 1, 100},
    {"km/h", DIMENSION_SPEED, 1000, 3600},
    {"rad/s", DIMENSION_ANGULAR_SPEED, 1, 1},
    {"deg/s", DIMENSION_ANGULAR_SPEED, PI, 180},
    {"rpm", DIMENSION_ANGULAR_SPEED, PI, 30},
    {"m/s^2", DIMENSION_ACCELERATION, 1, 1},
    {"m/s2", DIMENSION_ACCELERATION, 1, 1},
    {"mm/s^2", DIMENSION_ACCELERATION, 1, 1000},
    {"rad/s^2", DIMENSION_ANGULAR_ACCELERATION, 1, 1},
    {"deg/s^2", DIMENSION_ANGULAR_ACCELERATION, PI, 180},
    {"m/s^3", DIMENSION_JERK, 1, 1},
    {"Hz", DIMENSION_FREQUENCY, 1, 1},
    {"kHz", DIMENSION_FREQUENCY, 1000, 1},
    {"V", DIMENSION_VOLTAGE, 1, 1},
    {"mV", DIMENSION_VOLTAGE, 1, 1000},
    {"A", DIMENSION_CURRENT, 1, 1},
    {"mA", DIMENSION_CURRENT, 1, 1000},
    {"Ohm", DIMENSION_RESISTANCE, 1, 1},
    {"mOhm", DIMENSION_RESISTANCE, 1, 1000},
    {"H", DIMENSION_INDUCTANCE, 1, 1},
    {"mH", DIMENSION_INDUCTANCE, 1, 1000},
    {"1", DIMENSION_RATIO, 1, 1},
    {"%", DIMENSION_RATIO, 1, 100},
    {"kg", DIMENSION_MASS, 1, 1},
    {"kg/s", DIMENSION_MASS_RATE, 1, 1},
    {"g", DIMENSION_MASS, 1, 1000},
    {"N", DIMENSION_FORCE, 1, 1},
    {"N m", DIMENSION_TORQUE, 1, 1},
    {"Nm", DIMENSION_TORQUE, 1, 1},
    {"kg m^2", DIMENSION_INERTIA, 1, 1},
    {"N/m", DIMENSION_STIFFNESS, 1, 1},
    {"N/um", DIMENSION_STIFFNESS, 1000000, 1},
    {"N s/m", DIMENSION_DAMPING, 1, 1},
};

static const struct unit *find(const char *name)
{
    for (size_t i = 0; i < DPL_COUNT(units); i++) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

static double convert(double value, const struct unit *from, const struct unit *to)
{
    if (from->factor == to->factor && from->divisor == to->divisor) {
        return value;
    }
    return value * (from->factor * to->divisor) / (from->divisor * to->factor);
}

int dpl_unit_convert(double value, const char *from, const char *to, double *ret_value)
{
    const struct unit *source = find(from);
    const struct unit *target = find(to);
    if (!source || !target || source->dimension != target->dimension) {
        return -EINVAL;
    }
    *ret_value = convert(value, source, target);
    return 0;
}

bool dpl__unit_is_known(const char *unit)
{
    return find(unit) != NULL;
}

const char *dpl__unit_guess(double value, const char *unit, const double range[2],
                            double *ret_value)
{
    const struct unit *wanted = find(unit);
    if (!wanted) {
        return NULL;
    }
    for (size_t i = 0; i < DPL_COUNT(units); i++) {
        if (units[i].dimension != wanted->dimension) {
            continue;
        }
        double guess = convert(value, &units[i], wanted);
        if (guess >= range[0] && guess <= range[1]) {
            *ret_value = guess;
            return units[i].name;
        }
    }
    return NULL;
}

const char *dpl__unit_next(const char *unit, size_t *inout_next)
{
    const struct unit *wanted = find(unit);
    for (size_t i = *inout_next; wanted && i < DPL_COUNT(units); i++) {
        if (units[i].dimension == wanted->dimension) {
            *inout_next = i + 1;
            return units[i].name;
        }
    }
    return NULL;
}
