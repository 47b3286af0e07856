/* SPDX-License-Identifier: Apache-2.0 */
/* A DC motor behind a gear with backlash, against closed forms and an integration of its own. */
#include <math.h>
#include <stdlib.h>

#include <doppel/math/geometry.h>

#include "mechanism_rig.h"
#include "saved_world.h"

/* A wheel of 0.02 kg m^2 on an upright axle; rotor and gear as below. */
#define RATIO     50.0
#define ROTOR     2e-6
#define WHEEL     0.02
#define R         1.5
#define L         0.5e-3
#define K         0.02
#define PLAY      0.04
#define STIFFNESS 400.0
#define DAMPING   0.5

#define WORLD(joint_, motor_, rotor_)                                                              \
    "<mechanism><RigidObject name='wheel' mass='1'><inertia xx='0.02' yy='0.02' zz='0.02'/>"       \
    "</RigidObject><Joint name='axle' type='hinge' child='wheel' " joint_ "/>"                     \
    "<Motor joint='axle' type='dc' R='1.5' k='0.02' " motor_ "><gear ratio='50'/>"                 \
    "<rotor inertia='2e-6' " rotor_ "/></Motor></mechanism>"
#define PLAYS "backlash='0.04' backlash_stiffness='400' backlash_damping='0.5' L='0.5 mH'"

static struct mechanism_rig rig;

static void end(void)
{
    rig_close(&rig);
}

TestSuite(backlash, .fini = end);

static double axle(void)
{
    return rig.state->joints.position[0];
}

static double lead(void)
{
    return rig_number(&rig, "m/axle/shaft") / RATIO - axle();
}

/* Through the play with a constant torque (without a voltage of its own, R is very large): half of
 * it takes sqrt(play / a). */
Test(backlash, rotor_crosses_its_play_by_itself)
{
    rig_open(
        &rig,
        "<mechanism><RigidObject name='wheel' mass='1'><inertia xx='0.02' yy='0.02' zz='0.02'/>"
        "</RigidObject><Joint name='axle' type='hinge' child='wheel'/>"
        "<Motor joint='axle' type='dc' R='1e5' k='0.02' backlash='0.04' "
        "backlash_stiffness='400'><gear ratio='50'/><rotor inertia='2e-6'/></Motor>"
        "</mechanism>",
        1e-4);
    double torque = K * 0.02, acceleration = torque / ROTOR / RATIO; /* of the rotor at the joint */
    rig_put(&rig, "m/axle/voltage", 2000.0);
    double reaches = sqrt(PLAY / acceleration);
    rig_step(&rig, floor(0.99 * reaches * 1e4) * 1e-4);
    double t = dpl_ns_to_s(dpl_world_now(rig.world));
    cr_assert_eq(axle(), 0.0, "the wheel does not know yet");
    /* Explicit steps of 0.1 ms. */
    cr_assert_float_eq(lead(), 0.5 * acceleration * t * (t + 1e-4), 2e-4 * PLAY);
    rig_step(&rig, 0.1 * reaches);
    cr_assert_gt(axle(), 0.0);
}

/* At rest against a stop the torque of the stall passes, and the teeth give way by it. */
Test(backlash, stall_passes_its_torque)
{
    rig_open(&rig, WORLD("friction='1000'", PLAYS, ""), 1e-3);
    rig_put(&rig, "m/axle/voltage", 3.0);
    rig_step(&rig, 1.0);
    double stall = RATIO * K * 3.0 / R;
    cr_assert_float_eq(rig_number(&rig, "m/axle/current"), 2.0, 1e-6);
    cr_assert_float_eq(rig.state->joints.push[0], stall, 1e-6 * stall);
    cr_assert_float_eq(lead(), 0.5 * PLAY + stall / STIFFNESS, 1e-9);
    rig_put(&rig, "m/axle/voltage", -3.0);
    rig_step(&rig, 1.0);
    cr_assert_float_eq(lead(), -0.5 * PLAY - stall / STIFFNESS, 1e-9, "the other end");
}

/* The joint stays where it is while the shaft turns back through the play. */
Test(backlash, motion_that_is_lost_when_it_turns_back)
{
    rig_open(&rig, WORLD("friction='0.5'", PLAYS, "friction='0.001'"), 1e-3);
    rig_put(&rig, "m/axle/voltage", 2.0);
    rig_step(&rig, 0.5);
    cr_assert_gt(axle(), 0.1, "%g", axle());
    rig_put(&rig, "m/axle/voltage", 0.0);
    rig_step(&rig, 1.0);
    double rests = axle(), shaft = rig_number(&rig, "m/axle/shaft");
    rig_put(&rig, "m/axle/voltage", -0.15); /* more than its friction, less than the joint's */
    rig_step(&rig, 2.0);
    cr_assert_float_eq(axle(), rests, 1e-9);
    cr_assert_float_eq(lead(), -0.5 * PLAY, 0.05 * PLAY, "%g", lead());
    cr_assert_lt(rig_number(&rig, "m/axle/shaft"), shaft - 0.01);
}

/* ---- two inertias, by Runge and Kutta ---- */

struct two {
    double x[5]; /* rotor at the joint, joint: angles, speeds; current */
};

static double teeth(const struct two *two)
{
    double gap = two->x[0] - two->x[1], side = gap < 0.0 ? -1.0 : 1.0;
    double depth = fabs(gap) - 0.5 * PLAY;
    double push = STIFFNESS * depth + DAMPING * side * (two->x[2] - two->x[3]);
    return depth > 0.0 ? side * fmax(push, 0.0) : 0.0;
}

