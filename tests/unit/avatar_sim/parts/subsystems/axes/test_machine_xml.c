/* SPDX-License-Identifier: Apache-2.0 */
/* Machines in robot models: the reference machine to the last bit, and what a machine must be. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/load.h>
#include <doppel/sim/machine.h>

#include "arena.h"
#include "hexa_geometry.h"
#include "machine.h"
#include "machine_xml.h"

static struct dpl_arena arena;
static struct dpl_diags diags;
static struct dpl_sim_robot robot;

static const struct dpl_sim_machine *machine(void)
{
    return robot.part;
}

static void end(void)
{
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(machine_xml, .fini = end);

static int read_text(const char *text)
{
    return dpl_sim_read_robot_text(&arena, "machine.xml", text, strlen(text), &robot, &diags);
}

#define HEAD                                                                                       \
    "<robot_model name=\"m\">"                                                                     \
    "<hexaslide link=\"0.88\"/>"                                                                   \
    "<home z=\"0.54\"/>"                                                                           \
    "<half_range x=\"0.1\" y=\"0.1\" z=\"0.1\" roll=\"0.1\" pitch=\"0.1\" yaw=\"0.1\"/>"

#define LEG_1                                                                                      \
    "<leg joint_x=\"0.25\" joint_y=\"0.03\" joint_z=\"-0.06\" rail_y=\"0.46\" slider=\"ahead\" "   \
    "low=\"0.5\" high=\"1.2\"/>"
#define LEG_2                                                                                      \
    "<leg joint_x=\"0.04\" joint_y=\"0.25\" joint_z=\"-0.06\" rail_y=\"0.23\" slider=\"behind\" "  \
    "low=\"-1\" high=\"-0.4\"/>"
#define LEG_3                                                                                      \
    "<leg joint_x=\"-0.18\" joint_y=\"0.18\" joint_z=\"-0.06\" rail_y=\"0.3\" slider=\"ahead\" "   \
    "low=\"0.2\" high=\"0.9\"/>"
#define LEGS  LEG_1 LEG_2 LEG_3 LEG_1 LEG_2 LEG_3
#define DRIVE "<drive motor_mass=\"50\"/>"
#define TAIL  "</robot_model>"

static void expect_error(const char *text, const char *words)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    cr_assert_eq(read_text(text), -EINVAL, "%s", words);
    bool found = false;
    for (size_t i = 0; i < diags.n; i++) {
        found |=
            diags.items[i].severity == DPL_SEVERITY_ERROR && strstr(diags.items[i].text, words);
    }
    cr_assert(found, "expected '%s', found '%s'", words, diags.n ? diags.items[0].text : "");
}

Test(machine_xml, reads_the_reference_machine_to_the_last_bit)
{
    cr_assert_eq(dpl_sim_read_robot(&arena, PROFILES "/robots/hx_a.xml", &robot, &diags), 0, "%s",
                 diags.n ? diags.items[0].text : "");
    cr_assert_eq(diags.n, 0);
    cr_assert_eq(robot.subsystem, &dpl_axes_subsystem);
    struct dpl_hexa_geometry made;
    dpl__machine_geometry(machine(), &made);
    const struct dpl_hexa_geometry *reference = &dpl_hexa_reference;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        for (size_t c = 0; c < 3; c++) {
            cr_assert_eq(made.joint_m[c][i], reference->joint_m[c][i]);
            cr_assert_eq(made.rail_m[c][i], reference->rail_m[c][i]);
            cr_assert_eq(made.axis[c][i], reference->axis[c][i]);
        }
        cr_assert_eq(made.branch[i], reference->branch[i]);
        cr_assert_eq(made.link_m[i], reference->link_m[i]);
        cr_assert_eq(made.low_m[i], reference->low_m[i]);
        cr_assert_eq(made.high_m[i], reference->high_m[i]);
        cr_assert_eq(made.home[i], reference->home[i]);
        cr_assert_eq(made.half_range[i], reference->half_range[i], "half range %zu: %.17g, %.17g",
                     i, made.half_range[i], reference->half_range[i]);
        cr_assert_eq(machine()->pose[i], reference->home[i]);
    }
    cr_assert_eq(made.reserve, reference->reserve);
}

Test(machine_xml, gives_axes_names_by_order_and_all_of_them_the_one_drive)
{
    cr_assert_eq(read_text(HEAD LEGS DRIVE TAIL), 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_str_eq(machine()->axes[0].name, "Axis1");
    cr_assert_str_eq(machine()->axes[5].name, "Axis6");
    cr_assert_eq(machine()->axes[4].drive.motor_mass, 50.0);
    cr_assert_eq(machine()->axes[1].branch, -1.0);
}

Test(machine_xml, takes_a_drive_of_one_axis_before_that_of_all)
{
    cr_assert_eq(
        read_text(HEAD LEGS "<drive axis=\"Axis2\" motor_mass=\"7\" lag_ms=\"2\"/>" DRIVE TAIL), 0);
    cr_assert_eq(machine()->axes[0].drive.motor_mass, 50.0);
    cr_assert_eq(machine()->axes[1].drive.motor_mass, 7.0);
    cr_assert_eq(machine()->axes[1].drive.lag_s, 0.002);
}

Test(machine_xml, makes_a_direction_a_unit_vector)
{
    cr_assert_eq(
        read_text(HEAD LEG_1 LEG_2 LEG_3 LEG_1 LEG_2
                  "<leg joint_x=\"-0.18\" joint_y=\"0.18\" joint_z=\"-0.06\" rail_y=\"0.3\" "
                  "direction_x=\"2\" direction_z=\"0.002\" slider=\"ahead\" low=\"0.2\" "
                  "high=\"0.9\"/>" DRIVE TAIL),
        0, "%s", diags.n ? diags.items[0].text : "");
    const double *u = machine()->axes[5].direction;
    cr_assert_float_eq(u[0] * u[0] + u[2] * u[2], 1.0, 1e-15);
    cr_assert_float_eq(u[2] / u[0], 0.001, 1e-15);
}

Test(machine_xml, refuses_what_is_no_machine)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        /* refuses a machine that is not whole */
        {"<robot_model name=\"m\">" LEGS DRIVE TAIL, "machine 'm' has no <hexaslide>"},
        {HEAD LEG_1 LEG_2 LEG_3 LEG_1 LEG_2 DRIVE TAIL, "has 5 <leg>, expected 6"},
        {HEAD LEGS LEG_1 DRIVE TAIL, "<leg> is there 7 times"},
        {HEAD LEGS TAIL, "has no <drive>"},
        {HEAD LEGS "<drive axis=\"Axis2\" motor_mass=\"7\"/>" TAIL, "axis 'Axis1' has no <drive>"},
        {HEAD LEGS DRIVE DRIVE TAIL, "a second <drive> for all axes"},
        {HEAD LEGS "<drive axis=\"Axs2\" motor_mass=\"7\"/>" DRIVE TAIL, "did you mean 'Axis2'?"},
        /* refuses a screw that gives without a load */
        {HEAD LEGS "<drive motor_mass=\"50\" screw_stiffness=\"1e8\"/>" TAIL, "no load_mass"},
        {HEAD LEGS "<drive motor_mass=\"0.001\" load_mass=\"0.001\" "
                   "screw_stiffness=\"1e12\"/>" TAIL,
         "too stiff or too light"},
        /* refuses a mixture of machine and mobile base */
        {HEAD LEGS DRIVE "<wheel y=\"0.1\" radius=\"0.1\"/>" TAIL,
         "<wheel> makes this model a mobile base, but <hexaslide>"},
        {"<robot_model name=\"m\"><chassis shape=\"sphere\" radius=\"0.1\" z=\"0.1\" mass=\"1\"/>"
         "<home z=\"1\"/>" TAIL,
         "<home> makes this model a machine, but <chassis>"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].text, rows[i].words);
    }
}

