/* SPDX-License-Identifier: Apache-2.0 */
/* The worlds whose motion is known, and the structure of loops. */
#include <math.h>
#include <stdio.h>

#include "golden_values.h"
#include "rows.h"

enum { WAYS = 2 };

static const struct way {
    const char *name;
    enum dpl_mb_integrator integrator;
    double step, limit;
} ways[WAYS] = {{"rk4, 0.1 ms", DPL_MB_RK4, 1e-4, 2e-9},
                {"dopri5, 1e-10", DPL_MB_DOPRI5, 0.05, 1e-8}};

static struct dpl_mb_system *start(const struct golden_world *world, const struct way *way)
{
    struct dpl_mb_settings settings = {
        .integrator = way->integrator, .relative = 1e-10, .absolute = 1e-10};
    return golden_create(world, &settings);
}

static void check_worst(const char *world, const struct way *way, double worst, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "golden: %s, %s", world, way->name);
    row_at_most(name, worst, limit, "SI");
}

static void compare(const char *name, const struct golden_world *world,
                    const struct golden_value *values, int n)
{
    static const double times[3] = {.5, 1, 2};
    for (int w = 0; w < WAYS; w++) {
        struct dpl_mb_system *system = start(world, &ways[w]);
        double worst = 0.0;
        for (int t = 0; t < 3; t++) {
            golden_run(system, times[t], ways[w].step);
            for (int i = 0; i < n; i++) {
                int joint = golden_joint_number(world, values[i].joint);
                double value = values[i].rate ? golden_v(system, joint) : golden_q(system, joint);
                worst = worse(worst, value - values[i].at[t]);
            }
        }
        check_worst(name, &ways[w], worst, ways[w].limit);
        dpl_mb_system_destroy(system);
    }
}

static void double_pendulum(void)
{
    static const double times[3] = {1, 2, 5};
    for (int w = 0; w < WAYS; w++) {
        struct dpl_mb_system *system = start(&golden_double_pendulum, &ways[w]);
        double worst = 0.0;
        for (int t = 0; t < 3; t++) {
            const double *golden = golden_double_pendulum_states[t];
            golden_run(system, times[t], ways[w].step);
            for (int i = 0; i < 2; i++) {
                worst = worse(worst, golden_q(system, i) - golden[i]);
                worst = worse(worst, golden_v(system, i) - golden[2 + i]);
            }
        }
        check_worst("G1 double pendulum", &ways[w], worst, ways[w].limit);
        dpl_mb_system_destroy(system);
    }
}

static void free_body(void)
{
    static const double times[3] = {.5, 1, 2};
    for (int w = 0; w < WAYS; w++) {
        struct dpl_mb_system *system = start(&golden_free_body, &ways[w]);
        double worst = 0.0;
        for (int t = 0; t < 3; t++) {
            struct dpl_mb_body_state state = {0};
            golden_run(system, times[t], ways[w].step);
            dpl_mb_body(system, 1, &state);
            for (int i = 0; i < 3; i++) {
                worst = worse(worst, state.place.position[i] - golden_free_body_places[t][i]);
                worst = worse(worst, state.angular[i] - golden_free_body_angular[t][i]);
            }
        }
        check_worst("G7 free body", &ways[w], worst, ways[w].limit);
        dpl_mb_system_destroy(system);
    }
}

/* Only steps that end at the knots of the law are as exact as others. */
static void bumper(void)
{
    static const double times[4] = {.25, .5, 1, 2};
    for (int w = 0; w < WAYS; w++) {
        struct dpl_mb_system *system = start(&golden_bumper, &ways[w]);
        double worst = 0.0;
        for (int t = 0; t < 4; t++) {
            golden_run(system, times[t], ways[w].step);
            worst = worse(worst, golden_q(system, 0) - golden_bumper_x[t]);
            worst = worse(worst, golden_v(system, 0) - golden_bumper_v[t]);
        }
        check_worst("G8 bumper", &ways[w], worst, w == 0 ? 1e-6 : ways[w].limit);
        dpl_mb_system_destroy(system);
    }
}

#define COMPARE(name, world, values) compare(name, world, values, sizeof values / sizeof *values)

void rows_golden(void)
{
    struct golden_world delta;
    golden_delta(&delta);
    double_pendulum();
    COMPARE("G2 four-bar", &golden_four_bar, golden_four_bar_values);
    COMPARE("G3 slider-crank", &golden_slider_crank, golden_slider_crank_values);
    COMPARE("G4 excavator", &golden_excavator, golden_excavator_values);
    COMPARE("G5 delta", &delta, golden_delta_values);
    COMPARE("G6 Bricard", &golden_bricard, golden_bricard_values);
    free_body();
    bumper();
    COMPARE("G9 pair restraints", &golden_pair_restraints, golden_pair_restraints_values);
}

/* ---- structure ---- */

/* How many of the numbers are others. */
static void count_wrong(const char *what, const struct golden_world *world, size_t clusters,
                        size_t rows, size_t rank, size_t freedom)
{
    char name[96];
    struct dpl_mb_topology found;
    struct dpl_mb_system *system = golden_system(world, DPL_MB_RK4);
    dpl_mb_topology(system, &found);
    int wrong = (found.clusters != clusters) + (found.rows != rows) + (found.rank != rank) +
                (found.freedom != freedom);
    snprintf(name, sizeof name, "topology: %s", what);
    row_at_most(name, wrong, 0.0, "numbers");
    remark("%zu clusters, %zu rows, rank %zu, %zu free", found.clusters, found.rows, found.rank,
           found.freedom);
    dpl_mb_system_destroy(system);
}

static void sarrus(void)
{
    struct golden_world world;
    double worst = 0.0;
    golden_sarrus(&world);
    count_wrong("Sarrus' linkage", &world, 1, 10, 6, 1);
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    for (int j = 0; j < 9; j++) {
        bool is_independent;
        double share = 0.0;
        dpl_mb_mobility(system, j, 0, &is_independent, &share);
        worst = worse(worst, share - (j % 3 == 1 ? 2.0 / 9.0 : 1.0 / 18.0));
    }
    row_at_most("topology: shares of the mobility of Sarrus' linkage", worst, 1e-12, "1");
    dpl_mb_system_destroy(system);
}

void rows_topology(void)
{
    static const size_t expected[5][4] = {
        {1, 5, 2, 1}, {1, 5, 2, 1}, {3, 15, 6, 3}, {1, 25, 13, 3}, {1, 5, 4, 1}};
    struct golden_world world;
    for (int i = 0; i < 5; i++) {
        golden_loop(i + 2, &world);
        count_wrong(world_names[i + 2], &world, expected[i][0], expected[i][1], expected[i][2],
                    expected[i][3]);
    }
    sarrus();
    golden_two_four_bars(false, &world);
    count_wrong("two four-bars", &world, 2, 10, 4, 2);
    golden_two_four_bars(true, &world);
    count_wrong("two four-bars whose couplers are joined", &world, 1, 15, 5, 1);
}
