/* SPDX-License-Identifier: Apache-2.0 */
/* SDF as people publish it: what departs from the format, or is not there, is told where it is. */
#include "objects_reading.h"
#include "urdf_rig.h"

TestSuite(published_sdf, .fini = reading_end);

static int read_text(const char *text)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    int err = dpl_sim_read_import_text(&arena, UNIT "/avatar_sim/fixtures/sdf/test.sdf", text,
                                       strlen(text), NULL, &objects, &diags);
    rig_print(&diags);
    return err;
}

static void expect_clean(const char *text)
{
    cr_assert_eq(read_text(text), 0);
    cr_assert_eq(diags.n, 0);
}

static void expect_note(const char *said)
{
    cr_assert(objects.notes && strstr(objects.notes, said), "'%s' is not in: %s", said,
              objects.notes ? objects.notes : "");
}

static void expect_finding(const char *text, enum dpl_severity severity, int line, const char *said)
{
    cr_assert_eq(read_text(text) == 0, severity == DPL_SEVERITY_WARNING);
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.items[0].severity, severity);
    cr_assert(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
    cr_assert_eq(diags.items[0].place.line, line);
}

static int body(const char *name)
{
    return dpl_mechanism_find_body(&objects.mechanism, name);
}

/* ---- what is not there ---- */

Test(published_sdf, model_that_is_not_there_is_left_out_of_a_world)
{
    expect_finding("<sdf version='1.6'><world name='w'>\n"
                   "<include><uri>model://nothing</uri></include>\n"
                   "<model name='m'><link name='a'/></model></world></sdf>",
                   DPL_SEVERITY_WARNING, 2,
                   "model 'model://nothing' is not there, looked in `packages`");
    cr_assert_eq(objects.mechanism.n_bodies, 1);
}

Test(published_sdf, model_that_is_not_there_is_an_error_of_a_robot)
{
    expect_finding("<sdf version='1.6'><model name='m'><link name='a'/>\n"
                   "<include><uri>model://nothing</uri></include></model></sdf>",
                   DPL_SEVERITY_ERROR, 2, "model 'model://nothing' is not there");
}

Test(published_sdf, model_on_the_net_is_told)
{
    expect_finding("<sdf version='1.6'><world name='w'>\n"
                   "<include><uri>https://host/1.0/x/models/Chair</uri></include>\n"
                   "<model name='m'><link name='a'/></model></world></sdf>",
                   DPL_SEVERITY_WARNING, 2, "nothing is loaded from the net");
}

Test(published_sdf, sun_and_ground_are_those_of_the_world)
{
    expect_clean("<sdf version='1.6'><world name='w'>\n"
                 "<include><uri>model://sun</uri></include>\n"
                 "<include><uri>model://ground_plane</uri></include>"
                 "<model name='m'><link name='a'/></model></world></sdf>");
    expect_note(":2:1: note: 'model://sun' is left out: a world has its own");
    expect_note("'model://ground_plane' is left out");
}

Test(published_sdf, world_without_a_link_is_a_warning)
{
    expect_finding("<sdf version='1.6'><world name='w'><light name='l'/></world></sdf>",
                   DPL_SEVERITY_WARNING, 1, "there is no <link> in any <model>");
    cr_assert_eq(objects.mechanism.n_bodies, 0);
}

/* ---- names ---- */

Test(published_sdf, one_model_twice_has_two_names)
{
    expect_clean("<sdf version='1.6'><world name='w'>\n"
                 "<model name='box'><link name='a'/><link name='b'/>"
                 "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint></model>\n"
                 "<model name='box'><link name='a'/><link name='b'/>"
                 "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint></model>"
                 "</world></sdf>");
    expect_note(":3:1: note: model 'box' is there twice: this one is 'box_2'");
    cr_assert_eq(objects.mechanism.n_joints, 2);
    cr_assert_eq(objects.mechanism.joints[1].child, body("box_2_b"));
}

