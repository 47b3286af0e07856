/* SPDX-License-Identifier: Apache-2.0 */
/* The check of mechanisms: what would not simulate well is found, and nothing else. */
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/objects.h>

#include "objects_reading.h"
#include "overlap.h"

TestSuite(mechanism_check, .fini = reading_end);

static int read_body(const char *attributes, const char *children)
{
    const char *text =
        dpl_arena_printf(&arena, "<mechanism %s>\n%s</mechanism>", attributes, children);
    return reading_anew(text);
}

static void expect_none(const char *attributes, const char *children)
{
    cr_assert_eq(read_body(attributes, children), 0);
    cr_assert_eq(diags.n, 0, "%s", reading_first());
}

static void expect_one(const char *attributes, const char *children, enum dpl_severity severity,
                       int line, const char *said)
{
    cr_assert_eq(read_body(attributes, children) != 0, severity == DPL_SEVERITY_ERROR);
    cr_assert_eq(diags.n, 1, "%zu findings, wanted: %s; first: %s", diags.n, said, reading_first());
    cr_assert_eq(diags.items[0].severity, severity);
    cr_assert_eq(diags.items[0].place.line, line);
    cr_assert_not_null(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
}

#define WARNING DPL_SEVERITY_WARNING
#define BODY(name, attributes, place, shape)                                                       \
    "<RigidObject name='" name "' " attributes "><position " place "/>" shape "</RigidObject>\n"
#define CUBE "<BoxShape x='1' y='1' z='1'/>"

/* ---- distances ---- */

/* Points of a core by a fine grid; the least distance between those of two tells whether they
 * overlap without any of the formulas of overlap.c. */
static struct dpl_vector3 point_of(const struct dpl__core *core, const double at[3],
                                   struct dpl_vector3 towards)
{
    struct dpl_vector3 local = {core->half[0] * at[0], core->half[1] * at[1],
                                core->half[2] * at[2]};
    struct dpl_vector3 p =
        dpl_vector3_add(core->pose.position, dpl_quaternion_turn(core->pose.orientation, local));
    struct dpl_vector3 way = dpl_vector3_minus(towards, p);
    double length = dpl_vector3_length(way);
    return length <= core->round ? towards
                                 : dpl_vector3_add(p, dpl_vector3_times(way, core->round / length));
}

/* Nearest points by turns (projections between convex sets), each found by descent over the grid
 * of a core's coordinates: only membership is used. */
static struct dpl_vector3 nearest(const struct dpl__core *core, struct dpl_vector3 towards)
{
    double at[3] = {0.0, 0.0, 0.0};
    struct dpl_vector3 best = point_of(core, at, towards);
    for (double step = 1.0; step > 1e-9; step *= 0.5) {
        for (int k = 0; k < 6; k++) {
            double next[3] = {at[0], at[1], at[2]};
            next[k / 2] = dpl_clamp(next[k / 2] + (k % 2 ? step : -step), -1.0, 1.0);
            struct dpl_vector3 p = point_of(core, next, towards);
            if (dpl_vector3_length(dpl_vector3_minus(p, towards)) <
                dpl_vector3_length(dpl_vector3_minus(best, towards))) {
                best = p;
                memcpy(at, next, sizeof at);
                k = -1;
            }
        }
    }
    return best;
}

static double distance_by_projections(const struct dpl__core *a, const struct dpl__core *b)
{
    struct dpl_vector3 p = a->pose.position, q = b->pose.position;
    for (int i = 0; i < 300; i++) {
        q = nearest(b, p);
        p = nearest(a, q);
    }
    return dpl_vector3_length(dpl_vector3_minus(p, q));
}

static struct dpl_sim_solid random_solid(struct dpl_random *random, int kind)
{
    static const enum dpl_sim_solid_kind kinds[] = {DPL_SOLID_BOX, DPL_SOLID_SPHERE,
                                                    DPL_SOLID_CAPSULE};
    struct dpl_sim_solid solid = {.kind = kinds[kind]};
    for (int i = 0; i < 3; i++) {
        solid.size[i] = dpl_random_uniform(random, 0.2, 1.0);
    }
    solid.radius = dpl_random_uniform(random, 0.1, 0.5);
    solid.height = dpl_random_uniform(random, 0.2, 1.0);
    solid.pose.orientation = dpl_quaternion_from_rpy(dpl_random_uniform(random, -3.0, 3.0),
                                                     dpl_random_uniform(random, -1.5, 1.5),
                                                     dpl_random_uniform(random, -3.0, 3.0));
    return solid;
}

Test(mechanism_check, gaps_agree_with_projections_between_the_solids)
{
    struct dpl_random random = dpl_random_seeded(3, 0);
    struct dpl_pose3 origin = {.orientation.w = 1.0};
    int apart = 0, together = 0, n_exact = 0;
    for (int i = 0; i < 180; i++) {
        struct dpl_sim_solid a = random_solid(&random, i % 3), b = random_solid(&random, i / 3 % 3);
        b.pose.position = (struct dpl_vector3){dpl_random_uniform(&random, -1.0, 1.0),
                                               dpl_random_uniform(&random, -1.0, 1.0),
                                               dpl_random_uniform(&random, -1.0, 1.0)};
        struct dpl__core of_a = dpl__core_of(&a, &origin), of_b = dpl__core_of(&b, &origin);
        double gap = dpl__core_gap(&of_a, &of_b), found = distance_by_projections(&of_a, &of_b);
        cr_assert_float_eq(gap, dpl__core_gap(&of_b, &of_a), 1e-9, "pair %d", i);
        if (found > 1e-3) {
            apart++;
            cr_assert_gt(gap, 0.0, "pair %d: %g apart", i, found);
            cr_assert_leq(gap, found + 1e-6, "pair %d", i);
            bool boxes = a.kind == DPL_SOLID_BOX && b.kind == DPL_SOLID_BOX;
            bool is_bound = boxes || gap > 0.1 * (of_a.reach + of_b.reach);
            n_exact += !is_bound;
            cr_assert(is_bound || found - gap < 1e-3, "pair %d: %g not %g", i, gap, found);
        } else if (found < 1e-5) {
            together++;
            cr_assert_lt(gap, 1e-5, "pair %d", i);
        }
    }
    cr_assert_gt(apart, 40);
    cr_assert_gt(together, 30, "%d apart, %d together, %d exact", apart, together, n_exact);
    cr_assert_gt(n_exact, 10);
}

/* ---- overlaps ---- */

Test(mechanism_check, bodies_inside_each_other_are_told)
{
    expect_none("", BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='1'", "x='1'", CUBE));
    expect_one("", BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='1'", "x='0.98'", CUBE), WARNING,
               3, "bodies 'a' and 'b' overlap by 20 mm at the start");
    cr_assert_null(strstr(diags.items[0].text, "bounding"));
    expect_one("",
               BODY("floor", "static='true'", "", "<PlaneShape/>")
                   BODY("ball", "mass='1'", "z='0.49'", "<SphereShape radius='0.5'/>"),
               WARNING, 3, "overlap by 10 mm");
    /* The corner of its bounding box is in the cube, the cylinder is not. */
    expect_one("",
               BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='1'", "x='0.9' y='0.9'",
                                                    "<CylinderShape radius='0.45' height='1'/>"),
               WARNING, 3, "(taken as their bounding boxes)");
    expect_none("", BODY("a", "static='1'", "", CUBE) BODY("b", "static='1'", "x='0.5'", CUBE));
}

Test(mechanism_check, bodies_that_a_joint_connects_may_overlap)
{
    const char *two = BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='1'", "x='0.9'", CUBE);
    char text[1000];
    snprintf(text, sizeof text, "%s<Joint name='j' type='hinge' parent='a' child='b'/>", two);
    expect_none("", text);
    snprintf(text, sizeof text, "%s<Joint name='j' type='free' parent='a' child='b'/>", two);
    expect_one("", text, WARNING, 3, "overlap by 100 mm");
}

Test(mechanism_check, overlap_within_a_body_counts_twice_and_is_told)
{
#define HALF "<BoxShape x='1' y='1' z='1'><position x='0.5'/></BoxShape>"
    expect_one("", BODY("a", "density='1'", "", CUBE HALF), WARNING, 2,
               "shapes 1 and 2 of body 'a' overlap by 500 mm");
    cr_assert_float_eq(objects.mechanism.bodies[0].mass.mass, 2.0, 1e-14);
    expect_none("", BODY("a", "mass='1'", "",
                         "<inertia xx='1' yy='1' zz='1'/>" CUBE HALF)); /* has nothing of them */
}

/* ---- mass ratios ---- */

#define ON_FLOOR(light, heavy)                                                                     \
    BODY("light", "mass='" light "'", "", CUBE) BODY("heavy", "mass='" heavy "'", "z='1'", CUBE)

Test(mechanism_check, light_body_does_not_carry_a_heavy_one_by_contact)
{
    expect_none("", ON_FLOOR("1", "40"));
    expect_one("", ON_FLOOR("1", "41"), WARNING, 2, "1:41; contacts hold up to 1:40");
    expect_one("", ON_FLOOR("1", "401"), DPL_SEVERITY_ERROR, 2, "'light' (1 kg) carries 'heavy'");
    expect_one("allow_mass_ratio='true'", ON_FLOOR("1", "401"), WARNING, 2, "1:401");
    expect_none("", ON_FLOOR("800", "1")); /* the light one is above */
    expect_none("", BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='800'", "z='1.1'", CUBE));
}

Test(mechanism_check, load_is_carried_through_a_stack)
{
    expect_one("",
               BODY("feather", "mass='1'", "", CUBE) BODY("board", "mass='30'", "z='1'", CUBE)
                   BODY("engine", "mass='800'", "z='2'", CUBE),
               DPL_SEVERITY_ERROR, 2,
               "'feather' (1 kg) carries 'engine' (800 kg) by contact, 1:800");
}

#define CHAIN(light, more)                                                                         \
    BODY("link", "mass='" light "'", "", "<SphereShape radius='0.1'/>")                            \
    BODY("car", "mass='800'", "z='-2'", CUBE)                                                      \
    "<Joint name='low' type='ball' parent='link' child='car' " more                                \
    "><frame><position z='-1'/></frame></Joint>\n"
#define HANG(more) "<Joint name='high' type='ball' child='link' " more "/>\n"
#define BREAKS     "breakForce='1e6'"

Test(mechanism_check, light_body_between_joints_that_break_is_told)
{
    expect_one("", CHAIN("0.8", BREAKS) HANG(BREAKS), WARNING, 2,
               "'link' (0.8 kg) holds 'car' (800 kg, 1:1000) by joints that break");
    expect_none("", CHAIN("8", BREAKS) HANG(BREAKS));
    expect_none("", CHAIN("0.8", BREAKS));      /* it hangs on nothing */
    expect_none("", CHAIN("0.8", "") HANG("")); /* a tree */
    expect_none("", CHAIN("0.8", BREAKS) HANG(""));
    expect_none("", CHAIN("0.8", "") HANG(BREAKS));
}

/* 1:40 each, 1:1600 in all. */
Test(mechanism_check, light_body_holds_a_heavy_one_through_a_chain)
{
#define LONG_CHAIN(light)                                                                          \
    CHAIN(light, BREAKS)                                                                           \
    BODY("ring", "mass='0.5'", "y='1'", "<SphereShape radius='0.1'/>")                             \
    "<Joint name='mid' type='ball' parent='ring' child='link' " BREAKS "/>\n"                      \
    "<Joint name='top' type='ball' child='ring' " BREAKS "/>\n"
    expect_one("", LONG_CHAIN("20"), WARNING, 5, "'ring' (0.5 kg) holds 'car' (800 kg, 1:1600)");
    cr_assert_eq(read_body("", LONG_CHAIN("1")), 0);
    cr_assert_eq(diags.n, 2);
    cr_assert_not_null(strstr(diags.items[0].text, "'link' (1 kg) holds 'car' (800 kg, 1:800)"));
    cr_assert_not_null(strstr(diags.items[1].text, "'ring' (0.5 kg) holds 'car' (800 kg, 1:1600)"));
}

/* Rows are solved directly where nothing can touch. */
Test(mechanism_check, without_a_shape_joints_that_break_hold_any_mass)
{
#define GHOST(name, mass, place)                                                                   \
    BODY(name, "mass='" mass "'", place, "<inertia xx='1' yy='1' zz='1'/>")
    expect_none("", GHOST("link", "0.1", "") GHOST(
                        "car", "800",
                        "z='-2'") "<Joint name='low' type='ball' parent='link' child='car' " BREAKS
                                  "/>\n" HANG(BREAKS));
}

/* ---- frames ---- */

#define PAIR BODY("a", "mass='1'", "", CUBE) BODY("b", "mass='1'", "x='2'", CUBE)
#define JOINED(type, more)                                                                         \
    PAIR "<Joint name='j' type='" type "' parent='a' child='b'><frame><position x='1'/></frame>"   \
         "<childFrame>" more "</childFrame></Joint>"

Test(mechanism_check, frames_that_are_apart_are_told)
{
    static const struct {
        const char *type, *good, *bad, *said;
    } rows[] = {
        {"fixed", "<position x='-1'/>", "<position x='-1.001'/>", "1 mm and 0 deg"},
        {"fixed", "<position x='-1'/>", "<position x='-1'/><orientation yaw='1 deg'/>", "1 deg"},
        {"hinge", "<position x='-1'/><orientation yaw='1'/>",
         "<position x='-1'/><orientation pitch='2 deg'/>", "2 deg"},
        {"slider", "<position x='-1' z='3'/>", "<position x='-1' y='0.01'/>", "10 mm"},
        {"ball", "<position x='-1'/><orientation roll='1'/>", "<position x='-1' z='0.1'/>",
         "100 mm"},
        {"universal", "<position x='-1'/>", "<position x='-1'/><orientation pitch='3 deg'/>",
         "3 deg"},
        {"cylindrical", "<position x='-1' z='2'/><orientation yaw='1'/>",
         "<position x='-1' y='0.02'/>", "20 mm"},
        {"planar", "<position x='5' y='3'/><orientation yaw='1'/>", "<position z='0.03'/>",
         "30 mm"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, JOINED("%s", "%s"), rows[i].type, rows[i].good);
        expect_none("", text);
        snprintf(text, sizeof text, JOINED("%s", "%s"), rows[i].type, rows[i].bad);
        expect_one("", text, WARNING, 4, rows[i].said);
    }
    expect_none("", JOINED("free", "<position z='9'/>"));
}

/* ---- springs ---- */

/* A clamp between two belts to bodies that do not move: w^2 = 2e5 N/m over its mass. */
#define CLAMP(mass)                                                                                \
    BODY("clamp", "mass='" mass "'", "", "<SphereShape radius='0.01'/>")                           \
    "<Joint name='left' type='belt' child='clamp'><belt stiffness='1e5' "                          \
    "condense='never'/></Joint>"                                                                   \
    "<Joint name='right' type='belt' child='clamp'><belt stiffness='1e5' condense='auto'/>"        \
    "</Joint>"

Test(mechanism_check, springs_too_stiff_for_the_step_are_told)
{
    /* The table of a belt's clamp at 2 ms: 0.5 kg 1.26, 50 g 4.0. */
    expect_none("step_ms='2'", CLAMP("1"));
    cr_assert_eq(read_body("step_ms='2'", CLAMP("0.5")), 0);
    cr_assert_eq(diags.n, 1, "the other one is solved with the step");
    cr_assert_not_null(
        strstr(diags.items[0].text, "'left': its springs have w dt = 1.26 with steps of 2 ms"));
    cr_assert_null(strstr(diags.items[0].text, "diverge"));
    cr_assert_eq(read_body("step_ms='2'", CLAMP("0.05")), 0);
    cr_assert_not_null(strstr(diags.items[0].text, "w dt = 4 with"), "%s", diags.items[0].text);
    cr_assert_not_null(strstr(diags.items[0].text, "above 2 explicit steps diverge"));
    cr_assert_eq(diags.n, 1);
    const char *described = dpl_sim_describe_objects(&arena, &objects);
    cr_assert_not_null(strstr(described, "left: belt from world to clamp, springs w dt 4 with "
                                         "steps of 2 ms\n"));
    cr_assert_not_null(strstr(described, "right: belt from world to clamp, springs w dt 4 with "
                                         "steps of 2 ms, solved with the step\n"));
}

Test(mechanism_check, frequency_of_a_spring_is_that_of_its_oscillator)
{
    /* 4 kg on 100 N/m; a rod of 3 kg and 1 m about its end, 1 kg m^2, on 25 N m/rad; a rope. */
    cr_assert_eq(
        read_body(
            "",
            BODY("load", "mass='4'", "", CUBE) BODY("rod", "mass='3'", "x='5'",
                                                    "<inertia xx='0.001' yy='0.25' zz='0.25'/>")
                BODY("car", "mass='800'", "x='9'",
                     CUBE) "<Joint name='s' type='slider' child='load'><spring stiffness='100'/>"
                           "</Joint><Joint name='h' type='hinge' child='rod'><frame><position "
                           "x='4.5'/></frame><spring stiffness='25'/></Joint><Joint name='r' "
                           "type='rope' child='car'><frame><position x='9' z='3'/></frame>"
                           "<childFrame/><rope ea='1e7' free='3'/></Joint>"),
        0);
    const struct dpl_sim_mechanism *m = &objects.mechanism;
    cr_assert_float_eq(dpl_mechanism_spring_rate(m, 0, 0.0), 5.0, 1e-12);
    cr_assert_float_eq(dpl_mechanism_spring_rate(m, 1, 0.0), 5.0, 1e-12);
    cr_assert_float_eq(dpl_mechanism_spring_rate(m, 2, 0.0) * 2e-3, 0.129, 5e-4, "a rope on a car");
}

Test(mechanism_check, bound_of_a_chain_is_not_below_its_highest_frequency)
{
    /* 1 kg and 3 kg on one spring: w^2 = k (1 / m1 + 1 / m2) exactly. */
    cr_assert_eq(
        read_body("", BODY("a", "mass='1'", "", CUBE)
                          BODY("b", "mass='3'", "z='2'",
                               CUBE) "<Joint name='s' type='slider' parent='a' child='b'><spring "
                                     "stiffness='50'/></Joint>"),
        0);
    cr_assert_float_eq(dpl_mechanism_spring_rate(&objects.mechanism, 0, 0.0),
                       sqrt(50.0 * 4.0 / 3.0), 1e-12);
}

Test(mechanism_check, dampers_that_an_explicit_step_cannot_follow_are_told)
{
    /* Of springs and soft limits they are solved with the step. */
    expect_none("step_ms='2'",
                BODY("pin", "mass='0.01'", "", CUBE) "<Joint name='s' type='cylindrical' "
                                                     "child='pin'><spring stiffness='10' "
                                                     "damping='30'/></Joint>");
    cr_assert_eq(read_body("step_ms='2'",
                           BODY("pin", "mass='0.01'", "", CUBE) "<Joint name='s' type='belt' "
                                                                "child='pin'>"
                                                                "<belt stiffness='10' damping='30' "
                                                                "condense='never'/></Joint>"),
                 0);
    const struct dpl_sim_mechanism *m = &objects.mechanism;
    double rate = dpl_mechanism_spring_rate(m, 0, 2e-3) * 2e-3; /* w dt 0.063, c dt/m 6 */
    cr_assert_float_eq(rate * rate, 10.0 / 0.01 * 4e-6 + 2.0 * 30.0 * 2e-3 / 0.01, 1e-9);
    cr_assert_eq(diags.n, 1);
    cr_assert_not_null(strstr(diags.items[0].text, "its dampers are too strong"), "%s",
                       diags.items[0].text);
}

/* A light wheel, and a motor whose teeth push it. */
#define TOOTHED(inertia, teeth)                                                                    \
    "<RigidObject name='w' mass='1'><inertia xx='" inertia "' yy='" inertia "' zz='" inertia       \
    "'/></RigidObject>\n<Joint name='axle' type='hinge' child='w'/>\n"                             \
    "<Motor joint='axle' type='dc' R='1' k='0.02' backlash='0.01' backlash_stiffness=" teeth       \
    "><gear ratio='50'/><rotor inertia='2e-6'/></Motor>"

Test(mechanism_check, teeth_of_a_backlash_count_as_a_spring)
{
    expect_one("step_ms='1'", TOOTHED("1e-4", "'1e4'"), WARNING, 3,
               "joint 'axle': its springs, with the teeth of its motor's backlash, have w dt = 10 "
               "with steps of 1 ms, expected at most 1; above 2 explicit steps diverge");
    cr_assert_float_eq(dpl_mechanism_spring_rate(&objects.mechanism, 0, 0.0), 1e4, 1e-8);
    expect_one("step_ms='1'", TOOTHED("0.02", "'400' backlash_damping='60'"), WARNING, 3,
               "joint 'axle': its dampers, with the teeth of its motor's backlash, are too strong");
    expect_none("step_ms='1'", TOOTHED("0.02", "'400' backlash_damping='0.5'"));
    expect_none("step_ms='0.05'", TOOTHED("1e-4", "'1e4'"));
}
