/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults, with the limits of each. */
#ifndef DIAGNOSIS_ROWS_H
#define DIAGNOSIS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#define ROWS_SEEDS_MAX 100

struct rows_config {
    const char *world;
    unsigned seeds; /* 1 .. ROWS_SEEDS_MAX */
    double hours;   /* of driving without a fault; 0: none */
    size_t n_beams;
    const char *only; /* rows whose name contains it; NULL: all */
};

/* The office, 12 seeds, 1 h, 682 beams. */
void rows_config_init(struct rows_config *ret_config);

/* Prints the rows; whether all keep their limits. */
bool rows_run(const struct rows_config *config);

#endif
