/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of contacts: on while all of some flags are on, and at least one of others. */
#include <errno.h>

#include <doppel/sim/world.h>

#include "element.h"
#include "flag_sensor.h"
#include "held.h"
#include "source.h"

extern const struct dpl_sim_entry_class dpl_logic_signal;

struct settings {
    struct dpl__flag_settings flag;
    char all[DPL__SOURCE_TEXT], any[DPL__SOURCE_TEXT];
    double on_delay_s, off_delay_s;
};

static const struct dpl_field fields[] = {
    DPL__READS(struct settings, all, "all", "channels that are all on; !NAME: off"),
    DPL__READS(struct settings, any, "any", "channels of which one or more are on; !NAME: off"),
    DPL__DELAY_FIELDS(struct settings),
    DPL__FLAG_FIELDS(struct settings, flag),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    bool is_one = settings->all[0] != '\0' || settings->any[0] != '\0';
    return is_one ? 0
                  : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                             "a signal of type logic needs 'all' or 'any'");
}

struct logic {
    struct dpl__flag flag; /* first: see flag_sensor.h */
    struct dpl__source *all, *any;
    size_t n_all, n_any;
    struct dpl__held held;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct logic *self = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__flag_build(&self->flag, site, &settings->flag);
}

static int connect(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    struct logic *self = state;
    const struct settings *settings = site->entry->settings;
    int err =
        dpl__sources_find(site, channels, settings->all, false, &self->all, &self->n_all, reterr);
    return err ? err
               : dpl__sources_find(site, channels, settings->any, false, &self->any, &self->n_any,
                                   reterr);
}

static size_t count_on(const struct dpl__source *sources, size_t n, const struct dpl_world *world)
{
    size_t n_on = 0;
    for (size_t i = 0; i < n; i++) {
        n_on += dpl__source_is_on(&sources[i], world);
    }
    return n_on;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct logic *self = state;
    const struct dpl_sim_site *site = self->flag.measuring.site;
    const struct settings *settings = site->entry->settings;
    bool is_met = count_on(self->all, self->n_all, site->world) == self->n_all &&
                  (self->n_any == 0 || count_on(self->any, self->n_any, site->world) > 0);
    bool is_on =
        dpl__held_step(&self->held, is_met, tick->dt, settings->on_delay_s, settings->off_delay_s);
    dpl__flag_take(&self->flag, tick->now, is_on);
}

DPL__FLAG_CALLS(dpl_logic_signal)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("all, and any, are on")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_logic_signal = {
    .name = "logic",
    .summary = "is on while other flags are",
    .phase = DPL_SIM_SIGNAL,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct logic),
    .build = build,
    .connect = connect,
    .step = step,
    .channels = &channels,
    .type = "logic",
};
