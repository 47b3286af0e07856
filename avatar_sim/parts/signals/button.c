/* SPDX-License-Identifier: Apache-2.0 */
/* A button or anything else that people press: on while any user of the world presses it, or, with
 * a memory, until it is cleared. */
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/world.h>

#include "element.h"
#include "source.h"

extern const struct dpl_sim_entry_class dpl_button_signal;

struct settings {
    bool keeps;
    bool is_inverted;
    char set[DPL__SOURCE_TEXT], clear[DPL__SOURCE_TEXT];
};

static const struct dpl_field fields[] = {
    DPL_BOOL(struct settings, keeps, "keeps", "false", "once pressed it stays on until cleared"),
    DPL_BOOL(struct settings, is_inverted, "inverted", "false", "it is on while it is not pressed"),
    DPL__READS(struct settings, set, "set", "a channel that presses it, too"),
    DPL__READS(struct settings, clear, "clear", "a channel that clears it, too"),
};

struct button {
    const struct dpl_sim_site *site;
    struct dpl__source set, clear_by;
    bool press, clear, was_clear; /* clear: what was put */
    bool is_on;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct button *self = state;
    (void)reterr;
    self->site = site;
    return 0;
}

static int connect(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    struct button *self = state;
    const struct settings *settings = site->entry->settings;
    int err = dpl__source_find(site, channels, settings->set, false, &self->set, reterr);
    return err ? err
               : dpl__source_find(site, channels, settings->clear, false, &self->clear_by, reterr);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct button *self = state;
    const struct settings *settings = self->site->entry->settings;
    const struct dpl_world *world = self->site->world;
    bool is_pressed = self->press || dpl__source_is_on(&self->set, world);
    bool clear = self->clear || dpl__source_is_on(&self->clear_by, world);
    bool is_cleared = clear && !self->was_clear;
    (void)tick;
    self->was_clear = clear;
    self->is_on = is_pressed || (settings->keeps && self->is_on && !is_cleared);
}

/* ---- channels ---- */

static struct button *button_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_button_signal, id);
}

static int put_press(struct dpl_world *world, int id, const void *value)
{
    button_of(world, id)->press = *(const bool *)value;
    return 0;
}

static int put_clear(struct dpl_world *world, int id, const void *value)
{
    button_of(world, id)->clear = *(const bool *)value;
    return 0;
}

static void release_clear(struct dpl_world *world, int id)
{
    button_of(world, id)->clear = false;
}

static int get_on(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct button *self = button_of(world, id);
    const struct settings *settings = self->site->entry->settings;
    (void)inout_stamp;
    *(bool *)ret_value = self->is_on != settings->is_inverted;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "press",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "somebody presses it",
        .put = put_press,
    },
    {
        .name = "clear",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "ends what it keeps, when it goes on",
        .put = put_clear,
        .release = release_clear,
    },
    DPL_CHANNEL_READ("on", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0, "it is pressed, or kept",
                     get_on, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_button_signal = {
    .name = "button",
    .summary = "is on while it is pressed, or until it is cleared",
    .phase = DPL_SIM_SIGNAL,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct button),
    .build = build,
    .connect = connect,
    .step = step,
    .channels = &channels,
    .type = "button",
};
