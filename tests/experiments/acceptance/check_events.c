/* SPDX-License-Identifier: Apache-2.0 */
/* Check C: blocked robots, lost poses, a robot that is moved by hand, the ideal pair, and the
 * accuracy of the identified maps. */
#include "report.h"

#include <stdio.h>

#define MAX_SEEDS 12

static struct run_result worst_of(const struct run_spec *spec)
{
    struct run_spec specs[MAX_SEEDS];
    struct run_result results[MAX_SEEDS], worst = {0};
    int n = report_seeds(MAX_SEEDS, 2);
    n = n > MAX_SEEDS ? MAX_SEEDS : n;
    worst.set_poses = 0;
    for (int i = 0; i < n; i++) {
        specs[i] = *spec;
        specs[i].seed = 1 + (uint64_t)i;
    }
    report_run(specs, (size_t)n, results);
    for (int i = 0; i < n; i++) {
        worst.rms = fmax(worst.rms, results[i].rms);
        worst.max = fmax(worst.max, results[i].max);
        worst.block_max = fmax(worst.block_max, results[i].block_max);
        worst.recovery_s =
            fmax(worst.recovery_s, results[i].recovered ? results[i].recovery_s : 1e3);
        worst.m11_moved = fmax(worst.m11_moved, results[i].m11_moved);
        worst.m11_error = fmax(worst.m11_error, results[i].m11_error);
        worst.m22_error = fmax(worst.m22_error, results[i].m22_error);
        worst.set_poses += results[i].set_poses;
        worst.ticks++;
    }
    return worst;
}

static struct run_result event(enum mismatch_id mismatch, enum scenario_id scenario, bool teleport)
{
    struct run_spec spec = {.mismatch = mismatch,
                            .scenario = scenario,
                            .method = METHOD_ADAPTIVE,
                            .period_s = 0.1,
                            .teleport = teleport};
    return worst_of(&spec);
}

static void check_avatar_block(void)
{
    static const enum mismatch_id sets[] = {MISMATCH_SLOW8, MISMATCH_FAST8, MISMATCH_ASYM,
                                            MISMATCH_LAG,   MISMATCH_MIX,   MISMATCH_RAND};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char name[80];
        struct run_result r = event(sets[i], SCENARIO_AV_BLOCK, false);
        snprintf(name, sizeof name, "avatar blocked 2 s, %s: maximum", mismatch_names[sets[i]]);
        row_at_most(name, 1e3 * r.block_max, 2.0 * 120.0 + 30.0, "mm");
        snprintf(name, sizeof name, "avatar blocked 2 s, %s: 20 mm reached after release",
                 mismatch_names[sets[i]]);
        row_at_most(name, r.recovery_s, 3.5, "s");
        snprintf(name, sizeof name, "avatar blocked 2 s, %s: m11 moved", mismatch_names[sets[i]]);
        row_at_most(name, r.m11_moved, 0.05, "");
    }
}

static void check_real_block(void)
{
    struct run_result easy = event(MISMATCH_RAND, SCENARIO_REAL_BLOCK, false);
    struct run_result hard = event(MISMATCH_HARD, SCENARIO_REAL_BLOCK, false);
    row_at_most("real robot blocked 3 s, rand: RMS", 1e3 * easy.rms, 30.0, "mm");
    row_at_most("real robot blocked 3 s, hard: RMS", 1e3 * hard.rms, 45.0, "mm");
    row_at_most("real robot blocked 3 s, rand: 20 mm after release", easy.recovery_s, 2.0, "s");
    row_at_most("real robot blocked 3 s, hard: 20 mm after release", hard.recovery_s, 2.0, "s");
}

static void check_outage(void)
{
    struct run_result easy = event(MISMATCH_RAND, SCENARIO_OUTAGE, false);
    struct run_result hard = event(MISMATCH_HARD, SCENARIO_OUTAGE, false);
    row_at_most("no real pose for 1.5 s, rand: RMS", 1e3 * easy.rms, 18.0, "mm");
    row_at_most("no real pose for 1.5 s, hard: RMS", 1e3 * hard.rms, 25.0, "mm");
}

static void check_jump(void)
{
    struct run_result on = event(MISMATCH_RAND, SCENARIO_KIDNAP, true);
    struct run_result off = event(MISMATCH_RAND, SCENARIO_KIDNAP, false);
    row_at_most("jump 0.72 m, teleport: SetPose a run", (double)on.set_poses / on.ticks, 1.0, "");
    row_at_least("jump 0.72 m, teleport: SetPose a run", (double)on.set_poses / on.ticks, 1.0, "");
    row_at_most("jump 0.72 m, teleport: 20 mm after", on.recovery_s, 4.0, "s");
    row_at_most("jump 0.72 m, no teleport: 20 mm after", off.recovery_s, 12.0, "s");
    row_at_most("jump 0.72 m, no teleport: SetPose", off.set_poses, 0.0, "");
}

static void check_ideal(void)
{
    for (int s = 0; s < N_REGULAR_SCENARIOS; s++) {
        char name[80];
        if (s == SCENARIO_SLIP_PATCH || s == SCENARIO_OFFSET) {
            continue;
        }
        struct run_spec spec = {.mismatch = MISMATCH_IDEAL,
                                .scenario = (enum scenario_id)s,
                                .method = METHOD_ADAPTIVE,
                                .period_s = 0.1};
        snprintf(name, sizeof name, "ideal pair, %s, 100 ms: RMS", scenarios[s].name);
        row_at_most(name, 1e3 * worst_of(&spec).rms, 8.0, "mm");
        spec.period_s = 0.02;
        snprintf(name, sizeof name, "ideal pair, %s, 20 ms: RMS", scenarios[s].name);
        row_at_most(name, 1e3 * worst_of(&spec).rms, 6.0, "mm");
    }
}

static void check_identification(void)
{
    static const enum scenario_id by[] = {SCENARIO_PROFILE, SCENARIO_SCURVE, SCENARIO_RANDOM};
    static const enum mismatch_id sets[] = {MISMATCH_SLOW8, MISMATCH_FAST8, MISMATCH_ASYM,
                                            MISMATCH_LAG,   MISMATCH_MIX,   MISMATCH_RAND};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (size_t j = 0; j < sizeof by / sizeof by[0]; j++) {
            char name[80];
            struct run_result r = event(sets[i], by[j], false);
            snprintf(name, sizeof name, "identified m11, %s, %s", mismatch_names[sets[i]],
                     scenarios[by[j]].name);
            row_at_most(name, r.m11_error, 0.03, "");
            if (by[j] == SCENARIO_PROFILE) {
                continue; /* never turns: m22 cannot be learned */
            }
            snprintf(name, sizeof name, "identified m22, %s, %s", mismatch_names[sets[i]],
                     scenarios[by[j]].name);
            row_at_most(name, r.m22_error, 0.06, "");
        }
    }
}

void check_events()
{
    printf("C  events, 100 ms, worst of the seeds\n");
    check_avatar_block();
    check_real_block();
    check_outage();
    check_jump();
    check_ideal();
    check_identification();
    fflush(stdout);
}
