/* SPDX-License-Identifier: Apache-2.0 */
/* A force and a torque on a body against the equations of motion. */
#include <math.h>
#include <stdlib.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/audit.h>

#include "mechanism_rig.h"
#include "saved_world.h"

static const double dt = 1e-3, g = 9.80665;

/* 4 kg, moments 0.5, 0.8 and 1 kg m^2, its centre of mass 0.1 m along x from its frame. */
#define BODY(motor_)                                                                               \
    "<mechanism><RigidObject name='body' mass='4'><position z='50'/>"                              \
    "<inertia xx='0.5' yy='0.8' zz='1' x='0.1'/></RigidObject>"                                    \
    "<Motor name='push' type='wrench' body='body' " motor_ "/></mechanism>"

static struct mechanism_rig rig;
static int body;

static void open_with(const char *text)
{
    rig_open(&rig, text, dt);
    body = rig_body(&rig, "body");
}

static void end(void)
{
    rig_close(&rig);
}

TestSuite(wrench, .fini = end);

static const double *velocity(void)
{
    return rig.state->bodies.velocity[body];
}

static const double *angular(void)
{
    return rig.state->bodies.angular[body];
}

Test(wrench, force_on_the_centre_of_mass_is_mass_times_acceleration)
{
    open_with(BODY("x='0.1'"));
    rig_put(&rig, "m/push/force_x", 8.0);
    rig_put(&rig, "m/push/force_z", 4.0 * g);
    rig_step(&rig, 2.0);
    cr_assert_float_eq(velocity()[0], 8.0 / 4.0 * 2.0, 1e-9);
    cr_assert_float_eq(velocity()[1], 0.0, 1e-9);
    cr_assert_float_eq(velocity()[2], 0.0, 1e-9, "its weight is carried");
    /* Explicit steps: x = a t (t + dt) / 2. */
    cr_assert_float_eq(rig.state->bodies.position[body][0], 0.5 * 2.0 * 2.0 * 2.001, 1e-9);
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(angular()[i], 0.0, 1e-12);
    }
}

Test(wrench, torque_about_a_principal_axis_turns_a_free_body)
{
    open_with(BODY(""));
    rig_put(&rig, "m/push/torque_z", 0.5);
    rig_step(&rig, 4.0);
    cr_assert_float_eq(angular()[2], 0.5 / 1.0 * 4.0, 1e-9);
    /* The centre of mass only falls. */
    struct dpl_vector3 centre = rig_point(&rig, body, (struct dpl_vector3){.x = 0.1});
    cr_assert_float_eq(centre.x, 0.1, 1e-9);
    cr_assert_float_eq(centre.y, 0.0, 1e-9);
    double angle =
        atan2(rig.state->bodies.rotation[body][1][0], rig.state->bodies.rotation[body][0][0]);
    cr_assert_float_eq(remainder(angle - 0.5 * 0.5 * 4.0 * 4.001, 2.0 * DPL_PI), 0.0, 1e-3);
}

/* Beside the centre of mass: dL = (point - centre) x F dt. In one step, as the arm turns. */
Test(wrench, force_beside_the_centre_turns_too)
{
    open_with(BODY("x='0.6' z='-0.2'"));
    rig_put(&rig, "m/push/force_y", 3.0);
    rig_step(&rig, dt);
    struct dpl_vector3 at_centre = {velocity()[0], velocity()[1], velocity()[2]};
    const double *w = angular();
    at_centre = dpl_vector3_add(at_centre, dpl_vector3_cross((struct dpl_vector3){w[0], w[1], w[2]},
                                                             (struct dpl_vector3){.x = 0.1}));
    cr_assert_float_eq(at_centre.y, 3.0 / 4.0 * dt, 1e-9);
    cr_assert_float_eq(w[2], 0.5 * 3.0 / 1.0 * dt, 1e-8, "arm 0.5 m along x");
    cr_assert_float_eq(w[0], 0.2 * 3.0 / 0.5 * dt, 1e-8, "arm -0.2 m along z");
    cr_assert_float_eq(w[1], 0.0, 1e-8);
}

