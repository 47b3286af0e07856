/* SPDX-License-Identifier: Apache-2.0 */
/* URDF as people publish it: what departs from the format is read, and told where it is. */
#include "import.h"
#include "objects_reading.h"
#include "urdf_rig.h"

TestSuite(published_urdf, .fini = reading_end);

#define INERTIAL            "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>"
#define BODY(name)          "<link name='" name "'>" INERTIAL "</link>\n"
#define ENDS(parent, child) "<parent link='" parent "'/><child link='" child "'/>"

static int read_with(const char *text, const struct dpl_sim_import_options *options)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    return dpl_sim_read_import_text(&arena, UNIT "/avatar_sim/fixtures/urdf/test.urdf", text,
                                    strlen(text), options, &objects, &diags);
}

/* Reads without a finding. */
static void expect_clean(const char *text)
{
    int err = read_with(text, NULL);
    rig_print(&diags);
    cr_assert_eq(err, 0);
    cr_assert_eq(diags.n, 0);
}

static void expect_note(const char *said)
{
    cr_assert(objects.notes && strstr(objects.notes, said), "'%s' is not in: %s", said,
              objects.notes ? objects.notes : "");
}

/* Reads with one warning, which has this place. */
static void expect_warning(const char *text, int line, int column, const char *said)
{
    int err = read_with(text, NULL);
    rig_print(&diags);
    cr_assert_eq(err, 0);
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_str_eq(diags.items[0].text, said);
    cr_assert_eq(diags.items[0].place.line, line);
    cr_assert_eq(diags.items[0].place.column, column, "column %d", diags.items[0].place.column);
}

static void expect_error(const char *text, int line, int column, const char *said)
{
    cr_assert_neq(read_with(text, NULL), 0);
    rig_print(&diags);
    cr_assert_eq(diags.n_errors, 1);
    cr_assert_str_eq(diags.items[0].text, said);
    cr_assert_eq(diags.items[0].place.line, line);
    cr_assert_eq(diags.items[0].place.column, column, "column %d", diags.items[0].place.column);
}

static bool has_body(const char *name)
{
    return dpl_mechanism_find_body(&objects.mechanism, name) >= 0;
}

/* ---- the root ---- */

static const char arm[] = "<robot name='r'>\n<link name='base_link'/>\n" BODY(
    "upper") "<joint name='j' type='revolute'>" ENDS("base_link",
                                                     "upper") "<limit lower='-1' upper='1' "
                                                              "effort='10' "
                                                              "velocity='1'/></joint></robot>";

Test(published_urdf, root_without_mass_stands_still)
{
    expect_clean(arm);
    expect_note(":2:1: note: link 'base_link' has no mass: it stands still");
    cr_assert(objects.mechanism.bodies[0].is_static);
    cr_assert_eq(objects.mechanism.n_bodies, 2);
    cr_assert_eq(objects.mechanism.n_joints, 1);
}

Test(published_urdf, world_is_told_that_a_free_root_stands_still)
{
    struct dpl_sim_import_options options = {.friction = 0.8};
    cr_assert_eq(read_with(arm, &options), 0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_str_eq(diags.items[0].text,
                     "link 'base_link' has no mass: it stands still, as with fixed_base=\"true\"");
    cr_assert_eq(diags.items[0].place.line, 2);
    options.fixed_base = true;
    cr_assert_eq(read_with(arm, &options), 0);
    cr_assert_eq(diags.n, 0);
}

Test(published_urdf, what_hangs_fixed_on_a_root_without_mass_stands_still)
{
    expect_clean("<robot name='r'><link name='world_frame'/><link name='base'/>" BODY(
        "arm") "<joint name='a' type='fixed'>" ENDS("world_frame",
                                                    "base") "</joint>"
                                                            "<joint name='b' "
                                                            "type='continuous'>" ENDS(
                                                                "base", "arm") "</joint></robot>");
    cr_assert(objects.mechanism.bodies[0].is_static);
    cr_assert(objects.mechanism.bodies[1].is_static);
    cr_assert_not(objects.mechanism.bodies[2].is_static);
}

Test(published_urdf, footprint_is_part_of_a_base_with_mass)
{
    expect_clean("<robot name='r'><link name='base_footprint'/>" BODY(
        "base") "<joint name='a' type='fixed'>" ENDS("base_footprint", "base") "</joint></robot>");
    cr_assert_eq(objects.mechanism.n_bodies, 1);
    cr_assert_not(objects.mechanism.bodies[0].is_static);
}

/* ---- limits ---- */

static const struct dpl_sim_joint *with_limit(const char *limit)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'>" BODY("a") BODY("b") "<joint name='j' type='revolute'>" //
             ENDS("a", "b") "%s</joint></robot>",
             limit);
    expect_clean(text);
    return &objects.mechanism.joints[0];
}

