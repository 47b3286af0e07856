/* SPDX-License-Identifier: Apache-2.0 */
/* Each type of joint in a running world: as a link of a tree and as a loop it lets move the same,
 * and prevents the same; couplings; what is refused. */
#include "mechanism_rig.h"

#include <math.h>

#include <doppel/math/gravity.h>
#include <doppel/sim/load.h>

/* Two bodies that float on a first joint each; the second one hangs on the first by the joint under
 * test. The far body's centre is out of all axes, so gravity moves all that may move. */
#define PAIR(type, attributes, more)                                                               \
    "<mechanism><RigidObject name=\"near\" mass=\"2\"><position z=\"5\"/>"                         \
    "<inertia xx=\"0.05\" yy=\"0.06\" zz=\"0.07\"/></RigidObject>"                                 \
    "<RigidObject name=\"far\" mass=\"1\"><position x=\"0.3\" y=\"0.2\" z=\"5.1\"/>"               \
    "<inertia xx=\"0.02\" yy=\"0.03\" zz=\"0.025\"/></RigidObject>"                                \
    "<Joint name=\"swing\" type=\"hinge\" child=\"near\"><frame><position z=\"5.5\"/></frame>"     \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"test\" type=\"" type "\" parent=\"near\" child=\"far\" " attributes ">"         \
    "<frame><position x=\"0.1\"/><orientation roll=\"0.4\" pitch=\"0.7\"/></frame>" more           \
    "</Joint></mechanism>"

static void run_pair(const char *text, double seconds, double ret[2][3], double ret_values[2])
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 1e-4);
    rig_step(&rig, seconds);
    memcpy(ret, rig.state->bodies.position, 2 * sizeof *ret);
    for (size_t i = 0; i < 2; i++) {
        ret_values[i] = rig.state->joints.n > 1 + i ? rig.state->joints.position[1 + i] : 0.0;
    }
    rig_close(&rig);
}

static void moves_the_same(const char *tree, const char *loop, const char *backwards)
{
    double a[2][3], b[2][3], c[2][3], values_a[2], values_b[2], values_c[2];
    run_pair(tree, 0.5, a, values_a);
    run_pair(loop, 0.5, b, values_b);
    run_pair(backwards, 0.5, c, values_c);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            cr_expect_float_eq(a[i][k], b[i][k], 2e-4, "loop: body %d, axis %d", i, k);
            cr_expect_float_eq(a[i][k], c[i][k], 1e-9, "backwards: body %d, axis %d", i, k);
        }
        cr_expect_float_eq(values_a[i], values_b[i], 1e-3, "loop: value %d", i);
        cr_expect_float_eq(values_a[i], values_c[i], 1e-9, "backwards: value %d", i);
    }
}

/* The tree that is built from the far body on: it hangs on the world by a slack joint first. */
#define BACKWARDS(type)                                                                            \
    "<mechanism><RigidObject name=\"near\" mass=\"2\"><position z=\"5\"/>"                         \
    "<inertia xx=\"0.05\" yy=\"0.06\" zz=\"0.07\"/></RigidObject>"                                 \
    "<RigidObject name=\"far\" mass=\"1\"><position x=\"0.3\" y=\"0.2\" z=\"5.1\"/>"               \
    "<inertia xx=\"0.02\" yy=\"0.03\" zz=\"0.025\"/></RigidObject>"                                \
    "<Joint name=\"swing\" type=\"hinge\" child=\"world\" parent=\"near\"><frame>"                 \
    "<position z=\"0.5\"/></frame><childFrame><position z=\"5.5\"/></childFrame>"                  \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"test\" type=\"" type "\" parent=\"near\" child=\"far\">"                        \
    "<frame><position x=\"0.1\"/><orientation roll=\"0.4\" pitch=\"0.7\"/></frame>"                \
    "</Joint></mechanism>"

