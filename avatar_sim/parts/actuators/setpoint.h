/* SPDX-License-Identifier: Apache-2.0 */
/* The input of an actuator that is a number: resolution, limit, delay, and its value when it has no
 * owner. */
#ifndef DOPPEL_SIM_SETPOINT_H
#define DOPPEL_SIM_SETPOINT_H

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>

struct dpl__setpoint_settings {
    double limit;      /* of its magnitude; 0: none */
    double resolution; /* 0: any number */
    double delay_s;    /* in whole steps of the actuator, rounded */
    double safe;       /* at the start, when it is released, and for what is not finite */
    double silence_s;  /* it is released when it is not put again within this time; 0: never */
};

/* Rows of a field table; `row_` is DPL_NUMBER or DPL_NUMBER_OF_JOINT, for the unit. */
#define DPL__SETPOINT_FIELDS(row_, type_, member_, unit_)                                          \
    row_(type_, member_.limit, "limit", unit_, "0", 0.0, 1e12,                                     \
         "of the magnitude of the setpoint; 0: none"),                                             \
        row_(type_, member_.resolution, "resolution", unit_, "0", 0.0, 1e6,                        \
             "of the setpoint; 0: any number"),                                                    \
        row_(type_, member_.safe, "safe", unit_, "0", -1e12, 1e12,                                 \
             "setpoint at the start and when it is no longer commanded"),                          \
        DPL_NUMBER(type_, member_.delay_s, "delay", "s", "0", 0.0, 10.0,                           \
                   "from a setpoint to its effect"),                                               \
        DPL_NUMBER(type_, member_.silence_s, "silence", "s", "0", 0.0, 3600.0,                     \
                   "without a new setpoint it becomes the safe one; 0: it holds")

struct dpl__setpoint {
    const struct dpl__setpoint_settings *settings;
    double put;    /* the newest, after resolution and limit */
    bool is_cut;   /* the limit has changed it */
    double *delay; /* [n_delay] those on their way */
    size_t n_delay, at;
};

/* Takes memory from the site's world: 0 or -ENOMEM. Borrows the settings. */
int dpl__setpoint_build(struct dpl__setpoint *setpoint, const struct dpl_sim_site *site,
                        const struct dpl__setpoint_settings *settings);

void dpl__setpoint_put(struct dpl__setpoint *setpoint, double value);
void dpl__setpoint_release(struct dpl__setpoint *setpoint);

/* What acts in this step of the actuator. Once a step. */
double dpl__setpoint_next(struct dpl__setpoint *setpoint);

/* Appends its limit, if it has one, and returns how many are in the list then; `unit` is its own.
 */
size_t dpl__setpoint_limit(const struct dpl__setpoint *setpoint, const char *unit,
                           struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX], size_t n);

/* Fills range and silence of its channel. */
void dpl__setpoint_describe(const struct dpl__setpoint *setpoint, struct dpl_channel_desc *inout);

/* The calls of the channel of a class whose state begins with a struct dpl__setpoint, and its row.
 */
#define DPL__SETPOINT_CALLS(class_)                                                                \
    static int put_setpoint(struct dpl_world *world, int id, const void *value)                    \
    {                                                                                              \
        dpl__setpoint_put(dpl_world_entry(world, &(class_), id), *(const double *)value);          \
        return 0;                                                                                  \
    }                                                                                              \
    static void release_setpoint(struct dpl_world *world, int id)                                  \
    {                                                                                              \
        dpl__setpoint_release(dpl_world_entry(world, &(class_), id));                              \
    }                                                                                              \
    static void describe_setpoint(const struct dpl_world *world, int id,                           \
                                  struct dpl_channel_desc *inout)                                  \
    {                                                                                              \
        dpl__setpoint_describe(dpl_world_entry(world, &(class_), id), inout);                      \
    }

#define DPL__SETPOINT_ROW(name_, unit_, describe_, summary_)                                       \
    {                                                                                              \
        .name = name_, .type = &dpl_channel_number, .dir = DPL_CHANNEL_IN, .unit = unit_,          \
        .summary = summary_, .put = put_setpoint, .describe = describe_,                           \
        .release = release_setpoint,                                                               \
    }

#endif
