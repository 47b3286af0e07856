/* SPDX-License-Identifier: Apache-2.0 */
/* What joints give: force sensors and load cells against statics and a turning arm. */
#include "lift_rig.h"

#include <doppel/sim/load.h>

static void expect_wrench(const struct mechanism_rig *rig, const char *sensor,
                          const double expected[6], double within)
{
    char path[64];
    double wrench[6];
    snprintf(path, sizeof path, "m/%s/wrench", sensor);
    rig_get(rig, path, wrench);
    for (int i = 0; i < 6; i++) {
        cr_expect_float_eq(wrench[i], expected[i], within, "%s, %d: %.9g, expected %.9g", sensor, i,
                           wrench[i], expected[i]);
    }
}

static void expect_force(const struct mechanism_rig *rig, const char *sensor, double x, double y,
                         double z, double within)
{
    char path[64];
    double wrench[6];
    snprintf(path, sizeof path, "m/%s/wrench", sensor);
    rig_get(rig, path, wrench);
    cr_expect_float_eq(wrench[0], x, within, "%s x: %.9g, expected %.9g", sensor, wrench[0], x);
    cr_expect_float_eq(wrench[1], y, within, "%s y: %.9g, expected %.9g", sensor, wrench[1], y);
    cr_expect_float_eq(wrench[2], z, within, "%s z: %.9g, expected %.9g", sensor, wrench[2], z);
}

/* ---- at rest ---- */

#define BALL(name, mass, z)                                                                        \
    "<RigidObject name='" name "' mass='" mass "'><position z='" z "'/>"                           \
    "<inertia xx='0.1' yy='0.1' zz='0.1'/></RigidObject>"
#define CHAIN(type, attributes)                                                                    \
    "<mechanism>" BALL("a", "2", "8") BALL("b", "3", "7")                                          \
        BALL("c", "4", "6") "<Joint name='ja' type='" type "' child='a' " attributes               \
                            "><frame><position z='8.5'/></frame>"                                  \
                            "</Joint><Joint name='jb' type='" type                                 \
                            "' parent='a' child='b'><frame><position z='-0.5'/>"                   \
                            "</frame></Joint><Joint name='jc' type='" type                         \
                            "' parent='b' child='c' " attributes ">"                               \
                            "<frame><position z='-0.5'/></frame></Joint>"                          \
                            "<Sensor name='fa' type='force' joint='ja'/><Sensor name='fb' "        \
                            "type='force' joint='jb'/>"                                            \
                            "<Sensor name='fc' type='force' joint='jc'/></mechanism>"

static void hangs(const char *text, double within)
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 1e-3);
    rig_step(&rig, 1.0);
    expect_force(&rig, "fa", 0.0, 0.0, 9.0 * G, within);
    expect_force(&rig, "fb", 0.0, 0.0, 7.0 * G, within);
    expect_force(&rig, "fc", 0.0, 0.0, 4.0 * G, within);
    rig_close(&rig);
}

Test(reactions, each_joint_of_a_chain_carries_what_hangs_below)
{
    hangs(CHAIN("fixed", ""), 1e-9);
    hangs(CHAIN("ball", ""), 1e-9);
    hangs(CHAIN("hinge", ""), 1e-9);
    hangs(CHAIN("universal", ""), 1e-9);
    hangs(CHAIN("fixed", "loop='true'"), 1e-6);
    hangs(CHAIN("ball", "loop='true'"), 1e-6);
    hangs(CHAIN("hinge", "loop='true'"), 1e-6);
}

#define BEAM(attributes)                                                                           \
    "<mechanism><RigidObject name='beam' mass='3'><position x='0.5' z='5'/>"                       \
    "<inertia xx='0.01' yy='0.25' zz='0.25'/></RigidObject>"                                       \
    "<RigidObject name='tip' mass='2'><position x='1' z='5'/>"                                     \
    "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>"                                       \
    "<Joint name='root' type='fixed' child='beam' " attributes "><frame><position z='5'/></frame>" \
    "</Joint><Joint name='end' type='fixed' parent='beam' child='tip'/>"                           \
    "<Sensor name='f' type='force' joint='root'/></mechanism>"

