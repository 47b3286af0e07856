/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs whose memory ends: nothing leaks, nothing changes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/multibody_graph.h>

/* Memory that ends after some blocks. */
struct meagre {
    long left;  /* takes that still succeed */
    long taken; /* blocks that are out */
};

static void *allocate(void *user, size_t bytes)
{
    struct meagre *it = user;
    if (it->left-- <= 0) {
        return NULL;
    }
    it->taken++;
    return calloc(1, bytes);
}

static void give(void *user, void *block)
{
    struct meagre *it = user;
    cr_assert_not_null(block);
    it->taken--;
    free(block);
}

static const size_t n_of[2] = {1, 2};
static const double knots[1] = {0.5}, coefficients[3] = {1.0, 2.0, 3.0};

/* Adds one more of each kind, with its number in its names. The first refusal, or 0. */
static int add_each(struct dpl_mb_graph *graph, int i, struct dpl_diag *reterr)
{
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    struct dpl_mb_assembly assembly = {.name = name, .is_active = true};
    struct dpl_mb_body body = {.name = name, .is_active = true, .mass = 1.0};
    struct dpl_mb_frame frame = {.name = name, .in_body = dpl_mb_place_identity};
    struct dpl_mb_joint joint = {.name = name, .is_active = true};
    struct dpl_mb_gear gear = {.name = name, .joints = {2 * i, 2 * i + 1}, .ratio = 1.0};
    struct dpl_mb_restraint restraint = {.name = name, .law = {1, knots, n_of, coefficients}};
    int err = dpl_mb_add_assembly(graph, &assembly, reterr);
    if (err < 0 || (err = dpl_mb_add_body(graph, &body, reterr)) < 0) {
        return err;
    }
    joint.frames[1] = graph->bodies[err].origin;
    frame.body = err;
    if ((err = dpl_mb_add_frame(graph, &frame, reterr)) < 0 ||
        (err = dpl_mb_add_joint(graph, &joint, reterr)) < 0) {
        return err;
    }
    name[0] = 'm';
    if ((err = dpl_mb_add_joint(graph, &joint, reterr)) < 0 ||
        (err = dpl_mb_add_gear(graph, &gear, reterr)) < 0) {
        return err;
    }
    restraint.joint = gear.joints[1];
    err = dpl_mb_add_restraint(graph, &restraint, reterr);
    return err < 0 ? err : 0;
}

static size_t count(const struct dpl_mb_graph *graph)
{
    return graph->n_assemblies + graph->n_bodies + graph->n_frames + graph->n_joints +
           graph->n_gears + graph->n_restraints;
}

/* Whether each thing is found by its path, so the lists and the index agree. */
static void assert_sound(const struct dpl_mb_graph *graph)
{
    for (int i = 1; i < (int)graph->n_bodies; i++) {
        char path[64];
        dpl_mb_path(graph, DPL_MB_BODY, i, path, sizeof path);
        cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_BODY, 0, path), i);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, i, "origin"), graph->bodies[i].origin);
    }
    for (int i = 0; i < (int)graph->n_restraints; i++) {
        char path[64];
        dpl_mb_path(graph, DPL_MB_RESTRAINT, i, path, sizeof path);
        cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_RESTRAINT, 0, path), i);
        cr_assert_eq(dpl_mb_law(&graph->restraints[i].law, 2.0, NULL), 7.0);
    }
}

Test(multibody_memory, creation_gives_back_what_it_took)
{
    int n = 0;
    for (int err = -ENOMEM; err; n++) {
        struct meagre meagre = {.left = n};
        struct dpl_mb_memory memory = {allocate, give, &meagre};
        struct dpl_mb_graph *graph = NULL;
        err = dpl_mb_graph_create(&memory, &graph);
        if (err) {
            cr_assert_eq(err, -ENOMEM);
            cr_assert_null(graph);
        } else {
            cr_assert_eq(meagre.left, 0);
            dpl_mb_graph_destroy(graph);
        }
        cr_assert_eq(meagre.taken, 0, "after %d blocks", n);
    }
    cr_assert_gt(n, 6);
}

/* The n-th take fails, for every n until 40 of each kind are in: the same call again succeeds once
 * there is memory, and the graph is the one that it would have been. */
Test(multibody_memory, a_refusal_changes_nothing)
{
    enum { EACH = 40, MOST = 2000 };
    long n = 10;
    for (bool is_done = false; !is_done; n++) {
        struct meagre meagre = {.left = n};
        struct dpl_mb_memory memory = {allocate, give, &meagre};
        struct dpl_mb_graph *graph = NULL;
        struct dpl_diag diag = {0};
        cr_assert_eq(dpl_mb_graph_create(&memory, &graph), 0);
        int err = 0, i = 0;
        while (err == 0 && i < EACH) {
            err = add_each(graph, i, &diag);
            i += err == 0;
        }
        is_done = err == 0;
        if (!is_done) {
            cr_assert_eq(err, -ENOMEM);
            cr_assert_str_eq(diag.text, "out of memory");
            size_t things = count(graph);
            long taken = meagre.taken;
            unsigned long changes = graph->changes;
            assert_sound(graph);
            struct dpl_mb_body late = {.name = "late", .is_active = true};
            meagre.left = 0;
            cr_assert_eq(dpl_mb_add_body(graph, &late, NULL), -ENOMEM);
            cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "late"), -1);
            cr_assert_eq(count(graph), things);
            cr_assert_eq(meagre.taken, taken);
            cr_assert_eq(graph->changes, changes);
            meagre.left = MOST;
            cr_assert_eq(dpl_mb_add_body(graph, &late, NULL), (int)graph->n_bodies - 1);
            cr_assert_eq(count(graph), things + 2);
        }
        assert_sound(graph);
        dpl_mb_graph_destroy(graph);
        cr_assert_eq(meagre.taken, 0, "after %ld blocks", n);
    }
    cr_assert_gt(n, 8 * EACH);
}

/* Removed things keep their memory until the end, and edits need none. */
Test(multibody_memory, edits_take_nothing)
{
    struct meagre meagre = {.left = 1000};
    struct dpl_mb_memory memory = {allocate, give, &meagre};
    struct dpl_mb_graph *graph = NULL;
    cr_assert_eq(dpl_mb_graph_create(&memory, &graph), 0);
    cr_assert_eq(add_each(graph, 0, NULL), 0);
    meagre.left = 0;
    long taken = meagre.taken;
    const double ones[6] = {1, 1, 1, 0, 0, 0};
    cr_assert_eq(dpl_mb_set_mass(graph, 1, 2.0, ones, ones, NULL), 0);
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_BODY, 1, false, NULL), 0);
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_RESTRAINT, 0, NULL), 0);
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_GEAR, 0, NULL), 0);
    cr_assert_eq(meagre.taken, taken);
    dpl_mb_graph_destroy(graph);
    cr_assert_eq(meagre.taken, 0);
    dpl_mb_graph_destroy(NULL);
}
