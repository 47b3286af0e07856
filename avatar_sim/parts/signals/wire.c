/* SPDX-License-Identifier: Apache-2.0 */
/* A connection in the machine itself: what one channel says goes into another one in each step. */
#include <doppel/sim/world.h>

#include "element.h"
#include "source.h"

struct settings {
    char from[DPL__SOURCE_TEXT], to[DPL__SOURCE_TEXT];
    double scale;
};

static const struct dpl_field fields[] = {
    DPL__READS_NEEDED(struct settings, from, "from",
                      "the channel that is read; !NAME: a flag inverted"),
    DPL__PUTS_NEEDED(struct settings, to, "to", "the input that gets it"),
    DPL_NUMBER(struct settings, scale, "scale", NULL, "1", -1e12, 1e12,
               "what it is multiplied by, unless the source is a flag"),
};

struct wire {
    const struct dpl_sim_site *site;
    struct dpl__source from, to;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct wire *self = state;
    (void)reterr;
    self->site = site;
    return 0;
}

static int connect(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    struct wire *self = state;
    const struct settings *settings = site->entry->settings;
    int err = dpl__source_need(site, channels, settings->from, false, &self->from, reterr);
    return err ? err : dpl__source_need(site, channels, settings->to, true, &self->to, reterr);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    const struct wire *self = state;
    const struct settings *settings = self->site->entry->settings;
    struct dpl_world *world = self->site->world;
    double value;
    (void)tick;
    if (!dpl__source_get(&self->from, world, &value)) {
        return;
    }
    bool is_flag = self->from.row->type == &dpl_channel_flag;
    value = is_flag ? (double)dpl__source_is_on(&self->from, world) : settings->scale * value;
    dpl__source_put(&self->to, world, value);
}

extern const struct dpl_sim_entry_class dpl_wire_signal;
const struct dpl_sim_entry_class dpl_wire_signal = {
    .name = "wire",
    .summary = "puts what one channel says into another one",
    .phase = DPL_SIM_SIGNAL,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct wire),
    .build = build,
    .connect = connect,
    .step = step,
    .type = "wire",
};
