/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that move although their rows outnumber their coordinates, and ways through singular poses.
 */
#include <criterion/criterion.h>
#include <doppel/sim/star.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "golden.h"

#define FIXTURES UNIT "/avatar_sim/solvers/multibody/fixtures/"

static struct dpl_mb_system *load(const char *name, enum dpl_mb_integrator integrator, bool damps)
{
    char path[512];
    struct dpl_star_world *world = NULL;
    struct dpl_mb_system *system = NULL;
    struct dpl_diags diags = {0};
    struct dpl_diag diag = {.text = ""};
    const struct dpl_mb_settings settings = {.integrator = integrator, .damps_singular = damps};
    snprintf(path, sizeof path, FIXTURES "%s.json", name);
    cr_assert_eq(dpl_star_read(path, NULL, &world, &diags), 0, "%s", path);
    cr_assert_eq(dpl_mb_system_create(world->graph, &settings, NULL, NULL, NULL, &system, &diag), 0,
                 "%s", diag.text);
    dpl_diags_finish(&diags);
    dpl_star_destroy(world);
    return system;
}

static double energy(const struct dpl_mb_system *system)
{
    return dpl_mb_kinetic(system) + dpl_mb_potential(system);
}

/* What a run showed, until its end or the first stop. */
struct seen {
    double off, residual; /* largest: J from the start; m or rad */
    double kinetic;       /* J, largest */
    double first;         /* s: of a singular pose */
    int passed, singular, coarse, others;
    int result; /* of the last step */
};

static struct seen watch(struct dpl_mb_system *system, double seconds, double step,
                         void (*check)(const struct dpl_mb_system *system))
{
    struct seen seen = {.first = HUGE_VAL};
    double start = energy(system);
    while (dpl_mb_time(system) < seconds - 0.5 * step && seen.result == 0) {
        struct dpl_mb_event event;
        seen.result = dpl_mb_step(system, step);
        while (dpl_mb_take_event(system, &event)) {
            bool told = event.type == DPL_MB_EVENT_SINGULAR || event.type == DPL_MB_EVENT_PASSED;
            seen.passed += event.type == DPL_MB_EVENT_PASSED;
            seen.singular += event.type == DPL_MB_EVENT_SINGULAR;
            seen.coarse += event.type == DPL_MB_EVENT_COARSE;
            seen.others += !told && event.type != DPL_MB_EVENT_COARSE &&
                           event.type != DPL_MB_EVENT_REPARTITION;
            seen.first = told ? fmin(seen.first, dpl_mb_time(system)) : seen.first;
        }
        seen.residual = fmax(seen.residual, dpl_mb_residual(system));
        if (seen.result == 0) {
            seen.off = fmax(seen.off, fabs(energy(system) - start));
            seen.kinetic = fmax(seen.kinetic, dpl_mb_kinetic(system));
        }
        if (check) {
            check(system);
        }
    }
    return seen;
}

static struct seen run(const char *name, enum dpl_mb_integrator integrator, double seconds,
                       double step, void (*check)(const struct dpl_mb_system *system))
{
    struct dpl_mb_system *system = load(name, integrator, false);
    struct seen seen = watch(system, seconds, step, check);
    dpl_mb_system_destroy(system);
    return seen;
}

/* ---- loops without a singular pose ---- */

static const char *const linkages[] = {"bennett", "bennett_turned", "goldberg", "three_cranks"};
enum { LINKAGES = sizeof linkages / sizeof *linkages };

/* Which rows are used is chosen anew before those of now contradict each other. */
Test(overconstrained, loops_keep_their_energy_to_the_order_of_the_step)
{
    for (int i = 0; i < LINKAGES; i++) {
        struct seen whole = run(linkages[i], DPL_MB_RK4, 4.0, 2e-3, NULL);
        struct seen half = run(linkages[i], DPL_MB_RK4, 4.0, 1e-3, NULL);
        cr_expect_leq(half.off, 1e-8 * half.kinetic, "%s: %g", linkages[i], half.off);
        cr_expect_gt(whole.off / half.off, 12.0, "%s: %g %g", linkages[i], whole.off, half.off);
        cr_expect_leq(fmax(whole.residual, half.residual), 1e-12, "%s: %g %g", linkages[i],
                      whole.residual, half.residual);
        cr_expect(whole.result == 0 && half.result == 0, "%s", linkages[i]);
        cr_expect_eq(whole.passed + whole.singular + whole.others + half.passed + half.singular +
                         half.others,
                     0, "%s", linkages[i]);
    }
}

