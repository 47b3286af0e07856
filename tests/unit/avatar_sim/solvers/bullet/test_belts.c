/* SPDX-License-Identifier: Apache-2.0 */
/* Belts: springs between travels, with light clamps between stiff runs. */
#include "mechanism_rig.h"

#include <doppel/sim/load.h>

/* A carriage, a clamp and a panel of 20 kg on rails along x, with two runs of 1e5 N/m. */
#define RAIL(name, mass, y)                                                                        \
    "<RigidObject name='" name "' mass='" mass "'><position y='" y "' z='2'/>"                     \
    "<inertia xx='1' yy='1' zz='1'/></RigidObject>"                                                \
    "<Joint name='rail_" name "' type='slider' child='" name "'><axis x='1' z='0'/></Joint>"
#define BELT(name, parent, child, attributes)                                                      \
    "<Joint name='" name "' type='belt' parent='" parent "' child='" child "'><axis x='1' z='0'/>" \
    "<belt stiffness='1e5' " attributes "/></Joint>"
#define DOOR(clamp, attributes)                                                                    \
    "<mechanism step_ms='2'>" RAIL("carriage", "5", "0") RAIL("clamp", clamp, "1")                 \
        RAIL("panel", "20", "2") BELT("near", "carriage", "clamp", attributes)                     \
            BELT("far", "clamp", "panel", attributes) "</mechanism>"

enum { CARRIAGE, CLAMP, PANEL };

/* The carriage is driven to and fro; the clamp has to be in the middle of both. */
static double worst_of(const char *text, double seconds)
{
    struct mechanism_rig rig;
    double worst = 0.0;
    rig_open(&rig, text, 2e-3);
    const double *x = rig.state->joints.position;
    rig.state->joints.limit[CARRIAGE] = 1e5;
    for (int i = 0; i < (int)(seconds / 2e-3); i++) {
        rig.state->joints.speed[CARRIAGE] = 0.5 * sin(2.0 * DPL_PI * 0.5 * i * 2e-3);
        dpl_world_step(rig.world, 1);
        double off = fabs(x[CLAMP] - (x[CARRIAGE] + x[PANEL]) / 2.0);
        worst = off > worst || isnan(off) ? off : worst;
    }
    rig_close(&rig);
    return worst;
}

Test(belts, a_light_clamp_between_stiff_runs_stays_in_the_middle)
{
    static const char *const texts[] = {
        DOOR("0.5", "condense='always'"), DOOR("0.5", ""), DOOR("0.05", ""), DOOR("0.005", ""),
        DOOR("0.05", "damping='20'"),
    };
    for (size_t i = 0; i < 5; i++) {
        double worst = worst_of(texts[i], 10.0);
        cr_expect_lt(worst, 2e-5, "%zu: %.3g m", i, worst);
    }
    cr_expect_not(worst_of(DOOR("0.05", "condense='never'"), 0.2) < 1e-3,
                  "an explicit step diverges there");
}

static void settles(const char *attributes, double push)
{
    struct mechanism_rig rig;
    char text[2000];
    snprintf(
        text, sizeof text,
        "<mechanism step_ms='2'>" RAIL("carriage", "5", "0") RAIL(
            "panel", "20",
            "1") "<Joint name='b' type='belt' parent='carriage' child='panel'><axis x='1' z='0'/>"
                 "<belt stiffness='1e5' damping='500' %s/></Joint></mechanism>",
        attributes);
    rig_open(&rig, text, 2e-3);
    rig.state->joints.limit[0] = 1e9; /* held */
    rig.state->joints.driven[1] = true;
    rig.state->joints.push[1] = push;
    rig_step(&rig, 10.0);
    cr_expect_float_eq(rig.state->joints.position[1], push / 1e5, 1e-9, "%.9g m",
                       rig.state->joints.position[1]);
    cr_expect_float_eq(rig_number(&rig, "m/b/tension"), -push, 1e-6 * fabs(push), "%.9g N",
                       rig_number(&rig, "m/b/tension"));
    rig_close(&rig);
}

Test(belts, a_belt_stretches_by_its_stiffness)
{
    settles("condense='never'", 100.0);
    settles("condense='always'", 100.0);
    settles("condense='always'", -100.0);
}