#define SAME(type)                                                                                 \
    Test(bullet_joints, type##_moves_the_same_in_a_tree_and_as_a_loop)                             \
    {                                                                                              \
        moves_the_same(PAIR(#type, "", ""), PAIR(#type, "loop=\"true\"", ""), BACKWARDS(#type));   \
    }
SAME(fixed)
SAME(hinge)
SAME(slider)
SAME(ball)
SAME(universal)
SAME(cylindrical)
SAME(planar)

Test(bullet_joints, a_gear_keeps_the_ratio_of_two_turns)
{
    struct mechanism_rig rig;
    rig_open(
        &rig,
        "<mechanism><RigidObject name=\"a\" mass=\"1\"><position z=\"2\"/>"
        "<CylinderShape radius=\"0.1\" height=\"0.1\"/></RigidObject>"
        "<RigidObject name=\"b\" mass=\"3\"><position x=\"1\" z=\"2\"/>"
        "<CylinderShape radius=\"0.2\" height=\"0.1\"/></RigidObject>"
        "<Joint name=\"ha\" type=\"hinge\" child=\"a\"/>"
        "<Joint name=\"hb\" type=\"hinge\" child=\"b\"><frame><position x=\"1\"/></frame></Joint>"
        "<Joint name=\"g\" type=\"gear\" parent=\"a\" child=\"b\"><gear ratio=\"2\"/></Joint>"
        "</mechanism>",
        1e-3);
    rig.state->joints.driven[0] = true;
    rig.state->joints.push[0] = 0.5;
    rig_step(&rig, 2.0);
    const double *q = rig.state->joints.position, *v = rig.state->joints.velocity;
    /* What a has to turn: its own moment, and that of b by the ratio squared. */
    double moment = 0.5 * 1.0 * 0.01 + 0.5 * 3.0 * 0.04 / 4.0;
    cr_expect_float_eq(v[0], 0.5 * 2.0 / moment, 1e-9 * v[0], "%.9g, ratio %.9g", v[0],
                       v[1] / v[0]);
    cr_expect_float_eq(v[1], -v[0] / 2.0, 1e-9 * v[0]);
    cr_expect_float_eq(q[1], -q[0] / 2.0, 1e-9 * q[0]);
    rig_close(&rig);
}

Test(bullet_joints, a_rope_pulls_and_does_not_push)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name=\"load\" mass=\"10\"><position z=\"5\"/>"
             "<SphereShape radius=\"0.1\"/></RigidObject>"
             "<Joint name=\"r\" type=\"rope\" child=\"load\"><frame><position z=\"6\"/></frame>"
             "<childFrame/><rope ea=\"20000\" free=\"2\" damping=\"0.3\"/></Joint></mechanism>",
             1e-3);
    rig_step(&rig, 0.3); /* slack: it falls freely, by g dt^2 n (n + 1) / 2 */
    cr_expect_float_eq(rig.state->bodies.position[0][2],
                       5.0 - DPL_STANDARD_GRAVITY_M_S2 * 1e-6 * 300.0 * 301.0 / 2.0, 1e-9);
    rig_step(&rig, 10.0);
    double stretch = 10.0 * DPL_STANDARD_GRAVITY_M_S2 / (20000.0 / 2.0);
    cr_expect_float_eq(rig.state->bodies.position[0][2], 4.0 - stretch, 1e-6);
    rig_close(&rig);
}

#define HUNG(force)                                                                                \
    "<mechanism><RigidObject name=\"load\" mass=\"10\"><position z=\"5\"/>"                        \
    "<SphereShape radius=\"0.1\"/></RigidObject>"                                                  \
    "<Joint name=\"hook\" type=\"fixed\" child=\"load\" breakForce=\"" force "\"/></mechanism>"

Test(bullet_joints, a_joint_breaks_above_its_force_and_not_below)
{
    struct mechanism_rig rig;
    rig_open(&rig, HUNG("99"), 1e-3); /* it carries 98.07 N */
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->bodies.position[0][2], 5.0, 1e-4);
    rig_close(&rig);
    rig_open(&rig, HUNG("97"), 1e-3);
    rig_step(&rig, 0.5);
    cr_expect_lt(rig.state->bodies.position[0][2], 4.0);
    rig_close(&rig);
}

