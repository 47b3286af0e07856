/* SPDX-License-Identifier: Apache-2.0 */
/* The criteria of transparency_acceptance, one function per source file. */
#ifndef TRANSPARENCY_ACCEPTANCE_H
#define TRANSPARENCY_ACCEPTANCE_H

#include "frame.h"

struct acceptance {
    struct rows rows;
    double start_s; /* of the first window of the application's runs, in the operand */
};
extern struct acceptance acceptance;

/* Each prints rows, whose names include the unit, and returns 0, or a negative errno when it could
 * not measure. */
int acceptance_filter_and_model(void);
int acceptance_moves_and_delay(void);
int acceptance_one_axis(void);
int acceptance_six_axes(void);
int acceptance_application(void); /* no rows without runs */
int acceptance_kinematics(void);
int acceptance_planner(void);
int acceptance_time_base(void);
int acceptance_underrun(void);

#endif
