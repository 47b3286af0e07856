/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that come and go while the world runs. */
#include "lift_rig.h"
#include "saved_world.h"

#include <stdlib.h>

#define LOAD "<Motor name='load' type='ballast' body='car' limit='1000 kg' rate='315 kg/s'/>"

static void sags(int floor, double load, double expected_mm)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(floor, 0.0);
    lift.damping = 0.3;
    lift.more = LOAD;
    lift_open(&rig, &lift, 2e-3);
    lift_hold(&rig);
    rig_step(&rig, 1.0);
    double before = rig.state->bodies.position[CAR][2];
    rig_put(&rig, "m/load/mass", load);
    rig_step(&rig, 12.0);
    double sag = 1e3 * (before - rig.state->bodies.position[CAR][2]);
    cr_expect_float_eq(sag, expected_mm, 6e-4, "floor %d, %g kg: %.5g mm", floor, load, sag);
    cr_expect_float_eq(rig_number(&rig, "m/rope/tension"), (800.0 + load) * G, 1e-5);
    rig_close(&rig);
}

Test(ballast, a_car_sags_under_its_load)
{
    sags(0, 630.0, 23.601);
    sags(0, 75.0, 2.810);
    sags(5, 630.0, 13.716);
    sags(11, 630.0, 1.854);
    sags(11, 75.0, 0.221);
}

Test(ballast, a_loaded_car_swings_slower)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(0, 0.0);
    lift.more = "<Motor name='load' type='ballast' body='car' limit='1000' start='630'/>";
    lift_open(&rig, &lift, 2e-3);
    lift_hold(&rig);
    double hz = lift_frequency(&rig, &rig.state->joints.velocity[CAR_RAIL], 20.0);
    cr_expect_float_eq(hz, 2.1534, 1e-3 * 2.1534, "%.6g Hz", hz);
    rig_close(&rig);
}

Test(ballast, a_load_changes_by_its_rate_and_within_its_limit)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(0, 0.0);
    lift.more = LOAD;
    lift_open(&rig, &lift, 2e-3);
    rig_put(&rig, "m/load/mass", 630.0);
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig_number(&rig, "m/load/present"), 315.0, 1e-9);
    rig_step(&rig, 2.0);
    cr_expect_eq(rig_number(&rig, "m/load/present"), 630.0);
    rig_put(&rig, "m/load/mass", 5000.0);
    rig_step(&rig, 10.0);
    cr_expect_eq(rig_number(&rig, "m/load/present"), 1000.0);
    rig_put(&rig, "m/load/mass", -1.0);
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig_number(&rig, "m/load/present"), 685.0, 1e-9);
    rig_close(&rig);
}

/* A bar on a hinge, with a load of 2 kg at 0.5 m; about the hinge it has 0.3 kg m^2 by itself. */
#define BAR(axis)                                                                                  \
    "<mechanism><RigidObject name='bar' mass='3'><position z='5'/>"                                \
    "<inertia xx='0.3' yy='0.3' zz='0.3'/></RigidObject>"                                          \
    "<Joint name='pin' type='hinge' child='bar'><frame><position z='5'/></frame>" axis "</Joint>"  \
    "<Motor name='load' type='ballast' body='bar' limit='9' x='0.5'/></mechanism>"

Test(ballast, a_load_off_the_axis_adds_its_moment)
{
    struct mechanism_rig rig;
    rig_open(&rig, BAR(""), 1e-3);
    rig_put(&rig, "m/load/mass", 2.0);
    rig.state->joints.driven[0] = true;
    rig.state->joints.push[0] = 4.0;
    rig_step(&rig, 0.1);
    double expected = 4.0 * 0.1 / (0.3 + 2.0 * 0.25);
    cr_expect_float_eq(rig.state->joints.velocity[0], expected, 1e-9, "%.9g",
                       rig.state->joints.velocity[0]);
    rig_close(&rig);
}

