/* SPDX-License-Identifier: Apache-2.0 */
/* Joints that contradict each other are found by name, and no others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/objects.h>

#include "closure.h"
#include "objects_reading.h"

TestSuite(closures, .fini = reading_end);

/* The finding of this kind, which is the only one. */
static const struct dpl_diag *the_one(const char *word)
{
    const struct dpl_diag *found = NULL;
    for (size_t i = 0; i < diags.n; i++) {
        if (strstr(diags.items[i].text, word)) {
            cr_assert_null(found, "%s", diags.items[i].text);
            found = &diags.items[i];
        }
    }
    return found;
}

static void expect_one(const char *word, int line, const char *said)
{
    const struct dpl_diag *found = the_one(word);
    cr_assert_not_null(found, "nothing %s", word);
    cr_assert_eq(found->severity, DPL_SEVERITY_WARNING);
    cr_assert_eq(found->place.line, line, "%d", found->place.line);
    cr_assert_not_null(strstr(found->text, said), "%s", found->text);
}

static void expect_none(void)
{
    cr_assert_eq(diags.n, 0, "%s", reading_first());
}

/* ---- a four-bar ---- */

/* Of bars that are 1 m long, in a plane that is turned in space, so that no row of its equations
 * is 0. The last joint closes it: `gap` along its axis (y) and along the bar (x). */
static const char *four_bar(double turn, double lean, double gap_x, double gap_y)
{
    struct dpl_quaternion q = dpl_quaternion_from_rpy(turn, 0.7 * turn, -turn);
    struct dpl_quaternion leaning = dpl_quaternion_multiply(
        q, (struct dpl_quaternion){.w = cos(lean / 2.0), .y = sin(lean / 2.0)});
    const struct dpl_vector3 centres[] = {
        {0.5 * sin(lean), 0.0, 0.5 * cos(lean)},
        {1.0 + 0.5 * sin(lean), 0.0, 0.5 * cos(lean)},
        {0.5 + sin(lean), 0.0, cos(lean)},
    };
    const char *text = "";
    for (int i = 0; i < 3; i++) {
        struct dpl_vector3 at = dpl_quaternion_turn(q, centres[i]);
        struct dpl_quaternion turned = i < 2 ? leaning : q;
        text = dpl_arena_printf(
            &arena,
            "%s<RigidObject name='%c' mass='1'><position x='%.17g' y='%.17g' z='%.17g'/>"
            "<orientation w='%.17g' x='%.17g' y='%.17g' z='%.17g'/><SphereShape radius='0.01'/>"
            "</RigidObject>\n",
            text, 'a' + i, at.x, at.y, at.z, turned.w, turned.x, turned.y, turned.z);
    }
    static const char *const joints[] = {"name='foot'", "name='knee' parent='a'", "name='other'",
                                         "name='last' parent='b'"};
    static const char children[] = "acbc";
    for (int i = 0; i < 4; i++) {
        bool on_world = i % 2 == 0;
        struct dpl_vector3 at = dpl_quaternion_turn(q, (struct dpl_vector3){.x = i / 2});
        struct dpl_quaternion axes = on_world ? q : (struct dpl_quaternion){.w = 1.0};
        text = dpl_arena_printf(
            &arena,
            "%s<Joint type='hinge' %s child='%c'><frame><position x='%.17g' y='%.17g' "
            "z='%.17g'/><orientation w='%.17g' x='%.17g' y='%.17g' z='%.17g'/></frame>"
            "<childFrame><position x='%.17g' y='%.17g' z='%g'/></childFrame>"
            "<axis y='1' z='0'/></Joint>\n",
            text, joints[i], children[i], on_world ? at.x : 0.0, on_world ? at.y : 0.0,
            on_world ? at.z : 0.5, axes.w, axes.x, axes.y, axes.z,
            i == 1 ? -0.5 : (i == 3 ? 0.5 + gap_x : 0.0), i == 3 ? gap_y : 0.0,
            on_world ? -0.5 : 0.0);
    }
    return text;
}