Test(published_urdf, ways_to_say_that_there_is_no_limit)
{
    static const char *const ends[][2] = {
        {"-1e16", "1e16"}, {"-inf", "inf"},       {"-Inf", "+INF"},    {"-infinity", "Infinity"},
        {"-1e308", "1e7"}, {" -1e16 ", " inf\t"}, {"-1.0E+9", "1e30"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char limit[200];
        snprintf(limit, sizeof limit, "<limit lower='%s' upper='%s' effort='10' velocity='1'/>",
                 ends[i][0], ends[i][1]);
        cr_assert_not(with_limit(limit)->limits[0].is_there, "%s", ends[i][0]);
        expect_note("joint 'j' has no limit in either direction");
        cr_assert_eq(objects.n_entries, 1, "it has a drive");
    }
}

Test(published_urdf, limit_at_one_end)
{
    const struct dpl_sim_joint *joint =
        with_limit("<limit lower='-0.5' upper='inf' effort='10' velocity='1'/>");
    cr_assert(joint->limits[0].is_there);
    cr_assert_eq(joint->limits[0].lower, -0.5);
    cr_assert_geq(joint->limits[0].upper, 1e6);
    expect_note("joint 'j' has no limit above");
}

Test(published_urdf, drive_without_end_or_below_0_is_none)
{
    static const char *const drives[][2] = {
        {"-1", "-1"}, {"-1", "1"}, {"inf", "1"}, {"1e16", "1e16"}, {"10", "-1"}, {"0", "0"},
    };
    for (size_t i = 0; i < sizeof drives / sizeof *drives; i++) {
        char limit[200];
        snprintf(limit, sizeof limit, "<limit lower='-1' upper='1' effort='%s' velocity='%s'/>",
                 drives[i][0], drives[i][1]);
        cr_assert(with_limit(limit)->limits[0].is_there);
        cr_assert_eq(objects.n_entries, 0, "%s", drives[i][0]);
        expect_note("joint 'j' has no drive: its <limit> gives no finite effort and velocity");
    }
}

Test(published_urdf, absent_limit_is_a_warning)
{
    expect_warning("<robot name='r'>\n" BODY("a") BODY("b") "<joint name='j' type='revolute'>" //
                   ENDS("a", "b") "</joint></robot>",
                   4, 1, "joint 'j' of type revolute needs <limit>: it moves without limits");
    cr_assert_not(objects.mechanism.joints[0].limits[0].is_there);
}

Test(published_urdf, limit_that_is_no_number_is_an_error)
{
    expect_error("<robot name='r'>\n" BODY("a") BODY("b") "<joint name='j' type='revolute'>" //
                 ENDS("a", "b") "\n<limit lower='info' upper='1'/></joint></robot>",
                 5, 15, "lower: 'info' is no number within 1e12");
}

/* ---- names ---- */

Test(published_urdf, names_that_channels_cannot_tell_apart_become_others)
{
    expect_clean("<robot name='r'>\n" BODY("left_palm") BODY("leftPalm")
                     BODY("LEFT-PALM") "<joint name='f1' type='continuous'>" ENDS(
                         "left_palm", "leftPalm") "</joint>"
                                                  "<joint name='F_1' type='continuous'>" ENDS(
                                                      "left_palm", "LEFT-PALM") "</joint>"
                                                                                "</robot>");
    cr_assert(has_body("left_palm"));
    cr_assert(has_body("leftPalm_link"));
    cr_assert(has_body("LEFT-PALM_link_2"));
    cr_assert_str_eq(objects.mechanism.joints[1].name, "F_1_joint");
    cr_assert_eq(objects.mechanism.joints[1].child, 2);
    expect_note(":3:13: note: the channels of link 'leftPalm' are called 'leftPalm_link'");
    expect_note("the channels of joint 'F_1' are called 'F_1_joint'");
}

#define LONG "right_wide_stereo_camera_left_optical_frame_lin" /* 47 characters */

Test(published_urdf, long_names_are_cut_and_stay_different)
{
    expect_clean("<robot name='r'>" BODY(LONG "k_one")
                     BODY(LONG "k_two") "<joint name='f' type='fixed'>" ENDS(
                         LONG "k_one", LONG "k_two") "</joint></robot>");
    cr_assert_str_eq(objects.mechanism.bodies[0].name, LONG);
    cr_assert_str_eq(objects.mechanism.bodies[1].name,
                     "right_wide_stereo_camera_left_optical_fram_link");
    expect_note("the channels of link '" LONG "k_one' are called '" LONG "'");
}

Test(published_urdf, characters_that_channels_cannot_have_become_others)
{
    expect_clean("<robot name='r'>" BODY("a/b=c,d") BODY("---") "<joint name='f' type='fixed'>" //
                 ENDS("a/b=c,d", "---") "</joint></robot>");
    cr_assert_str_eq(objects.mechanism.bodies[0].name, "a_b_c_d");
    cr_assert_str_eq(objects.mechanism.bodies[1].name, "part");
}

Test(published_urdf, joint_with_the_name_of_a_link_has_a_name_of_its_own)
{
    expect_clean("<robot name='r'>" BODY("a") BODY("b") BODY("c") "<joint name='b' type='fixed'>" //
                 ENDS("a", "b") "</joint><joint name='b_joint' type='fixed'>" ENDS(
                     "b", "c") "</joint></robot>");
    cr_assert_str_eq(objects.mechanism.joints[0].name, "b_joint");
    cr_assert_str_eq(objects.mechanism.joints[1].name, "b_joint_joint");
}

Test(published_urdf, one_name_for_two_links_stays_an_error)
{
    expect_error("<robot name='r'>\n" BODY("a") BODY("a") "</robot>", 3, 1,
                 "link 'a' has the name of 'a' at line 2");
}

/* ---- friction, colours, sizes ---- */

static double friction_with(const char *gazebo)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'>" INERTIAL "<collision><geometry><sphere radius='1'/>"
             "</geometry></collision></link>%s</robot>",
             gazebo);
    expect_clean(text);
    return objects.mechanism.materials[0].friction;
}

