/* SPDX-License-Identifier: Apache-2.0 */
/* transparency_experiment: tables and charts from the two runs of the experiment. Exit 0; 1 when
 * something could not be read or written, 2 on wrong usage. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/output.h>

#include "experiment_charts.h"
#include "experiment_page.h"

static const char usage[] =
    "usage: transparency_experiment START_S RUNS FOLDER\n"
    "  START_S  when the first window of 7500 samples began, a multiple of 0.0025\n"
    "  RUNS     folder of the runs: see tests/experiments/transparency/run\n"
    "  FOLDER   gets index.md and the charts\n";

static struct experiments experiments; /* too large for the stack; errors point into it */

static int write_page(const char *folder, struct dpl_diag *reterr)
{
    char file[1024];
    struct dpl_place place = {.file = folder};
    snprintf(file, sizeof file, "%s/index.md", folder);
    struct dpl_output output;
    int r = dpl_output_open(&output, file, reterr);
    if (r < 0) {
        return r;
    }
    r = experiment_page(output.stream, &experiments);
    if (r < 0) {
        dpl_output_abandon(&output);
        return dpl_fail(reterr, r, place, "cannot write index.md: %s", strerror(-r));
    }
    return dpl_output_close(&output, reterr);
}

static int report(double start_s, const char *runs, const char *folder, struct dpl_diag *reterr)
{
    int r = experiments_read(runs, start_s, &experiments, reterr);
    r = r == 0 ? write_page(folder, reterr) : r;
    return r == 0 ? experiment_charts(folder, &experiments, reterr) : r;
}

int main(int argc, char **argv)
{
    struct dpl_diag error;
    char *end = NULL;
    double start_s = argc == 4 ? strtod(argv[1], &end) : (double)NAN;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!(start_s >= 0.0) || !(start_s < 1e6) || *end != '\0') {
        fputs(usage, stderr);
        return 2;
    }
    if (report(start_s, argv[2], argv[3], &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 1;
    }
    return 0;
}