static double swing(const char *condense)
{
    struct mechanism_rig rig;
    char text[2000];
    snprintf(text, sizeof text,
             "<mechanism step_ms='2'>" RAIL("a", "2", "0")
                 RAIL("b", "6",
                      "1") "<Joint name='belt' type='belt' parent='a' child='b'><axis x='1' z='0'/>"
                           "<belt stiffness='1000' condense='%s'/></Joint></mechanism>",
             condense);
    rig_open(&rig, text, 2e-3);
    rig.state->joints.driven[0] = true;
    rig.state->joints.push[0] = 10.0;
    dpl_world_step(rig.world, 1);
    rig.state->joints.push[0] = 0.0;
    double first = -1.0, last = 0.0, before = 0.0;
    int n = 0;
    for (int i = 0; i < 500; i++) {
        dpl_world_step(rig.world, 1);
        const double *v = rig.state->joints.velocity;
        double now = v[1] - v[0];
        if (before < 0.0 && now >= 0.0) {
            last = (i - now / (now - before)) * 2e-3;
            n += first >= 0.0;
            first = first < 0.0 ? last : first;
        }
        before = now;
        double momentum = 2.0 * v[0] + 6.0 * v[1];
        cr_assert_float_eq(momentum, 10.0 * 2e-3, 1e-9, "%.9g", momentum);
    }
    rig_close(&rig);
    return n / (last - first);
}

Test(belts, two_bodies_swing_on_a_belt_and_keep_their_momentum)
{
    double closed = sqrt(1000.0 * (1.0 / 2.0 + 1.0 / 6.0)) / (2.0 * DPL_PI);
    cr_expect_float_eq(swing("never"), closed, 1e-3 * closed);
    cr_expect_float_eq(swing("always"), closed, 5e-3 * closed);
}

/* Two panels that open to both sides. */
Test(belts, a_belt_has_a_ratio)
{
    static const char *const condense[] = {"never", "always"};
    for (int i = 0; i < 2; i++) {
        struct mechanism_rig rig;
        char text[2000];
        snprintf(text, sizeof text,
                 "<mechanism step_ms='2'>" RAIL("left", "20", "0") RAIL(
                     "right", "20",
                     "1") "<Joint name='belt' type='belt' parent='left' child='right'><axis x='1' "
                          "z='0'/>"
                          "<belt stiffness='1e5' ratio='-2' damping='800' condense='%s'/></Joint>"
                          "</mechanism>",
                 condense[i]);
        rig_open(&rig, text, 2e-3);
        rig.state->joints.speed[0] = 0.1;
        rig.state->joints.limit[0] = 1e6;
        rig_step(&rig, 2.0);
        const double *x = rig.state->joints.position, *v = rig.state->joints.velocity;
        cr_expect_float_eq(x[1], -2.0 * x[0], 1e-4, "%g %g", x[0], x[1]);
        cr_expect_float_eq(v[1], -0.2, 1e-3, "%g", v[1]);
        rig_close(&rig);
    }
}

Test(belts, the_panel_feels_what_stops_it)
{
    struct mechanism_rig rig;
    rig_open(&rig, DOOR("0.05", "damping='50'"), 2e-3);
    rig.state->joints.speed[CARRIAGE] = 0.3;
    rig.state->joints.limit[CARRIAGE] = 130.0; /* the most that the drive gives */
    rig.state->joints.limit[PANEL] = 1e6;      /* an obstacle */
    rig_step(&rig, 5.0);
    const double *x = rig.state->joints.position;
    cr_expect_float_eq(x[CARRIAGE] - x[PANEL], 130.0 / 5e4, 1e-7, "%.9g m", x[CARRIAGE] - x[PANEL]);
    cr_expect_float_eq(rig_number(&rig, "m/far/tension"), 130.0, 1e-3);
    cr_expect_float_eq(rig_number(&rig, "m/near/tension"), 130.0, 1e-3);
    rig_close(&rig);
}

