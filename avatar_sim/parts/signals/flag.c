/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that a controller sets, such as a contactor: off when nobody answers for it any more. */
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_flag_signal;

struct flag {
    bool is_on;
};

/* ---- channels ---- */

static struct flag *flag_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_flag_signal, id);
}

static int get_on(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(bool *)ret_value = flag_of(world, id)->is_on;
    return 0;
}

static int put_flag(struct dpl_world *world, int id, const void *value)
{
    flag_of(world, id)->is_on = *(const bool *)value;
    return 0;
}

static void release_flag(struct dpl_world *world, int id)
{
    flag_of(world, id)->is_on = false;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "set",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "whether it shall be on",
        .put = put_flag,
        .release = release_flag,
    },
    DPL_CHANNEL_READ("on", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0, "whether it is on", get_on,
                     NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_flag_signal = {
    .name = "flag",
    .summary = "holds a flag that was put",
    .phase = DPL_SIM_SIGNAL,
    .settings = {NULL, 0, 0, NULL},
    .state_size = sizeof(struct flag),
    .channels = &channels,
    .type = "flag",
};