Test(closures, a_plane_four_bar_repeats_three_constraints_and_is_no_finding)
{
    for (int i = 0; i < 20; i++) {
        reading_mechanism(four_bar(0.31 * i, 0.1 + 0.1 * i, 0.0, 0.0));
        expect_none();
        int repeated[4];
        dpl__closure_repeated(&objects.mechanism, &arena, repeated);
        cr_assert_eq(repeated[0] + repeated[1] + repeated[2], 0);
        cr_assert_eq(repeated[3], 3, "%d", repeated[3]);
        cr_assert_not_null(strstr(dpl_sim_describe_objects(&arena, &objects),
                                  "joint last: hinge from b to c, 3 of its constraints repeat "
                                  "others\n"));
    }
}

Test(closures, a_four_bar_whose_ends_pass_each_other_contradicts_itself)
{
    reading_mechanism(four_bar(0.4, 0.5, 0.0, 5e-5)); /* less than what frames may be apart */
    expect_one("contradicts", 8,
               "joint 'last' contradicts 'foot', 'knee', 'other': at best it stays "
               "0.05 mm from");
    cr_assert_eq(diags.n, 1);
    reading_mechanism(four_bar(0.4, 0.5, 0.0, 5e-7));
    expect_none();
}

Test(closures, lengths_that_another_pose_meets_do_not_contradict)
{
    reading_mechanism(four_bar(0.4, 0.5, 5e-5, 0.0));
    expect_none();
    reading_mechanism(four_bar(0.4, 0.5, 1.9, 0.0)); /* 1 + 1 + 1 > 2.9 */
    cr_assert_null(the_one("contradicts"));
    cr_assert_not_null(the_one("frames of joint 'last'"));
}

Test(closures, lengths_that_never_meet_contradict)
{
    reading_mechanism(four_bar(0.4, 0.5, 2.5, 0.0)); /* 1 + 1 + 1 < 3.5 */
    expect_one("contradicts", 8, "it stays 500 mm from where it should be");
}

/* Two bars in one line, whose ends come nearer: no way leads downhill from there. */
Test(closures, a_straight_chain_folds)
{
    static const char chain[] =
        "<RigidObject name='a' mass='1'><SphereShape radius='0.1'/></RigidObject>"
        "<RigidObject name='b' mass='1'><position x='1'/><SphereShape radius='0.1'/></RigidObject>"
        "<Joint name='first' type='hinge' child='a'><frame><position x='-0.5'/></frame></Joint>"
        "<Joint name='knee' type='hinge' parent='a' child='b'><frame><position x='0.5'/></frame>"
        "</Joint>\n<Joint name='last' type='hinge' child='b'><frame><position x='%g'/></frame>"
        "<childFrame><position x='0.5'/></childFrame></Joint>\n";
    reading_mechanism(dpl_arena_printf(&arena, chain, 1.4));
    cr_assert_null(the_one("contradicts"));
    cr_assert_not_null(the_one("frames of joint 'last'"));
    reading_mechanism(dpl_arena_printf(&arena, chain, 1.6));
    expect_one("contradicts", 3,
               "joint 'last' contradicts 'first', 'knee': at best it stays 100 "
               "mm from");
}

/* A chain that is 1 m too short. doppel/sim/mechanism.h says where the search ends. */
Test(closures, loops_of_more_than_150_unknowns_are_left_out)
{
    static const char chain[] =
        "<Param name='N' value='%d'/><Repeat count='{N}' index='i'><RigidObject name='b{i}' "
        "mass='1'><position x='{0.1*i}'/><SphereShape radius='0.01'/></RigidObject></Repeat>"
        "<Joint name='hook' type='hinge' child='b0'/><Repeat count='{N-1}' index='i' first='1'>"
        "<Joint name='j{i}' type='hinge' parent='b{i-1}' child='b{i}'/></Repeat>\n"
        "<Joint name='last' type='hinge' child='b{N-1}'><frame><position x='{0.1*N+1}'/></frame>"
        "<childFrame><position x='0.1'/></childFrame></Joint>\n";
    reading_mechanism(dpl_arena_printf(&arena, chain, 60));
    expect_one("contradicts", 3, "'last' contradicts 'hook', 'j1', 'j2', 'j3', 'j4', ...: at best");
    reading_mechanism(dpl_arena_printf(&arena, chain, 160));
    cr_assert_null(the_one("contradicts"));
    cr_assert_not_null(the_one("frames of joint 'last'"));
}

