/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the transparency acceptance: the measured value, its limit, and whether it is met. */
#ifndef TRANSPARENCY_ACCEPTANCE_H
#define TRANSPARENCY_ACCEPTANCE_H

#include <stdbool.h>

struct acceptance {
    bool quick;       /* shorter property tests with the same limits */
    const char *runs; /* of the application, to be checked too; NULL: none */
    double start_s;   /* start of their first window */
    int n_met, n_not_met;
};

/* Prints the heading of the following rows. */
void acceptance_section(const char *title);

/* Each prints one row and counts it; the name includes the unit. NaN does not meet a limit. */
void acceptance_at_most(struct acceptance *acceptance, const char *name, double value,
                        double limit);
void acceptance_at_least(struct acceptance *acceptance, const char *name, double value,
                         double limit);
void acceptance_near(struct acceptance *acceptance, const char *name, double value, double expected,
                     double tolerance);
void acceptance_holds(struct acceptance *acceptance, const char *name, bool holds);

/* The criteria, one function per source file. Each returns 0, or a negative errno when it could not
 * measure: then the program ends with exit code 1. */
int acceptance_filter_and_model(struct acceptance *acceptance);
int acceptance_moves_and_delay(struct acceptance *acceptance);
int acceptance_one_axis(struct acceptance *acceptance);
int acceptance_six_axes(struct acceptance *acceptance);
int acceptance_application(struct acceptance *acceptance); /* no rows without runs */
int acceptance_kinematics(struct acceptance *acceptance);
int acceptance_planner(struct acceptance *acceptance);
int acceptance_time_base(struct acceptance *acceptance);
int acceptance_underrun(struct acceptance *acceptance);

#endif