Test(published_urdf, friction_is_a_text_or_an_attribute)
{
    cr_assert_eq(friction_with("<gazebo reference='a'><mu1>0.9</mu1></gazebo>"), 0.9);
    cr_assert_eq(friction_with("<gazebo reference='a'><mu1 value='0.9'/></gazebo>"), 0.9);
    cr_assert_eq(friction_with("<gazebo reference='a'><mu1 value='1e16'/></gazebo>"), 10.0);
    expect_note("the friction 1e+16 counts as 10");
}

#define LOOKING(geometry, material)                                                                \
    "<robot name='r'>\n<link name='a'>" INERTIAL "\n<visual><geometry>" geometry                   \
    "</geometry>" material "</visual></link></robot>"

Test(published_urdf, shapes_without_a_size_are_not_drawn)
{
    expect_warning(LOOKING("<box size='0 0 0'/>", ""), 3, 19,
                   "<box>: edge x is 0 m, expected more than 0, at most 1e6 m; it is not drawn");
    cr_assert_eq(objects.mechanism.bodies[0].n_looks, 0);
    cr_assert_eq(read_with(LOOKING("<cylinder radius='0' length='1'/>", ""), NULL), 0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_eq(read_with(LOOKING("<sphere radius='0.0'/>", ""), NULL), 0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_eq(read_with(LOOKING("<sphere radius='-1'/>", ""), NULL), 0);
    cr_assert_eq(diags.n_warnings, 1);
}

Test(published_urdf, collision_without_a_size_stays_an_error)
{
    expect_error("<robot name='r'>\n<link name='a'>" INERTIAL
                 "\n<collision><geometry><box size='0 1 1'/></geometry></collision></link></robot>",
                 3, 22, "<box>: edge x is 0 m, expected more than 0, at most 1e6 m");
}

Test(published_urdf, colours_have_three_numbers_or_four)
{
    expect_clean(LOOKING("<sphere radius='1'/>",
                         "<material name='m'><color rgba='0.8 0.2 0.1'/></material>"));
    const struct dpl_sim_solid *look = &objects.mechanism.bodies[0].looks[0];
    cr_assert(look->has_color);
    cr_assert_eq(look->color[1], 0.2);
    cr_assert_eq(look->color[3], 1.0);
    expect_note(":3:82: note: rgba: three numbers, the fourth (opacity) is taken as 1");
    expect_warning(
        LOOKING("<sphere radius='1'/>", "<material name='m'><color rgba='0.8 red'/></material>"), 3,
        82,
        "rgba: '0.8 red' is no colour, expected red, green, blue and opacity from 0 to "
        "1; it is left out");
    cr_assert_not(objects.mechanism.bodies[0].looks[0].has_color);
}

/* ---- xacro ---- */

Test(published_urdf, xacro_is_named_wherever_it_shows)
{
    expect_error("<robot name='r'>\n<link name='a'><xacro:box/></link></robot>", 2, 16,
                 "<xacro:box>: this is a xacro file, expand it first: xacro FILE > robot.urdf");
    expect_error("<robot name='r'>\n<link name='${prefix}a'/></robot>", 2, 13,
                 "'${prefix}a': this is a xacro file, expand it first: xacro FILE > robot.urdf");
    expect_error(
        "<robot name='r'>\n<link name='a'/>\n<include filename='$(find x)/y.xacro'/></robot>", 3,
        20, "'$(find x)/y.xacro': this is a xacro file, expand it first: xacro FILE > robot.urdf");
}

Test(published_urdf, expressions_for_gazebo_alone_are_no_xacro)
{
    expect_clean("<robot name='r'>" BODY(
        "a") "<gazebo><plugin name='p'><file>$(find x)/y</file></plugin></gazebo></robot>");
}

/* ---- masses ---- */

#define WITH_INERTIA(mass, tensor)                                                                 \
    "<robot name='r'>\n<link name='a'>\n<inertial><mass value='" mass "'/>" tensor                 \
    "</inertial></link></robot>"

static const double *inertia(void)
{
    return objects.mechanism.bodies[0].mass.inertia;
}

Test(published_urdf, inertia_that_no_body_has_becomes_the_nearest_that_one_has)
{
    expect_warning(WITH_INERTIA("2", "<inertia ixx='1' iyy='0.2' izz='0.4'/>"), 3, 1,
                   "link 'a': no body of 2 kg has the principal moments 1, 0.4 and 0.2 kg m^2; 1, "
                   "0.6 and 0.4 are taken");
    cr_assert_float_eq(inertia()[0], 1.0, 1e-12);
    cr_assert_float_eq(inertia()[1], 0.4, 1e-12);
    cr_assert_float_eq(inertia()[2], 0.6, 1e-12);
    cr_assert_float_eq(inertia()[3], 0.0, 1e-12);
}

Test(published_urdf, inertia_of_zeros_or_none_is_that_of_a_ball_of_water)
{
    static const char *const texts[] = {
        WITH_INERTIA("4.18879020478639",
                     "<inertia ixx='0' iyy='0' izz='0'/>"), /* 0.1 m of radius */
        WITH_INERTIA("4.18879020478639", ""),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert_eq(read_with(texts[i], NULL), 0);
        cr_assert_eq(diags.n_warnings, 1);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(inertia()[k], 0.4 * 4.18879020478639 * 0.01, 1e-12);
        }
    }
}

Test(published_urdf, tensor_that_is_turned_keeps_its_axes)
{
    /* Moments 2, 0.5, 0.5 along (1 1 0), (1 -1 0) and z: 2 becomes 2, 1, 1. */
    cr_assert_eq(
        read_with(WITH_INERTIA("1", "<inertia ixx='1.25' iyy='1.25' izz='0.5' ixy='0.75'/>"), NULL),
        0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_float_eq(inertia()[0], 1.5, 1e-9);
    cr_assert_float_eq(inertia()[1], 1.5, 1e-9);
    cr_assert_float_eq(inertia()[2], 1.0, 1e-9);
    cr_assert_float_eq(inertia()[3], 0.5, 1e-9);
}

Test(published_urdf, inertial_without_mass_is_none)
{
    expect_warning("<robot name='r'>\n" BODY("a") "<link name='b'>\n<inertial/></link>"
                                                  "<joint name='f' type='fixed'>" ENDS(
                                                      "a", "b") "</joint></robot>",
                   4, 1, "<inertial> of link 'b' has no <mass>: the link has none");
}

Test(published_urdf, absent_collision_mesh_touches_nothing)
{
    expect_warning("<robot name='r'>\n<link name='a'>" INERTIAL "\n<collision><geometry>"
                   "<mesh filename='no.stl'/></geometry></collision></link></robot>",
                   3, 38, "mesh 'no.stl' is not there, looked beside the file; nothing touches it");
    cr_assert_eq(objects.mechanism.bodies[0].n_solids, 0);
}

/* ---- what other readers take ---- */

static void read_pair(const char *joint)
{
    static char text[1024];
    snprintf(text, sizeof text, "<robot name='r'>\n" BODY("a") BODY("b") "%s</robot>", joint);
    cr_assert_eq(read_with(text, NULL), 0);
    rig_print(&diags);
}

Test(published_urdf, limits_in_wrong_order_are_none)
{
    read_pair("<joint name='j' type='revolute'>" ENDS(
        "a", "b") "<limit lower='1' upper='-1' effort='1' velocity='1'/></joint>");
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_str_eq(diags.items[0].text,
                     "the limit's lower end 1 is above its upper end -1: joint 'j' moves without "
                     "limits");
    cr_assert_not(objects.mechanism.joints[0].limits[0].is_there);
    cr_assert_eq(objects.n_entries, 1);
}

Test(published_urdf, spherical_joint_is_a_ball)
{
    read_pair("<joint name='j' type='spherical'>" ENDS("a", "b") "</joint>");
    cr_assert_eq(diags.n, 0);
    cr_assert_eq(objects.mechanism.joints[0].type, DPL_JOINT_BALL);
}

Test(published_urdf, fixed_joint_mimics_nothing)
{
    read_pair("<joint name='j' type='fixed'>" ENDS("a", "b") "<mimic joint='k'/></joint>");
    cr_assert_eq(diags.n, 0);
    expect_note("joint 'j' is fixed: it mimics nothing");
}

Test(published_urdf, empty_geometry_is_left_out)
{
    expect_warning("<robot name='r'>\n<link name='a'>" INERTIAL
                   "\n<collision><geometry/></collision></link></robot>",
                   3, 12, "<geometry> is empty: the shape is left out");
    expect_warning("<robot name='r'>\n<link name='a'>" INERTIAL "\n<visual/></link></robot>", 3, 1,
                   "<visual> needs <geometry>: it is left out");
}

Test(published_urdf, scale_of_one_number_is_for_all_axes)
{
    expect_clean("<robot name='r'><link name='a'>" INERTIAL "<visual><geometry>"
                 "<mesh filename='meshes/wedge.stl' scale='0.001'/></geometry></visual></link>"
                 "</robot>");
    expect_note("scale: one number, it is taken for all three axes");
    const struct dpl_sim_solid *look = &objects.mechanism.bodies[0].looks[0];
    for (size_t i = 0; i < look->n_points; i++) {
        cr_assert_leq(fabs(look->points[i].x), 0.1);
        cr_assert_leq(fabs(look->points[i].y), 0.1);
        cr_assert_leq(fabs(look->points[i].z), 0.1);
    }
}
