/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of rows. */
#ifndef MULTIBODY_ROWS_H
#define MULTIBODY_ROWS_H

#include "frame.h"
#include "golden.h"

/* A line below the row, for which nothing is demanded. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

void rows_golden(void);
void rows_topology(void);
void rows_oracle(void);
void rows_invariance(void);
void rows_assembly(void);
void rows_restraints(void);
void rows_closed(void);
void rows_energy(void);
void rows_repartition(void);
void rows_steps(void);
void rows_files(void);

/* Of G2 to G6, by number. */
extern const char *const world_names[7];
double energy_of(const struct dpl_mb_system *system);

/* The larger size; what is no number is infinite. */
double worse(double worst, double value);

#endif