Test(overconstrained, loops_have_no_singular_pose_for_steps_of_any_length)
{
    const double steps[] = {2.5e-4, 2e-3, 8e-3};
    for (int i = 0; i < LINKAGES; i++) {
        for (int k = 0; k < 3; k++) {
            for (int integrator = DPL_MB_DOPRI5; integrator <= DPL_MB_GRAGG; integrator++) {
                struct seen seen =
                    run(linkages[i], (enum dpl_mb_integrator)integrator, 2.0, steps[k], NULL);
                cr_expect_eq(seen.result, 0, "%s, %g s", linkages[i], steps[k]);
                cr_expect_leq(seen.off, 1e-7 * seen.kinetic, "%s: %g", linkages[i], seen.off);
                cr_expect_leq(seen.residual, 1e-11, "%s: %g", linkages[i], seen.residual);
                cr_expect_eq(seen.passed + seen.singular + seen.others, 0, "%s", linkages[i]);
            }
        }
    }
}

/* Bennett 1914: the product of the tangents of half the turns of neighbours is constant. */
static void fulfils_bennett(const struct dpl_mb_system *system)
{
    double product = tan(0.5 * golden_q(system, 0)) * tan(0.5 * golden_q(system, 1));
    double right = sin(0.5 * (1.5 + 0.9)) / sin(0.5 * (1.5 - 0.9));
    cr_expect_float_eq(product / right, 1.0, 1e-9, "%g s: %.12g", dpl_mb_time(system), product);
}

Test(overconstrained, bennetts_linkage_moves_by_its_closed_form)
{
    run("bennett", DPL_MB_RK4, 4.0, 1e-3, fulfils_bennett);
}

/* ---- ways through singular poses ---- */

/* A bar on two cranks that are alike stays level: it leaves for no other motion. */
static void stays_level(const struct dpl_mb_system *system)
{
    cr_expect_float_eq(golden_q(system, 0) + golden_q(system, 1), 0.0, 1e-9, "%g s",
                       dpl_mb_time(system));
}

/* Told at its time, within a step; up to a stop the energy stays. */
static void expect_told(const char *name, double at, enum dpl_mb_integrator integrator, double step,
                        void (*check)(const struct dpl_mb_system *system))
{
    struct seen seen = run(name, integrator, 2.0, step, check);
    cr_expect_geq(seen.passed + seen.singular, 1, "%s, %d, %g s", name, (int)integrator, step);
    cr_expect_float_eq(seen.first, at, 1.01 * step, "%s, %g s: %.9g", name, step, seen.first);
    cr_expect_eq(seen.result, seen.singular > 0 ? -EDOM : 0, "%s, %g s", name, step);
    cr_expect_leq(seen.singular, 1);
    cr_expect_leq(seen.off, (1 + seen.passed) * 1e-5 * seen.kinetic, "%s, %d, %g s: %g", name,
                  (int)integrator, step, seen.off);
    cr_expect_leq(seen.residual, 1e-11, "%s, %g s: %g", name, step, seen.residual);
}

Test(singular_poses, are_told_and_make_no_energy)
{
    const double steps[] = {2.5e-4, 1e-3, 2e-3};
    for (int integrator = DPL_MB_RK4; integrator <= DPL_MB_GRAGG; integrator++) {
        for (int k = 0; k < 3; k++) {
            expect_told("parallelogram_line", 0.05245, (enum dpl_mb_integrator)integrator, steps[k],
                        stays_level);
            expect_told("sarrus_flat", 0.2629, (enum dpl_mb_integrator)integrator, steps[k], NULL);
        }
    }
}