Test(ballast, a_load_off_the_axis_swings_as_a_pendulum)
{
    struct mechanism_rig rig;
    rig_open(&rig, BAR("<axis y='1' z='0'/>"), 1e-3);
    rig_put(&rig, "m/load/mass", 2.0);
    double last = 0.0; /* when it turned round; it starts at 90 deg */
    int n = 0;
    for (int i = 0; i < 30000 && n < 20; i++) {
        double before = rig.state->joints.velocity[0];
        dpl_world_step(rig.world, 1);
        double v = rig.state->joints.velocity[0];
        if (before != 0.0 && (before < 0.0) != (v < 0.0)) {
            last = (i + 1 - v / (v - before)) * 1e-3;
            n++;
        }
    }
    /* K(sin 45 deg) = 1.8540746773 */
    double period = 4.0 * sqrt((0.3 + 2.0 * 0.25) / (2.0 * G * 0.5)) * 1.8540746773013719;
    cr_assert_eq(n, 20);
    cr_expect_float_eq(last / 10.0, period, 1e-3 * period, "%.6g s, expected %.6g", last / 10.0,
                       period);
    rig_close(&rig);
}

/* A free body: it falls as fast as before, and turns about the centre of mass of both. */
Test(ballast, a_free_body_carries_a_load)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='box' mass='3'><position z='50'/>"
             "<velocity x='1' wz='2'/><inertia xx='0.3' yy='0.3' zz='0.3'/></RigidObject>"
             "<Motor name='load' type='ballast' body='box' limit='9' start='3' x='1'/>"
             "</mechanism>",
             1e-3);
    rig_step(&rig, 1.0);
    struct dpl_vector3 middle = rig_point(&rig, 0, (struct dpl_vector3){0.5, 0.0, 0.0});
    cr_expect_float_eq(middle.z, 50.0 - G * 1e-6 * 1000.0 * 1001.0 / 2.0, 1e-6, "%.9g", middle.z);
    cr_expect_float_eq(middle.x, 1.5, 2e-3, "%.6g", middle.x);
    cr_expect_float_eq(middle.y, 1.0, 2e-3, "w x r of the middle: %.6g", middle.y);
    cr_expect_float_eq(rig.state->bodies.angular[0][2], 2.0, 2e-3);
    rig_close(&rig);
}

Test(ballast, a_snapshot_has_the_load)
{
    struct mechanism_rig rig;
    rig_open(&rig, BAR(""), 1e-3);
    rig_put(&rig, "m/load/mass", 2.0);
    dpl_world_step(rig.world, 1);
    double velocity[2];
    struct saved_world saved = world_saved(rig.world);
    for (int run = 0; run < 2; run++) {
        rig.state->joints.driven[0] = true;
        rig.state->joints.push[0] = 4.0;
        rig_step(&rig, 0.1);
        velocity[run] = rig.state->joints.velocity[0];
        rig_put(&rig, "m/load/mass", 0.0);
        rig_step(&rig, 0.1);
        world_back(rig.world, &saved);
    }
    cr_expect_eq(velocity[0], velocity[1]);
    free(saved.bytes);
    rig_close(&rig);
}

static void refused(const char *entries, const char *why)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_objects objects;
    char text[800];
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='a' mass='1'><SphereShape radius='1'/></RigidObject>"
             "<RigidObject name='rock' static='true'><BoxShape x='1' y='1' z='1'/></RigidObject>"
             "%s</mechanism>",
             entries);
    cr_expect_neq(
        dpl_sim_read_objects_text(&arena, "t.xml", text, strlen(text), NULL, &objects, &diags), 0);
    cr_assert_gt(diags.n, 0);
    cr_expect_str_eq(diags.items[0].text, why);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

Test(ballast, what_makes_no_sense_is_refused)
{
    refused("<Motor name='l' type='ballast' body='rock' limit='1'/>",
            "<Motor>: the body 'rock' never moves");
    refused("<Motor name='l' type='ballast' body='a' limit='1'/>"
            "<Motor name='k' type='ballast' body='a' limit='1'/>",
            "<Motor>: the body 'a' has a load already");
    refused("<Motor name='l' type='ballast' body='a' limit='1' start='2'/>",
            "start: 2 kg are more than the limit of 1 kg");
}
