/* SPDX-License-Identifier: Apache-2.0 */
/* What is too stiff for a step is told, and is what grows in it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/multibody.h>

#define STEP 1e-3

static int n_told;
static struct dpl_diag last;

static void count_finding(void *user, const struct dpl_diag *diag)
{
    (void)user;
    n_told++;
    last = *diag;
}

/* A slider of 2 kg that starts at 0.01 m, and on it another one of 3 kg: an effort along the first
 * one meets 2 kg, along the second one 1.2 kg. */
static struct dpl_mb_graph *sliders(const struct dpl_mb_motor *motor,
                                    const struct dpl_mb_limit *limit)
{
    struct dpl_mb_graph *graph;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    int at = graph->bodies[0].origin;
    for (int i = 0; i < 2; i++) {
        struct dpl_mb_body body = {
            .name = i ? "b" : "a", .mass = i ? 3.0 : 2.0, .inertia = {1, 1, 1}, .is_active = true};
        int number = dpl_mb_add_body(graph, &body, &diag);
        struct dpl_mb_joint joint = {.name = i ? "second" : "first",
                                     .type = DPL_MB_TX,
                                     .frames = {at, graph->bodies[number].origin},
                                     .is_active = true,
                                     .line = 7 + i,
                                     .column = 3};
        if (i == 1) {
            joint.motor = motor ? *motor : joint.motor;
            joint.limit = limit ? *limit : joint.limit;
            joint.velocity[0] = 0.1;
        }
        cr_assert_geq(dpl_mb_add_joint(graph, &joint, &diag), 0, "%s", diag.text);
        at = graph->bodies[number].origin;
    }
    return graph;
}

/* Whether it is told, and whether the second joint moves more and more. */
static void simulate(const struct dpl_mb_graph *graph, enum dpl_mb_integrator integrator,
                     int *ret_told, bool *ret_grows)
{
    struct dpl_mb_settings settings = {.integrator = integrator};
    struct dpl_mb_system *system;
    struct dpl_mb_joint_state state;
    n_told = 0;
    *ret_told = dpl_mb_check_step(graph, &settings, STEP, count_finding, NULL);
    cr_expect_eq(*ret_told, n_told);
    cr_assert_eq(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, NULL), 0);
    for (int i = 0; i < 2000; i++) {
        dpl_mb_step(system, STEP);
    }
    cr_assert_eq(dpl_mb_joint(system, 1, &state), 0);
    *ret_grows = !(fabs(state.displacement[0]) + STEP * fabs(state.velocity[0]) < 1.0);
    dpl_mb_system_destroy(system);
}

/* 1.2 kg: classical Runge-Kutta is stable to 2.785 along the real axis, to 2.828 along the
 * imaginary one; the semi-implicit step to 2, with any damping. */
static const struct {
    enum dpl_mb_integrator integrator;
    double kp, kd;
    bool is_stiff;
} cases[] = {
    {DPL_MB_RK4, 1.0, 2.75 * 1.2 / STEP, false},
    {DPL_MB_RK4, 1.0, 2.82 * 1.2 / STEP, true},
    {DPL_MB_RK4, 2.80 * 2.80 * 1.2 / STEP / STEP, 0.0, false},
    {DPL_MB_RK4, 2.85 * 2.85 * 1.2 / STEP / STEP, 0.0, true},
    {DPL_MB_SEMI_IMPLICIT, 1.99 * 1.99 * 1.2 / STEP / STEP, 0.0, false},
    {DPL_MB_SEMI_IMPLICIT, 2.01 * 2.01 * 1.2 / STEP / STEP, 0.0, true},
    {DPL_MB_SEMI_IMPLICIT, 1.0, 1e6, false},
    {DPL_MB_DOPRI5, 1.0, 2.82 * 1.2 / STEP, false},
};

