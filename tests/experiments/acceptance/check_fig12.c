/* SPDX-License-Identifier: Apache-2.0 */
/* Check D: the control method behaves as in the paper's figure 12, both where it helps and where it
 * fails. */
#include "report.h"

#include <stdio.h>

#define MAX_SEEDS 12

static struct run_result run(enum mismatch_id mismatch, enum scenario_id scenario,
                             enum method method, uint64_t seed)
{
    struct run_spec spec = {.mismatch = mismatch,
                            .scenario = scenario,
                            .method = method,
                            .period_s = 0.1,
                            .seed = seed};
    struct run_result result;
    report_run(&spec, 1, &result);
    return result;
}

/* Mean distance with the control method divided by that without; the worst of the seeds. */
static double worst_ratio(enum mismatch_id mismatch, enum scenario_id scenario)
{
    double worst = 0.0;
    for (int seed = 1; seed <= report_seeds(MAX_SEEDS, 4); seed++) {
        double none = run(mismatch, scenario, METHOD_NONE, (uint64_t)seed).mean;
        double fig12 = run(mismatch, scenario, METHOD_FIG12_ACCUMULATE, (uint64_t)seed).mean;
        worst = fmax(worst, fig12 / none);
    }
    return worst;
}

static void check_straight(void)
{
    static const enum mismatch_id sets[] = {MISMATCH_SLOW8, MISMATCH_FAST8};
    static const enum scenario_id by[] = {SCENARIO_STRAIGHT, SCENARIO_PROFILE};
    for (int i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "fig12 accumulate, %s %s: mean over no sync",
                 mismatch_names[sets[i / 2]], scenarios[by[i % 2]].name);
        row_at_most(name, worst_ratio(sets[i / 2], by[i % 2]), 0.6, "");
    }
}

static void check_turning(void)
{
    static const enum method both[] = {METHOD_FIG12_ACCUMULATE, METHOD_FIG12_RESET};
    for (int i = 0; i < 2; i++) {
        char name[80];
        struct run_result arc = run(MISMATCH_IDEAL, SCENARIO_ARC, both[i], 1);
        struct run_result turn = run(MISMATCH_IDEAL, SCENARIO_ROTATE, both[i], 1);
        snprintf(name, sizeof name, "%s, arc 0.3 rad/s, ideal: steady heading error",
                 method_names[both[i]]);
        row_at_least(name, dpl_rad_to_deg(arc.steady_heading), 14.0, "deg");
        row_at_most(name, dpl_rad_to_deg(arc.steady_heading), 20.0, "deg");
        snprintf(name, sizeof name, "%s, rotation 0.5 rad/s, ideal: lag at 2 s",
                 method_names[both[i]]);
        row_at_least(name, dpl_rad_to_deg(turn.heading_at_2s), 18.0, "deg");
    }
}

static void print_reference(void)
{
    static const enum mismatch_id sets[] = {MISMATCH_SLOW8, MISMATCH_FAST8, MISMATCH_IDEAL};
    static const enum scenario_id by[] = {SCENARIO_STRAIGHT, SCENARIO_PROFILE};
    static const enum method shown[] = {METHOD_NONE, METHOD_FIG12_RESET, METHOD_FIG12_ACCUMULATE};
    printf("D  the control, one seed, RMS/max in mm: none, fig12 reset, fig12 accumulate\n");
    for (int i = 0; i < 6; i++) {
        printf("        %-6s %-9s", mismatch_names[sets[i / 2]], scenarios[by[i % 2]].name);
        for (int m = 0; m < 3; m++) {
            struct run_result r = run(sets[i / 2], by[i % 2], shown[m], 1);
            printf("  %4.0f/%-4.0f", 1e3 * r.rms, 1e3 * r.max);
        }
        printf("\n");
    }
}

void check_fig12()
{
    print_reference();
    check_straight();
    check_turning();
    fflush(stdout);
}