Test(machine_xml, tells_components_what_the_model_says)
{
    static struct dpl_machine machine;
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_read_machine(PROFILES "/robots/hx_a.xml", &machine, &diag), 0, "%s",
                 diag.text);
    cr_assert_str_eq(machine.name, "hx_a");
    cr_assert_str_eq(machine.legs[2].axis_name, "Axis3");
    cr_assert_eq(machine.legs[1].branch, -1.0);
    cr_assert_eq(machine.legs[5].joint_m[1], dpl_hexa_reference.joint_m[1][5]);
    cr_assert_eq(machine.half_range[4], dpl_hexa_reference.half_range[4]);
    cr_assert_eq(machine.reserve, 0.05);
}

Test(machine_xml, tells_components_why_a_file_has_no_machine)
{
    static const char world[] = PROFILES "/worlds/empty.xml";
    static struct dpl_machine machine;
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_read_machine(PROFILES "/robots/hrc01.xml", &machine, &diag), -ENOTSUP);
    cr_assert_not_null(strstr(diag.text, "hrc01"), "%s", diag.text);
    cr_assert_eq(dpl_sim_read_machine("/nowhere/at_all.xml", &machine, &diag), -EINVAL);
    cr_assert_str_eq(diag.place.file, "/nowhere/at_all.xml");
    cr_assert_eq(dpl_sim_read_machine(world, &machine, &diag), -EINVAL);
    cr_assert_eq(diag.place.file, world);
    cr_assert_gt(diag.place.line, 0);
}
