/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for a cart on a rail: the test moves the world and the plan judges it. */
#ifndef DOPPEL_TEST_PLAN_RIG_H
#define DOPPEL_TEST_PLAN_RIG_H

#include <doppel/sim/plan.h>

#include "mechanism_rig.h"

/* Its drive reaches a speed within a step. Steps of 2 ms. */
static const char plan_rig_text[] =
    "<mechanism name='m' step_ms='2'>"
    "<RigidObject name='cart' mass='2'><BoxShape x='1' y='1' z='1'/></RigidObject>"
    "<Joint name='rail' type='slider' child='cart'><axis x='1' z='0'/></Joint>"
    "<Motor name='drive' joint='rail' type='servo' control='speed' max_effort='5000' "
    "max_speed='2'/>"
    "<Sensor name='near' type='switch' joint='rail' from='-0.05' to='0.05'/>"
    "</mechanism>";

struct plan_rig {
    struct mechanism_rig mechanism;
    struct dpl_world_channels *channels;
    struct dpl_arena arena;
    struct dpl_sim_plan *plan;
    struct dpl_plan_run *run;
    struct dpl_diags diags;
};

/* Reads and binds; what is found is in `diags`. */
static inline int plan_rig_read(struct plan_rig *rig, const char *text, uint64_t seed)
{
    struct dpl_plan_options options = {.seed = seed};
    memset(rig, 0, sizeof *rig);
    rig_open(&rig->mechanism, plan_rig_text, 0.002);
    cr_assert_eq(dpl_world_channels_create(rig->mechanism.world, &rig->channels), 0);
    int err = dpl_sim_read_plan_text(&rig->arena, "plan.xml", text, strlen(text), &options,
                                     &rig->plan, &rig->diags);
    return err < 0 ? err : dpl_sim_plan_bind(&rig->arena, rig->plan, rig->channels, &rig->diags);
}

/* `steps` is what is in <test_plan>. */
static inline void plan_rig_open(struct plan_rig *rig, const char *steps, uint64_t seed)
{
    char text[4096];
    snprintf(text, sizeof text, "<test_plan name='p' world='w'>\n%s</test_plan>", steps);
    int err = plan_rig_read(rig, text, seed);
    rig_print(&rig->diags);
    cr_assert_eq(err, 0);
    cr_assert_eq(rig->diags.n, 0);
    cr_assert_eq(dpl_plan_run_create(rig->plan, rig->channels, 2 * DPL_MS, seed, &rig->run), 0);
}

static inline void plan_rig_close(struct plan_rig *rig)
{
    dpl_plan_run_destroy(rig->run);
    dpl_diags_finish(&rig->diags);
    dpl_world_channels_destroy(rig->channels);
    dpl_arena_finish(&rig->arena);
    rig_close(&rig->mechanism);
}

static inline dpl_ns plan_rig_now(const struct plan_rig *rig)
{
    return dpl_world_now(rig->mechanism.world);
}

static inline enum dpl_plan_state plan_rig_step(struct plan_rig *rig)
{
    dpl_world_step(rig->mechanism.world, 1);
    return dpl_plan_run_look(rig->run, plan_rig_now(rig));
}

/* Does a whole step of the plan. */
static inline const struct dpl_plan_result *plan_rig_do(struct plan_rig *rig, size_t step)
{
    enum dpl_plan_state state = dpl_plan_run_begin(rig->run, step, plan_rig_now(rig));
    for (int i = 0; state == DPL_PLAN_RUNNING; i++) {
        cr_assert_lt(i, 100000, "it does not end");
        state = plan_rig_step(rig);
    }
    return dpl_plan_run_result(rig->run);
}

static inline const struct dpl_plan_result *plan_rig_pass(struct plan_rig *rig, size_t step)
{
    const struct dpl_plan_result *result = plan_rig_do(rig, step);
    cr_assert_eq(result->state, DPL_PLAN_PASSED, "%s", result->failures[0]);
    return result;
}

static inline const struct dpl_plan_result *plan_rig_fail(struct plan_rig *rig, const char *said)
{
    const struct dpl_plan_result *result = plan_rig_do(rig, 0);
    cr_assert_eq(result->state, DPL_PLAN_FAILED);
    cr_assert_not_null(strstr(result->failures[0], said), "%s", result->failures[0]);
    return result;
}

static inline double plan_rig_measure(const struct dpl_plan_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_measures; i++) {
        if (strcmp(result->measures[i].name, name) == 0) {
            return result->measures[i].value;
        }
    }
    cr_assert_fail("no measure '%s'", name);
    return 0.0;
}

static inline double plan_rig_get(struct plan_rig *rig, const char *path)
{
    struct dpl_channel_want want = {.path = path};
    size_t n;
    _Alignas(16) unsigned char value[64];
    dpl_ns stamp;
    int channel = dpl_world_channels_find(rig->channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    cr_assert_eq(dpl_world_channels_get(rig->channels, (size_t)channel, value, &stamp), 0);
    return dpl_channel_element(&dpl_world_channels_describe(rig->channels, &n)[channel], value, 0);
}

#endif
