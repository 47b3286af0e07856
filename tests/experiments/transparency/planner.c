/* SPDX-License-Identifier: Apache-2.0 */
/* Criteria of the trajectory planner: properties for all references, failures without each
 * protection, its numbers, and the time of a tick. */
#include "planner_rows.h"

#include <math.h>
#include <stdio.h>

#include <doppel/system_clock.h>

#define N_TICKS       1000000
#define N_TICKS_QUICK 100000

#define NO_GUARD (DPL_TRAJ_ALL_STAGES & ~(unsigned)DPL_TRAJ_GUARD)
#define NO_SOFT  (DPL_TRAJ_ALL_STAGES & ~(unsigned)DPL_TRAJ_WORKSPACE)
#define BARE     (NO_GUARD & NO_SOFT)

static struct planner_run run(double scale, unsigned stages, enum planner_reference_kind kind)
{
    struct dpl_traj_config config;
    planner_machine_config(&config, scale, stages);
    return planner_run(&config, kind, asked->quick ? N_TICKS_QUICK : N_TICKS);
}

/* Leaving the soft ellipsoid ends at home, where it is restarted. */
static struct planner_run run_home(double scale, enum planner_reference_kind kind)
{
    struct dpl_traj_config config;
    planner_machine_config(&config, scale, DPL_TRAJ_ALL_STAGES);
    config.workspace.policy = DPL_TRAJ_RETURN_HOME;
    config.sync.duration_s = config.workspace.return_ramp.duration_s = 0.2;
    return planner_run(&config, kind, asked->quick ? N_TICKS_QUICK : N_TICKS);
}

static struct planner_run both_scales(unsigned stages, enum planner_reference_kind kind)
{
    struct planner_run worst = run(1.0, stages, kind);
    struct planner_run slow = run(0.1, stages, kind);
    planner_run_worst(&worst, &slow);
    return worst;
}

static void print_property(const char *reference, const char *property, double value, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s: %s", reference, property);
    row_at_most(name, value, limit, "");
}

/* With the guard: all stages, without the soft layer, and with the policy RETURN_HOME; acceleration
 * without the guard too. */
static void properties(enum planner_reference_kind kind, struct planner_run *unguarded)
{
    const char *name = planner_reference_names[kind];
    struct planner_run worst = both_scales(DPL_TRAJ_ALL_STAGES, kind);
    struct planner_run guard_alone = both_scales(NO_SOFT, kind);
    struct planner_run home = run_home(1.0, kind);
    struct planner_run slow_home = run_home(0.1, kind);
    planner_run_worst(&worst, &guard_alone);
    planner_run_worst(&worst, &home);
    planner_run_worst(&worst, &slow_home);
    *unguarded = both_scales(NO_GUARD, kind);
    print_property(name, "largest hard level", worst.hard_level, 1.0);
    print_property(name, "largest |a|/A - 1", fmax(worst.accel, unguarded->accel) - 1.0, 1e-9);
    print_property(name, "outputs not finite", (double)(worst.n_bad + unguarded->n_bad), 0.0);
    print_property(name, "served |a| over that of poses - 1", worst.served_over_poses - 1.0, 1e-9);
    print_property(name, "served hard level", worst.served_level, 1.0);
}

static void transparent(void)
{
    struct planner_run worst = both_scales(DPL_TRAJ_ALL_STAGES, PLANNER_REFERENCE_IN_LIMIT);
    row_at_least("in-limit sines: outputs compared", (double)worst.n_compared,
                 asked->quick ? 2.0 * N_TICKS_QUICK : 2.0 * N_TICKS, "");
    row_at_most("in-limit sines: outputs that differ in a bit", (double)worst.n_differ, 0.0, "");
}

