/* SPDX-License-Identifier: Apache-2.0 */
/* Gives faults to a simulated robot in the office and prints which verdicts its diagnosis finds,
 * how soon, and how often it is wrong when there is no fault. Exit code 4: a limit is missed. */
#include "frame.h"
#include "rows.h"

struct values {
    struct rows rows;
    struct rows_config config;
    bool no_objects, no_gyro;
};

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"world", "FILE", OPTION_STRING, V(config.world), 0, 0, "default the office", NULL},
    {"first", "SEED", OPTION_COUNT, V(config.first), 1, 1e6, "the first seed (default 1)", NULL},
    {"seeds", "N", OPTION_COUNT, V(config.seeds), 1, ROWS_SEEDS_MAX, "default 12", NULL},
    {"hours", "H", OPTION_NUMBER, V(config.hours), 0, 1e4, "without a fault (default 1)", NULL},
    {"no-objects", NULL, OPTION_FLAG, V(no_objects), 0, 0,
     "without verdicts on objects in these hours", NULL},
    {"beams", "N", OPTION_COUNT, V(config.n_beams), 60, 682, "of the laser (default 682)", NULL},
    {"row", "TEXT", OPTION_STRING, V(config.only), 0, 0, "rows whose name has this", NULL},
    {"trace", NULL, OPTION_FLAG, V(config.trace), 0, 0, "a line for each scan in a fault", NULL},
    {"twist", "DEG", OPTION_NUMBER, V(config.twist_deg), -180, 180,
     "the laser turns by this besides, 2 s after each fault begins; the heading is judged 60 s "
     "after the fault and the turn back",
     NULL},
    {"twist-for", "S", OPTION_NUMBER, V(config.twist_for_s), 1e-3, 1e6,
     "then it turns back (default: it stays so)", NULL},
    {"no-gyro", NULL, OPTION_FLAG, V(no_gyro), 0, 0, "the robot has none", NULL},
};

static const struct command command = {
    .name = "diagnosis",
    .is_program = true,
    .summary = "prints which faults of a robot are found, how soon, and what is found without one",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

int main(int argc, char **argv)
{
    struct values values = {0};
    rows_config_init(&values.config);
    int code = rows_options(&command, argc, argv, &values);
    values.config.objects = !values.no_objects;
    values.config.gyro = !values.no_gyro;
    return code >= 0 ? code : diagnosis_rows(&values.config) ? 0 : 4;
}