/* The semi-implicit step, whose energy drifts with its first order, tells them too. */
Test(singular_poses, are_told_with_the_semi_implicit_step)
{
    for (int half = 0; half < 2; half++) {
        double step = half ? 5e-4 : 1e-3;
        struct seen line = run("parallelogram_line", DPL_MB_SEMI_IMPLICIT, 1.0, step, stays_level);
        struct seen flat = run("sarrus_flat", DPL_MB_SEMI_IMPLICIT, 1.0, step, NULL);
        cr_expect_geq(line.passed + line.singular, 1);
        cr_expect_geq(flat.passed + flat.singular, 1);
        cr_expect_float_eq(line.first, 0.05245, 1.5e-3, "%.9g", line.first);
        cr_expect_float_eq(flat.first, 0.2629, 1.5e-3, "%.9g", flat.first);
    }
}

/* Slowed down in each of them, it never gains energy. */
Test(singular_poses, slow_a_loop_that_damps_them)
{
    struct dpl_mb_system *system = load("parallelogram_line", DPL_MB_RK4, true);
    double last = energy(system);
    int singular = 0;
    while (dpl_mb_time(system) < 3.0) {
        struct dpl_mb_event event;
        cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
        while (dpl_mb_take_event(system, &event)) {
            singular += event.type == DPL_MB_EVENT_SINGULAR;
        }
        cr_expect_leq(energy(system), last + 1e-6, "%g s", dpl_mb_time(system));
        last = energy(system);
    }
    cr_expect_geq(singular, 2, "%d", singular);
    dpl_mb_system_destroy(system);
}

/* ---- ways close by ---- */

/* A four-bar whose links are all in one line if its ground is `off` (m) shorter. Then two motions
 * branch; so the rates turn within `off`'s square root. */
static struct dpl_mb_system *near_line(double off, enum dpl_mb_integrator integrator)
{
    struct golden_world world = golden_four_bar;
    const double lengths[] = {.3, .8, .6}, q[] = {.7, -.571, .387, .516};
    world.frames[0].at[0] = .5 + off;
    for (int i = 0; i < 3; i++) {
        world.frames[1 + i].at[0] = lengths[i];
        world.bodies[i].centre[0] = .5 * lengths[i];
        world.bodies[i].centre[1] = 0.0;
    }
    for (int i = 0; i < 4; i++) {
        world.joints[i].q = q[i];
        world.joints[i].v = i == 0 ? 8.0 : 0.0;
        world.joints[i].is_held = i == 0;
    }
    return golden_system(&world, integrator);
}

Test(near_singular_poses, keep_the_energy)
{
    const double offs[] = {1e-2, 3e-3, 1e-3, 1e-4, 1e-5, -1e-4};
    for (int i = 0; i < 6; i++) {
        struct dpl_mb_system *system = near_line(offs[i], DPL_MB_RK4);
        struct seen seen = watch(system, 5.0, 1e-3, NULL);
        cr_expect_eq(seen.result, 0, "%g m", offs[i]);
        cr_expect_leq(seen.off, 1e-4 * seen.kinetic, "%g m: %g of %g J", offs[i], seen.off,
                      seen.kinetic);
        cr_expect_leq(seen.residual, 1e-11, "%g m: %g", offs[i], seen.residual);
        dpl_mb_system_destroy(system);
    }
}

/* Far away it keeps it as well as its order does; what is lost near by is told. */
Test(near_singular_poses, are_told_with_the_semi_implicit_step)
{
    const double offs[] = {1e-2, 3e-3, 1e-3, 1e-4, 1e-5, -1e-4};
    for (int i = 0; i < 6; i++) {
        struct dpl_mb_system *system = near_line(offs[i], DPL_MB_SEMI_IMPLICIT);
        struct seen seen = watch(system, 1.0, 1e-3, NULL);
        cr_expect_geq(seen.coarse, 1, "%g m: lost %g of %g J", offs[i], seen.off, seen.kinetic);
        dpl_mb_system_destroy(system);
    }
    struct dpl_mb_system *system = near_line(.1, DPL_MB_SEMI_IMPLICIT);
    struct seen seen = watch(system, 1.0, 1e-3, NULL);
    cr_expect_eq(seen.coarse, 0, "%d", seen.coarse);
    cr_expect_leq(seen.off, 0.05 * seen.kinetic, "%g of %g J", seen.off, seen.kinetic);
    dpl_mb_system_destroy(system);
}
