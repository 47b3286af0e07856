/* SPDX-License-Identifier: Apache-2.0 */
/* A graph for a test, and short calls that add to it; they return what the graph returns. */
#ifndef DOPPEL_TESTS_GRAPH_RIG_H
#define DOPPEL_TESTS_GRAPH_RIG_H

#include <criterion/criterion.h>
#include <doppel/sim/multibody_graph.h>

static struct dpl_mb_graph *graph;
static struct dpl_diag diag; /* of the last call that was refused */

static inline void begin(void)
{
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
}

static inline void end(void)
{
    dpl_mb_graph_destroy(graph);
}

static inline int assembly(int parent, const char *name)
{
    struct dpl_mb_assembly it = {.name = name, .parent = parent, .is_active = true};
    return dpl_mb_add_assembly(graph, &it, &diag);
}

static inline int body(int in, const char *name)
{
    struct dpl_mb_body it = {
        .name = name, .assembly = in, .is_active = true, .mass = 1.0, .inertia = {1, 1, 1}};
    return dpl_mb_add_body(graph, &it, &diag);
}

static inline int frame(int of, const char *name)
{
    struct dpl_mb_frame it = {.name = name, .body = of, .in_body = dpl_mb_place_identity};
    return dpl_mb_add_frame(graph, &it, &diag);
}

/* Of frames. */
static inline struct dpl_mb_joint joint_of(enum dpl_mb_joint_type type, int first, int second)
{
    return (struct dpl_mb_joint){.name = "joint",
                                 .type = type,
                                 .frames = {first, second},
                                 .is_active = true,
                                 .place = dpl_mb_place_identity};
}

static inline int hinge(int in, const char *name, int first, int second)
{
    struct dpl_mb_joint it = joint_of(DPL_MB_RZ, first, second);
    it.name = name;
    it.assembly = in;
    return dpl_mb_add_joint(graph, &it, &diag);
}

static inline int gear(int in, const char *name, int first, int second)
{
    struct dpl_mb_gear it = {
        .name = name, .assembly = in, .joints = {first, second}, .ratio = 2.0, .is_active = true};
    return dpl_mb_add_gear(graph, &it, &diag);
}

/* 3 x + 1, of a joint; -1: between frames. */
static inline struct dpl_mb_restraint spring_of(int joint, int first, int second)
{
    static const size_t n_of[1] = {2};
    static const double coefficients[2] = {3.0, 1.0};
    return (struct dpl_mb_restraint){
        .name = "spring",
        .joint = joint,
        .frames = {first, second},
        .law = {.n_of = n_of, .coefficients = coefficients},
        .is_active = true,
    };
}

static inline int spring(int in, const char *name, int joint)
{
    struct dpl_mb_restraint it = spring_of(joint, 0, 0);
    it.name = name;
    it.assembly = in;
    return dpl_mb_add_restraint(graph, &it, &diag);
}

static inline int origin_of(int of)
{
    return graph->bodies[of].origin;
}

#endif
