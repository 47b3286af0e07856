/* SPDX-License-Identifier: Apache-2.0 */
/* A world of one mechanism whose bodies and joints move as a test says: entries without a solver.
 * One scene for each process. */
#ifndef TESTS_SIM_ENTRY_SCENE_H
#define TESTS_SIM_ENTRY_SCENE_H

#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/subsystem.h>

#include "world_reading.h"

static struct dpl_sim_objects objects;
static struct dpl_sim_state *state; /* the test writes it */
static struct dpl_sim_contact scene_contact;
static bool scene_has_contact; /* the next steps find that contact */

#define NEAR(a, b, within) cr_assert_float_eq(a, b, within, "%.15g, expected %.15g", a, b)

/* Two bodies, a turn and a travel, with names that the tests use; then what a test adds. */
#define SCENE(entries_)                                                                            \
    "<mechanism name='m'>\n"                                                                       \
    "<RigidObject name='arm' mass='1'><SphereShape radius='0.1'/></RigidObject>\n"                 \
    "<RigidObject name='car' mass='1'><position x='9'/><SphereShape radius='0.1'/>"                \
    "</RigidObject>\n"                                                                             \
    "<Joint name='hinge' type='hinge' child='arm'/>\n"                                             \
    "<Joint name='rail' type='slider' child='car'/>\n"                                             \
    "<Joint name='tip' type='ball' parent='arm' child='car'/>\n" entries_ "\n</mechanism>"

enum { SCENE_LINE = 7 }; /* of what the test adds */

static int scene_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    (void)robot;
    (void)reterr;
    return 0;
}

static inline void scene_count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    const struct dpl_sim_mechanism *mechanism = robot->part;
    inout->n_bodies = (unsigned)mechanism->n_bodies;
    inout->n_joints = (unsigned)dpl_mechanism_slots(mechanism);
}

static int scene_build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)data;
    (void)reterr;
    state = site->state;
    for (size_t i = 0; i < state->bodies.n; i++) {
        for (int k = 0; k < 3; k++) {
            state->bodies.rotation[i][k][k] = 1.0;
        }
    }
    return 0;
}

static inline void scene_step(void *data, const struct dpl_sim_tick *tick)
{
    (void)data;
    (void)tick;
    if (scene_has_contact) {
        state->contacts.items[state->contacts.n++] = scene_contact;
    }
}

static int scene_position(const struct dpl_world *of, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = dpl_world_state(of)->joints.position[id];
    return 0;
}

static int scene_velocity(const struct dpl_world *of, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = dpl_world_state(of)->joints.velocity[id];
    return 0;
}

static const struct dpl_channel_row scene_rows[] = {
    DPL_CHANNEL_READ("position", &dpl_channel_number, DPL_CHANNEL_OUT, NULL, 0, "of the joint",
                     scene_position, NULL),
    DPL_CHANNEL_READ("velocity", &dpl_channel_number, DPL_CHANNEL_OUT, NULL, 0, "of the joint",
                     scene_velocity, NULL),
};

static void scene_add_channels(const struct dpl_world *of, struct dpl_world_channels *to, int robot)
{
    static const struct dpl_channel_table table = {scene_rows, DPL_COUNT(scene_rows)};
    const char *name = dpl_world_model(of)->robots[robot].name;
    dpl__channels_add(to, &table, 0, "%s/hinge", name);
    dpl__channels_add(to, &table, 1, "%s/rail", name);
}

static const struct dpl_subsystem_class scene_subsystem = {
    .name = "scene",
    .noun = "scene",
    .summary = "moves as a test says",
    .check = scene_check,
    .count = scene_count,
    .part_is_mechanism = true,
    .data_size = 1,
    .build = scene_build,
    .step = scene_step,
    .add_channels = scene_add_channels,
};

static inline int scene_read_with(const char *text, const struct dpl_sim_load_options *options)
{
    return dpl_sim_read_objects_text(&arena, "test.xml", text, strlen(text), options, &objects,
                                     &diags);
}

static inline int scene_read(const char *text)
{
    return scene_read_with(text, NULL);
}

/* Steps of 1 ms. */
static inline void scene_make_with(const char *text, const struct dpl_sim_load_options *options)
{
    struct dpl_diag diag = {0};
    reading_is_good(scene_read_with(text, options));
    struct dpl_sim_robot robot = {.name = "m",
                                  .subsystem = &scene_subsystem,
                                  .part = &objects.mechanism,
                                  .entries = objects.entries,
                                  .n_entries = objects.n_entries};
    model = dpl_sim_model_create();
    cr_assert_eq(dpl_sim_model_add_robot(model, &robot, &diag), 0, "%s", diag.text);
    reading_make();
}

/* The world anew, when the model has got more. */
static inline void scene_remake(void)
{
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    reading_make();
}

static inline void scene_make(const char *text)
{
    scene_make_with(text, NULL);
}

static inline const struct dpl_channel_desc *describe(const char *path, bool put)
{
    size_t n;
    const struct dpl_channel_desc *all = dpl_world_channels_describe(channels, &n);
    return &all[channel_of(path, put)];
}

/* Says what was found, and where: finding i of all. */
static inline void expect(size_t i, int line, int column, const char *said)
{
    cr_assert_lt(i, diags.n, "%zu findings", diags.n);
    const struct dpl_diag *diag = &diags.items[i];
    cr_assert_str_eq(diag->text, said);
    cr_assert_eq(diag->place.line, line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "column %d: %s", diag->place.column, diag->text);
}

#endif
