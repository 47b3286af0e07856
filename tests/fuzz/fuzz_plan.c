/* SPDX-License-Identifier: Apache-2.0 */
/* Test plans from arbitrary bytes: what cannot be read or bound says why; what can is done, step by
 * step, in a small world, and each step ends with a verdict or at its limit. */
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/objects.h>
#include <doppel/sim/plan.h>

#include "arena.h"

#define STEPS_MAX   4   /* of a plan that are done */
#define LOOKS_MAX   200 /* at each of them */
#define ACTIONS_MAX 50

static const char mechanism[] =
    "<mechanism name='m'>"
    "<RigidObject name='cart' mass='2'><BoxShape x='1' y='1' z='1'/></RigidObject>"
    "<Joint name='rail' type='slider' child='cart'><axis x='1' z='0'/></Joint>"
    "<Motor name='drive' joint='rail' type='servo' control='speed' max_effort='500' "
    "max_speed='2'/>"
    "<Sensor name='near' type='switch' joint='rail' from='-0.01' to='0.01'/>"
    "</mechanism>";

static struct dpl_world *world;
static struct dpl_world_channels *channels;

static void make_world(void)
{
    static struct dpl_arena arena; /* as long as the process */
    static struct dpl_sim_objects objects;
    static struct dpl_sim_model *model;
    struct dpl_diags diags = {0};
    struct dpl_pose2 start = {0};
    model = dpl_sim_model_create();
    if (!model || dpl_sim_read_objects_text(&arena, "m", mechanism, strlen(mechanism), NULL,
                                            &objects, &diags)) {
        abort();
    }
    model->step = DPL_MS;
    model->iterations = 4;
    if (dpl_sim_model_add_objects(model, "m", start, &objects, NULL) ||
        dpl_world_create(model, &world, NULL) || dpl_world_channels_create(world, &channels)) {
        abort();
    }
    dpl_diags_finish(&diags);
}

static void do_step(struct dpl_plan_run *run, size_t step)
{
    enum dpl_plan_state state = dpl_plan_run_begin(run, step, dpl_world_now(world));
    for (int i = 0; i < LOOKS_MAX && state == DPL_PLAN_RUNNING; i++) {
        dpl_world_step(world, 1);
        state = dpl_plan_run_look(run, dpl_world_now(world));
    }
    dpl_plan_run_fail(run, "the limit of the fuzzer");
    const struct dpl_plan_result *result = dpl_plan_run_result(run);
    if (result->state == DPL_PLAN_RUNNING ||
        (result->state == DPL_PLAN_FAILED) != (result->n_failures > 0)) {
        abort();
    }
}

static void do_plan(const struct dpl_sim_plan *plan)
{
    struct dpl_plan_run *run = NULL;
    if (dpl_plan_run_create(plan, channels, DPL_MS, 1, &run)) {
        abort();
    }
    for (size_t i = 0; i < plan->n_steps && i < STEPS_MAX; i++) {
        if (plan->steps[i].n_actions <= ACTIONS_MAX) {
            do_step(run, i);
        }
    }
    dpl_plan_run_destroy(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_plan *plan = NULL;
    if (!world) {
        make_world();
    }
    int err = dpl_sim_read_plan_text(&arena, "fuzz.xml", data, size, NULL, &plan, &diags);
    err = err < 0 ? err : dpl_sim_plan_bind(&arena, plan, channels, &diags);
    if (err == 0) {
        do_plan(plan);
    } else if (diags.n_errors == 0) {
        abort();
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
