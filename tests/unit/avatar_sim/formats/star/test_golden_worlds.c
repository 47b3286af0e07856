/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped worlds move as their golden numbers say
 * (tests/unit/avatar_sim/solvers/multibody/golden.h): the same mechanisms, from their files. */
#include <math.h>

#include "golden_values.h"
#include "star_reading.h"

#define TOLERANCE 2e-9

static const double times[3] = {.5, 1, 2};

struct run {
    struct dpl_star_world *world;
    struct dpl_mb_system *system;
};

static struct run start(const char *file, enum dpl_mb_integrator integrator)
{
    struct run run = {0};
    struct dpl_diags diags = {0};
    struct dpl_diag diag = {.text = ""};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", PROFILES "/worlds/star", file);
    cr_assert_eq(dpl_star_read(path, NULL, &run.world, &diags), 0, "%s", path);
    dpl_diags_finish(&diags);
    struct dpl_mb_settings settings = run.world->settings.solver;
    cr_assert_eq(settings.integrator, DPL_MB_RK4, "%s says another integrator", file);
    cr_assert_eq(run.world->settings.time_step, 1e-4, "%s says another step", file);
    settings.integrator = integrator;
    settings.relative = settings.absolute = 1e-10;
    int rc =
        dpl_mb_system_create(run.world->graph, &settings, NULL, NULL, NULL, &run.system, &diag);
    cr_assert_eq(rc, 0, "%s: %s", path, diag.text);
    return run;
}

static void end(struct run *run)
{
    dpl_mb_system_destroy(run->system);
    dpl_star_destroy(run->world);
}

static void go_on(struct run *run, double until, double step)
{
    long n = lround((until - dpl_mb_time(run->system)) / step);
    for (long i = 0; i < n; i++) {
        cr_assert_eq(dpl_mb_step(run->system, step), 0);
    }
}

/* `assembly`: what the file calls it. */
static struct dpl_mb_joint_state joint_of(const struct run *run, const char *assembly,
                                          const char *name)
{
    char path[300];
    struct dpl_mb_joint_state state;
    snprintf(path, sizeof path, "%s:%s", assembly, name);
    int joint = dpl_mb_find_path(run->world->graph, DPL_MB_JOINT, 0, path);
    cr_assert_geq(joint, 0, "no joint %s", path);
    cr_assert_eq(dpl_mb_joint(run->system, joint, &state), 0);
    return state;
}

static void check(const char *file, const struct golden_value *values, size_t n)
{
    struct run run = start(file, DPL_MB_RK4);
    for (int t = 0; t < 3; t++) {
        go_on(&run, times[t], run.world->settings.time_step);
        for (size_t i = 0; i < n; i++) {
            struct dpl_mb_joint_state state = joint_of(&run, file, values[i].joint);
            double value = values[i].rate ? state.velocity[0] : state.displacement[0];
            cr_expect_float_eq(value, values[i].at[t], TOLERANCE, "%s%s at %g: %.10f, not %.9f",
                               values[i].joint, values[i].rate ? "'" : "", times[t], value,
                               values[i].at[t]);
        }
    }
    end(&run);
}

#define CHECK(name)                                                                                \
    check(#name, golden_##name##_values,                                                           \
          sizeof golden_##name##_values / sizeof *golden_##name##_values)

Test(golden_worlds, double_pendulum)
{
    static const double at[3] = {1, 2, 5};
    static const char *const names[2] = {"shoulder", "elbow"};
    struct run run = start("double_pendulum", DPL_MB_RK4);
    for (int t = 0; t < 3; t++) {
        go_on(&run, at[t], 1e-4);
        for (int i = 0; i < 2; i++) {
            const double *golden = golden_double_pendulum_states[t];
            struct dpl_mb_joint_state state = joint_of(&run, "pendulum", names[i]);
            cr_expect_float_eq(state.displacement[0], golden[i], TOLERANCE, "%.10f",
                               state.displacement[0]);
            cr_expect_float_eq(state.velocity[0], golden[2 + i], TOLERANCE, "%.10f",
                               state.velocity[0]);
        }
    }
    end(&run);
}

Test(golden_worlds, four_bar)
{
    CHECK(four_bar);
}

Test(golden_worlds, slider_crank)
{
    CHECK(slider_crank);
}

Test(golden_worlds, excavator)
{
    CHECK(excavator);
}

Test(golden_worlds, delta)
{
    CHECK(delta);
}

Test(golden_worlds, bricard)
{
    CHECK(bricard);
}

Test(golden_worlds, pair_restraints)
{
    CHECK(pair_restraints);
}

Test(golden_worlds, free_body)
{
    struct run run = start("free_body", DPL_MB_RK4);
    int body = dpl_mb_find_path(run.world->graph, DPL_MB_BODY, 0, "free_body:b");
    for (int t = 0; t < 3; t++) {
        struct dpl_mb_body_state state;
        go_on(&run, times[t], 1e-4);
        cr_assert_eq(dpl_mb_body(run.system, body, &state), 0);
        for (int i = 0; i < 3; i++) {
            cr_expect_float_eq(state.place.position[i], golden_free_body_places[t][i], TOLERANCE);
            cr_expect_float_eq(state.angular[i], golden_free_body_angular[t][i], TOLERANCE);
        }
    }
    end(&run);
}

/* Only an integrator that ends its steps at the knots of the law can be as exact as the others. */
Test(golden_worlds, bumper)
{
    static const double at[4] = {.25, .5, 1, 2};
    static const struct {
        enum dpl_mb_integrator integrator;
        double step, tolerance;
    } runs[] = {{DPL_MB_RK4, 1e-4, 1e-6}, {DPL_MB_GRAGG, 0.25, TOLERANCE}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct run run = start("bumper", runs[k].integrator);
        for (int t = 0; t < 4; t++) {
            go_on(&run, at[t], runs[k].step);
            struct dpl_mb_joint_state state = joint_of(&run, "bumper", "slide");
            cr_expect_float_eq(state.displacement[0], golden_bumper_x[t], runs[k].tolerance);
            cr_expect_float_eq(state.velocity[0], golden_bumper_v[t], runs[k].tolerance);
        }
        end(&run);
    }
}