Test(stiffness, what_is_told_grows_and_other_things_do_not)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dpl_mb_motor motor = {
            .mode = DPL_MB_MOTOR_POSITION, .kp = cases[i].kp, .kd = cases[i].kd};
        struct dpl_mb_graph *graph = sliders(&motor, NULL);
        int told;
        bool grows;
        simulate(graph, cases[i].integrator, &told, &grows);
        cr_expect_eq(told, cases[i].is_stiff, "case %zu: %d told", i, told);
        cr_expect_eq(grows, cases[i].is_stiff, "case %zu", i);
        dpl_mb_graph_destroy(graph);
    }
}

Test(stiffness, the_joint_the_place_and_the_longest_step_are_told)
{
    struct dpl_mb_motor motor = {.mode = DPL_MB_MOTOR_VELOCITY, .kd = 27.853 * 1.2 / STEP};
    struct dpl_mb_graph *graph = sliders(&motor, NULL);
    int told;
    bool grows;
    simulate(graph, DPL_MB_RK4, &told, &grows);
    cr_assert_eq(told, 1);
    cr_expect_str_eq(last.text,
                     "joint 'second': its motor is too stiff for steps of 0.001 s, which make it "
                     "swing: shorter ones than 0.0001 s follow it, and integrators with steps of "
                     "their own (dopri5, gragg)");
    cr_expect_eq(last.place.line, 8);
    cr_expect_eq(last.place.column, 3);
    cr_expect_eq(last.severity, DPL_SEVERITY_WARNING);
    dpl_mb_graph_destroy(graph);
}

Test(stiffness, limits_and_restraints_are_looked_at)
{
    struct dpl_mb_limit limit = {
        .is_there = true, .lower = -1, .upper = 0.05, .stiffness = 1e8, .damping = 0};
    struct dpl_mb_graph *graph = sliders(NULL, &limit);
    struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    cr_expect_eq(dpl_mb_check_step(graph, &settings, STEP, count_finding, NULL), 1);
    cr_expect(strstr(last.text, "joint 'second': its limit is too stiff"), "%s", last.text);
    dpl_mb_graph_destroy(graph);

    /* the second piece of a spring */
    static const double knots[] = {0.5}, coefficients[] = {0, 1e8, -5e7};
    static const size_t n_of[] = {1, 2};
    graph = sliders(NULL, NULL);
    struct dpl_mb_restraint spring = {.name = "s",
                                      .type = DPL_MB_SPRING,
                                      .joint = 0,
                                      .law = {1, knots, n_of, coefficients},
                                      .is_active = true};
    struct dpl_diag diag = {.text = ""};
    cr_assert_geq(dpl_mb_add_restraint(graph, &spring, &diag), 0, "%s", diag.text);
    cr_expect_eq(dpl_mb_check_step(graph, &settings, STEP, count_finding, NULL), 1);
    cr_expect(strstr(last.text, "joint 'first': its restraints are too stiff"), "%s", last.text);
    cr_expect_eq(dpl_mb_check_step(graph, &settings, 1e-4, count_finding, NULL), 0);
    dpl_mb_graph_destroy(graph);
}

/* A spring that is tense already: its force must not hide what an effort does. */
Test(stiffness, tense_springs_are_told)
{
    for (double stiffness = 1e8; stiffness < 1e31; stiffness *= 1e11) {
        struct dpl_mb_graph *graph = sliders(NULL, NULL);
        struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
        struct dpl_diag diag = {.text = ""};
        const double law[] = {stiffness, 0.0};
        struct dpl_mb_restraint spring = {
            .name = "tense",
            .type = DPL_MB_SPRING,
            .joint = 1,
            .law = {.n_of = (const size_t[]){2}, .coefficients = law},
            .is_active = true,
        };
        graph->joints[1].displacement[0] = 0.3;
        cr_assert_geq(dpl_mb_add_restraint(graph, &spring, &diag), 0, "%s", diag.text);
        cr_expect_eq(dpl_mb_check_step(graph, &settings, STEP, count_finding, NULL), 1, "%g",
                     stiffness);
        dpl_mb_graph_destroy(graph);
    }
}
