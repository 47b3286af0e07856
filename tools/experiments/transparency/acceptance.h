/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the transparency acceptance: what was measured, its limit, and whether it is met. */
#ifndef TRANSPARENCY_ACCEPTANCE_H
#define TRANSPARENCY_ACCEPTANCE_H

#include <stdbool.h>

struct acceptance {
    bool quick;       /* shorter property tests, the same limits */
    const char *runs; /* of the application, to be judged too; NULL: none */
    double start_s;   /* when their first window begins */
    int n_met, n_not_met;
};

/* Prints the heading of the rows that follow. */
void acceptance_section(const char *title);

/* Each prints one row and counts it; the name holds the unit. A value that is no number is not met.
 */
void acceptance_at_most(struct acceptance *acceptance, const char *name, double value,
                        double limit);
void acceptance_at_least(struct acceptance *acceptance, const char *name, double value,
                         double limit);
void acceptance_near(struct acceptance *acceptance, const char *name, double value, double expected,
                     double tolerance);
void acceptance_holds(struct acceptance *acceptance, const char *name, bool holds);

/* The criteria, one function a source file. Each returns 0, or a negative errno when it could not
 * measure: the program then ends with exit code 1. */
int acceptance_filter_and_model(struct acceptance *acceptance);
int acceptance_moves_and_delay(struct acceptance *acceptance);
int acceptance_one_axis(struct acceptance *acceptance);
int acceptance_six_axes(struct acceptance *acceptance);
int acceptance_application(struct acceptance *acceptance); /* nothing without runs */
int acceptance_kinematics(struct acceptance *acceptance);
int acceptance_planner(struct acceptance *acceptance);
int acceptance_time_base(struct acceptance *acceptance);
int acceptance_underrun(struct acceptance *acceptance);

#endif
