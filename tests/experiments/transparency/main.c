/* SPDX-License-Identifier: Apache-2.0 */
/* transparency_acceptance: compares the pure logic of the six-axis motion planner with the numbers
 * of its specification. */
#include <stdio.h>
#include <stdlib.h>

#include "acceptance.h"

struct acceptance acceptance;

static const struct rows_group criteria[] = {
    {"filter_and_model", .measure = acceptance_filter_and_model},
    {"moves_and_delay", .measure = acceptance_moves_and_delay},
    {"one_axis", .measure = acceptance_one_axis},
    {"six_axes", .measure = acceptance_six_axes},
    {"application", .measure = acceptance_application},
    {"kinematics", .measure = acceptance_kinematics},
    {"planner", .measure = acceptance_planner},
    {"time_base", .measure = acceptance_time_base},
    {"underrun", .measure = acceptance_underrun},
};

static const struct option options[] = {
    ROWS_QUICK,
    ROWS_ONLY("only", "one of filter_and_model, moves_and_delay, one_axis, six_axes, application, "
                      "kinematics, planner, time_base, underrun"),
    {"runs", "START_S", OPTION_NUMBER, offsetof(struct acceptance, start_s), 0, 0,
     "judge the experiment's runs in FOLDER too, whose first window begins at START_S", NULL},
};

static const struct command command = {
    .name = "transparency_acceptance",
    .is_program = true,
    .operands = "[FOLDER]",
    .summary = "compares the logic of the motion planner with the numbers of its specification",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .max_operands = 1,
};

int main(int argc, char **argv)
{
    return rows_main(&command, argc, argv, &acceptance, criteria,
                     sizeof criteria / sizeof criteria[0]);
}
