/* SPDX-License-Identifier: Apache-2.0 */
/* localization: drives a simulated robot with the Localizer and compares its poses with the truth
 * and the limits of its acceptance; or a real robot's log, with the poses of a mapping run. Exit 0
 * when all limits are met, 4 when one is not, 1 when a log cannot be used, 2 on wrong usage. */
#include <errno.h>

#include "frame.h"
#include "recorded.h"
#include "rows.h"

struct values {
    struct rows rows;
    struct localization_options localization;
    struct recorded_options recorded;
};

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"row", "LETTERS", OPTION_STRING, V(localization.rows), 0, 0,
     "only these rows of the acceptance (default A to J, and L)", NULL},
    ROWS_SEEDS(1000),
    {"first", "N", OPTION_COUNT, V(localization.first), 1, 1e6, "the first seed (default 1)", NULL},
    {"seconds", "S", OPTION_NUMBER, V(localization.seconds), 1, 1e5,
     "of each drive (default: as the row says)", NULL},
    {"beams", "N", OPTION_COUNT, V(localization.n_beams), 60, ROBOT_BEAMS_MAX,
     "of the laser (default: as the row says)", NULL},
    {"world", "FILE", OPTION_STRING, V(localization.world), 0, 0, "default " WORLD, NULL},
    {"log", "FILE", OPTION_STRING, V(recorded.log), 0, 0,
     "row N: a real robot's log is mapped, and localized in its map", NULL},
    {"trace", "FILE", OPTION_STRING, V(recorded.trace), 0, 0,
     "with --log: a row for each scan: error, state, agreement, calibration (CSV)", NULL},
    {"verbose", NULL, OPTION_FLAG, V(localization.verbose), 0, 0, "a line for each drive", NULL},
};

static const struct command command = {
    .name = "localization",
    .is_program = true,
    .summary = "compares the Localizer with the truth, or with the poses of a mapping run",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

static int run_log(struct values *values)
{
    values->recorded.seconds = values->localization.seconds;
    values->recorded.verbose = values->localization.verbose;
    int err = recorded_run(&values->recorded);
    return err == 0 ? 0 : err == -ERANGE ? 4 : 1;
}

int main(int argc, char **argv)
{
    struct values values = {.localization = {.world = WORLD, .rows = "ABCDEFGHIJL", .first = 1}};
    int code = rows_options(&command, argc, argv, &values);
    if (code >= 0) {
        return code;
    }
    return values.recorded.log ? run_log(&values) : localization_rows(&values.localization) ? 0 : 4;
}
