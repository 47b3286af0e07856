/* SPDX-License-Identifier: Apache-2.0 */
/* A tachometer: the speed of a joint, through a low-pass, in whole steps of its resolution. */
#include <errno.h>
#include <math.h>

#include "element.h"
#include "measuring.h"

extern const struct dpl_sim_entry_class dpl_tacho;

struct settings {
    struct dpl__measuring_settings measuring;
    double gear, filter_s, resolution;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, gear, "gear", NULL, "1", -1e6, 1e6,
               "speed that it measures per speed of the joint"),
    DPL_NUMBER(struct settings, filter_s, "filter", "s", "0", 0.0, 100.0,
               "time constant of its low-pass; 0: none"),
    DPL_NUMBER_OF_JOINT(struct settings, resolution, "resolution", "rad/s|m/s", "0", 0.0, 1e6,
                        "of what it gives; 0: any number"),
    DPL__SPREAD_FIELDS(DPL_NUMBER_OF_JOINT, struct settings, measuring, "rad/s|m/s"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
};

struct tacho {
    struct dpl__measuring measuring; /* first: see measuring.h */
    double filtered;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct tacho *tacho = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    tacho->filtered = settings->gear * site->state->joints.velocity[site->joint];
    return dpl__measuring_build(&tacho->measuring, site, &settings->measuring, 1);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct tacho *tacho = state;
    const struct dpl_sim_site *site = tacho->measuring.site;
    const struct settings *settings = site->entry->settings;
    double speed = settings->gear * site->state->joints.velocity[site->joint];
    tacho->filtered = dpl_low_pass(tacho->filtered, speed, tick->dt, settings->filter_s);
    double value = dpl__measuring_spoil(&tacho->measuring, tick->now, tacho->filtered);
    if (settings->resolution > 0.0) {
        value = settings->resolution * round(value / settings->resolution);
    }
    dpl__measuring_take(&tacho->measuring, tick->now, &value);
}

DPL__MEASURING_GET(dpl_tacho, speed, double, 0)

static void describe_speed(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    inout->unit = dpl_world_entry_site(world, &dpl_tacho, id)->entry->turns ? "rad/s" : "m/s";
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("speed", &dpl_channel_number, DPL_CHANNEL_OUT, "rad/s", 0,
                     "of the joint times the gear", get_speed, describe_speed),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_tacho = {
    .name = "tachometer",
    .summary = "measures the speed of a joint",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct tacho),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "tacho",
    .is_at_joint = true,
};