static struct two rates(const struct two *two, double u)
{
    double contact = teeth(two);
    return (struct two){{
        two->x[2],
        two->x[3],
        (RATIO * K * two->x[4] - contact) / (ROTOR * RATIO * RATIO),
        contact / WHEEL,
        (u - R * two->x[4] - K * RATIO * two->x[2]) / L,
    }};
}

static struct two after(const struct two *from, const struct two *rate, double h)
{
    struct two made;
    for (int i = 0; i < 5; i++) {
        made.x[i] = from->x[i] + h * rate->x[i];
    }
    return made;
}

static void integrate(struct two *two, double u, double h, int n)
{
    for (int i = 0; i < n; i++) {
        struct two a = rates(two, u), half = after(two, &a, 0.5 * h);
        struct two b = rates(&half, u);
        half = after(two, &b, 0.5 * h);
        struct two c = rates(&half, u), whole = after(two, &c, h);
        struct two d = rates(&whole, u);
        for (int k = 0; k < 5; k++) {
            two->x[k] += h / 6.0 * (a.x[k] + 2.0 * b.x[k] + 2.0 * c.x[k] + d.x[k]);
        }
    }
}

static double voltage_at(int i)
{
    return 6.0 * sin(2.0 * DPL_PI * 3.0 * i * 1e-3);
}

/* The largest difference of the joint's angle within a second of a swinging voltage. */
static double worst_with(double dt, double *ret_most)
{
    struct two two = {{0}};
    double worst = 0.0;
    rig_open(&rig, WORLD("", PLAYS, ""), dt);
    for (int i = 0; i < 1000; i++) {
        rig_put(&rig, "m/axle/voltage", voltage_at(i));
        integrate(&two, voltage_at(i), 1e-6, 1000);
        rig_step(&rig, 1e-3);
        worst = fmax(worst, fabs(axle() - two.x[1]));
        *ret_most = fmax(*ret_most, fabs(two.x[1]));
    }
    return worst;
}

Test(backlash, two_inertias_move_as_their_equations_say)
{
    double most = 0.0, coarse = worst_with(1e-3, &most);
    rig_close(&rig);
    double fine = worst_with(1e-4, &most);
    cr_assert_gt(most, 0.5, "%g rad", most);
    cr_assert_lt(fine, 2e-3 * most, "%g of %g rad with 0.1 ms", fine, most);
    cr_assert_lt(coarse, 2e-2 * most, "%g of %g rad with 1 ms", coarse, most);
}

/* ---- around it ---- */

Test(backlash, motor_without_play_has_no_shaft_of_its_own)
{
    struct dpl_world_channels *channels;
    struct dpl_channel_want want = {.path = "m/axle/shaft"};
    struct dpl_diag diag;
    rig_open(&rig, WORLD("", "", ""), 1e-3);
    rig_put(&rig, "m/axle/voltage", 3.0);
    rig_step(&rig, 0.5);
    cr_assert_gt(axle(), 0.1);
    cr_assert_eq(dpl_world_channels_create(rig.world, &channels), 0);
    cr_assert_lt(dpl_world_channels_find(channels, &want, &diag), 0);
    dpl_world_channels_destroy(channels);
}

Test(backlash, snapshot_holds_the_rotor)
{
    rig_open(&rig, WORLD("", PLAYS, ""), 1e-3);
    rig_put(&rig, "m/axle/voltage", 5.0);
    rig_step(&rig, 0.02);
    struct saved_world saved = world_saved(rig.world);
    rig_step(&rig, 0.3);
    double shaft = rig_number(&rig, "m/axle/shaft");
    world_back(rig.world, &saved);
    cr_assert_lt(rig_number(&rig, "m/axle/shaft"), shaft);
    rig_step(&rig, 0.3);
    cr_assert_eq(rig_number(&rig, "m/axle/shaft"), shaft);
    free(saved.bytes);
}

static void expect_refused(const char *motor, const char *what)
{
    struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    char text[1024];
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='w' mass='1'><SphereShape radius='1'/></RigidObject>"
             "<Joint name='axle' type='hinge' child='w'/>\n%s</mechanism>",
             motor);
    cr_assert_neq(
        dpl_sim_read_objects_text(&rig.arena, "t.xml", text, strlen(text), NULL, &objects, &diags),
        0);
    cr_assert(strstr(diags.items[0].text, what), "%s", diags.items[0].text);
    cr_assert_eq(diags.items[0].place.line, 2);
    dpl_diags_finish(&diags);
}

Test(backlash, what_it_needs_is_said)
{
    rig_open(&rig, WORLD("", "", ""), 1e-3);
    expect_refused("<Motor joint='axle' type='dc' R='1' k='1' backlash='0.1'>"
                   "<rotor inertia='1'/></Motor>",
                   "needs 'backlash_stiffness' above 0");
    expect_refused("<Motor joint='axle' type='dc' R='1' k='1' backlash='0.1' "
                   "backlash_stiffness='100'/>",
                   "needs the inertia of its <rotor>");
    expect_refused("<Motor joint='axle' type='dc' R='1' k='1' backlash='-1 deg'/>", "out of range");
    expect_refused("<Motor joint='axle' type='dc' R='1' k='1' backlash='1 mm'/>", "backlash");
}
