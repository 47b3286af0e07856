/* SPDX-License-Identifier: Apache-2.0 */
/* Friction of free bodies against closed forms: what is pushed less than friction holds stands,
 * what slides has the acceleration g (sin a - mu cos a), wherever it starts. */
#include "mechanism_rig.h"

#include <doppel/math/gravity.h>

#define G DPL_STANDARD_GRAVITY_M_S2

static const double steps[] = {0.25e-3, 1e-3, 2e-3, 4e-3};

/* ---- what stands ---- */

/* A block on a plate, with a friction of 0.8 between them, and a force or torque on it. */
struct push {
    double mass, x, y, z; /* kg, m: of the block */
    double at_x, at_z;    /* m: where the force acts, seen from its centre */
    double force_x, force_y, torque_x, torque_y, torque_z;
};

static const struct push pushes[] = {
    {10, 0.4, 0.4, 0.2, 0, -0.1, .force_x = 20},
    {10, 0.4, 0.4, 0.2, 0, -0.1, .force_x = 70},
    {10, 0.4, 0.4, 0.2, 0, 0.06, .force_x = -60},
    {10, 0.4, 0.4, 0.2, 0, 0, .torque_x = 5},
    {10, 0.4, 0.4, 0.2, 0, 0, .torque_x = 15},
    {10, 0.4, 0.4, 0.2, 0, 0, .torque_y = -12},
    {10, 0.4, 0.4, 0.2, 0, 0, .torque_z = 8},
    {10, 0.4, 0.4, 0.2, 0, 0, .torque_x = 8, .torque_y = 4, .torque_z = 3},
    {10, 0.4, 0.4, 0.2, 0.15, 0.02, .force_x = 15, .force_y = 20, .torque_x = 3},
    {0.2, 0.1, 0.06, 0.02, 0.03, 0.01, .force_y = 0.7},
    {0.2, 0.1, 0.06, 0.02, 0, 0, .torque_x = 0.02, .torque_z = 0.01},
    {300, 1.2, 0.4, 0.8, 0.5, -0.1, .force_y = 500},
    {300, 1.2, 0.4, 0.8, 0, 0, .torque_x = 300, .torque_z = 200},
};

static double turn_between(double (*a)[3], double (*b)[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            sum = fmax(sum, fabs(a[i][k] - b[i][k]));
        }
    }
    return sum;
}

static void expect_stands(const struct push *push, double step_s)
{
    struct mechanism_rig rig;
    char text[1024];
    snprintf(text, sizeof text,
             "<mechanism><Material name='wood' friction='0.8'/><Material name='one' friction='1'/>"
             "<RigidObject name='plate' static='true'><BoxShape x='20' y='20' z='1' "
             "materialIndex='1'><position z='-0.5'/></BoxShape></RigidObject>"
             "<RigidObject name='box' mass='%.9g'><position z='%.9g'/>"
             "<BoxShape x='%.9g' y='%.9g' z='%.9g' materialIndex='0'/></RigidObject>"
             "<Motor name='push' type='wrench' body='box' x='%.9g' z='%.9g'/></mechanism>",
             push->mass, push->z / 2, push->x, push->y, push->z, push->at_x, push->at_z);
    rig_open(&rig, text, step_s);
    rig_put(&rig, "m/push/force_x", push->force_x);
    rig_put(&rig, "m/push/force_y", push->force_y);
    rig_put(&rig, "m/push/torque_x", push->torque_x);
    rig_put(&rig, "m/push/torque_y", push->torque_y);
    rig_put(&rig, "m/push/torque_z", push->torque_z);
    rig_step(&rig, 0.5);
    struct dpl_vector3 from = rig_point(&rig, 1, (struct dpl_vector3){0});
    double turn[3][3];
    memcpy(turn, rig.state->bodies.rotation[1], sizeof turn);
    rig_step(&rig, 5.0);
    struct dpl_vector3 to = rig_point(&rig, 1, (struct dpl_vector3){0});
    double way = hypot(hypot(to.x - from.x, to.y - from.y), to.z - from.z);
    double turned = turn_between(turn, rig.state->bodies.rotation[1]);
    double most = 2e-5 * fmax(1.0, step_s / 1e-3); /* 0.24 mm a minute with steps of 1 ms */
    cr_expect_lt(way, most, "push %d, %g ms: %.3g m", (int)(push - pushes), 1e3 * step_s, way);
    cr_expect_lt(turned, 1e-4, "push %d, %g ms: %.3g rad", (int)(push - pushes), 1e3 * step_s,
                 turned);
    rig_close(&rig);
}