/* ---- loops that fix the same ---- */

#define BOX(name, x)                                                                               \
    "<RigidObject name='" name "' mass='1'><position x='" x "' z='2'/>"                            \
    "<BoxShape x='0.2' y='0.2' z='0.2'/></RigidObject>\n"

#define DOUBLE(first, second, at)                                                                  \
    BOX("a", "0")                                                                                  \
    BOX("b", "1")                                                                                  \
    "<Joint name='hook' type='ball' child='a'/>\n"                                                 \
    "<Joint name='one' type='" first "' parent='a' child='b'/>\n"                                  \
    "<Joint name='two' type='" second "' parent='a' child='b'>"                                    \
    "<childFrame><position x='" at "'/></childFrame></Joint>\n"

Test(closures, two_joints_that_fix_the_same_at_different_places_contradict)
{
    reading_mechanism(DOUBLE("fixed", "fixed", "-1.00005"));
    expect_one("contradicts", 6,
               "joint 'two' contradicts 'one': at best it stays "
               "0.05 mm from");
    reading_mechanism(DOUBLE("hinge", "hinge", "-1.00005"));
    expect_one("contradicts", 6, "contradicts 'one'");
}

Test(closures, two_joints_that_fix_the_same_at_one_place_do_not)
{
    reading_mechanism(DOUBLE("fixed", "fixed", "-1"));
    expect_none();
    reading_mechanism(DOUBLE("hinge", "hinge", "-1"));
    expect_none();
    reading_mechanism(DOUBLE("slider", "slider", "-1"));
    expect_none();
}

Test(closures, a_joint_that_gives_way_meets_what_a_stiff_one_does_not)
{
    reading_mechanism(
        DOUBLE("slider", "cylindrical", "-1.00005")); /* apart along x, where both are stiff */
    cr_assert_not_null(the_one("contradicts"));
    reading_mechanism(BOX("a", "0") BOX(
        "b",
        "1") "<Joint name='hook' type='hinge' child='a'/>\n"
             "<Joint name='arm' type='slider' parent='a' child='b'><axis x='1' z='0'/></Joint>\n"
             "<Joint name='pin' type='ball' child='b'><frame><position x='1.00005' z='2'/></frame>"
             "<childFrame/></Joint>\n");
    expect_none();
}

Test(closures, an_angle_that_cannot_be_met_is_told_in_degrees)
{
    reading_mechanism(
        BOX("a", "0") "<Joint name='rail' type='slider' child='a'/>\n"
                      "<Joint name='twist' type='slider' child='a'><frame><position z='2'/>"
                      "<orientation yaw='0.0005'/></frame><childFrame/></Joint>\n");
    expect_one("contradicts", 4,
               "joint 'twist' contradicts 'rail': at best it stays "
               "0.0286 deg from");
}

/* ---- gears ---- */

#define SHAFTS                                                                                     \
    BOX("a", "0")                                                                                  \
    BOX("b", "1")                                                                                  \
    BOX("c", "2")                                                                                  \
    "<Joint name='ja' type='hinge' child='a'/>\n<Joint name='jb' type='hinge' child='b'/>\n"       \
    "<Joint name='jc' type='hinge' child='c'/>\n"
#define GEAR(name, parent, child, ratio)                                                           \
    "<Joint name='" name "' type='gear' parent='" parent "' child='" child "'><gear ratio='" ratio \
    "'/></Joint>\n"

