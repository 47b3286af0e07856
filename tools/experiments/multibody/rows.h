/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table of what was measured against its limit. */
#ifndef MULTIBODY_ROWS_H
#define MULTIBODY_ROWS_H

#include <stdbool.h>

#include "golden.h"

struct options {
    bool quick; /* shorter times and fewer seeds; the limits are the same */
    int seeds;  /* 0: as many as the row wants */
    const char *row;
};

/* Prints a row. `unit` may be empty. */
void report(const char *name, double value, double limit, const char *unit);
/* A line below the row, for which nothing is demanded. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

void rows_golden(const struct options *options);
void rows_topology(const struct options *options);
void rows_oracle(const struct options *options);
void rows_invariance(const struct options *options);
void rows_assembly(const struct options *options);
void rows_restraints(const struct options *options);
void rows_closed(const struct options *options);
void rows_energy(const struct options *options);
void rows_repartition(const struct options *options);
void rows_steps(const struct options *options);
void rows_files(const struct options *options);

/* Of G2 to G6, by number. */
extern const char *const world_names[7];
double energy_of(const struct dpl_mb_system *system);

/* The larger size; what is no number is infinite. */
double worse(double worst, double value);

#endif