/* A thruster at the stern turns with its body: the body goes round in a circle. */
Test(wrench, axes_of_the_body_turn_with_it)
{
    static const char *const frames[] = {"frame='body' x='0.1'", "x='0.1'"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, BODY("%s"), frames[i]);
        open_with(text);
        rig_put(&rig, "m/push/torque_z", 2.0 * DPL_PI / dt); /* in one step to one turn a second */
        rig_step(&rig, dt);
        rig_put(&rig, "m/push/torque_z", 0.0);
        rig_put(&rig, "m/push/force_x", 4.0);
        rig_step(&rig, 1.0);
        struct dpl_vector3 v = {velocity()[0], velocity()[1], 0.0};
        struct dpl_vector3 arm =
            dpl_vector3_minus(rig_point(&rig, body, (struct dpl_vector3){.x = 0.1}),
                              rig_point(&rig, body, (struct dpl_vector3){0}));
        v = dpl_vector3_add(v, dpl_vector3_cross((struct dpl_vector3){.z = angular()[2]}, arm));
        cr_assert_float_eq(v.x, i == 0 ? 0.0 : 1.0, 2e-3, "%s: %g", frames[i], v.x);
        cr_assert_float_eq(v.y, 0.0, 2e-3, "%s: %g", frames[i], v.y);
        if (i == 0) {
            rig_close(&rig);
        }
    }
}

/* Two links of a tree; the force is at the tip. tau = J^T F: held by two motors that give that. */
Test(wrench, link_of_a_tree_is_pushed_as_the_jacobian_says)
{
    open_with("<mechanism>"
              "<RigidObject name='upper' mass='1'><position x='0.5' z='2'/>"
              "<BoxShape x='0.9' y='0.1' z='0.1'/></RigidObject>"
              "<RigidObject name='body' mass='1'><position x='1' y='0.5' z='2'/>"
              "<BoxShape x='0.1' y='0.9' z='0.1'/></RigidObject>"
              "<Joint name='a' type='hinge' child='upper'><frame><position z='2'/></frame></Joint>"
              "<Joint name='b' type='hinge' parent='upper' child='body'>"
              "<frame><position x='0.5'/></frame></Joint>"
              "<Motor joint='a' type='force'/><Motor joint='b' type='force'/>"
              "<Motor name='push' type='wrench' body='body' y='0.5'/>"
              "<Sensor name='root' type='force' joint='a'/></mechanism>");
    /* The tip is at (1, 1); F = (3, -2): about a 1 * -2 - 1 * 3, about b 0 * -2 - 1 * 3. */
    rig_put(&rig, "m/push/force_x", 3.0);
    rig_put(&rig, "m/push/force_y", -2.0);
    rig_put(&rig, "m/push/torque_z", 0.25);
    rig_put(&rig, "m/a/force", 5.0 - 0.25);
    rig_put(&rig, "m/b/force", 3.0 - 0.25);
    rig_step(&rig, 1.0);
    for (int i = 0; i < 2; i++) {
        cr_assert_float_eq(rig.state->joints.velocity[i], 0.0, 1e-9);
        cr_assert_float_eq(rig.state->joints.position[i], 0.0, 1e-9);
    }
    double wrench[6];
    rig_get(&rig, "m/root/wrench", wrench);
    cr_assert_float_eq(wrench[0], -3.0, 1e-6, "what holds the root: %g", wrench[0]);
    cr_assert_float_eq(wrench[1], 2.0, 1e-6, "%g", wrench[1]);
    cr_assert_float_eq(wrench[2], 2.0 * g, 1e-6, "%g", wrench[2]);
}

