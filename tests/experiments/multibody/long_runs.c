/* SPDX-License-Identifier: Apache-2.0 */
/* Closedness, energies and independent coordinates over long runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_mechanism.h"
#include "rows.h"

static void close_for(int world, enum dpl_mb_integrator integrator, double seconds)
{
    struct golden_world golden;
    char name[96];
    double most = 0.0, most_rate = 0.0;
    golden_loop(world, &golden);
    struct dpl_mb_system *system = golden_system(&golden, integrator);
    int failed = 0;
    for (long i = 0; i < lround(seconds / 1e-3); i++) {
        failed += dpl_mb_step(system, 1e-3) < 0;
        most = worse(most, dpl_mb_residual(system));
        most_rate = worse(most_rate, dpl_mb_residual_rate(system));
    }
    dpl_mb_system_destroy(system);
    const char *by = integrator == DPL_MB_RK4 ? "rk4" : "semi-implicit";
    snprintf(name, sizeof name, "closed: residual, %s, %s, %g s", world_names[world], by, seconds);
    row_at_most(name, most, 1e-12, "m, rad");
    snprintf(name, sizeof name, "closed: its rate, %s, %s", world_names[world], by);
    row_at_most(name, most_rate, 1e-10, "m/s");
    snprintf(name, sizeof name, "closed: failed steps, %s, %s", world_names[world], by);
    row_at_most(name, failed, 0.0, "steps");
}

void rows_closed(void)
{
    for (int world = 2; world <= 6; world++) {
        close_for(world, DPL_MB_RK4, asked->quick ? 5.0 : 60.0);
        close_for(world, DPL_MB_SEMI_IMPLICIT, asked->quick ? 5.0 : 60.0);
    }
}

/* The largest change of the energy, of its size at the start. */
static double drift_of(const struct golden_world *world, enum dpl_mb_integrator integrator,
                       double step, double seconds)
{
    struct dpl_mb_system *system = golden_system(world, integrator);
    double start = energy_of(system), most = 0.0;
    for (long i = 0; i < lround(seconds / step); i++) {
        most = dpl_mb_step(system, step) < 0 ? HUGE_VAL : most;
        most = worse(most, (energy_of(system) - start) / start);
    }
    dpl_mb_system_destroy(system);
    return most;
}

static void momentum_of_a_free_body(void)
{
    struct dpl_mb_system *system = golden_system(&golden_free_body, DPL_MB_RK4);
    double first[3], worst = 0.0;
    for (int i = 0; i <= 2000; i++) {
        struct dpl_mb_body_state state;
        const double centre[3] = {.1, -.05, .2};
        double linear[3], angular[3], place[3];
        dpl_mb_body(system, 1, &state);
        dpl_mb_momentum(system, linear, angular);
        for (int k = 0; k < 3; k++) {
            const double *row = &state.place.rotation[3 * k];
            place[k] = state.place.position[k] + row[0] * centre[0] + row[1] * centre[1] +
                       row[2] * centre[2];
        }
        for (int k = 0; k < 3; k++) { /* about the centre of mass */
            int a = (k + 1) % 3, b = (k + 2) % 3;
            double own = angular[k] - (place[a] * linear[b] - place[b] * linear[a]);
            first[k] = i == 0 ? own : first[k];
            worst = worse(worst, own - first[k]);
        }
        dpl_mb_step(system, 1e-3);
    }
    dpl_mb_system_destroy(system);
    row_at_most("energy: angular momentum of a free body, 2 s", worst, 1e-10, "N m s");
}

