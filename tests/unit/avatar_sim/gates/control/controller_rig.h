/* SPDX-License-Identifier: Apache-2.0 */
/* A world whose time the test moves, with a port for controllers; and controllers. */
#ifndef DOPPEL_TEST_CONTROLLER_RIG_H
#define DOPPEL_TEST_CONTROLLER_RIG_H

#include <string.h>

#include "controllers.h"
#include "doppel_hil.h"
#include "link_world.h"

#define STEP DPL_MS /* of the world */

struct rig {
    struct hosted_world *world;
    struct controllers *controllers;
    char notices[4096]; /* all of them, a line each; for a look after the controllers' end */
};

static inline void rig_note(void *user, const char *text)
{
    struct rig *rig = user;
    size_t n = strlen(rig->notices);
    snprintf(rig->notices + n, sizeof rig->notices - n, "%s\n", text);
}

static inline void rig_start(struct rig *rig)
{
    struct dpl_sim_load_options load = {.has_seed = true, .seed = 1};
    struct controllers_options options = {.notice = rig_note, .notice_user = rig};
    struct dpl_diag error = {0};
    *rig = (struct rig){0};
    cr_assert_eq(hosted_world_create(PROFILES "/worlds/office.xml", &load, &rig->world, &error), 0,
                 "%s", error.text);
    cr_assert_eq(hosted_world_allow_control(rig->world), 0);
    cr_assert_eq(controllers_create(rig->world, &options, &rig->controllers, &error), 0, "%s",
                 error.text);
}

static inline void rig_stop(struct rig *rig)
{
    controllers_destroy(rig->controllers);
    hosted_world_destroy(rig->world);
}

/* n steps of the world, on this thread. */
static inline void rig_step(struct rig *rig, int n)
{
    hosted_world_advance(rig->world, dpl_world_now(rig->world->world) + n * STEP);
}

/* A boundary without a step, as in a world whose time stands still. */
static inline void rig_turn(struct rig *rig)
{
    exchange_boundary(rig->controllers);
}

static inline unsigned rig_joined(struct rig *rig)
{
    return atomic_load(&rig->controllers->counts.joined);
}

static inline double rig_number(struct rig *rig, const char *path)
{
    struct dpl_channel_want want = {.path = path};
    double value = 0.0;
    dpl_ns stamp;
    int channel = dpl_world_channels_find(rig->world->channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    dpl_world_channels_get(rig->world->channels, (size_t)channel, &value, &stamp);
    return value;
}

static inline struct doppel_hil *rig_connect(struct rig *rig, struct doppel_hil_options options)
{
    options.port = rig->controllers->port;
    struct doppel_hil *hil = doppel_hil_connect(&options);
    cr_assert_not_null(hil);
    return hil;
}

/* A controller that reads a wheel's speed as sensor 0 and commands its motor as command 0. */
static inline struct doppel_hil *rig_join_wheel(struct rig *rig, struct doppel_hil_options options,
                                                const char *sensor, const char *command)
{
    struct doppel_hil *hil = rig_connect(rig, options);
    doppel_hil_sensor(hil, sensor, "rad/s");
    doppel_hil_command(hil, command, "rad/s");
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    return hil;
}

static inline struct doppel_hil *rig_join_left(struct rig *rig, struct doppel_hil_options options)
{
    return rig_join_wheel(rig, options, "avatar/enc_left/velocity", "avatar/LeftWheel/speed");
}

#endif
