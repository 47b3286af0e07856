/* A sensor: it measures how far the z axis of its body leans from the vertical. */
#include <doppel/part.h>
#include <doppel/sim/channel_rows.h>
#include <errno.h>
#include <math.h>

#include "template_name.h"

struct settings {
    double zero; /* rad */
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, zero, "zero", "rad", "0", -3.2, 3.2, "what it gives when upright"),
};

struct template_name {
    const struct dpl_sim_site *site;
    double lean;  /* rad */
    dpl_ns stamp; /* 0: nothing yet */
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
    struct template_name *self = state;
    const struct dpl_sim_site *site = self->site;
    const struct settings *settings = site->entry->settings;
    double upright = site->state->bodies.rotation[site->body][2][2];
    self->lean = settings->zero + acos(dpl_clamp(upright, -1.0, 1.0));
    self->stamp = tick->now;
}

static int get_lean(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct template_name *self = dpl_world_entry(world, &template_name_class, id);
    *(double *)ret_value = self->lean;
    *inout_stamp = self->stamp;
    return self->stamp > 0 ? 0 : -EAGAIN;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("lean", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0,
                     "angle between its z axis and the vertical", get_lean, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class template_name_class = {
    .name = "template_name",
    .summary = "how far a body leans",
    .phase = DPL_SIM_SENSOR,
    .type = "template_name",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct template_name),
    .build = build,
    .step = step,
    .channels = &channels,
};

const struct dpl_part dpl_part = DPL_PART(template_name_class);
