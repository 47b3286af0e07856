/* SPDX-License-Identifier: Apache-2.0 */
/* multibody: what the solver in minimal coordinates is held to, as a table. Exit code 0: all rows
 * are within their limits; 1: not all; 2: wrong use. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static const struct {
    const char *name, *what;
    void (*measure)(const struct options *options);
} groups[] = {
    {"golden", "worlds whose motion is known", rows_golden},
    {"topology", "clusters, rows and freedoms of loops", rows_topology},
    {"oracle", "accelerations of mechanisms by chance, against another formulation", rows_oracle},
    {"invariance", "the same mechanism told in another way", rows_invariance},
    {"assembly", "first poses", rows_assembly},
    {"restraints", "forces against energies, power, momentum", rows_restraints},
    {"closed", "residuals of loops in long runs", rows_closed},
    {"energy", "energies in long runs", rows_energy},
    {"repartition", "other independent coordinates on the way", rows_repartition},
    {"steps", "memory and threads", rows_steps},
    {"files", "other units and dialects, files that are written, wrong files", rows_files},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

const char *const world_names[7] = {"",          "",      "four-bar", "slider-crank",
                                    "excavator", "delta", "Bricard"};

static int n_rows, n_failed;

double worse(double worst, double value)
{
    return isfinite(value) ? fmax(worst, fabs(value)) : HUGE_VAL;
}

double energy_of(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

void report(const char *name, double value, double limit, const char *unit)
{
    bool good = value <= limit;
    n_rows++;
    n_failed += !good;
    printf("%-64s %11.3g %9.3g %-9s %s\n", name, value, limit, unit, good ? "PASS" : "FAIL");
    fflush(stdout);
}

void remark(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("    ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static int usage(void)
{
    fputs("usage: multibody [--row NAME] [--seeds N] [--quick]\n\n"
          "measures the solver in minimal coordinates against its limits\n"
          "  --row NAME   only this group of rows\n"
          "  --seeds N    how many mechanisms by chance (else 10000, quick 400)\n"
          "  --quick      shorter times and fewer seeds, against the same limits\n\n",
          stderr);
    for (int i = 0; i < GROUPS; i++) {
        fprintf(stderr, "  %-12s %s\n", groups[i].name, groups[i].what);
    }
    return 2;
}

static bool parse(int argc, char **argv, struct options *ret_options)
{
    for (int i = 1; i < argc; i++) {
        char *end = NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            ret_options->quick = true;
        } else if (strcmp(argv[i], "--row") == 0 && i + 1 < argc) {
            ret_options->row = argv[++i];
        } else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) {
            long seeds = strtol(argv[++i], &end, 10);
            if (*end || seeds < 1 || seeds > 100000000) {
                return false;
            }
            ret_options->seeds = (int)seeds;
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    bool found = false;
    if (!parse(argc, argv, &options)) {
        return usage();
    }
    for (int i = 0; i < GROUPS; i++) {
        if (options.row && strcmp(options.row, groups[i].name) != 0) {
            continue;
        }
        if (!found) {
            printf("%-64s %11s %9s %-9s %s\n", "row", "value", "limit", "unit", "verdict");
        }
        found = true;
        groups[i].measure(&options);
    }
    if (!found) {
        return usage();
    }
    printf("%d of %d rows within their limits\n", n_rows - n_failed, n_rows);
    return n_failed > 0 || n_rows == 0;
}