Test(friction, what_is_pushed_less_than_friction_holds_does_not_creep)
{
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            expect_stands(&pushes[i], steps[k]);
        }
    }
}

/* ---- what slides ---- */

struct slide {
    double mu, over_deg; /* over the angle of friction */
    double x, y, z;      /* m: of the block */
};

static const struct slide slides[] = {
    {0.5, 1.0, 0.4, 0.4, 0.2}, {0.5, 0.3, 0.4, 0.4, 0.2},  {0.3, 0.5, 0.4, 0.4, 0.2},
    {0.8, 2.0, 0.4, 0.4, 0.2}, {0.5, 1.0, 0.1, 0.3, 0.05}, {0.2, 1.0, 1.0, 0.5, 0.3},
};

/* `lift`: how far the block is from the slope at the start, m; below 0: in it. */
static void expect_slides(const struct slide *slide, double lift, double step_s)
{
    struct mechanism_rig rig;
    char text[1024];
    double angle = atan(slide->mu) + slide->over_deg * DPL_PI / 180.0, seconds = 2.0;
    double s = sin(angle), c = cos(angle), high = slide->z / 2 + lift;
    snprintf(text, sizeof text,
             "<mechanism><Material name='a' friction='%.9g'/><Material name='b' friction='1'/>"
             "<RigidObject name='ramp' static='true'><orientation pitch='%.17g'/>"
             "<BoxShape x='60' y='10' z='2' materialIndex='0'><position z='-1'/></BoxShape>"
             "</RigidObject><RigidObject name='box' mass='1'><position x='%.17g' z='%.17g'/>"
             "<orientation pitch='%.17g'/><BoxShape x='%.9g' y='%.9g' z='%.9g' materialIndex='1'/>"
             "</RigidObject></mechanism>",
             slide->mu, angle, high * s - 2.0 * c, high * c + 2.0 * s, angle, slide->x, slide->y,
             slide->z);
    rig_open(&rig, text, step_s);
    struct dpl_vector3 from = rig_point(&rig, 1, (struct dpl_vector3){0});
    rig_step(&rig, seconds);
    struct dpl_vector3 to = rig_point(&rig, 1, (struct dpl_vector3){0});
    double way = (to.x - from.x) * c - (to.z - from.z) * s, a = G * (s - slide->mu * c);
    double expected = 0.5 * a * seconds * (seconds + step_s);
    /* As if friction were off by 0.05 %, of which 1 degree over its angle makes 1 %. */
    double limit = 5e-4 * slide->mu * G * c * 0.5 * seconds * seconds;
    cr_expect_float_eq(
        way, expected, limit, "slide %d, lift %.3g m, %g ms: %.6g m, expected %.6g m (%.2f %%)",
        (int)(slide - slides), lift, 1e3 * step_s, way, expected, 100.0 * (way / expected - 1.0));
    rig_close(&rig);
}

Test(friction, a_block_slides_down_a_slope_as_far_wherever_it_starts)
{
    static const double lifts[] = {0, 1e-6, 3e-6, 9e-6, 2e-5, -2e-6, -9e-6};
    for (size_t i = 0; i < sizeof slides / sizeof *slides; i++) {
        for (size_t k = 0; k < sizeof lifts / sizeof *lifts; k++) {
            expect_slides(&slides[i], lifts[k], 1e-3);
        }
        expect_slides(&slides[i], 9e-6, 0.25e-3);
        expect_slides(&slides[i], 9e-6, 2e-3);
    }
}
