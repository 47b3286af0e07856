/* SPDX-License-Identifier: Apache-2.0 */
/* The force on a simulated force sensor: a table over time, impulses and random forces, added. Pure
 * logic; the force is a function of time only and does not depend on the calls before. */
#ifndef FORCE_SENSOR_FORCE_SOURCE_H
#define FORCE_SENSOR_FORCE_SOURCE_H

#include <stddef.h>

#include <doppel/math/random.h>
#include <doppel/math/six_axes.h>

#define FORCE_ROWS_MAX     200000
#define FORCE_IMPULSES_MAX 64
#define FORCE_TONES        48 /* number of sines in a random force */

/* N and N m at a time. */
struct force_row {
    double t_s;
    double wrench[DPL_SIX];
};

/* A half sine. */
struct force_impulse {
    double t_s, width_s;
    size_t axis;
    double amplitude; /* N or N m */
};

struct force_tone {
    double rate_rad_s, phase_rad;
};

struct force_random {
    double amplitude; /* of each tone; 0: none */
    struct force_tone tones[FORCE_TONES];
};

struct force_source {
    const struct force_row *rows; /* borrowed */
    size_t n_rows;
    struct force_impulse impulses[FORCE_IMPULSES_MAX];
    size_t n_impulses;
    struct force_random random[DPL_SIX];
};

/* Error of a text: a sentence and the offset of the error. */
struct force_error {
    const char *what;
    size_t offset;
};

/* The largest number of rows that a text can have: for the allocation of the rows. */
size_t force_rows_room(const char *text);

/* Reads rows "t fx fy fz tx ty tz" (s, N, N m; missing values are 0). Times must not decrease; two
 * rows with the same time make a step. Returns 0, or -EINVAL with reterr: a bad row, or more than
 * `room`. */
int force_rows_parse(const char *text, struct force_row *ret_rows, size_t room, size_t *ret_n,
                     struct force_error *reterr);

/* Reads rows "t AXIS amplitude width" (s, x y z roll pitch yaw, N or N m, ms) into the source.
 * Returns 0, or -EINVAL with reterr: a bad row, or more than FORCE_IMPULSES_MAX. */
int force_impulses_parse(const char *text, struct force_source *inout_source,
                         struct force_error *reterr);

/* Creates the random forces: FORCE_TONES sines each. The band 0 to bandwidth_hz is divided into
 * equal parts with one sine each; frequency and phase are drawn from `rng` (Rice, "Mathematical
 * analysis of random noise", 1944, 1.7). rms: N, N m; 0: none. */
void force_random_make(struct force_source *inout_source, const double rms[DPL_SIX],
                       double bandwidth_hz, struct dpl_random *rng);

/* The force at t_s: linear between the rows of the table, the first row's value before it, the last
 * row's value after it. */
void force_source_at(const struct force_source *source, double t_s, double ret_wrench[DPL_SIX]);

#endif
