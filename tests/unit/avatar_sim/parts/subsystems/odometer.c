/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor in one file: see odometer.h. */
#include "odometer.h"

#include <doppel/sim/channel_rows.h>

struct settings {
    char name[DPL_SIM_NAME_SIZE];
    double scale;
};

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, name, "name", NULL, "name of the odometer"),
    DPL_NUMBER(struct settings, scale, "scale", NULL, "1", 0.1, 10.0, "factor on the distance"),
};

struct odometer {
    const struct dpl_sim_site *site;
    double before[2], travelled_m;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct odometer *odometer = state;
    const double *at = site->state->bodies.position[site->body];
    (void)reterr;
    *odometer = (struct odometer){.site = site, .before = {at[0], at[1]}};
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct odometer *odometer = state;
    const struct dpl_sim_site *site = odometer->site;
    const double *at = site->state->bodies.position[site->body];
    (void)tick;
    odometer->travelled_m += hypot(at[0] - odometer->before[0], at[1] - odometer->before[1]);
    odometer->before[0] = at[0];
    odometer->before[1] = at[1];
}

static int get_travelled(const struct dpl_world *world, int id, void *ret_value,
                         dpl_ns *inout_stamp)
{
    const struct odometer *odometer = dpl_world_entry(world, &odometer_class, id);
    const struct settings *settings = odometer->site->entry->settings;
    (void)inout_stamp;
    *(double *)ret_value = odometer->travelled_m * settings->scale;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    {"travelled", &dpl_channel_number, DPL_CHANNEL_OUT, "m", 0, "how far its body has travelled",
     get_travelled, NULL, NULL},
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class odometer_class = {
    .name = "odometer",
    .summary = "how far a body has travelled",
    .phase = DPL_SIM_SENSOR,
    .element = "odometer",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct odometer),
    .build = build,
    .step = step,
    .channels = &channels,
};
