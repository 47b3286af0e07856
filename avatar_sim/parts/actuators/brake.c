/* SPDX-License-Identifier: Apache-2.0 */
/* A brake that a spring closes and a current opens: closed unless it is told to be released. The
 * solver holds the speed 0 with at most its torque. */
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_brake_motor;

struct settings {
    double torque, release_s, drop_s, silence_s;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER_OF_JOINT(struct settings, torque, "torque", "N m|N", NULL, 0.0, 1e12,
                        "the most that it holds at the joint"),
    DPL_NUMBER(struct settings, release_s, "release_time", "s", "0", 0.0, 10.0,
               "from the command until it is open"),
    DPL_NUMBER(struct settings, drop_s, "drop_time", "s", "0", 0.0, 10.0,
               "from the command until it is closed"),
    DPL_NUMBER(struct settings, silence_s, "silence", "s", "0", 0.0, 3600.0,
               "without a new command it closes; 0: it stays"),
};

struct brake {
    const struct dpl_sim_site *site;
    bool command, is_open; /* told to be released; it is */
    bool feedback_lost;
    unsigned waited; /* steps since the command differs */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct brake *brake = state;
    (void)reterr;
    brake->site = site;
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct brake *brake = state;
    const struct dpl_sim_site *site = brake->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double delay = brake->command ? settings->release_s : settings->drop_s;
    if (brake->command == brake->is_open) {
        brake->waited = 0;
    } else if (brake->waited++ >= (unsigned)(delay / tick->dt + 0.5)) {
        brake->is_open = brake->command;
        brake->waited = 0;
    }
    joints->speed[site->joint] = 0.0;
    joints->limit[site->joint] = brake->is_open ? 0.0 : settings->torque;
}

/* ---- channels ---- */

static struct brake *brake_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_brake_motor, id);
}

static int put_release(struct dpl_world *world, int id, const void *value)
{
    brake_of(world, id)->command = *(const bool *)value;
    return 0;
}

static void close_brake(struct dpl_world *world, int id)
{
    brake_of(world, id)->command = false;
}

static void describe_release(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct settings *settings = brake_of(world, id)->site->entry->settings;
    inout->silence = dpl_ns_from_s(settings->silence_s);
}

static int put_feedback_lost(struct dpl_world *world, int id, const void *value)
{
    brake_of(world, id)->feedback_lost = *(const bool *)value;
    return 0;
}

static int get_open(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct brake *brake = brake_of(world, id);
    (void)inout_stamp;
    *(bool *)ret_value = brake->is_open && !brake->feedback_lost;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "release",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "whether it shall be open",
        .put = put_release,
        .describe = describe_release,
        .release = close_brake,
    },
    DPL_CHANNEL_READ("open", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0,
                     "its feedback: it is open", get_open, NULL),
    {
        .name = "feedback_lost",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "a fault: the feedback says that it is closed",
        .put = put_feedback_lost,
    },
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_brake_motor = {
    .name = "brake",
    .summary = "holds its joint unless it is released",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct brake),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "brake",
    .is_at_joint = true,
    .commands = DPL_SIM_COMMAND_SPEED,
};
