/* SPDX-License-Identifier: Apache-2.0 */
/* What the warning about light bodies between rows of joints rests on: 800 kg hang on 0.5 kg, with
 * steps of 2 ms, and 1 kg lies on them. */
#include "mechanism_rig.h"

#define BALL(name, mass, z)                                                                        \
    "<RigidObject name='" name "' mass='" mass "'><position z='" z "'/>"                           \
    "<SphereShape radius='0.2'/></RigidObject>"
#define HANG(more)                                                                                 \
    BALL("link", "0.5", "5")                                                                       \
    BALL("car", "800", "4")                                                                        \
    "<Joint name='high' type='ball' child='link' " more "><frame><position z='5.5'/></frame>"      \
    "</Joint><Joint name='low' type='ball' parent='link' child='car' " more                        \
    "><frame><position z='-0.5'/></frame></Joint>"
#define LOAD                                                                                       \
    "<RigidObject name='load' mass='1'><position z='4.25'/><BoxShape x='0.1' y='0.1' z='0.1'/>"    \
    "</RigidObject>"

/* How far the car falls in 2 s, m: its joints open. */
static double greatest_fall(const char *children)
{
    struct mechanism_rig rig;
    double most = 0.0;
    char text[4096];
    snprintf(text, sizeof text, "<mechanism step_ms='2'>%s</mechanism>", children);
    rig_open(&rig, text, 2e-3);
    int car = rig_body(&rig, "car");
    for (int i = 0; i < 1000; i++) {
        rig_step(&rig, 2e-3);
        most = fmax(most, 4.0 - rig.state->bodies.position[car][2]);
    }
    rig_close(&rig);
    return most;
}

Test(ratios, a_tree_holds_any_ratio_while_something_touches_it)
{
    cr_assert_lt(greatest_fall(HANG("") LOAD), 1e-9);
}

/* They give way by a share of the lightest body's inverse mass (docs/design/rigid-bodies.md). */
Test(ratios, rows_hold_any_ratio_while_nothing_touches_them)
{
    cr_assert_lt(greatest_fall(HANG("breakForce='1e6'")), 1e-7);
}

/* If they hold one day, dpl__ratio_check is not needed any more. */
Test(ratios, rows_give_way_while_something_touches_them)
{
    cr_assert_gt(greatest_fall(HANG("breakForce='1e6'") LOAD), 1e-2);
}

/* 1:40 each, as much as 1:1600. */
Test(ratios, what_counts_in_a_chain_is_the_lightest_and_the_heaviest)
{
#define ROWS "breakForce='1e6'"
    double fall = greatest_fall(BALL("ring", "0.5", "6") BALL("link", "20", "5") BALL(
        "car", "800", "4") "<Joint name='top' type='ball' child='ring' " ROWS
                           "><frame><position z='6.5'/></frame>"
                           "</Joint><Joint name='high' type='ball' parent='ring' child='link' " ROWS
                           "><frame><position z='-0.5'/></frame></Joint>"
                           "<Joint name='low' type='ball' parent='link' child='car' " ROWS
                           "><frame><position z='-0.5'/></frame></Joint>" LOAD);
    cr_assert_gt(fall, 1e-2);
}
