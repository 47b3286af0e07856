/* SPDX-License-Identifier: Apache-2.0 */
/* A scene of closed_form: a mechanism in a world. */
#ifndef DOPPEL_CLOSED_FORM_SCENE_H
#define DOPPEL_CLOSED_FORM_SCENE_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/math/gravity.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/state.h>
#include <doppel/sim/world.h>

#include "arena.h"
#include "scenes.h"

#define G DPL_STANDARD_GRAVITY_M_S2

struct scene {
    struct dpl_arena arena;
    struct dpl_sim_objects objects;
    struct dpl_sim_model *model;
    struct dpl_world *world;
    const struct dpl_sim_state *state;
    double dt;
};

/* A scene that does not open is a mistake in this file. */
static inline void give_up(const char *what)
{
    fprintf(stderr, "closed_form: %s\n", what);
    exit(3);
}

/* With the step, and 20 iterations. `format` is of printf's form. */
__attribute__((format(printf, 3, 4))) static inline void
open_scene(struct scene *scene, double step_s, const char *format, ...)
{
    char text[4096];
    struct dpl_diags diags = {0};
    struct dpl_diag diag;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *scene = (struct scene){.dt = step_s};
    if (dpl_sim_read_objects_text(&scene->arena, "scene", text, strlen(text), NULL, &scene->objects,
                                  &diags)) {
        give_up(diags.items[0].text);
    }
    dpl_diags_finish(&diags);
    scene->model = dpl_sim_model_create();
    scene->model->step = dpl_ns_from_s(step_s);
    scene->model->iterations = 20;
    if (dpl_sim_model_add_objects(scene->model, "scene", (struct dpl_pose2){0}, &scene->objects,
                                  &diag) ||
        dpl_world_create(scene->model, &scene->world, &diag)) {
        give_up(diag.text);
    }
    scene->state = dpl_world_state(scene->world);
}

static inline void close_scene(struct scene *scene)
{
    dpl_world_destroy(scene->world);
    dpl_sim_model_destroy(scene->model);
    dpl_arena_finish(&scene->arena);
}

static inline void run_for(struct scene *scene, double seconds)
{
    dpl_world_run_until(scene->world, dpl_world_now(scene->world) + dpl_ns_from_s(seconds));
}

static inline double now(const struct scene *scene)
{
    return dpl_ns_to_s(dpl_world_now(scene->world));
}

/* Of lifts.c. */
typedef struct closed_form_result closed_form_scene(double step_s, double a, double b);
closed_form_scene held_rope, rope_stretch, free_rope_low, free_rope_high, slipping_rope, belt_swing,
    arm_pull;

#endif
