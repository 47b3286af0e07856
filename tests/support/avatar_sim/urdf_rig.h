/* SPDX-License-Identifier: Apache-2.0 */
/* A robot from a URDF, read and put into a world. */
#ifndef DOPPEL_TEST_URDF_RIG_H
#define DOPPEL_TEST_URDF_RIG_H

#include <math.h>
#include <string.h>

#include <doppel/sim/import.h>

#include "mechanism_rig.h"

static const struct dpl_sim_import_options urdf_usual = {.friction = DPL_SIM_IMPORT_FRICTION};

/* Reads a file of the fixtures, which must have no error, and opens a world with it. */
static inline void urdf_open(struct mechanism_rig *rig, const char *name,
                             const struct dpl_sim_import_options *options, struct dpl_pose2 start)
{
    struct dpl_diags findings = {0};
    struct dpl_diag diag = {0};
    char path[512];
    snprintf(path, sizeof path, UNIT "/avatar_sim/fixtures/urdf/%s", name);
    *rig = (struct mechanism_rig){0};
    int err = dpl_sim_read_import(&rig->arena, path, options, &rig->objects, &findings);
    rig_print(&findings);
    dpl_diags_finish(&findings);
    cr_assert_eq(err, 0);
    rig->model = dpl_sim_model_create();
    rig->model->step = dpl_ns_from_s(1e-3);
    rig->model->iterations = 20;
    err = dpl_sim_model_add_objects(rig->model, "r", start, &rig->objects, &diag);
    cr_assert_eq(err, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(rig->model, &rig->world, &diag), 0, "%s", diag.text);
    rig->state = &rig->world->state;
}

/* The number of a joint's value in the state. */
static inline int urdf_joint(const struct mechanism_rig *rig, const char *name)
{
    const struct dpl_sim_mechanism *mechanism = &rig->objects.mechanism;
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        if (strcmp(mechanism->joints[i].name, name) == 0) {
            return dpl_mechanism_slot(mechanism, i);
        }
    }
    cr_assert_fail("no joint %s", name);
    return -1;
}

static inline double urdf_position(const struct mechanism_rig *rig, const char *joint)
{
    return rig->state->joints.position[urdf_joint(rig, joint)];
}

/* Puts a number into a channel of the robot. */
static inline void urdf_put(const struct mechanism_rig *rig, const char *path, double value)
{
    struct dpl_world_channels *channels = NULL;
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_world_channels_create(rig->world, &channels), 0);
    struct dpl_channel_want want = {.path = path, .type = &dpl_channel_number, .put = true};
    int channel = dpl_world_channels_find(channels, &want, &diag);
    cr_assert_geq(channel, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_put(channels, (size_t)channel, &value), 0);
    dpl_world_channels_destroy(channels);
}

#endif
