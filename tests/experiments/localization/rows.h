/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the acceptance: what is driven, and what must come of it. */
#ifndef LOCALIZATION_ROWS_H
#define LOCALIZATION_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "trial.h"

struct localization_options {
    const char *world;
    const char *rows; /* letters */
    uint64_t first;   /* seed */
    double seconds;   /* 0: as long as the row is */
    uint64_t n_beams; /* of the laser; 0: as many as in the row */
    bool verbose;     /* a line a seed */
};

/* Prints each row's cases, measured against limit; false: a limit is missed. */
bool localization_rows(const struct localization_options *options);

#endif
