/* SPDX-License-Identifier: Apache-2.0 */
/* Any linear model: against the spring-mass-dampers, through coupled matrices, from a text. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "linear_model.h"
#include "spring_mass_damper.h"

static struct dpl_linear_mechanics mechanics;
static struct dpl_linear_system linear;
static struct dpl_linear_model model;

static void set_diagonal(const struct dpl_smd *smd)
{
    memset(&mechanics, 0, sizeof mechanics);
    for (int i = 0; i < 6; i++) {
        mechanics.mass[i][i] = smd->mass[i];
        mechanics.damping[i][i] = smd->damping[i];
        mechanics.stiffness[i][i] = i < 3 ? 5000.0 : 200.0;
    }
}

static void expect_like_smd(enum dpl_hold hold)
{
    struct dpl_smd smd;
    struct dpl_smd_config config = dpl_smd_paper_config(3.0, 2.5e-3, hold);
    struct dpl_smd_state smd_state = {0};
    struct dpl_linear_state state = {0};
    cr_assert_eq(dpl_smd_init(&smd, &config), 0);
    set_diagonal(&smd);
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), 0);
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, hold), 0);
    for (int k = 0; k < 1000; k++) {
        double wrench[6], output[6];
        for (int i = 0; i < 6; i++) {
            wrench[i] = sin(0.05 * k * (i + 1));
        }
        dpl_smd_step(&smd, &smd_state, wrench);
        dpl_linear_model_step(&model, &state, wrench, output);
        for (int i = 0; i < 6; i++) {
            cr_assert_float_eq(output[i], smd_state.x[i][0], 1e-13, "axis %d, sample %d", i, k);
        }
    }
}

Test(linear_model, with_diagonal_matrices_is_six_spring_mass_dampers)
{
    expect_like_smd(DPL_HOLD_ZERO);
    expect_like_smd(DPL_HOLD_FIRST);
}

Test(linear_model, comes_to_rest_where_the_coupled_stiffness_says)
{
    struct dpl_smd smd;
    struct dpl_smd_config config = dpl_smd_paper_config(3.0, 2.5e-3, DPL_HOLD_ZERO);
    struct dpl_linear_state state = {0};
    double wrench[6] = {10.0, 0.0, 0.0, 0.0, 1.0, 0.0}, output[6];
    cr_assert_eq(dpl_smd_init(&smd, &config), 0);
    set_diagonal(&smd);
    mechanics.stiffness[0][4] = mechanics.stiffness[4][0] = 300.0;
    mechanics.mass[0][4] = mechanics.mass[4][0] = 0.5;
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), 0);
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), 0);
    for (int k = 0; k < 8000; k++) {
        dpl_linear_model_step(&model, &state, wrench, output);
    }
    double determinant = 5000.0 * 200.0 - 300.0 * 300.0;
    cr_assert_float_eq(output[0], (10.0 * 200.0 - 300.0) / determinant, 1e-12);
    cr_assert_float_eq(output[4], (5000.0 - 300.0 * 10.0) / determinant, 1e-12);
    cr_assert_float_eq(output[1], 0.0, 1e-15);
}

Test(linear_model, passes_the_wrench_on_through_its_feedthrough)
{
    struct dpl_linear_state state = {0};
    double wrench[6] = {3.0}, output[6];
    linear = (struct dpl_linear_system){.lti = {.n_states = 1, .n_inputs = 6}};
    linear.d[5][0] = 2.0;
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), 0);
    dpl_linear_model_step(&model, &state, wrench, output);
    cr_assert_eq(output[5], 6.0);
    cr_assert_eq(output[0], 0.0);
}

Test(linear_model, refuses_a_singular_mass_and_numbers_that_are_none)
{
    memset(&mechanics, 0, sizeof mechanics);
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), -EDOM);
    mechanics.damping[3][3] = (double)NAN;
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), -EINVAL);
    linear = (struct dpl_linear_system){.lti = {.n_states = 1, .n_inputs = 5}};
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), -EINVAL);
    linear.lti.n_inputs = 6;
    linear.lti.n_states = DPL_LTI_STATES_MAX + 1;
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), -EINVAL);
    linear.lti.n_states = 1;
    linear.lti.a[0][0] = (double)NAN;
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), -EINVAL);
    linear.lti.a[0][0] = 1e12;
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), -ERANGE);
}

/* Rows of a text, one number different in each. */
static double growth(double mass, double damping, double stiffness)
{
    memset(&mechanics, 0, sizeof mechanics);
    for (int i = 0; i < 6; i++) {
        mechanics.mass[i][i] = i == 4 ? mass : 10.0;
        mechanics.damping[i][i] = i == 4 ? damping : 50.0;
        mechanics.stiffness[i][i] = i == 4 ? stiffness : 5000.0;
    }
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), 0);
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_FIRST), 0);
    return dpl_linear_model_growth(&model, 2.5e-3);
}

