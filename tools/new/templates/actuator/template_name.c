/* An actuator: an eddy-current brake. Its force is against the speed of its joint, in proportion to
 * it and to a command from 0 to 1. */
#include <doppel/part.h>
#include <doppel/sim/channel_rows.h>
#include <math.h>

#include "template_name.h"

struct settings {
    double damping; /* N s/m or N m s/rad, at the command 1 */
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, damping, "damping", NULL, NULL, 0.0, 1e6,
               "effort per speed at the command 1"),
};

struct template_name {
    const struct dpl_sim_site *site;
    double command;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct template_name *self = state;
    (void)reterr;
    self->site = site;
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    const struct template_name *self = state;
    const struct dpl_sim_site *site = self->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    (void)tick;
    joints->push[site->joint] = -self->command * settings->damping * joints->velocity[site->joint];
    joints->driven[site->joint] = true;
}

static int put_command(struct dpl_world *world, int id, const void *value)
{
    struct template_name *self = dpl_world_entry(world, &template_name_class, id);
    double command = *(const double *)value;
    self->command = isnan(command) ? 0.0 : dpl_clamp(command, 0.0, 1.0);
    return 0;
}

/* Nobody answers for the command any more: it goes to what is safe. */
static void release_command(struct dpl_world *world, int id)
{
    struct template_name *self = dpl_world_entry(world, &template_name_class, id);
    self->command = 1.0;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "command",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .summary = "share of its damping, 0 to 1",
        .put = put_command,
        .release = release_command,
    },
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class template_name_class = {
    .name = "template_name",
    .summary = "an eddy-current brake",
    .phase = DPL_SIM_ACTUATOR,
    .type = "template_name",
    .is_at_joint = true,
    .commands = DPL_SIM_COMMAND_PUSH,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct template_name),
    .build = build,
    .step = step,
    .channels = &channels,
};

const struct dpl_part dpl_part = DPL_PART(template_name_class);
