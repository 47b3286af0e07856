/* SPDX-License-Identifier: Apache-2.0 */
/* What sensors that say yes or no have in common: inverted contacts, faults, delivery. */
#ifndef DOPPEL_SIM_FLAG_SENSOR_H
#define DOPPEL_SIM_FLAG_SENSOR_H

#include "measuring.h"

struct dpl__flag_settings {
    struct dpl__measuring_settings measuring;
    bool inverted;
    int stuck; /* 0: no; 1: always off; 2: always on */
};

#define DPL__FLAG_FIELDS(type_, member_)                                                           \
    DPL_BOOL(type_, member_.inverted, "inverted", "false", "it is on while it is not touched"),    \
        DPL_CHOICE(type_, member_.stuck, "stuck", "no", "no|off|on", "a fault: it never changes"), \
        DPL__DELIVERY_FIELDS(type_, member_.measuring)

/* The first member of such a sensor's state. */
struct dpl__flag {
    struct dpl__measuring measuring;
    const struct dpl__flag_settings *settings;
    bool stuck_off, stuck_on; /* faults that users of the world cause */
};

int dpl__flag_build(struct dpl__flag *flag, const struct dpl_sim_site *site,
                    const struct dpl__flag_settings *settings);

/* Once in each step of the sensor: whether it is touched, broken, in reach. */
void dpl__flag_take(struct dpl__flag *flag, dpl_ns now, bool is_met);

/* The calls and rows of its channels. */
#define DPL__FLAG_CALLS(class_)                                                                    \
    DPL__MEASURING_GET(class_, on, bool, 0)                                                        \
    static int put_stuck_off(struct dpl_world *world, int id, const void *value)                   \
    {                                                                                              \
        ((struct dpl__flag *)dpl_world_entry(world, &(class_), id))->stuck_off =                   \
            *(const bool *)value;                                                                  \
        return 0;                                                                                  \
    }                                                                                              \
    static int put_stuck_on(struct dpl_world *world, int id, const void *value)                    \
    {                                                                                              \
        ((struct dpl__flag *)dpl_world_entry(world, &(class_), id))->stuck_on =                    \
            *(const bool *)value;                                                                  \
        return 0;                                                                                  \
    }

#define DPL__FLAG_ROWS(summary_)                                                                   \
    DPL_CHANNEL_READ("on", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0, summary_, get_on, NULL),   \
        {                                                                                          \
            .name = "stuck_off",                                                                   \
            .type = &dpl_channel_flag,                                                             \
            .dir = DPL_CHANNEL_SHARED,                                                             \
            .summary = "a fault: it stays off",                                                    \
            .put = put_stuck_off,                                                                  \
        },                                                                                         \
    {                                                                                              \
        .name = "stuck_on", .type = &dpl_channel_flag, .dir = DPL_CHANNEL_SHARED,                  \
        .summary = "a fault: it stays on, unless stuck_off", .put = put_stuck_on,                  \
    }

#endif