Test(reactions, a_cantilever_has_a_force_and_a_moment_at_its_root)
{
    static const char *const texts[] = {BEAM(""), BEAM("loop='true'"), BEAM("breakForce='1e6'")};
    for (size_t i = 0; i < 3; i++) {
        struct mechanism_rig rig;
        rig_open(&rig, texts[i], 1e-3);
        rig_step(&rig, 1.0);
        const double expected[6] = {0.0, 0.0, 5.0 * G, 0.0, -(3.0 * 0.5 + 2.0 * 1.0) * G, 0.0};
        expect_wrench(&rig, "f", expected, 1e-3);
        rig_close(&rig);
    }
}

/* The world is the child: it is pulled down. */
Test(reactions, a_joint_that_is_turned_round_says_what_its_child_gets)
{
    struct mechanism_rig rig;
    rig_open(
        &rig,
        "<mechanism>" BALL(
            "a", "2",
            "8") "<Joint name='ja' type='ball' parent='a' "
                 "child='world'><frame><position z='0.5'/></frame><childFrame><position z='8.5'/>"
                 "</childFrame></Joint><Sensor name='fa' type='force' joint='ja'/></mechanism>",
        1e-3);
    rig_step(&rig, 0.5);
    expect_force(&rig, "fa", 0.0, 0.0, -2.0 * G, 1e-6);
    rig_close(&rig);
}

/* ---- contacts ---- */

/* A tray of 5 kg with a box of 7 kg on it, level or tilted so that friction holds the box: by
 * `tilt` about x, turned by `yaw`. */
#define TRAY(tilt, yaw)                                                                            \
    "<mechanism><Material name='rough' friction='0.8'/>"                                           \
    "<RigidObject name='tray' mass='5'><position z='2'/><orientation roll='" tilt "' yaw='" yaw    \
    "'/><BoxShape x='1' y='1' z='0.1'/></RigidObject>"                                             \
    "<RigidObject name='box' mass='7'><position x='{0.15*sin(" tilt ")*sin(" yaw ")}' "            \
    "y='{-0.15*sin(" tilt ")*cos(" yaw ")}' z='{2 + 0.15*cos(" tilt ")}'/>"                        \
    "<orientation roll='" tilt "' yaw='" yaw "'/>"                                                 \
    "<BoxShape x='0.2' y='0.2' z='0.2'/></RigidObject>"                                            \
    "<Joint name='foot' type='fixed' child='tray'><frame><position z='1.9'/></frame></Joint>"      \
    "<Sensor name='f' type='force' joint='foot'/>"                                                 \
    "<Sensor name='scale' type='load' joint='foot' zero='5'/>"                                     \
    "<Sensor name='newton' type='load' joint='foot' unit='N' x='0' z='-1'/></mechanism>"

Test(reactions, a_scale_weighs_what_lies_on_it)
{
    static const char *const texts[] = {TRAY("0", "0"),   TRAY("0.2", "0"), TRAY("0.2", "1.5708"),
                                        TRAY("0.2", "2"), TRAY("0.2", "4"), TRAY("0.2", "5.5")};
    for (size_t i = 0; i < DPL_COUNT(texts); i++) {
        struct mechanism_rig rig;
        rig_open(&rig, texts[i], 1e-3);
        rig_step(&rig, 2.0);
        expect_force(&rig, "f", 0.0, 0.0, 12.0 * G, 0.2);
        cr_expect_float_eq(rig_number(&rig, "m/scale/load"), 7.0, 0.02);
        cr_expect_float_eq(rig_number(&rig, "m/newton/load"), -12.0 * G, 0.2);
        rig_close(&rig);
    }
}

/* ---- in motion ---- */

#define ARM(attributes)                                                                            \
    "<mechanism><RigidObject name='arm' mass='2'><position x='0.5' z='5'/>"                        \
    "<inertia xx='0.001' yy='0.04' zz='0.04'/></RigidObject>"                                      \
    "<Joint name='pin' type='hinge' child='arm' " attributes "><frame><position z='5'/></frame>"   \
    "</Joint><Sensor name='f' type='force' joint='pin'/></mechanism>"