/* Guard and soft layer off, a tenth of the acceleration; the worst of all references. */
static double runaway(double speed_max)
{
    struct planner_run worst = {0};
    for (int kind = 0; kind < N_PLANNER_REFERENCES; kind++) {
        struct dpl_traj_config config;
        planner_machine_config(&config, 0.1, BARE);
        for (int i = 0; i < DPL_SIX && speed_max > 0.0; i++) {
            config.saturation.speed_max[i] = speed_max;
        }
        struct planner_run one = planner_run(&config, (enum planner_reference_kind)kind,
                                             asked->quick ? N_TICKS_QUICK : N_TICKS);
        planner_run_worst(&worst, &one);
    }
    return worst.hard_level;
}

/* A control is successful when the property without the protection is violated. */
static void controls(const struct planner_run *unguarded)
{
    struct planner_run sweep = run(1.0, NO_GUARD, PLANNER_REFERENCE_SWEEP);
    struct planner_run unsaturated =
        run(1.0, BARE & ~(unsigned)DPL_TRAJ_SATURATION, PLANNER_REFERENCE_STEPS);
    struct planner_run unconditioned =
        run(1.0, BARE & ~(unsigned)DPL_TRAJ_CONDITION, PLANNER_REFERENCE_BURSTS);
    row_at_least("CONTROL guard off, all references, A and 0.1 A: hard level",
                 unguarded->hard_level, 2.0, "");
    row_at_least("CONTROL guard off, sine sweep 2H, A: hard level", sweep.hard_level, 1.1, "");
    row_at_least("CONTROL guard and soft off, 0.1 A: hard level", runaway(0.0), 10.0, "");
    row_at_least("CONTROL the same, reference speed believed to 1e3: hard level", runaway(1e3), 1e2,
                 "");
    row_at_least("CONTROL saturation and guard off, steps: largest |a|/A", unsaturated.accel, 10.0,
                 "");
    row_at_least("CONTROL conditioning and guard off, bursts: not finite",
                 (double)unconditioned.n_bad, 1.0, "");
}

static double seconds(void)
{
    return dpl_ns_to_s(dpl_monotonic_now());
}

/* A measurement, not a criterion: it depends on the computer and its load. */
static void cost(void)
{
    enum { N_POSES = 4096, N = 2000000 };
    static struct dpl_traj_reference poses[N_POSES];
    struct dpl_traj_config config;
    struct dpl_traj_planner planner;
    struct planner_reference reference = planner_reference_begin(PLANNER_REFERENCE_IN_LIMIT, 1);
    double y[DPL_SIX], sum = 0.0;
    planner_machine_config(&config, 1.0, DPL_TRAJ_ALL_STAGES);
    dpl_traj_planner_init(&planner, &config);
    dpl_traj_planner_start(&planner, planner_machine_centre);
    for (int k = 0; k < N_POSES; k++) {
        planner_reference_next(&reference, poses[k].pose);
    }
    /* There and back again, so that the reference has no jump. */
    double from = 0.0;
    for (int k = -2 * N_POSES; k < N; k++) {
        int at = (k + 2 * N_POSES) % (2 * N_POSES);
        from = k == 0 ? seconds() : from;
        dpl_traj_planner_step(&planner, &poses[at < N_POSES ? at : 2 * N_POSES - 1 - at], 0, NULL,
                              y);
        sum += y[0];
    }
    printf("  cost of a tick, all stages on, mostly transparent: %.0f ns (aim 100; sum %.3g)\n",
           1e9 * (seconds() - from) / N, sum);
}

int acceptance_planner(void)
{
    struct planner_run unguarded = {0};
    puts("trajectory planner: synchronisation");
    planner_rows_sync();
    puts("trajectory planner: workspace and saturation");
    planner_rows_excursion();
    planner_rows_events();
    puts("trajectory planner: any reference, A and 0.1 A, soft layer on and off");
    for (int kind = 0; kind < N_PLANNER_REFERENCES; kind++) {
        struct planner_run one;
        properties((enum planner_reference_kind)kind, &one);
        planner_run_worst(&unguarded, &one);
    }
    transparent();
    puts("trajectory planner: negative controls, which must exceed");
    controls(&unguarded);
    cost();
    return 0;
}
