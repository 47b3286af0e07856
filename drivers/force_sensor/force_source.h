/* SPDX-License-Identifier: Apache-2.0 */
/* What pushes a simulated force sensor: a table over time, impulses and random forces, added. Pure
 * logic; a force is a function of time alone, whenever and however often it is asked for. */
#ifndef FORCE_SENSOR_FORCE_SOURCE_H
#define FORCE_SENSOR_FORCE_SOURCE_H

#include <stddef.h>

#include <doppel/math/random.h>
#include <doppel/math/six_axes.h>

#define FORCE_ROWS_MAX     200000
#define FORCE_IMPULSES_MAX 64
#define FORCE_TONES        48 /* sines a random force is made of */

/* N and N m at an instant. */
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

/* Why a text was refused: a sentence and the offset of what is wrong. */
struct force_error {
    const char *what;
    size_t offset;
};

/* Counts the rows that a text can have at most: for who allocates them. */
size_t force_rows_room(const char *text);

/* Reads rows "t fx fy fz tx ty tz" (s, N, N m; what is left out is 0). Times do not fall; two rows
 * of one instant make a step. Returns 0, or -EINVAL with reterr: a bad row, or more than `room`. */
int force_rows_parse(const char *text, struct force_row *ret_rows, size_t room, size_t *ret_n,
                     struct force_error *reterr);

/* Reads rows "t AXIS amplitude width" (s, x y z roll pitch yaw, N or N m, ms) into the source.
 * Returns 0, or -EINVAL with reterr: a bad row, or more than FORCE_IMPULSES_MAX. */
int force_impulses_parse(const char *text, struct force_source *inout_source,
                         struct force_error *reterr);

/* Makes the random forces: FORCE_TONES sines each, one in each of as many equal parts of the band 0
 * to bandwidth_hz, frequency and phase drawn from `rng` (Rice, "Mathematical analysis of random
 * noise", 1944, 1.7). rms: N, N m; 0: none. */
void force_random_make(struct force_source *inout_source, const double rms[DPL_SIX],
                       double bandwidth_hz, struct dpl_random *rng);

/* The force at t_s: in the table linear between rows, the first one's before it, the last one's
 * after it. */
void force_source_at(const struct force_source *source, double t_s, double ret_wrench[DPL_SIX]);

#endif
