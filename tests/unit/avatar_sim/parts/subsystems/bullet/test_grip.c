/* SPDX-License-Identifier: Apache-2.0 */
/* A hand that pulls a body: it comes there, by no more than the limit, and stays stable. */
#include <errno.h>
#include <math.h>

#include <doppel/math/vector3.h>

#include "mechanism_rig.h"

static const double g = 9.80665;

/* 4 kg, its centre of mass 0.1 m along x from its frame; a beam along x. */
#define BODY                                                                                       \
    "<mechanism><RigidObject name='body' mass='4'><position z='50'/>"                              \
    "<inertia xx='0.03' yy='0.8' zz='0.8' x='0.1'/></RigidObject></mechanism>"

static struct mechanism_rig rig;

static void open_with(double step_s)
{
    rig_open(&rig, BODY, step_s);
}

static void end(void)
{
    rig_close(&rig);
}

TestSuite(grip, .fini = end);

static int put(const double *numbers)
{
    struct dpl_world_channels *channels;
    size_t channel = rig_channel(&rig, "m/body/grip", true, &channels);
    int r = dpl_world_channels_put(channels, channel, numbers);
    dpl_world_channels_destroy(channels);
    return r;
}

static void release(void)
{
    struct dpl_world_channels *channels;
    size_t channel = rig_channel(&rig, "m/body/grip", true, &channels);
    dpl_world_channels_release(channels, channel);
    dpl_world_channels_destroy(channels);
}

Test(grip, body_comes_to_the_place_and_sags_a_little_by_its_weight)
{
    open_with(1e-3);
    cr_assert_eq(put((double[]){0.1, 0.0, 0.0, 1.0, -2.0, 51.0, 0.0}), 0);
    rig_step(&rig, 3.0);
    struct dpl_vector3 at = rig_point(&rig, 0, (struct dpl_vector3){.x = 0.1});
    cr_assert_float_eq(at.x, 1.0, 1e-6);
    cr_assert_float_eq(at.y, -2.0, 1e-6);
    cr_assert_float_eq(at.z, 51.0 - g / 900.0, 1e-6, "the spring has 30 rad/s with it");
    cr_assert_not_null(rig.state->pushes);
    cr_assert_float_eq(rig.state->pushes->force[2], 4.0 * g, 1e-4);
}

Test(grip, force_has_a_limit)
{
    open_with(1e-3);
    cr_assert_eq(put((double[]){0.1, 0.0, 0.0, 1e4, 0.0, 50.0, 8.0}), 0);
    rig_step(&rig, 2.0);
    cr_assert_float_eq(rig.state->bodies.velocity[0][0], 8.0 / 4.0 * 2.0, 1e-2);
    cr_assert_eq(put((double[]){0.1, 0.0, 0.0, 1e4, 0.0, 0.0, 0.0}), 0);
    rig_step(&rig, 1e-3);
    double *f = rig.state->pushes->force;
    cr_assert_float_eq(sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), 10.0 * 4.0 * g, 1e-6);
}

/* An edge at its end is lighter than the whole; the step is long. It hangs there in the end. */
Test(grip, held_at_an_edge_it_stays_stable_at_a_long_step)
{
    open_with(1e-2);
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(put((double[]){0.8, 0.1, 0.1, 0.0, 0.0, 50.0, 1e6}), 0);
        rig_step(&rig, 0.05);
    }
    struct dpl_vector3 at = rig_point(&rig, 0, (struct dpl_vector3){0.8, 0.1, 0.1});
    cr_assert_lt(hypot(at.x, at.y), 0.3);
    cr_assert(at.z < 50.0 && at.z > 49.0, "%g", at.z);
    cr_assert_lt(fabs(rig.state->bodies.angular[0][1]), 6.0);
}

Test(grip, released_it_falls)
{
    open_with(1e-3);
    cr_assert_eq(put((double[]){0.1, 0.0, 0.0, 0.0, 0.0, 60.0, 0.0}), 0);
    rig_step(&rig, 0.1);
    release();
    release();
    cr_assert_null(rig.state->pushes);
    double before = rig.state->bodies.velocity[0][2];
    rig_step(&rig, 0.5);
    cr_assert_float_eq(rig.state->bodies.velocity[0][2], before - 0.5 * g, 1e-6);
}

Test(grip, wrong_numbers_change_nothing)
{
    open_with(1e-3);
    cr_assert_eq(put((double[]){0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0}), -EINVAL);
    cr_assert_eq(put((double[]){0.0, 0.0, (double)NAN, 0.0, 0.0, 0.0, 0.0}), -EINVAL);
    cr_assert_null(rig.state->pushes);
}
