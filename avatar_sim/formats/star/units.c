/* SPDX-License-Identifier: Apache-2.0 */
/* Units of files: see units.h. Derived units are products of the four of a file, always made in the
 * same way, so that a number is multiplied by the same factor whenever it is read. */
#include "units.h"

#include <math.h>
#include <stddef.h>

#include "number.h"

const struct dpl_star_units dpl__star_si = {1,         1,        1,           1,
                                            "radians", "meters", "kilograms", "seconds"};

const struct dpl__star_unit_word dpl__star_angles[] = {
    {"radians", 1},
    {"radian", 1},
    {"rad", 1},
    {"degrees", 0.017453292519943295},
    {"degree", 0.017453292519943295},
    {"deg", 0.017453292519943295},
    {NULL, 0},
};
const struct dpl__star_unit_word dpl__star_lengths[] = {
    {"meters", 1},
    {"meter", 1},
    {"metres", 1},
    {"metre", 1},
    {"m", 1},
    {"millimeters", 1e-3},
    {"millimeter", 1e-3},
    {"millimetres", 1e-3},
    {"millimetre", 1e-3},
    {"mm", 1e-3},
    {"centimeters", 1e-2},
    {"centimeter", 1e-2},
    {"centimetres", 1e-2},
    {"centimetre", 1e-2},
    {"cm", 1e-2},
    {"inches", 0.0254},
    {"inch", 0.0254},
    {"in", 0.0254},
    {"feet", 0.3048},
    {"foot", 0.3048},
    {"ft", 0.3048},
    {NULL, 0},
};
const struct dpl__star_unit_word dpl__star_masses[] = {
    {"kilograms", 1},
    {"kilogram", 1},
    {"kg", 1},
    {"grams", 1e-3},
    {"gram", 1e-3},
    {"g", 1e-3},
    {"pounds", 0.45359237},
    {"pound", 0.45359237},
    {"lb", 0.45359237},
    {NULL, 0},
};
const struct dpl__star_unit_word dpl__star_times[] = {
    {"seconds", 1},        {"second", 1}, {"s", 1},  {"milliseconds", 1e-3},
    {"millisecond", 1e-3}, {"ms", 1e-3},  {NULL, 0},
};

double dpl__star_coordinate(const struct dpl_star_units *units, bool turns)
{
    return turns ? units->angle : units->length;
}

double dpl__star_rate(const struct dpl_star_units *units, bool turns)
{
    return dpl__star_coordinate(units, turns) / units->time;
}

double dpl__star_effort(const struct dpl_star_units *units, bool turns)
{
    double force = units->mass * units->length / (units->time * units->time);
    return turns ? force * units->length : force;
}

double dpl__star_gravity(const struct dpl_star_units *units)
{
    return units->length / (units->time * units->time);
}

double dpl__star_inertia(const struct dpl_star_units *units)
{
    return units->mass * (units->length * units->length);
}

double dpl__star_coefficient(const struct dpl_star_units *units, bool turns, bool is_of_rate,
                             size_t power)
{
    double x = is_of_rate ? dpl__star_rate(units, turns) : dpl__star_coordinate(units, turns);
    double factor = dpl__star_effort(units, turns);
    for (size_t i = 0; i < power && x != 1.0; i++) {
        factor /= x;
    }
    return factor;
}

double dpl__star_in_file(double si, double scale)
{
    if (scale == 1.0 || si == 0.0) {
        return si;
    }
    double middle = si / scale, best = middle;
    int shortest = 0;
    double candidate = middle;
    for (int i = 0; i < 4; i++) {
        candidate = nextafter(candidate, -HUGE_VAL);
    }
    for (int i = 0; i < 9; i++, candidate = nextafter(candidate, HUGE_VAL)) {
        char text[40];
        int length = dpl__number_write(candidate, text, sizeof text);
        if (candidate * scale == si && (shortest == 0 || length < shortest)) {
            shortest = length;
            best = candidate;
        }
    }
    return best;
}
