/* SPDX-License-Identifier: Apache-2.0 */
/* Units of files, and what is derived of them. */
#ifndef DOPPEL_STAR_UNITS_H
#define DOPPEL_STAR_UNITS_H

#include <stdbool.h>

#include <doppel/sim/star.h>

extern const struct dpl_star_units dpl__star_si;

struct dpl__star_unit_word {
    const char *word;
    double value;
};

/* Words of units; the lists end with NULL. The first one of a value is its usual name. */
extern const struct dpl__star_unit_word dpl__star_angles[], dpl__star_lengths[], dpl__star_masses[],
    dpl__star_times[];

/* Of a coordinate that turns or travels: its unit, that of its rate, of a force along it. */
double dpl__star_coordinate(const struct dpl_star_units *units, bool turns);
double dpl__star_rate(const struct dpl_star_units *units, bool turns);
double dpl__star_effort(const struct dpl_star_units *units, bool turns);

double dpl__star_gravity(const struct dpl_star_units *units);
double dpl__star_inertia(const struct dpl_star_units *units);

/* Of the coefficient of x^power of a law: an effort over a power of a coordinate or its rate. */
double dpl__star_coefficient(const struct dpl_star_units *units, bool turns, bool is_of_rate,
                             size_t power);

/* A number that times `scale` is `si`, where there is one: that with the shortest text. */
double dpl__star_in_file(double si, double scale);

#endif