/* A free body between the panel and a wall: the island goes by sequential impulses. */
Test(belts, a_panel_presses_a_free_body_against_a_wall)
{
    struct mechanism_rig rig;
    rig_open(
        &rig,
        "<mechanism step_ms='2'>" RAIL("carriage", "5", "0") RAIL(
            "clamp", "0.05",
            "1") "<RigidObject name='panel' mass='20'><position y='2' z='2'/>"
                 "<BoxShape x='0.4' y='0.1' z='0.1'/></RigidObject>"
                 "<Joint name='rail_panel' type='slider' child='panel'><axis x='1' z='0'/></Joint>"
                 "<RigidObject name='parcel' mass='2'><position x='0.5' y='2' z='2'/>"
                 "<BoxShape x='0.2' y='0.2' z='0.2'/></RigidObject>"
                 "<RigidObject name='wall' static='true'><position x='1.2' y='2' z='2'/>"
                 "<BoxShape x='0.2' y='1' z='1'/></RigidObject>"
                 "<RigidObject name='shelf' static='true'><position x='0.5' y='2' z='1.65'/>"
                 "<BoxShape x='2' y='1' z='0.5'/></RigidObject>" BELT("near", "carriage", "clamp",
                                                                      "damping='50'")
                     BELT("far", "clamp", "panel", "damping='50'") "</mechanism>",
        2e-3);
    rig.state->joints.speed[CARRIAGE] = 0.3;
    rig.state->joints.limit[CARRIAGE] = 130.0;
    rig_step(&rig, 6.0);
    int parcel = rig_body(&rig, "parcel");
    cr_expect_float_eq(rig.state->bodies.position[parcel][0], 1.0, 5e-3, "%g",
                       rig.state->bodies.position[parcel][0]);
    cr_expect_float_eq(rig_number(&rig, "m/far/tension"), 130.0, 5.0, "%g",
                       rig_number(&rig, "m/far/tension"));
    cr_expect_float_eq(rig.state->joints.velocity[PANEL], 0.0, 2e-3, "%g",
                       rig.state->joints.velocity[PANEL]);
    rig_close(&rig);
}

/* Two carriages in one tree: one rides on the other. */
Test(belts, a_belt_may_be_within_a_tree)
{
    struct mechanism_rig rig;
    rig_open(
        &rig,
        "<mechanism step_ms='2'>" RAIL(
            "a", "5",
            "0") "<RigidObject name='b' mass='0.05'><position y='1' z='2'/>"
                 "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
                 "<Joint name='on' type='slider' parent='a' child='b'><axis x='1' z='0'/></Joint>"
                 "<Joint name='belt' type='belt' child='b'><axis x='1' z='0'/>"
                 "<belt stiffness='1e5'/></Joint></mechanism>",
        2e-3);
    rig.state->joints.speed[0] = 0.1;
    rig.state->joints.limit[0] = 1e6;
    rig_step(&rig, 2.0); /* the belt holds b where it was */
    cr_expect_float_eq(rig.state->bodies.position[0][0], 0.2, 1e-3);
    cr_expect_float_eq(rig.state->bodies.position[1][0], 0.0, 1e-4, "%g",
                       rig.state->bodies.position[1][0]);
    rig_close(&rig);
}

Test(belts, a_belt_between_what_floats_is_refused_unless_it_is_never_condensed)
{
    static const char *const condense[] = {"auto", "never"};
    for (int i = 0; i < 2; i++) {
        struct dpl_arena arena = {0};
        struct dpl_diags diags = {0};
        struct dpl_sim_objects objects;
        struct dpl_diag diag = {0};
        struct dpl_sim_model *model = dpl_sim_model_create();
        char text[1000];
        snprintf(text, sizeof text,
                 "<mechanism><RigidObject name='a' mass='1'><SphereShape radius='0.1'/>"
                 "</RigidObject><RigidObject name='b' mass='1'><position x='1'/>"
                 "<SphereShape radius='0.1'/></RigidObject><Joint name='j' type='belt' parent='a' "
                 "child='b'><belt stiffness='10' condense='%s'/></Joint></mechanism>",
                 condense[i]);
        cr_assert_eq(
            dpl_sim_read_objects_text(&arena, "t.xml", text, strlen(text), NULL, &objects, &diags),
            0);
        int err = dpl_sim_model_add_objects(model, "m", (struct dpl_pose2){0}, &objects, &diag);
        cr_expect_eq(err == 0, i == 1, "%s", diag.text);
        dpl_sim_model_destroy(model);
        dpl_diags_finish(&diags);
        dpl_arena_finish(&arena);
    }
}