static void turns(const char *text)
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 1e-3);
    double w = 10.0, m = 2.0, r = 0.5, moment = 0.04 + m * r * r;
    rig.state->joints.speed[0] = w;
    rig.state->joints.limit[0] = 1e6;
    rig_step(&rig, 1.0);
    /* It is pulled to the pin, and carried; its weight is out of the pin. */
    const double steady[6] = {-m * w * w * r, 0.0, m * G, 0.0, -m * G * r, 0.0};
    expect_wrench(&rig, "f", steady, 0.02);
    rig.state->joints.limit[0] = 0.0;
    rig.state->joints.driven[0] = true;
    rig.state->joints.push[0] = 3.0;
    rig_step(&rig, 0.1);
    w = rig.state->joints.velocity[0];
    const double faster[6] = {-m * w * w * r, m * r * 3.0 / moment, m * G, 0.0, -m * G * r, 3.0};
    expect_wrench(&rig, "f", faster, 0.2);
    rig_close(&rig);
}

Test(reactions, a_turning_arm_pulls_at_its_pin)
{
    turns(ARM(""));
    turns(ARM("loop='true'"));
}

Test(reactions, what_falls_with_its_joint_carries_nothing)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism>" BALL("a", "2", "80")
                 BALL("b", "3", "79") "<Joint name='j' type='fixed' parent='a' child='b'/>"
                                      "<Sensor name='f' type='force' joint='j'/></mechanism>",
             1e-3);
    rig_step(&rig, 1.0);
    expect_wrench(&rig, "f", (double[6]){0.0}, 1e-9);
    rig_close(&rig);
}

Test(reactions, an_axle_carries_its_sheave_and_both_legs)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(5, 630.0);
    lift.more = "<Sensor name='f' type='force' joint='sheave'/>";
    lift_open(&rig, &lift, 2e-3);
    lift_hold(&rig);
    rig_step(&rig, 0.5);
    double wrench[6];
    rig_get(&rig, "m/f/wrench", wrench);
    double sum = hypot(hypot(wrench[0], wrench[1]), wrench[2]);
    cr_expect_float_eq(sum, (200.0 + lift.car + lift.counterweight) * G, 1e-3, "%.9g", sum);
    double torque = lift_radius * (lift.car - lift.counterweight) * G;
    cr_expect_float_eq(wrench[5], torque, 1e-3, "the brake holds %.9g, expected %.9g", wrench[5],
                       torque);
    rig_close(&rig);
}

Test(reactions, a_load_cell_weighs_a_load_that_comes)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(11, 0.0);
    lift.damping = 0.3;
    lift.more = "<RigidObject name='cabin' mass='300'><position x='1' z='40'/>"
                "<inertia xx='90' yy='90' zz='90'/></RigidObject>"
                "<Joint name='floor' type='fixed' parent='car' child='cabin'/>"
                "<Motor name='people' type='ballast' body='cabin' limit='1000' rate='315'/>"
                "<Sensor name='cell' type='load' joint='floor' zero='300' resolution='1'/>";
    lift_open(&rig, &lift, 2e-3);
    lift_hold(&rig);
    rig_step(&rig, 5.0);
    cr_expect_eq(rig_number(&rig, "m/cell/load"), 0.0);
    rig_put(&rig, "m/people/mass", 630.0);
    rig_step(&rig, 5.0);
    cr_expect_eq(rig_number(&rig, "m/cell/load"), 630.0);
    rig_close(&rig);
}

/* ---- what is refused ---- */

Test(reactions, a_sensor_needs_a_joint_that_gives_something)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_objects objects;
    static const char text[] =
        "<mechanism>" BALL("a", "2", "8") "<Joint name='r' type='rope' child='a'><childFrame/>"
                                          "<rope ea='1e4' free='2'/></Joint><Sensor name='f' "
                                          "type='force' joint='r'/></mechanism>";
    cr_assert_neq(
        dpl_sim_read_objects_text(&arena, "t.xml", text, strlen(text), NULL, &objects, &diags), 0);
    cr_expect_str_eq(diags.items[0].text,
                     "<Sensor>: the joint 'r' is of type rope, which has no reaction");
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}