Test(linear_model, tells_how_fast_it_grows_by_itself)
{
    cr_assert_eq(growth(10.0, 50.0, 5000.0), 0.0);
    cr_assert_eq(growth(10.0, 0.0, 5000.0), 0.0, "swings for ever");
    cr_assert_eq(growth(10.0, 50.0, 0.0), 0.0, "stays where it is pushed");
    cr_assert_eq(growth(10.0, 0.0, 0.0), 0.0, "drifts");
    cr_assert_float_eq(growth(10.0, -2.0, 5000.0), 0.1, 0.005);
    cr_assert_float_eq(growth(-10.0, 0.0, 1000.0), 10.0, 0.5);
    cr_assert_float_eq(growth(10.0, 0.0, -1000.0), 10.0, 0.5);
    growth(10.0, 50.0, 5000.0);
    mechanics.stiffness[0][1] = mechanics.stiffness[1][0] = 6000.0; /* not positive definite */
    cr_assert_eq(dpl_linear_system_from_mechanics(&mechanics, &linear), 0);
    cr_assert_eq(dpl_linear_model_init(&model, &linear, 2.5e-3, DPL_HOLD_ZERO), 0);
    cr_assert_gt(dpl_linear_model_growth(&model, 2.5e-3), 1.0);
}

static void write_rows(char *text, int n_rows)
{
    *text = '\0';
    for (int row = 0; row < n_rows; row++) {
        char line[64];
        snprintf(line, sizeof line, "%d 0 0 0 0 %d # row\n", row + 1, -row);
        strcat(text, line);
    }
}

Test(linear_mechanics, are_read_from_eighteen_rows)
{
    char text[2048];
    int line = 0, column = 0;
    write_rows(text, 18);
    cr_assert_eq(dpl_linear_mechanics_parse(text, &mechanics, &line, &column), 0);
    cr_assert_eq(mechanics.mass[0][0], 1.0);
    cr_assert_eq(mechanics.mass[5][5], -5.0);
    cr_assert_eq(mechanics.damping[0][0], 7.0);
    cr_assert_eq(mechanics.stiffness[5][5], -17.0);
}

static void expect_bad(const char *text, int expected_line, int expected_column)
{
    int line = 0, column = 0;
    cr_assert_eq(dpl_linear_mechanics_parse(text, &mechanics, &line, &column), -EINVAL);
    cr_assert_eq(line, expected_line, "line %d", line);
    cr_assert_eq(column, expected_column, "column %d", column);
}

Test(linear_mechanics, name_the_place_of_what_is_wrong)
{
    char text[2048];
    write_rows(text, 17);
    expect_bad(text, 18, 1);
    write_rows(text, 19);
    expect_bad(text, 19, 1);
    expect_bad("1 2 3 4 5 6\n1 2 x 4 5 6\n", 2, 5);
    expect_bad("1 2 3 4 5 6 7\n", 1, 13);
    expect_bad("1 2 3 4 nan 6\n", 1, 9);
    expect_bad("", 1, 1);
}
