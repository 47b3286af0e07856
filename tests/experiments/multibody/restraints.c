/* SPDX-License-Identifier: Apache-2.0 */
/* Restraints: forces are slopes of energies, dampers only take power, what acts between two bodies
 * changes no momentum. */
#include <math.h>
#include <string.h>

#include <doppel/math/random.h>

#include "rows.h"

/* G9 without its weight, in another state: with springs or with the damper only. */
static struct dpl_mb_system *pair_at(const double q[2], const double v[2], bool springs)
{
    struct golden_world world = golden_pair_restraints;
    if (springs) {
        world.restraints[1] = world.restraints[2];
    } else {
        world.restraints[0] = world.restraints[1];
    }
    memset(&world.restraints[springs ? 2 : 1], 0, sizeof world.restraints[0]);
    memset(world.gravity, 0, sizeof world.gravity);
    for (int j = 0; j < 2; j++) {
        world.joints[j].q = q[j];
        world.joints[j].v = v[j];
    }
    return golden_system(&world, DPL_MB_RK4);
}

static double potential_at(double x, double h)
{
    struct dpl_mb_system *system =
        pair_at((const double[2]){x, h}, (const double[2]){0.0, 0.0}, true);
    double energy = dpl_mb_potential(system);
    dpl_mb_system_destroy(system);
    return energy;
}

static double acceleration_of(const struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    return dpl_mb_joint(system, joint, &state) == 0 ? state.acceleration[0] : HUGE_VAL;
}

/* Both coordinates hang on the ground: their inertias are 1.5 kg, and that of the arm about its
 * hinge. */
static const double inertias[2] = {1.5, .02 + .7 * .3 * .3};

static void forces_are_slopes(int seeds)
{
    struct dpl_random rng = dpl_random_seeded(1, 7);
    const double h = 1e-5;
    double worst = 0.0;
    for (int i = 0; i < seeds; i++) {
        double q[2] = {dpl_random_uniform(&rng, -1, 1), dpl_random_uniform(&rng, -3, 3)};
        struct dpl_mb_system *system = pair_at(q, (const double[2]){0.0, 0.0}, true);
        double slopes[2] = {(potential_at(q[0] + h, q[1]) - potential_at(q[0] - h, q[1])) / (2 * h),
                            (potential_at(q[0], q[1] + h) - potential_at(q[0], q[1] - h)) /
                                (2 * h)};
        for (int j = 0; j < 2; j++) {
            double force = inertias[j] * acceleration_of(system, j);
            worst = worse(worst, force + slopes[j]);
        }
        dpl_mb_system_destroy(system);
    }
    row_at_most("restraints: force against the slope of the energy", worst, 1e-7, "N, N m");
}

static void dampers_take_power(int seeds)
{
    struct dpl_random rng = dpl_random_seeded(2, 7);
    double most = -HUGE_VAL, least = 0.0;
    for (int i = 0; i < seeds; i++) {
        double q[2] = {dpl_random_uniform(&rng, -1, 1), dpl_random_uniform(&rng, -3, 3)};
        double v[2] = {dpl_random_uniform(&rng, -2, 2), dpl_random_uniform(&rng, -2, 2)};
        double power = 0.0;
        struct dpl_mb_system *system = pair_at(q, v, false);
        for (int j = 0; j < 2; j++) {
            power += inertias[j] * acceleration_of(system, j) * v[j];
        }
        dpl_mb_system_destroy(system);
        most = power <= most ? most : power;
        least = fmin(least, power);
    }
    row_at_most("restraints: largest power of a damper", most, 0.0, "W");
    remark("the smallest is %.3g W", least);
}

/* Three bodies that float, with joints and restraints between them. */
static void drift_from_inside(double step, double seconds, double ret_drift[2])
{
    static const struct golden_world world = {
        .bodies = {{"a", 1.3, {.1, .2, -.1}, {.1, .12, .15, .01, -.02, .015}},
                   {"b", .8, {.2, 0, .1}, {.05, .06, .04, .003, .002, -.004}},
                   {"c", 2.1, {-.1, .1, 0}, {.2, .3, .25, .02, .01, -.03}}},
        .frames = {{"a", "tip", {.4, .1, 0}},
                   {"b", "ear", {0, .3, .2}},
                   {"c", "eye", {.2, -.2, .1}}},
        .joints = {{"free",
                    DPL_MB_FLOAT,
                    {{"fixed", NULL}, {"a", NULL}},
                    .place = {2, -1, .5},
                    .velocity = {.5, -.4, .3, 1, -2, .7}},
                   {"hinge", DPL_MB_RY, {{"a", "tip"}, {"b", NULL}}, .4, 2},
                   {"other",
                    DPL_MB_FLOAT,
                    {{"fixed", NULL}, {"c", NULL}},
                    .place = {2.5, -.2, 0},
                    .velocity = {-.2, .1, .4, -.5, .3, 1}}},
        .restraints = {{DPL_MB_SPRING,
                        NULL,
                        {{"b", "ear"}, {"c", "eye"}},
                        .n_of = {2},
                        .coefficients = {40, -20}},
                       {DPL_MB_DAMPER,
                        NULL,
                        {{"a", NULL}, {"c", "eye"}},
                        .n_of = {2},
                        .coefficients = {.8, 0}},
                       {DPL_MB_SPRING, "hinge", .n_of = {2}, .coefficients = {5, -1}},
                       {DPL_MB_SPRING,
                        NULL,
                        {{"c", NULL}, {"a", "tip"}},
                        DPL_MB_DISTANCE_Y,
                        .n_of = {2},
                        .coefficients = {15, 3}}}};
    double first[2][3], now[2][3];
    ret_drift[0] = ret_drift[1] = 0.0;
    struct dpl_mb_system *system = golden_system(&world, DPL_MB_RK4);
    dpl_mb_momentum(system, first[0], first[1]);
    for (long i = 0; i < lround(seconds / step); i++) {
        dpl_mb_step(system, step);
        dpl_mb_momentum(system, now[0], now[1]);
        for (int k = 0; k < 6; k++) {
            ret_drift[k / 3] = worse(ret_drift[k / 3], now[k / 3][k % 3] - first[k / 3][k % 3]);
        }
    }
    dpl_mb_system_destroy(system);
}

/* Momenta are no coordinates, so that an integrator keeps them as exactly as its order is. */
static void nothing_from_inside(double seconds)
{
    double fine[2], rough[2];
    drift_from_inside(2e-4, seconds, fine);
    drift_from_inside(4e-4, seconds, rough);
    row_at_most("restraints: linear momentum from inside, rk4 0.2 ms", fine[0], 1e-11, "N s");
    row_at_most("restraints: angular momentum from inside", fine[1], 1e-11, "N m s");
    remark("with 0.4 ms %.3g N s, %.3g N m s", rough[0], rough[1]);
}

void rows_restraints(void)
{
    int seeds = asked->quick ? 50 : 1000;
    forces_are_slopes(seeds);
    dampers_take_power(seeds);
    nothing_from_inside(asked->quick ? 1.0 : 5.0);
}