/* A mechanism by chance under its weight alone. Below 0: it is not used. */
static double drift_by_chance(uint64_t seed, double seconds, double *inout_open)
{
    struct random_mechanism how = random_mechanism_choose(seed);
    struct dpl_mb_settings settings = {
        .integrator = DPL_MB_DOPRI5, .relative = 1e-10, .absolute = 1e-10};
    struct dpl_mb_graph *graph;
    struct dpl_mb_system *system = NULL;
    struct oracle_rank rank;
    if (dpl_mb_graph_create(NULL, &graph) < 0) {
        return HUGE_VAL;
    }
    free(random_mechanism_fill(graph, seed, &how, &rank));
    for (int i = 0; i < (int)graph->n_restraints; i++) {
        dpl_mb_activate(graph, DPL_MB_RESTRAINT, i, false, NULL);
    }
    double drift = -1.0;
    if (rank.pivot > 1e-4 &&
        dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, NULL) == 0) {
        double start = energy_of(system), size = 1.0;
        drift = 0.0;
        for (long i = 0; i < lround(seconds / 1e-2); i++) {
            drift = dpl_mb_step(system, 1e-2) < 0 ? HUGE_VAL : drift;
            drift = worse(drift, energy_of(system) - start);
            size = fmax(size, dpl_mb_kinetic(system));
            *inout_open = worse(*inout_open, dpl_mb_residual(system));
        }
        drift /= size;
    }
    dpl_mb_system_destroy(system);
    dpl_mb_graph_destroy(graph);
    return drift;
}

static void by_chance(void)
{
    int seeds = asked->quick ? 100 : 1000, used = 0;
    double worst = 0.0, open = 0.0, seconds = asked->quick ? 0.5 : 2.0;
    for (int seed = 0; seed < seeds; seed++) {
        double drift = drift_by_chance((uint64_t)seed, seconds, &open);
        if (drift >= 0.0) {
            worst = worse(worst, drift);
            used++;
        }
    }
    row_at_most("energy: mechanisms by chance, dopri5 1e-10", used > 0 ? worst : HUGE_VAL, 1e-7,
                "of kin.");
    row_at_most("energy: mechanisms by chance, residual", open, 1e-11, "m, rad");
    remark("%d of %d seeds, %g s each", used, seeds, seconds);
}

void rows_energy(void)
{
    static const struct {
        const char *name;
        const struct golden_world *world;
        double seconds, limit; /* semi-implicit */
    } worlds[] = {{"double pendulum", &golden_double_pendulum, 60, .02},
                  {"four-bar", &golden_four_bar, 20, .04},
                  {"slider-crank", &golden_slider_crank, 20, .20}};
    char name[96];
    for (int i = 0; i < 3; i++) {
        double seconds = asked->quick ? 3.0 : 10.0;
        double whole = drift_of(worlds[i].world, DPL_MB_RK4, 1e-3, seconds);
        double half = drift_of(worlds[i].world, DPL_MB_RK4, 5e-4, seconds);
        snprintf(name, sizeof name, "energy: %s, rk4 1 ms, %g s", worlds[i].name, seconds);
        row_at_most(name, whole, 1e-9, "relative");
        /* below 2e-13 it is rounding, which no shorter step makes smaller */
        snprintf(name, sizeof name, "energy: %s, rk4, half the step", worlds[i].name);
        row_at_most(name, half, fmax(whole / 12.0, 2e-13), "relative");
        double fifth = drift_of(worlds[i].world, DPL_MB_DOPRI5, 1e-2, seconds);
        snprintf(name, sizeof name, "energy: %s, dopri5 1e-10, %g s", worlds[i].name, seconds);
        row_at_most(name, fifth, 1e-7, "relative");
        seconds = asked->quick ? 5.0 : worlds[i].seconds;
        double rough = drift_of(worlds[i].world, DPL_MB_SEMI_IMPLICIT, 1e-3, seconds);
        snprintf(name, sizeof name, "energy: %s, semi-implicit 1 ms, %g s", worlds[i].name,
                 seconds);
        row_at_most(name, rough, worlds[i].limit, "relative");
        /* later the double pendulum, which is chaotic, goes other ways with other steps */
        seconds = asked->quick ? 5.0 : 10.0;
        rough = drift_of(worlds[i].world, DPL_MB_SEMI_IMPLICIT, 1e-3, seconds);
        double finer = drift_of(worlds[i].world, DPL_MB_SEMI_IMPLICIT, 5e-4, seconds);
        snprintf(name, sizeof name, "energy: %s, semi-implicit, half the step, %g s",
                 worlds[i].name, seconds);
        row_at_most(name, fabs(finer / rough - 0.5), 0.1, "of 1");
    }
    double bricard = drift_of(&golden_bricard, DPL_MB_RK4, 1e-3, asked->quick ? 3.0 : 20.0);
    row_at_most("energy: Bricard, rk4 1 ms", bricard, 1e-10, "relative");
    momentum_of_a_free_body();
    by_chance();
}

