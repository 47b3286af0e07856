/* SPDX-License-Identifier: Apache-2.0 */
/* Something in the way of a joint, which tests put there: a stiff spring with a damper that pushes
 * back when the joint is beyond a place, in one sense. */
#include <math.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_blocker_motor;

enum side { SIDE_ABOVE, SIDE_BELOW };

struct settings {
    double at, stiffness, damping;
    int side; /* enum side */
};

static const struct dpl_field fields[] = {
    DPL_NUMBER_OF_JOINT(struct settings, at, "at", "rad|m", NULL, -1e9, 1e9, "where it is"),
    DPL_NUMBER(struct settings, stiffness, "stiffness", NULL, NULL, 0.0, 1e12, "N m/rad or N/m"),
    DPL_NUMBER(struct settings, damping, "damping", NULL, "0", 0.0, 1e12, "N m s/rad or N s/m"),
    DPL_CHOICE(struct settings, side, "blocks", "above", "above|below",
               "which values of the joint it does not let through"),
};

struct blocker {
    const struct dpl_sim_site *site;
    bool is_there;
    double effort;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct blocker *self = state;
    (void)reterr;
    self->site = site;
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct blocker *self = state;
    const struct dpl_sim_site *site = self->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double sign = settings->side == SIDE_ABOVE ? 1.0 : -1.0;
    double depth = sign * (joints->position[site->joint] - settings->at);
    double rate = sign * joints->velocity[site->joint];
    double push = settings->stiffness * depth + settings->damping * rate;
    (void)tick;
    self->effort = self->is_there && depth > 0.0 ? -sign * fmax(push, 0.0) : 0.0;
    joints->push[site->joint] = self->effort;
    joints->driven[site->joint] = true;
}

/* ---- channels ---- */

static struct blocker *blocker_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_blocker_motor, id);
}

static int put_there(struct dpl_world *world, int id, const void *value)
{
    blocker_of(world, id)->is_there = *(const bool *)value;
    return 0;
}

static int get_force(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = fabs(blocker_of(world, id)->effort);
    return 0;
}

static void describe_force(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    inout->unit = blocker_of(world, id)->site->entry->turns ? "N m" : "N";
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "there",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "it is in the way",
        .put = put_there,
    },
    DPL_CHANNEL_READ("force", &dpl_channel_number, DPL_CHANNEL_OUT, "N", 0,
                     "how hard it pushes, without a sign", get_force, describe_force),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_blocker_motor = {
    .name = "blocker",
    .summary = "is in the way of a joint",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct blocker),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "blocker",
    .is_at_joint = true,
    .commands = DPL_SIM_COMMAND_PUSH,
};
