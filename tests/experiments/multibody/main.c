/* SPDX-License-Identifier: Apache-2.0 */
/* multibody: what the solver in minimal coordinates is held to, as a table. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "rows.h"

static const struct rows_group groups[] = {
    {"golden", rows_golden, NULL},
    {"topology", rows_topology, NULL},
    {"oracle", rows_oracle, NULL},
    {"invariance", rows_invariance, NULL},
    {"assembly", rows_assembly, NULL},
    {"restraints", rows_restraints, NULL},
    {"closed", rows_closed, NULL},
    {"energy", rows_energy, NULL},
    {"repartition", rows_repartition, NULL},
    {"steps", rows_steps, NULL},
    {"files", rows_files, NULL},
};

const char *const world_names[7] = {"",          "",      "four-bar", "slider-crank",
                                    "excavator", "delta", "Bricard"};

double worse(double worst, double value)
{
    return isfinite(value) ? fmax(worst, fabs(value)) : HUGE_VAL;
}

double energy_of(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
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

static const struct option options[] = {
    ROWS_ONLY("row", "only this group of rows"),
    {"seeds", "N", OPTION_COUNT, offsetof(struct rows, seeds), 1, 1e8,
     "how many mechanisms by chance (default 10000, quick 400)", NULL},
    ROWS_QUICK,
};

static const struct command command = {
    .name = "multibody",
    .is_program = true,
    .summary = "measures the solver in minimal coordinates against its limits",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more = "groups:\n"
            "  golden       worlds whose motion is known\n"
            "  topology     clusters, rows and freedoms of loops\n"
            "  oracle       accelerations of mechanisms by chance, against another formulation\n"
            "  invariance   the same mechanism told in another way\n"
            "  assembly     first poses\n"
            "  restraints   forces against energies, power, momentum\n"
            "  closed       residuals of loops in long runs\n"
            "  energy       energies in long runs\n"
            "  repartition  other independent coordinates on the way\n"
            "  steps        memory and threads\n"
            "  files        other units and dialects, files that are written, wrong files\n",
};

int main(int argc, char **argv)
{
    struct rows values = {0};
    return rows_main(&command, argc, argv, &values, groups, sizeof groups / sizeof groups[0]);
}