Test(wrench, limits_hold_and_nothing_pushes_without_a_controller)
{
    open_with(BODY("x='0.1' force_limit='5' torque_limit='0.5'"));
    struct dpl_world_channels *channels;
    size_t channel = rig_channel(&rig, "m/push/force_x", true, &channels);
    rig_put(&rig, "m/push/force_x", 1e6);
    rig_put(&rig, "m/push/torque_z", -1e6);
    rig_step(&rig, 1.0);
    cr_assert_float_eq(angular()[2], -0.5, 1e-9);
    double before = velocity()[0] + velocity()[1];
    rig_put(&rig, "m/push/torque_z", (double)NAN);
    dpl_world_channels_release(channels, channel);
    dpl_world_channels_destroy(channels);
    cr_assert_neq(before, 0.0);
    rig_step(&rig, 0.5);
    cr_assert_float_eq(angular()[2], -0.5, 1e-9, "no number: no torque");
    struct dpl_vector3 was = rig_point(&rig, body, (struct dpl_vector3){.x = 0.1});
    rig_step(&rig, 0.5);
    struct dpl_vector3 is = rig_point(&rig, body, (struct dpl_vector3){.x = 0.1});
    cr_assert_float_eq(is.x - was.x, 5.0 / 4.0 * 0.5, 1e-6, "it goes on as it was");
}

/* Two wrenches on one body add up; what they do is work in the balance of energy. */
Test(wrench, two_add_up_and_their_work_is_accounted)
{
    open_with("<mechanism><RigidObject name='body' mass='4'><position z='50'/>"
              "<inertia xx='0.5' yy='0.8' zz='1'/></RigidObject>"
              "<Motor name='one' type='wrench' body='body' x='0.5'/>"
              "<Motor name='two' type='wrench' body='body' frame='body'/></mechanism>");
    struct dpl_audit *audit;
    struct dpl_audit_balance balance;
    cr_assert_eq(dpl_audit_create(rig.world, &audit), 0);
    rig_put(&rig, "m/one/force_z", 4.0 * g);
    rig_put(&rig, "m/two/torque_y", 0.5 * 4.0 * g);
    rig_put(&rig, "m/two/torque_z", 1.0);
    for (int i = 0; i < 1000; i++) {
        dpl_world_step(rig.world, 1);
        dpl_audit_step(audit);
    }
    dpl_audit_balance(audit, 0, &balance);
    cr_assert_gt(balance.work, 0.4, "%g J", balance.work);
    cr_assert_lt(fabs(balance.lost), 0.02 * balance.scale, "%g of %g J", balance.lost,
                 balance.scale);
    cr_assert(!dpl_audit_fails(audit));
    dpl_audit_destroy(audit);
}

Test(wrench, body_that_never_moves_is_refused)
{
    struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    static const char text[] = "<mechanism><RigidObject name='wall' static='true'/>\n"
                               "<Motor name='push' type='wrench' body='wall'/></mechanism>";
    open_with(BODY("")); /* for the end of the suite */
    cr_assert_neq(
        dpl_sim_read_objects_text(&rig.arena, "t.xml", text, strlen(text), NULL, &objects, &diags),
        0);
    cr_assert(strstr(diags.items[0].text, "the body 'wall' never moves"), "%s",
              diags.items[0].text);
    cr_assert(diags.items[0].place.line == 2 && diags.items[0].place.column == 1);
    dpl_diags_finish(&diags);
}

Test(wrench, snapshot_holds_what_pushes)
{
    open_with(BODY("delay='20 ms'"));
    rig_put(&rig, "m/push/force_x", 3.0);
    rig_step(&rig, 0.01);
    struct saved_world saved = world_saved(rig.world);
    rig_step(&rig, 0.1);
    double x = rig.state->bodies.position[body][0];
    rig_put(&rig, "m/push/force_x", -9.0);
    rig_step(&rig, 0.3);
    world_back(rig.world, &saved);
    rig_step(&rig, 0.1);
    cr_assert_eq(rig.state->bodies.position[body][0], x);
    free(saved.bytes);
}
