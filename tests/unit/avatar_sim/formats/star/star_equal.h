/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two graphs are the same: by their numbers, or by their paths where a file has its frames
 * in another order. Numbers must agree in all bits. */
#ifndef STAR_EQUAL_H
#define STAR_EQUAL_H

#include "star_reading.h"

static inline bool same_bits(const double *a, const double *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static inline void expect_same_path(const struct dpl_mb_graph *a, int i,
                                    const struct dpl_mb_graph *b, int j, enum dpl_mb_kind kind)
{
    char one[512], two[512];
    dpl_mb_path(a, kind, i, one, sizeof one);
    dpl_mb_path(b, kind, j, two, sizeof two);
    cr_expect_str_eq(one, two);
}

static inline void expect_same_bodies(const struct dpl_mb_graph *a, const struct dpl_mb_graph *b)
{
    cr_assert_eq(a->n_bodies, b->n_bodies);
    for (size_t i = 0; i < a->n_bodies; i++) {
        const struct dpl_mb_body *x = &a->bodies[i], *y = &b->bodies[i];
        expect_same_path(a, (int)i, b, (int)i, DPL_MB_BODY);
        cr_expect(same_bits(&x->mass, &y->mass, 1) && same_bits(x->centre, y->centre, 3) &&
                      same_bits(x->inertia, y->inertia, 6) && x->is_active == y->is_active &&
                      x->is_mass_default == y->is_mass_default,
                  "body %s", x->name);
    }
    cr_assert_eq(a->n_frames, b->n_frames);
    for (size_t i = 0; i < a->n_frames; i++) {
        char path[512];
        dpl_mb_path(a, DPL_MB_FRAME, (int)i, path, sizeof path);
        int j = dpl_mb_find(b, DPL_MB_FRAME, a->frames[i].body, a->frames[i].name);
        cr_assert(j >= 0, "frame %s", path);
        cr_expect(same_bits(a->frames[i].in_body.rotation, b->frames[j].in_body.rotation, 9) &&
                      same_bits(a->frames[i].in_body.position, b->frames[j].in_body.position, 3),
                  "frame %s", path);
    }
}

static inline void expect_same_joints(const struct dpl_mb_graph *a, const struct dpl_mb_graph *b)
{
    cr_assert_eq(a->n_joints, b->n_joints);
    for (size_t i = 0; i < a->n_joints; i++) {
        const struct dpl_mb_joint *x = &a->joints[i], *y = &b->joints[i];
        expect_same_path(a, (int)i, b, (int)i, DPL_MB_JOINT);
        expect_same_path(a, x->frames[0], b, y->frames[0], DPL_MB_FRAME);
        expect_same_path(a, x->frames[1], b, y->frames[1], DPL_MB_FRAME);
        cr_expect(x->type == y->type && x->is_active == y->is_active && x->is_held == y->is_held &&
                      same_bits(x->displacement, y->displacement, 3) &&
                      same_bits(x->velocity, y->velocity, 6) &&
                      same_bits(x->place.rotation, y->place.rotation, 9) &&
                      same_bits(x->place.position, y->place.position, 3) &&
                      same_bits(&x->pitch, &y->pitch, 1),
                  "joint %s", x->name);
        cr_expect(x->limit.is_there == y->limit.is_there &&
                      same_bits(&x->limit.lower, &y->limit.lower, 4) &&
                      x->motor.mode == y->motor.mode && same_bits(&x->motor.kp, &y->motor.kp, 3),
                  "joint %s", x->name);
    }
    cr_assert_eq(a->n_gears, b->n_gears);
    for (size_t i = 0; i < a->n_gears; i++) {
        const struct dpl_mb_gear *x = &a->gears[i], *y = &b->gears[i];
        expect_same_path(a, (int)i, b, (int)i, DPL_MB_GEAR);
        cr_expect(same_bits(&x->ratio, &y->ratio, 1) && x->joints[0] == y->joints[0] &&
                  x->joints[1] == y->joints[1] && x->is_active == y->is_active);
    }
}

static inline void expect_same_laws(const struct dpl_mb_piecewise *x,
                                    const struct dpl_mb_piecewise *y, const char *name)
{
    size_t n = 0;
    cr_assert_eq(x->n_knots, y->n_knots, "restraint %s", name);
    for (size_t i = 0; i <= x->n_knots; i++) {
        cr_assert_eq(x->n_of[i], y->n_of[i], "restraint %s", name);
        n += x->n_of[i];
    }
    cr_expect(same_bits(x->knots, y->knots, x->n_knots) &&
                  same_bits(x->coefficients, y->coefficients, n),
              "restraint %s", name);
}

static inline void expect_same_restraints(const struct dpl_mb_graph *a,
                                          const struct dpl_mb_graph *b)
{
    cr_assert_eq(a->n_restraints, b->n_restraints);
    for (size_t i = 0; i < a->n_restraints; i++) {
        const struct dpl_mb_restraint *x = &a->restraints[i], *y = &b->restraints[i];
        expect_same_path(a, (int)i, b, (int)i, DPL_MB_RESTRAINT);
        cr_expect(x->type == y->type && x->joint == y->joint && x->is_active == y->is_active &&
                      x->distance == y->distance &&
                      same_bits(&x->regularization, &y->regularization, 1),
                  "restraint %s", x->name);
        if (x->joint < 0) {
            expect_same_path(a, x->frames[0], b, y->frames[0], DPL_MB_FRAME);
            expect_same_path(a, x->frames[1], b, y->frames[1], DPL_MB_FRAME);
        }
        expect_same_laws(&x->law, &y->law, x->name);
    }
}

static inline void expect_same_graphs(const struct dpl_mb_graph *a, const struct dpl_mb_graph *b)
{
    cr_expect(same_bits(a->gravity, b->gravity, 3));
    cr_assert_eq(a->n_assemblies, b->n_assemblies);
    for (size_t i = 0; i < a->n_assemblies; i++) {
        expect_same_path(a, (int)i, b, (int)i, DPL_MB_ASSEMBLY);
        cr_expect_eq(a->assemblies[i].is_active, b->assemblies[i].is_active);
    }
    expect_same_bodies(a, b);
    expect_same_joints(a, b);
    expect_same_restraints(a, b);
}

/* A world as it is written and read again. */
static inline struct dpl_star_world *read_written(const struct dpl_star_world *world,
                                                  enum dpl_star_dialect dialect)
{
    char *text = NULL;
    size_t n = 0;
    cr_assert_eq(dpl_star_write_text(world, dialect, &text, &n), 0);
    struct dpl_star_world *again = read_star_bytes(text, n);
    free(text);
    return again;
}

/* Written and read it is the same, and so is its text. */
static inline void expect_round_trip(const struct dpl_star_world *world,
                                     enum dpl_star_dialect dialect)
{
    struct dpl_star_world *again = read_written(world, dialect);
    expect_same_graphs(world->graph, again->graph);
    cr_expect_eq(again->n_devices, world->n_devices);
    cr_expect_eq(again->n_lights, world->n_lights);
    cr_expect_eq(again->n_geometries, world->n_geometries);
    char *one = NULL, *two = NULL;
    size_t n_one = 0, n_two = 0;
    cr_assert_eq(dpl_star_write_text(world, dialect, &one, &n_one), 0);
    cr_assert_eq(dpl_star_write_text(again, dialect, &two, &n_two), 0);
    cr_expect_str_eq(one, two);
    free(one);
    free(two);
    dpl_star_destroy(again);
}

#endif
