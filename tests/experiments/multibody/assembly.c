/* SPDX-License-Identifier: Apache-2.0 */
/* First poses from displacements that do not fit, and what cannot be closed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/random.h>

#include "rows.h"

static void from_errors(int number, int seeds)
{
    struct dpl_random rng = dpl_random_seeded((uint64_t)number, 5);
    double most = 0.0;
    int open = 0;
    char name[96];
    for (int seed = 0; seed < seeds; seed++) {
        struct golden_world world;
        golden_loop(number, &world);
        for (int j = 0; world.joints[j].name; j++) {
            world.joints[j].q += dpl_random_uniform(&rng, -.3, .3);
            world.joints[j].v = 0.0;
        }
        struct dpl_mb_graph *graph = golden_graph(&world);
        struct dpl_mb_system *system = NULL;
        struct dpl_diag diag = {.text = ""};
        if (dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag) < 0) {
            remark("%s, seed %d: %s", world_names[number], seed, diag.text);
            open++;
        } else {
            most = worse(most, dpl_mb_residual(system));
        }
        dpl_mb_system_destroy(system);
        dpl_mb_graph_destroy(graph);
    }
    snprintf(name, sizeof name, "assembly: %s from errors of 0.3, not closed", world_names[number]);
    row_at_most(name, open, 0.0, "seeds");
    snprintf(name, sizeof name, "assembly: %s, residual", world_names[number]);
    row_at_most(name, most, 1e-12, "m, rad");
}

/* Links of 1, 1 and 1 over 5: its third joint stays open by 2. */
static void impossible(void)
{
    static const struct golden_world world = {
        .bodies = {{"a", 1, {.5, 0, 0}, {.1, .1, .1}},
                   {"b", 1, {.5, 0, 0}, {.1, .1, .1}},
                   {"c", 1, {.5, 0, 0}, {.1, .1, .1}}},
        .frames = {{"fixed", "far", {5, 0, 0}},
                   {"a", "tip", {1, 0, 0}},
                   {"b", "tip", {1, 0, 0}},
                   {"c", "tip", {1, 0, 0}}},
        .joints = {{"j1", DPL_MB_RZ, {{"fixed", NULL}, {"a", NULL}}, .1},
                   {"j2", DPL_MB_RZ, {{"a", "tip"}, {"b", NULL}}, .2},
                   {"j3", DPL_MB_RZ, {{"b", "tip"}, {"c", NULL}}, .1},
                   {"j4", DPL_MB_RZ, {{"c", "tip"}, {"fixed", "far"}}, .1}}};
    struct dpl_mb_graph *graph = golden_graph(&world);
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    int result = dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag);
    bool named = result < 0 && strstr(diag.text, "joint 'j3' stays open by 2 m");
    row_at_most("assembly: impossible loop, not named", !named, 0.0, "loops");
    remark("%s", diag.text);
    dpl_mb_system_destroy(system);
    dpl_mb_graph_destroy(graph);
}

/* The displacements of a world some time on its way: it can be there. */
static void on_its_way(struct golden_world *inout_world, double seconds)
{
    struct dpl_mb_system *system = golden_system(inout_world, DPL_MB_RK4);
    golden_run(system, seconds, 1e-3);
    for (int j = 0; inout_world->joints[j].name; j++) {
        inout_world->joints[j].q = golden_q(system, j);
    }
    dpl_mb_system_destroy(system);
}

/* One joint holds where it is told to, all others are told a little wrong. */
static void held(int number, int seeds)
{
    struct dpl_random rng = dpl_random_seeded((uint64_t)number, 6);
    double of_tree = 0.0, of_chords = 0.0;
    int open = 0;
    char name[96];
    for (int seed = 0; seed < seeds; seed++) {
        struct golden_world world;
        int n = 0;
        golden_loop(number, &world);
        while (world.joints[n].name) {
            n++;
        }
        int joint = (int)dpl_random_uniform(&rng, 0.0, n);
        on_its_way(&world, dpl_random_uniform(&rng, 0.0, 1.0));
        for (int j = 0; j < n; j++) {
            world.joints[j].q += j == joint ? 0.0 : dpl_random_uniform(&rng, -.1, .1);
            world.joints[j].v = 0.0;
        }
        double q = world.joints[joint].q;
        world.joints[joint].is_held = true;
        struct dpl_mb_graph *graph = golden_graph(&world);
        struct dpl_mb_system *system = NULL;
        struct dpl_diag diag = {.text = ""};
        if (dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag) < 0) {
            remark("%s, seed %d, %s held at %.6f: %s", world_names[number], seed,
                   world.joints[joint].name, q, diag.text);
            open++;
        } else if (dpl_mb_joint_role(system, joint) == 0) {
            of_tree = worse(of_tree, golden_q(system, joint) - q);
        } else {
            of_chords = worse(of_chords, golden_q(system, joint) - q);
        }
        dpl_mb_system_destroy(system);
        dpl_mb_graph_destroy(graph);
    }
    snprintf(name, sizeof name, "assembly: %s with a held joint, not closed", world_names[number]);
    row_at_most(name, open, 0.0, "seeds");
    snprintf(name, sizeof name, "assembly: %s, held joint of the tree", world_names[number]);
    row_at_most(name, of_tree, 0.0, "m, rad");
    snprintf(name, sizeof name, "assembly: %s, held joint that closes a loop", world_names[number]);
    row_at_most(name, of_chords, 1e-12, "m, rad");
}

void rows_assembly(void)
{
    int seeds = asked->quick ? 20 : 200;
    for (int world = 2; world <= 6; world++) {
        from_errors(world, seeds);
    }
    impossible();
    for (int world = 2; world <= 6; world++) {
        held(world, seeds);
    }
}
