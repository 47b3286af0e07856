/* SPDX-License-Identifier: Apache-2.0 */
/* A light barrier: on while something is in its beam. */
#include <errno.h>
#include <math.h>

#include "element.h"
#include "flag_sensor.h"
#include "sight.h"

extern const struct dpl_sim_entry_class dpl_beam;

struct settings {
    struct dpl__flag_settings flag;
    struct dpl__sight_settings sight;
    double length;
};

static const struct dpl_field fields[] = {
    DPL__SIGHT_FIELDS(struct settings, sight),
    DPL_NUMBER(struct settings, length, "length", "m", NULL, 1e-6, 1e4,
               "from the mount to the receiver"),
    DPL__FLAG_FIELDS(struct settings, flag),
};

static int attach(void *settings, const struct dpl_sim_mechanism *mechanism,
                  struct dpl_diag *reterr)
{
    return dpl__sight_attach(&((struct settings *)settings)->sight, mechanism, reterr);
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    int rc = dpl__sight_build(site);
    return rc ? rc : dpl__flag_build(state, site, &settings->flag);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    static const struct dpl_vector3 ahead = {1.0, 0.0, 0.0};
    struct dpl__flag *flag = state;
    const struct settings *settings = flag->measuring.site->entry->settings;
    bool ground;
    dpl__sight_begin(flag->measuring.site, tick->now);
    double distance =
        dpl__sight_cast(&settings->sight, flag->measuring.site, ahead, settings->length, &ground);
    dpl__flag_take(flag, tick->now, isfinite(distance));
}

DPL__FLAG_CALLS(dpl_beam)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("something is in the beam")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_beam = {
    .name = "beam",
    .summary = "a light barrier: is on while something is in its beam",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct dpl__flag),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "beam",
    .attach = attach,
};