Test(published_sdf, link_that_is_called_world_has_another_name)
{
    expect_clean("<sdf version='1.6'><model name='m'><link name='world'/></model></sdf>");
    cr_assert_geq(body("world_link"), 0);
    expect_note("the channels of link 'world' are called 'world_link'");
}

/* ---- ends of joints ---- */

Test(published_sdf, joints_connect_frames_and_models)
{
    expect_clean("<sdf version='1.8'><model name='m'><link name='base'/>"
                 "<model name='arm'><link name='l1'/><link name='l2'/>"
                 "<frame name='tip' attached_to='l2'><pose>0 0 1 0 0 0</pose></frame></model>"
                 "<frame name='flange'><pose>0 0 0.5 0 0 0</pose></frame>"
                 "<joint name='j1' type='revolute'><parent>flange</parent><child>arm</child>"
                 "<axis><xyz>0 0 1</xyz></axis></joint>"
                 "<joint name='j2' type='fixed'><parent>arm::tip</parent><child>arm::l1</child>"
                 "</joint></model></sdf>");
    const struct dpl_sim_joint *joints = objects.mechanism.joints;
    cr_assert_eq(joints[0].parent, body("base"));
    cr_assert_eq(joints[0].child, body("arm_l1"));
    cr_assert_eq(joints[1].parent, body("arm_l2"));
    cr_assert_eq(joints[1].child, body("arm_l1"));
}

Test(published_sdf, frames_that_are_attached_in_a_circle_end)
{
    cr_assert_neq(read_text("<sdf version='1.8'><model name='m'><link name='a'/>"
                            "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>"
                            "<joint name='j' type='fixed'><parent>a</parent><child>f</child>"
                            "</joint></model></sdf>"),
                  0);
}

/* ---- values ---- */

Test(published_sdf, colours_have_three_numbers_or_four)
{
    expect_clean(
        "<sdf version='1.6'><model name='m'><link name='l'><visual name='v'><geometry><box>"
        "<size>1 1 1</size></box></geometry><material><diffuse>0.8 0.2 0.1</diffuse>"
        "</material></visual></link></model></sdf>");
    expect_note("diffuse: three numbers, the fourth (opacity) is taken as 1");
    const struct dpl_sim_solid *look = &objects.mechanism.bodies[0].looks[0];
    cr_assert(look->has_color);
    cr_assert_eq(look->color[0], 0.8);
    cr_assert_eq(look->color[3], 1.0);
}

Test(published_sdf, shapes_have_the_sizes_of_the_format)
{
    expect_clean("<sdf version='1.6'><model name='m'><link name='l'>"
                 "<collision name='a'><geometry><box/></geometry></collision>"
                 "<collision name='b'><geometry><cylinder/></geometry></collision>"
                 "<collision name='c'><geometry><sphere/></geometry></collision>"
                 "</link></model></sdf>");
    const struct dpl_sim_solid *solids = objects.mechanism.bodies[0].solids;
    cr_assert_eq(solids[0].size[2], 1.0);
    cr_assert_eq(solids[1].radius, 0.5);
    cr_assert_eq(solids[1].height, 1.0);
    cr_assert_eq(solids[2].radius, 1.0);
}

Test(published_sdf, visual_without_a_size_is_not_drawn)
{
    expect_finding("<sdf version='1.6'><model name='m'><link name='l'><visual name='v'>\n<geometry>"
                   "<box><size>0 0 0</size></box></geometry></visual></link></model></sdf>",
                   DPL_SEVERITY_WARNING, 2, "it is not drawn");
}

Test(published_sdf, limits_in_wrong_order_are_none)
{
    expect_finding("<sdf version='1.6'><model name='m'><link name='a'/>\n"
                   "<joint name='j' type='revolute'><parent>world</parent><child>a</child>"
                   "<axis><xyz>0 0 1</xyz><limit><lower>1</lower><upper>-1</upper></limit></axis>"
                   "</joint></model></sdf>",
                   DPL_SEVERITY_WARNING, 2, "joint 'm::j' moves without limits");
    cr_assert_not(objects.mechanism.joints[0].limits[0].is_there);
}
