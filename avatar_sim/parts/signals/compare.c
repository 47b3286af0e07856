/* SPDX-License-Identifier: Apache-2.0 */
/* A number compared with limits: on while it is outside of them. */
#include <errno.h>
#include <math.h>

#include <doppel/sim/world.h>

#include "element.h"
#include "flag_sensor.h"
#include "held.h"
#include "source.h"

extern const struct dpl_sim_entry_class dpl_compare_signal;

struct settings {
    struct dpl__flag_settings flag;
    char of[DPL__SOURCE_TEXT];
    double above, below, hysteresis, on_delay_s, off_delay_s;
    bool magnitude;
};

static const struct dpl_field fields[] = {
    DPL__READS_NEEDED(struct settings, of, "of", "the channel that is compared"),
    DPL_NUMBER(struct settings, above, "above", NULL, "1e12", -1e12, 1e12,
               "on when it is more than this"),
    DPL_NUMBER(struct settings, below, "below", NULL, "-1e12", -1e12, 1e12,
               "on when it is less than this"),
    DPL_NUMBER(struct settings, hysteresis, "hysteresis", NULL, "0", 0.0, 1e12,
               "once on it goes off when it is so far inside"),
    DPL_BOOL(struct settings, magnitude, "magnitude", "false", "compares without the sign"),
    DPL__DELAY_FIELDS(struct settings),
    DPL__FLAG_FIELDS(struct settings, flag),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    bool is_one = settings->above < 1e12 || settings->below > -1e12;
    return is_one ? 0
                  : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                             "a signal of type compare needs 'above' or 'below'");
}

struct comparison {
    struct dpl__flag flag; /* first: see flag_sensor.h */
    struct dpl__source of;
    struct dpl__held held;
    bool is_outside;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct comparison *self = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__flag_build(&self->flag, site, &settings->flag);
}

static int connect(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    struct comparison *self = state;
    const struct settings *settings = site->entry->settings;
    return dpl__source_need(site, channels, settings->of, false, &self->of, reterr);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct comparison *self = state;
    const struct dpl_sim_site *site = self->flag.measuring.site;
    const struct settings *settings = site->entry->settings;
    double value, margin = self->is_outside ? settings->hysteresis : 0.0;
    if (dpl__source_get(&self->of, site->world, &value)) {
        value = settings->magnitude ? fabs(value) : value;
        self->is_outside = value > settings->above - margin || value < settings->below + margin;
    }
    bool is_on = dpl__held_step(&self->held, self->is_outside, tick->dt, settings->on_delay_s,
                                settings->off_delay_s);
    dpl__flag_take(&self->flag, tick->now, is_on);
}

DPL__FLAG_CALLS(dpl_compare_signal)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("it is outside of its limits")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_compare_signal = {
    .name = "comparison",
    .summary = "is on while a number is outside of limits",
    .phase = DPL_SIM_SIGNAL,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct comparison),
    .build = build,
    .connect = connect,
    .step = step,
    .channels = &channels,
    .type = "compare",
};
