/* SPDX-License-Identifier: Apache-2.0 */
/* What experiments print: rows of a measured value, its limit, and whether it is met. A program is
 * a table of groups of rows. One thread prints. */
#ifndef EXPERIMENTS_FRAME_H
#define EXPERIMENTS_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* What a command line asks for; a program that wants more has it first in a struct of its own. */
struct rows {
    bool quick;          /* fewer seeds and shorter runs, the same limits */
    uint64_t seeds;      /* 0: as many as the row wants */
    const char *only;    /* names of groups, or a part of a row's name; NULL: all */
    const char *operand; /* NULL: none is given */
};
extern const struct rows *asked; /* of this program, from rows_options on */

#define ROWS_QUICK                                                                                 \
    {                                                                                              \
        "quick", NULL, OPTION_FLAG, offsetof(struct rows, quick), 0, 0,                            \
            "fewer seeds and shorter runs, the same limits", NULL                                  \
    }
#define ROWS_SEEDS(most_)                                                                          \
    {                                                                                              \
        "seeds", "N", OPTION_COUNT, offsetof(struct rows, seeds), 1, most_,                        \
            "how many (default: as many as the row wants)", NULL                                   \
    }
#define ROWS_ONLY(name_, help_)                                                                    \
    {                                                                                              \
        name_, "NAME", OPTION_STRING, offsetof(struct rows, only), 0, 0, help_, NULL               \
    }

/* Prints its rows by one of these; `measure` returns 0, or a negative errno: it could not. */
struct rows_group {
    const char *name;
    void (*print)(void);
    int (*measure)(void);
};

/* Reads the command line into `values`, which begins with a struct rows. -1: go on, or the exit
 * code of a program that ends now. */
int rows_options(const struct command *command, int argc, char **argv, void *values);
/* Runs the groups that `--only` names, prints how many limits are met, and returns the exit code:
 * 0, 1: a limit is missed, or a group could not measure; 2: there is no such group. */
int rows_run(const struct command *command, const struct rows_group *groups, size_t n_groups);
/* Both. */
int rows_main(const struct command *command, int argc, char **argv, void *values,
              const struct rows_group *groups, size_t n_groups);

/* Each prints a row, counts it and returns whether the limit is met. NaN meets none. */
bool row_at_most(const char *name, double value, double limit, const char *unit);
bool row_at_least(const char *name, double value, double limit, const char *unit);
bool row_near(const char *name, double value, double expected, double tolerance);
bool row_holds(const char *name, bool holds);
/* A cell that its caller prints: "met" or "NOT MET". */
const char *row_count(bool met);

/* Of n > 0 values, which are sorted by it; `part` from 0 to 1, between two of them by their
 * distance. */
double rows_quantile(double *values, size_t n, double part);
/* The one in the middle, of two the larger; INFINITY of none. */
double rows_median(double *values, size_t n);

#endif
