/* SPDX-License-Identifier: Apache-2.0 */
/* localization: drives a simulated robot with the Localizer and compares its poses with the truth
 * and the limits of its acceptance; or a real robot's log, with the poses of a mapping run. Exit 0
 * when all limits are met, 4 when one is not, 1 when a log cannot be used, 2 on wrong usage. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded.h"
#include "rows.h"

static const char usage[] =
    "usage: localization [--row LETTERS] [--seeds N] [--first N] [--seconds S] [--world FILE]\n"
    "                    [--beams N] [--verbose]\n"
    "       localization --log FILE [--seconds S] [--trace FILE] [--verbose]\n"
    "  --row ABC      only these rows of the acceptance, default A to J, and L\n"
    "  --seeds N      how many, 1 to 1000, default as the row says\n"
    "  --first N      the first seed, default 1\n"
    "  --seconds S    of each drive, default as the row says\n"
    "  --beams N      of the laser, 60 to 682, default as the row says\n"
    "  --world FILE   default " WORLD "\n"
    "  --log FILE     row N: a real robot's log is mapped, and localized in its map\n"
    "  --trace FILE   with --log: a row for each scan: error, state, agreement, calibration (CSV)\n"
    "  --verbose      a line for each drive\n";

static bool parse_number(const char *text, double low, double high, double *ret)
{
    char *end = NULL;
    double value = text ? strtod(text, &end) : 0.0;
    bool ok = text && end != text && *end == '\0' && value >= low && value <= high;
    *ret = ok ? value : *ret;
    return ok;
}

struct arguments {
    struct rows_options rows;
    const char *log, *trace;
};

static bool parse_one(const char *name, const char *next, struct arguments *arguments, int *i)
{
    struct rows_options *options = &arguments->rows;
    double number = 0.0;
    bool ok = next != NULL;
    *i += 1;
    if (strcmp(name, "--row") == 0 && next) {
        options->rows = next;
    } else if (strcmp(name, "--world") == 0 && next) {
        options->world = next;
    } else if (strcmp(name, "--log") == 0 && next) {
        arguments->log = next;
    } else if (strcmp(name, "--trace") == 0 && next) {
        arguments->trace = next;
    } else if (strcmp(name, "--seeds") == 0) {
        ok = parse_number(next, 1.0, 1000.0, &number);
        options->n_seeds = (unsigned)number;
    } else if (strcmp(name, "--first") == 0) {
        ok = parse_number(next, 1.0, 1e6, &number);
        options->first = (unsigned)number;
    } else if (strcmp(name, "--beams") == 0) {
        ok = parse_number(next, 60.0, ROBOT_BEAMS_MAX, &number);
        options->n_beams = (size_t)number;
    } else if (strcmp(name, "--seconds") == 0) {
        ok = parse_number(next, 1.0, 1e5, &options->seconds);
    } else {
        ok = strcmp(name, "--verbose") == 0;
        options->verbose |= ok;
        *i -= 1;
    }
    return ok;
}

static int run_log(const struct arguments *arguments)
{
    struct recorded_options options = {arguments->log, arguments->rows.seconds,
                                       arguments->rows.verbose, arguments->trace};
    int err = recorded_run(&options);
    return err == 0 ? 0 : err == -ERANGE ? 4 : 1;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.rows = {.world = WORLD, .rows = "ABCDEFGHIJL", .first = 1}};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!parse_one(name, i + 1 < argc ? argv[i + 1] : NULL, &arguments, &i)) {
            fprintf(stderr, "localization: bad argument '%s'\n%s", name, usage);
            return 2;
        }
    }
    return arguments.log ? run_log(&arguments) : rows_run(&arguments.rows) ? 0 : 4;
}