Test(closures, gears_that_let_nothing_turn_are_found)
{
    reading_mechanism(SHAFTS GEAR("g", "a", "b", "2") GEAR("h", "a", "b", "1.99"));
    expect_one("nothing which", 9,
               "joint 'h' has a ratio so that nothing which it couples can "
               "move, together with 'g'");
    reading_mechanism(SHAFTS GEAR("f", "a", "b", "1") GEAR("g", "b", "c", "1")
                          GEAR("h", "c", "a", "1"));
    expect_one("nothing which", 10, "together with 'f', 'g'");
    reading_mechanism(SHAFTS
                      "<RigidObject name='post' static='true'/>\n" GEAR("g", "post", "b", "1"));
    expect_one("nothing which", 9, "joint 'g'");
}

Test(closures, gears_that_turn_are_no_finding)
{
    reading_mechanism(SHAFTS GEAR("g", "a", "b", "2") GEAR("h", "a", "b", "2"));
    expect_none();
    reading_mechanism(SHAFTS GEAR("f", "a", "b", "1") GEAR("g", "b", "c", "1"));
    expect_none();
    reading_mechanism(SHAFTS GEAR("f", "a", "b", "1") GEAR("g", "b", "c", "1")
                          GEAR("h", "c", "a", "-1"));
    expect_none();
}

/* Wheels of a cart that hangs on nothing: the cart may turn, too. */
Test(closures, gears_between_bodies_that_float_turn)
{
    static const char cart[] = BOX("cart", "0") BOX("left", "1")
        BOX("right", "2") "<Joint name='jl' type='hinge' parent='cart' child='left'/>\n"
                          "<Joint name='jr' type='hinge' parent='cart' child='right'/>\n";
    reading_mechanism(dpl_arena_printf(&arena, "%s" GEAR("g", "left", "right", "1"), cart));
    expect_none();
    reading_mechanism(dpl_arena_printf(
        &arena, "%s" GEAR("g", "left", "right", "1") GEAR("h", "left", "right", "2"), cart));
    expect_one("nothing which", 8, "joint 'h'");
}

/* A planet on an arm between a sun and a ring that stands still. */
Test(closures, a_planet_turns)
{
    static const char planet[] = BOX("sun", "0") BOX("arm", "3") BOX(
        "planet",
        "6") "<RigidObject name='ring' static='true'/>\n"
             "<Joint name='js' type='hinge' child='sun'/>\n"
             "<Joint name='jr' type='hinge' child='arm'><frame><position z='2'/></frame></Joint>\n"
             "<Joint name='jp' type='hinge' parent='arm' child='planet'/>\n";
    reading_mechanism(dpl_arena_printf(&arena, "%s" GEAR("mesh", "sun", "planet", "0.5"), planet));
    expect_none();
    reading_mechanism(dpl_arena_printf(
        &arena, "%s" GEAR("mesh", "sun", "planet", "0.5") GEAR("rim", "arm", "planet", "2"),
        planet));
    expect_none();
    reading_mechanism(dpl_arena_printf(&arena,
                                       "%s" GEAR("mesh", "sun", "planet", "0.5")
                                           GEAR("rim", "arm", "planet", "2")
                                               GEAR("bad", "sun", "arm", "1"),
                                       planet));
    expect_one("nothing which", 11, "joint 'bad'");
}

/* ---- joints that follow others ---- */

static void keep(void *user, const struct dpl_mechanism_finding *finding)
{
    struct dpl_place place = {.line = finding->joint};
    (void)user;
    dpl_diags_add(&diags, finding->severity, place, "%s", finding->text);
}

static void check_mimic(const char *children, int leader, int follower, double ratio, double offset)
{
    reading_mechanism(children);
    expect_none();
    struct dpl_sim_mimic mimic = {leader, follower, ratio, offset};
    cr_assert_eq(dpl_mechanism_add_mimic(&objects.mechanism, &mimic, NULL), 0);
    dpl_mechanism_check(&objects.mechanism, 1e-3, keep, NULL);
}

