/* SPDX-License-Identifier: Apache-2.0 */
/* Brake law, closed-form stop point and the guard's decision. */
#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "machine.h"

static struct dpl_traj_motion draw(struct dpl_random *random, const struct dpl_traj_axes *axes,
                                   double steps)
{
    struct dpl_traj_motion motion;
    for (int i = 0; i < DPL_SIX; i++) {
        motion.y[i] = machine_centre[i] + dpl_random_uniform(random, -0.1, 0.1);
        motion.d[i] = axes->step_max[i] * dpl_random_uniform(random, -steps, steps);
    }
    return motion;
}

static void brake(const struct dpl_traj_axes *axes, struct dpl_traj_motion *motion)
{
    double y[DPL_SIX];
    dpl_traj_brake_step(axes, motion, y);
    for (int i = 0; i < DPL_SIX; i++) {
        motion->d[i] = y[i] - motion->y[i];
        motion->y[i] = y[i];
    }
}

static bool moves(const struct dpl_traj_motion *motion)
{
    bool moves = false;
    for (int i = 0; i < DPL_SIX; i++) {
        moves |= motion->d[i] != 0.0;
    }
    return moves;
}

Test(traj_viability, stop_point_is_where_braking_ends)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_random random = dpl_random_seeded(1, 1);
    static const double steps[] = {0.5, 1.0, 2.5, 40.0, 300.0};
    for (int n = 0; n < 2000; n++) {
        struct dpl_traj_motion motion = draw(&random, &config.axes, steps[n % 5]);
        double stop[DPL_SIX];
        int ticks = 0;
        dpl_traj_stop_point(&config.axes, &motion, stop);
        for (; moves(&motion) && ticks < 302; ticks++) {
            brake(&config.axes, &motion);
        }
        cr_assert_lt(ticks, 302);
        for (int i = 0; i < DPL_SIX; i++) {
            cr_assert_float_eq(motion.y[i], stop[i], 1e-11, "axis %d of case %d", i, n);
        }
    }
}

Test(traj_viability, stop_point_is_exact_for_a_whole_number_of_steps)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_motion motion = machine_at(0.0, 4.0 * config.axes.step_max[0]);
    double stop[DPL_SIX];
    dpl_traj_stop_point(&config.axes, &motion, stop);
    cr_assert_float_eq(stop[0], (3.0 + 2.0 + 1.0) * config.axes.step_max[0], 1e-18);
    motion.d[0] = config.axes.step_max[0];
    dpl_traj_stop_point(&config.axes, &motion, stop);
    cr_assert_eq(stop[0], motion.y[0], "stops in one tick");
}

Test(traj_viability, braking_keeps_direction_and_every_limit)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_random random = dpl_random_seeded(2, 1);
    for (int n = 0; n < 2000; n++) {
        struct dpl_traj_motion before = draw(&random, &config.axes, 100.0), after = before;
        int at_limit = 0;
        brake(&config.axes, &after);
        double kept = after.d[0] / before.d[0];
        cr_assert(kept >= 0.0 && kept < 1.0);
        for (int i = 0; i < DPL_SIX; i++) {
            double change = fabs(after.d[i] - before.d[i]) / config.axes.step_max[i];
            cr_assert_leq(change, 1.0 + 1e-9);
            cr_assert_float_eq(after.d[i], kept * before.d[i], 1e-12);
            at_limit += change > 1.0 - 1e-9;
        }
        cr_assert(at_limit >= 1 || kept == 0.0, "brakes as hard as one axis can");
    }
}

Test(traj_viability, accepts_only_what_can_stop_inside)
{
    struct dpl_traj_config config = machine_config(1.0);
    const struct dpl_traj_ellipsoid *hard = &config.workspace.hard;
    /* At 10 m/s2, 1 m/s stops within 0.05 m less half a tick of travel: 48.75 mm. */
    double speed = 0.0025;
    struct dpl_traj_motion motion = machine_at(0.25 - 0.0495, speed), stop = motion;
    dpl_traj_stop_point(&config.axes, &motion, stop.y);
    cr_assert_lt(stop.y[0], 0.25);
    cr_assert(dpl_traj_viable(&config.axes, hard, &motion));
    motion.y[0] = 0.25 - 0.048;
    cr_assert_not(dpl_traj_viable(&config.axes, hard, &motion));
    motion = machine_at(0.2501, 0.0);
    cr_assert_not(dpl_traj_viable(&config.axes, hard, &motion));
    motion = machine_at(0.2501, -speed);
    cr_assert_not(dpl_traj_viable(&config.axes, hard, &motion), "outside, though on its way in");
}

Test(traj_viability, refuses_what_is_no_number)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_motion motion = machine_at((double)NAN, 0.0);
    cr_assert_not(dpl_traj_viable(&config.axes, &config.workspace.hard, &motion));
    motion = machine_at(0.0, (double)INFINITY);
    cr_assert_not(dpl_traj_viable(&config.axes, &config.workspace.hard, &motion));
}
