/* SPDX-License-Identifier: Apache-2.0 */
/* A world with one mechanism, which the text of a file describes. */
#ifndef DOPPEL_TEST_MECHANISM_RIG_H
#define DOPPEL_TEST_MECHANISM_RIG_H

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/diag.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/subsystem.h>
#include <doppel/sim/world.h>

#include "arena.h"
#include "world_state.h"

struct mechanism_rig {
    struct dpl_arena arena;
    struct dpl_sim_objects objects;
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_sim_state *state;
};

static inline void rig_print(const struct dpl_diags *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        fprintf(stderr, "%d:%d: %s\n", findings->items[i].place.line,
                findings->items[i].place.column, findings->items[i].text);
    }
}

static inline void rig_open(struct mechanism_rig *rig, const char *text, double step_s)
{
    struct dpl_diags findings = {0};
    struct dpl_diag diag = {0};
    *rig = (struct mechanism_rig){0};
    int err = dpl_sim_read_objects_text(&rig->arena, "rig.xml", text, strlen(text), NULL,
                                        &rig->objects, &findings);
    rig_print(&findings);
    dpl_diags_finish(&findings);
    cr_assert_eq(err, 0);
    rig->model = dpl_sim_model_create();
    rig->model->step = dpl_ns_from_s(step_s);
    rig->model->iterations = 20;
    struct dpl_pose2 start = {0};
    err = dpl_sim_model_add_objects(rig->model, "m", start, &rig->objects, &diag);
    cr_assert_eq(err, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(rig->model, &rig->world, &diag), 0, "%s", diag.text);
    rig->state = &rig->world->state;
}

static inline void rig_close(struct mechanism_rig *rig)
{
    dpl_world_destroy(rig->world);
    dpl_sim_model_destroy(rig->model);
    dpl_arena_finish(&rig->arena);
}

static inline void rig_step(struct mechanism_rig *rig, double seconds)
{
    dpl_world_run_until(rig->world, dpl_world_now(rig->world) + dpl_ns_from_s(seconds));
}

static inline int rig_body(const struct mechanism_rig *rig, const char *name)
{
    int body = dpl_mechanism_find_body(&rig->objects.mechanism, name);
    cr_assert_geq(body, 0, "no body %s", name);
    return body;
}

/* A point of a body in the world. */
static inline struct dpl_vector3 rig_point(const struct mechanism_rig *rig, int body,
                                           struct dpl_vector3 at)
{
    const double *p = rig->state->bodies.position[body];
    double(*r)[3] = rig->state->bodies.rotation[body];
    return (struct dpl_vector3){p[0] + r[0][0] * at.x + r[0][1] * at.y + r[0][2] * at.z,
                                p[1] + r[1][0] * at.x + r[1][1] * at.y + r[1][2] * at.z,
                                p[2] + r[2][0] * at.x + r[2][1] * at.y + r[2][2] * at.z};
}

/* The number of a channel; the caller destroys the list. */
static inline size_t rig_channel(const struct mechanism_rig *rig, const char *path, bool put,
                                 struct dpl_world_channels **ret_channels)
{
    struct dpl_diag diag;
    struct dpl_channel_want want = {.path = path, .put = put};
    cr_assert_eq(dpl_world_channels_create(rig->world, ret_channels), 0);
    int found = dpl_world_channels_find(*ret_channels, &want, &diag);
    cr_assert_geq(found, 0, "%s", diag.text);
    return (size_t)found;
}

static inline void rig_get(const struct mechanism_rig *rig, const char *path, void *ret_value)
{
    struct dpl_world_channels *channels;
    size_t channel = rig_channel(rig, path, false, &channels);
    dpl_ns stamp;
    cr_assert_eq(dpl_world_channels_get(channels, channel, ret_value, &stamp), 0, "%s", path);
    dpl_world_channels_destroy(channels);
}

static inline double rig_number(const struct mechanism_rig *rig, const char *path)
{
    double value;
    rig_get(rig, path, &value);
    return value;
}

static inline void rig_put(const struct mechanism_rig *rig, const char *path, double value)
{
    struct dpl_world_channels *channels;
    size_t channel = rig_channel(rig, path, true, &channels);
    cr_assert_eq(dpl_world_channels_put(channels, channel, &value), 0, "%s", path);
    dpl_world_channels_destroy(channels);
}

/* How far both frames of a joint are apart now, m. */
static inline double rig_gap(const struct mechanism_rig *rig, size_t joint)
{
    const struct dpl_sim_joint *of = &rig->objects.mechanism.joints[joint];
    struct dpl_vector3 a = of->in_parent.position, b = of->in_child.position;
    a = of->parent < 0 ? a : rig_point(rig, of->parent, a);
    b = of->child < 0 ? b : rig_point(rig, of->child, b);
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

#endif