Test(closures, a_mimic_meets_its_offset_by_moving)
{
    check_mimic(SHAFTS, 0, 1, -0.5, 0.1);
    expect_none();
}

Test(closures, a_gear_and_a_mimic_of_one_ratio_and_another_place_contradict)
{
    check_mimic(SHAFTS GEAR("g", "a", "b", "2"), 0, 1, -0.5, 0.0);
    expect_none();
    check_mimic(SHAFTS GEAR("g", "a", "b", "2"), 0, 1, -0.5, 0.1);
    cr_assert_eq(diags.n, 2);
    cr_assert_not_null(strstr(diags.items[0].text, "joint 'g' contradicts 'jb'"));
    cr_assert_not_null(strstr(diags.items[1].text, "joint 'jb' contradicts 'g'"));
    cr_assert_eq(diags.items[1].place.line, 1);
}

Test(closures, a_gear_and_a_mimic_of_other_ratios_let_nothing_move)
{
    check_mimic(SHAFTS GEAR("g", "a", "b", "2"), 0, 1, -0.4, 0.0);
    expect_one("nothing which", 1,
               "joint 'jb' follows in such a way that nothing which it "
               "couples can move, together with 'g'");
}

/* ---- what is too large ---- */

/* A plate, and `n` hinges about one axis that all hold it: all but the first close a loop of 5
 * constraints. */
static void read_hinges(int n)
{
    const char *text = "<RigidObject name='plate' mass='1'><SphereShape radius='1'/>"
                       "</RigidObject>\n";
    for (int i = 0; i < n; i++) {
        text =
            dpl_arena_printf(&arena, "%s<Joint name='h%d' type='hinge' child='plate'/>\n", text, i);
    }
    reading_mechanism(text);
}

/* A chain of balls between bodies, whose last body is held, too: 3 freedoms a ball in the tree. */
static void read_chain(int n)
{
    const char *text = "";
    for (int i = 0; i < n; i++) {
        text = dpl_arena_printf(&arena,
                                "%s<RigidObject name='b%d' mass='1'><position x='%d'/>"
                                "<SphereShape radius='0.1'/></RigidObject>\n",
                                text, i, i);
    }
    for (int i = 0; i < n; i++) {
        text =
            dpl_arena_printf(&arena, "%s<Joint name='j%d' type='ball' %s child='b%d'/>\n", text, i,
                             i == 0 ? "" : dpl_arena_printf(&arena, "parent='b%d'", i - 1), i);
    }
    reading_mechanism(
        dpl_arena_printf(&arena, "%s<Joint name='end' type='ball' child='b%d'/>\n", text, n - 1));
}

static void expect_note(int line, const char *said)
{
    cr_assert_eq(diags.n, 1, "%zu findings", diags.n);
    cr_assert_eq(diags.items[0].severity, DPL_SEVERITY_NOTE);
    cr_assert_eq(diags.n_warnings + diags.n_errors, 0);
    cr_assert_eq(diags.items[0].place.line, line, "%d", diags.items[0].place.line);
    cr_assert_not_null(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
}

Test(closures, a_note_says_what_is_too_large_to_be_checked)
{
    read_hinges(31); /* 30 loops, 150 constraints */
    expect_none();
    read_hinges(32);
    expect_note(4, "whether joint 'h1' and all that it is connected with contradict each other is "
                   "not checked: 155 constraints in its loops and couplings, at most 150");
    cr_assert_not_null(strstr(dpl_sim_describe_objects(&arena, &objects),
                              "joint h1: hinge from world to plate\n"));
    read_chain(50);
    expect_none();
    read_chain(51);
    expect_note(2 + 2 * 51, "joint 'end' and all that it is connected with contradict each other "
                            "is not checked: 153 freedoms");
}