Test(bullet_joints, bodies_that_a_joint_connects_may_overlap_and_others_touch)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name=\"a\" mass=\"1\"><position z=\"0.2\"/>"
             "<BoxShape x=\"0.4\" y=\"0.4\" z=\"0.4\"/></RigidObject>"
             "<RigidObject name=\"b\" mass=\"1\"><position z=\"0.2\" x=\"0.3\"/>"
             "<BoxShape x=\"0.4\" y=\"0.4\" z=\"0.4\"/></RigidObject>"
             "<RigidObject name=\"c\" mass=\"1\"><position z=\"0.7\" x=\"0.1\"/>"
             "<BoxShape x=\"0.2\" y=\"0.2\" z=\"0.2\"/></RigidObject>"
             "<Joint name=\"j\" type=\"fixed\" parent=\"a\" child=\"b\"/></mechanism>",
             1e-3);
    rig_step(&rig, 2.0);
    const double(*at)[3] = (const double(*)[3])rig.state->bodies.position;
    cr_expect_float_eq(at[0][2], 0.2, 2e-3, "on the ground");
    cr_expect_float_eq(at[1][0] - at[0][0], 0.3, 1e-6);
    cr_expect_float_eq(at[2][2], 0.5, 3e-3, "c rests on a and b: %.4f", at[2][2]);
    cr_expect_gt(rig.state->contacts.n, 0);
    rig_close(&rig);
}

Test(bullet_joints, a_stack_of_ten_boxes_stands)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><Repeat count=\"10\" index=\"i\"><RigidObject name=\"b{i}\" mass=\"1\">"
             "<position z=\"{0.1 + 0.2*i}\"/><BoxShape x=\"0.2\" y=\"0.2\" z=\"0.2\"/>"
             "</RigidObject></Repeat></mechanism>",
             1e-3);
    rig_step(&rig, 5.0);
    const double *top = rig.state->bodies.position[9];
    cr_expect_lt(hypot(top[0], top[1]), 2e-3, "%.3g m", hypot(top[0], top[1]));
    cr_expect_float_eq(top[2], 1.9, 1e-3);
    rig_close(&rig);
}

/* ---- in a world's file ---- */

static struct dpl_arena arena;
static struct dpl_diags diags;

static int read_world(const char *mechanism, struct dpl_sim_model **ret_model)
{
    FILE *file = fopen("bullet_joints_test.xml", "w");
    cr_assert(file != NULL);
    fputs(mechanism, file);
    fclose(file);
    const char *text = "<world name=\"w\"><robot name=\"m\" model=\"bullet_joints_test.xml\" "
                       "x=\"1\" y=\"2\" yaw=\"90 deg\"/></world>";
    int err =
        dpl_sim_read_world_text(&arena, "world.xml", text, strlen(text), NULL, ret_model, &diags);
    remove("bullet_joints_test.xml");
    return err;
}

Test(bullet_joints, what_is_not_simulated_is_refused_at_its_place)
{
    struct dpl_sim_model *model = NULL;
    int err = read_world("<mechanism>\n<RigidObject name=\"a\" mass=\"1\">"
                         "<SphereShape radius=\"1\"/></RigidObject>\n"
                         "<Joint name=\"b\" type=\"belt\" child=\"a\">"
                         "<belt stiffness=\"100\"/></Joint></mechanism>",
                         &model);
    cr_assert_neq(err, 0);
    cr_expect_eq(diags.n_errors, 1);
    cr_expect_str_eq(
        diags.items[diags.n - 1].text,
        "joint 'b' (belt): one end must be on joints that lead to what stands still, or "
        "condense='never'");
    cr_expect_eq(diags.items[diags.n - 1].place.line, 3);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

Test(bullet_joints, a_mechanism_stands_where_its_world_says)
{
    struct dpl_sim_model *model = NULL;
    struct dpl_world *world = NULL;
    struct dpl_world_channels *channels = NULL;
    int err =
        read_world("<mechanism><RigidObject name=\"arm\" mass=\"1\"><position x=\"1\" z=\"3\"/>"
                   "<SphereShape radius=\"0.1\"/></RigidObject>"
                   "<Joint name=\"pin\" type=\"hinge\" child=\"arm\"><frame>"
                   "<position z=\"3\"/></frame></Joint></mechanism>",
                   &model);
    cr_assert_eq(err, 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    dpl_world_step(world, 100); /* the axis is upright: it stays */
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
    struct dpl_channel_want want = {.path = "m/arm/pose", .type = &dpl_channel_pose};
    int channel = dpl_world_channels_find(channels, &want, NULL);
    cr_assert_geq(channel, 0);
    struct dpl_pose3 pose;
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, (size_t)channel, &pose, &stamp), 0);
    cr_expect_float_eq(pose.position.x, 1.0, 1e-9, "%g %g %s", pose.position.x, pose.position.y,
                       diags.n ? diags.items[0].text : "");
    cr_expect_float_eq(pose.position.y, 3.0, 1e-9);
    cr_expect_float_eq(pose.position.z, 3.0, 1e-9);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}