/* A crank that nothing brakes, through a hundred turns. */
static void hundred_turns(const struct golden_world *from, const char *what, bool quick)
{
    struct golden_world world = *from;
    char name[96];
    double turns = quick ? 10.0 : 100.0, most = 0.0, wrong = 0.0, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        world.gravity[i] = 0.0;
    }
    for (int j = 0; world.joints[j].name; j++) {
        world.joints[j].v = j == 0 ? 40.0 : 0.0;
    }
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    double start = energy_of(system);
    while (golden_q(system, 0) < 2.0 * 3.14159265358979323846 * turns && wrong == 0.0) {
        wrong += dpl_mb_step(system, 1e-4) < 0 || dpl_mb_time(system) > 100.0;
        most = worse(most, dpl_mb_residual(system));
    }
    /* how the turns of a loop go together: whole ones are counted by all joints alike */
    sum = golden_q(system, 0) + golden_q(system, 1) + golden_q(system, 2);
    sum -= from == &golden_four_bar ? golden_q(system, 3) : 0.0;
    double drift = fabs(energy_of(system) / start - 1.0);
    dpl_mb_system_destroy(system);
    snprintf(name, sizeof name, "repartition: %s, %g turns, residual", what, turns);
    row_at_most(name, wrong > 0.0 ? HUGE_VAL : most, 1e-12, "m, rad");
    snprintf(name, sizeof name, "repartition: %s, energy", what);
    row_at_most(name, drift, 1e-8, "relative");
    snprintf(name, sizeof name, "repartition: %s, sum of turns", what);
    row_at_most(name, worse(0.0, sum), 1e-9, "rad");
}

static void compare_often(int number)
{
    struct golden_world world;
    struct dpl_mb_system *systems[2];
    char name[96];
    double worst = 0.0;
    int events = 0;
    golden_loop(number, &world);
    for (int often = 0; often < 2; often++) {
        struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4,
                                           .repartition = often ? 1e-9 : 0.0};
        struct dpl_mb_event event;
        systems[often] = golden_create(&world, &settings);
        for (int i = 0; i < 5000; i++) {
            golden_run(systems[often], 2e-4 * (i + 1), 2e-4);
            while (dpl_mb_take_event(systems[often], &event)) {
                events += often && event.type == DPL_MB_EVENT_REPARTITION;
            }
        }
    }
    for (int j = 0; world.joints[j].name; j++) {
        worst = worse(worst, golden_q(systems[0], j) - golden_q(systems[1], j));
        worst = worse(worst, golden_v(systems[0], j) - golden_v(systems[1], j));
    }
    dpl_mb_system_destroy(systems[0]);
    dpl_mb_system_destroy(systems[1]);
    snprintf(name, sizeof name, "repartition: in every step, %s, 1 s", world_names[number]);
    row_at_most(name, events < 5000 ? HUGE_VAL : worst, 1e-9, "SI");
    remark("%d times in 5000 steps", events);
}

void rows_repartition(void)
{
    struct dpl_mb_system *system = golden_system(&golden_bricard, DPL_MB_RK4);
    double start = energy_of(system), drift = 0.0, seconds = asked->quick ? 10.0 : 60.0;
    int events = 0;
    for (long i = 0; i < lround(seconds / 1e-3); i++) {
        struct dpl_mb_event event;
        drift = dpl_mb_step(system, 1e-3) < 0 ? HUGE_VAL : drift;
        drift = worse(drift, energy_of(system) / start - 1.0);
        while (dpl_mb_take_event(system, &event)) {
            events += event.type == DPL_MB_EVENT_REPARTITION;
        }
    }
    dpl_mb_system_destroy(system);
    row_at_most("repartition: Bricard, energy", drift, 1e-9, "relative");
    remark("%d times in %g s", events, seconds);
    hundred_turns(&golden_four_bar, "four-bar", asked->quick);
    hundred_turns(&golden_slider_crank, "slider-crank", asked->quick);
    for (int world = 2; world <= 6; world++) {
        compare_often(world);
    }
}
