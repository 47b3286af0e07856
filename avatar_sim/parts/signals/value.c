/* SPDX-License-Identifier: Apache-2.0 */
/* A number that somebody outside keeps in the world for others: the state of a controller, a wish.
 */
#include <math.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_value_signal;

struct settings {
    double initial;
    char unit[DPL_SIM_NAME_SIZE];
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, initial, "initial", NULL, "0", -1e12, 1e12,
               "at the start, and when it is no longer commanded"),
    DPL_TEXT(struct settings, unit, "unit", "", "of its channels"),
};

struct value {
    const struct dpl_sim_site *site;
    double value;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct value *self = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    self->site = site;
    self->value = settings->initial;
    return 0;
}

/* ---- channels ---- */

static struct value *value_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_value_signal, id);
}

static int get_value(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = value_of(world, id)->value;
    return 0;
}

static void release_value(struct dpl_world *world, int id)
{
    struct value *self = value_of(world, id);
    self->value = ((const struct settings *)self->site->entry->settings)->initial;
}

static int put_value(struct dpl_world *world, int id, const void *value)
{
    double number = *(const double *)value;
    release_value(world, id);
    if (isfinite(number)) {
        value_of(world, id)->value = number;
    }
    return 0;
}

static void describe_value(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct settings *settings = value_of(world, id)->site->entry->settings;
    inout->unit = settings->unit;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "set",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .summary = "what it shall be",
        .put = put_value,
        .describe = describe_value,
        .release = release_value,
    },
    DPL_CHANNEL_READ("value", &dpl_channel_number, DPL_CHANNEL_OUT, NULL, 0, "what it is",
                     get_value, describe_value),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_value_signal = {
    .name = "value",
    .summary = "holds a number that was put",
    .phase = DPL_SIM_SIGNAL,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct value),
    .build = build,
    .channels = &channels,
    .type = "value",
};
