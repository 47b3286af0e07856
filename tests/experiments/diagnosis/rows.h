/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults, with the limits of each. */
#ifndef DIAGNOSIS_ROWS_H
#define DIAGNOSIS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#define ROWS_SEEDS_MAX 100

struct rows_config {
    const char *world;
    uint64_t first, seeds; /* number of the first seed, 1 or more; 1 .. ROWS_SEEDS_MAX of them */
    double hours;          /* of driving without a fault; 0: none */
    bool objects;          /* with verdicts on objects in these hours; default true */
    uint64_t n_beams;
    const char *only;   /* rows whose name contains it; NULL: all */
    double twist_deg;   /* that the laser turns besides, 2 s after each fault begins; default 0 */
    double twist_for_s; /* then it turns back; default: it stays so */
    bool gyro;          /* the robot has one; default true */
    bool trace;         /* prints each scan during a fault */
};

/* The office, seeds 1 to 12, 1 h, 682 beams. */
void rows_config_init(struct rows_config *ret_config);

/* Prints the rows; whether all keep their limits. */
bool diagnosis_rows(const struct rows_config *config);

#endif
