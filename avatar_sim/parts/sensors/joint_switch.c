/* SPDX-License-Identifier: Apache-2.0 */
/* A limit switch or a proximity switch at a joint: on while the joint is between two values, or in
 * one of such ranges that follow each other evenly. Once on, it goes off when the joint is further
 * out than that by the hysteresis. */
#include <errno.h>
#include <math.h>

#include "element.h"
#include "flag_sensor.h"

extern const struct dpl_sim_entry_class dpl_joint_switch;

struct settings {
    struct dpl__flag_settings flag;
    double from, to, hysteresis;
    double pitch;
    int64_t count;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER_OF_JOINT(struct settings, from, "from", "rad|m", "-1e9", -1e9, 1e9,
                        "value of the joint; it is on from here"),
    DPL_NUMBER_OF_JOINT(struct settings, to, "to", "rad|m", "1e9", -1e9, 1e9, "to here"),
    DPL_NUMBER_OF_JOINT(struct settings, hysteresis, "hysteresis", "rad|m", "0", 0.0, 1e6,
                        "so much further out it goes off"),
    DPL_NUMBER_OF_JOINT(struct settings, pitch, "pitch", "rad|m", "0", 0.0, 1e9,
                        "from one range to the next one; 0: there is one range"),
    DPL_INT(struct settings, count, "count", "1", 1, 1000000, "of ranges"),
    DPL__FLAG_FIELDS(struct settings, flag),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    static const struct dpl_place nowhere;
    if (!(settings->from <= settings->to)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "sensor of type switch: 'from' %g is above 'to' %g", settings->from,
                        settings->to);
    }
    double width = settings->to - settings->from + 2.0 * settings->hysteresis;
    if (settings->count > 1 && !(settings->pitch > width)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "sensor of type switch: its ranges are %g wide with the hysteresis, and "
                        "follow each other after %g",
                        width, settings->pitch);
    }
    return 0;
}

struct limit_switch {
    struct dpl__flag flag; /* first: see flag_sensor.h */
    bool is_met;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct limit_switch *self = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__flag_build(&self->flag, site, &settings->flag);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct limit_switch *self = state;
    const struct dpl_sim_site *site = self->flag.measuring.site;
    const struct settings *settings = site->entry->settings;
    double at = site->state->joints.position[site->joint];
    double margin = self->is_met ? settings->hysteresis : 0.0;
    if (settings->count > 1) { /* seen from the nearest range */
        double middle = 0.5 * (settings->from + settings->to);
        double n = round((at - middle) / settings->pitch);
        at -= dpl_clamp(n, 0.0, (double)(settings->count - 1)) * settings->pitch;
    }
    self->is_met = at >= settings->from - margin && at <= settings->to + margin;
    dpl__flag_take(&self->flag, tick->now, self->is_met);
}

DPL__FLAG_CALLS(dpl_joint_switch)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("the joint is in its range")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_joint_switch = {
    .name = "switch",
    .summary = "is on while its joint is in a range",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct limit_switch),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "switch",
    .is_at_joint = true,
};
