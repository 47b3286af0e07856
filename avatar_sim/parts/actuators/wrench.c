/* SPDX-License-Identifier: Apache-2.0 */
/* A force and a torque on a body, as they are told: wind, a thruster, a person who pushes. */
#include <doppel/sim/world.h>

#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_wrench;

enum { FORCE, TORQUE, KINDS, AXES = 3 };

struct settings {
    double limit[KINDS], delay_s, silence_s;
    double point[AXES];
    int frame;                                     /* 1: the body's */
    struct dpl__setpoint_settings setpoint[KINDS]; /* complete fills them */
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, point[0], "x", "m", "0", -1e4, 1e4,
               "in the body, where the force acts"),
    DPL_NUMBER(struct settings, point[1], "y", "m", "0", -1e4, 1e4,
               "in the body, where the force acts"),
    DPL_NUMBER(struct settings, point[2], "z", "m", "0", -1e4, 1e4,
               "in the body, where the force acts"),
    DPL_CHOICE(struct settings, frame, "frame", "world", "world|body",
               "along whose axes force and torque are"),
    DPL_NUMBER(struct settings, limit[FORCE], "force_limit", "N", "0", 0.0, 1e12,
               "of the magnitude of the force along each axis; 0: none"),
    DPL_NUMBER(struct settings, limit[TORQUE], "torque_limit", "N m", "0", 0.0, 1e12,
               "of the magnitude of the torque about each axis; 0: none"),
    DPL_NUMBER(struct settings, delay_s, "delay", "s", "0", 0.0, 10.0,
               "from a setpoint to its effect"),
    DPL_NUMBER(struct settings, silence_s, "silence", "s", "0", 0.0, 3600.0,
               "without a new setpoint it becomes 0; 0: it holds"),
};

struct wrench {
    struct dpl__setpoint setpoints[KINDS][AXES];
    struct dpl_sim_push push;
};

/* Without a controller nothing pushes: the safe setpoint is 0. */
static void complete(void *of)
{
    struct settings *settings = of;
    for (int kind = 0; kind < KINDS; kind++) {
        settings->setpoint[kind] = (struct dpl__setpoint_settings){
            .limit = settings->limit[kind],
            .delay_s = settings->delay_s,
            .silence_s = settings->silence_s,
        };
    }
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct wrench *wrench = state;
    const struct settings *settings = site->entry->settings;
    struct dpl_sim_push **end = &site->state->pushes;
    int err = 0;
    (void)reterr;
    for (int i = 0; i < KINDS * AXES && err == 0; i++) {
        err = dpl__setpoint_build(&wrench->setpoints[i / AXES][i % AXES], site,
                                  &settings->setpoint[i / AXES]);
    }
    while (*end) {
        end = &(*end)->next;
    }
    *end = &wrench->push;
    wrench->push.body = site->body;
    wrench->push.in_body = settings->frame == 1;
    for (int i = 0; i < AXES; i++) {
        wrench->push.point[i] = settings->point[i];
    }
    return err;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct wrench *wrench = state;
    (void)tick;
    for (int i = 0; i < AXES; i++) {
        wrench->push.force[i] = dpl__setpoint_next(&wrench->setpoints[FORCE][i]);
        wrench->push.torque[i] = dpl__setpoint_next(&wrench->setpoints[TORQUE][i]);
    }
}

/* One along any axis is one. */
static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    static const char *const names[KINDS] = {"force_limit", "torque_limit"};
    static const char *const units[KINDS] = {"N", "N m"};
    const struct wrench *wrench = state;
    size_t n = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct dpl__setpoint *setpoints = wrench->setpoints[kind];
        size_t after = dpl__setpoint_limit(&setpoints[0], units[kind], ret_limits, n);
        for (size_t k = n; k < after; k++) {
            ret_limits[k].name = names[kind];
            ret_limits[k].acts = setpoints[0].is_cut || setpoints[1].is_cut || setpoints[2].is_cut;
        }
        n = after;
    }
    return n;
}

/* ---- channels ---- */

static struct dpl__setpoint *setpoint_of(const struct dpl_world *world, int id, int kind, int axis)
{
    struct wrench *wrench = dpl_world_entry(world, &dpl_wrench, id);
    return &wrench->setpoints[kind][axis];
}

#define CALLS(name_, kind_, axis_)                                                                 \
    static int put_##name_(struct dpl_world *world, int id, const void *value)                     \
    {                                                                                              \
        dpl__setpoint_put(setpoint_of(world, id, kind_, axis_), *(const double *)value);           \
        return 0;                                                                                  \
    }                                                                                              \
    static void release_##name_(struct dpl_world *world, int id)                                   \
    {                                                                                              \
        dpl__setpoint_release(setpoint_of(world, id, kind_, axis_));                               \
    }                                                                                              \
    static void describe_##name_(const struct dpl_world *world, int id,                            \
                                 struct dpl_channel_desc *inout)                                   \
    {                                                                                              \
        dpl__setpoint_describe(setpoint_of(world, id, kind_, axis_), inout);                       \
    }

CALLS(force_x, FORCE, 0)
CALLS(force_y, FORCE, 1)
CALLS(force_z, FORCE, 2)
CALLS(torque_x, TORQUE, 0)
CALLS(torque_y, TORQUE, 1)
CALLS(torque_z, TORQUE, 2)

#define ROW(name_, unit_, summary_)                                                                \
    {                                                                                              \
        .name = #name_, .type = &dpl_channel_number, .dir = DPL_CHANNEL_IN, .unit = unit_,         \
        .summary = summary_, .put = put_##name_, .describe = describe_##name_,                     \
        .release = release_##name_,                                                                \
    }

static const struct dpl_channel_row rows[] = {
    ROW(force_x, "N", "on the point of the body, along x"),
    ROW(force_y, "N", "along y"),
    ROW(force_z, "N", "along z"),
    ROW(torque_x, "N m", "on the body, about x"),
    ROW(torque_y, "N m", "about y"),
    ROW(torque_z, "N m", "about z"),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_wrench = {
    .name = "wrench",
    .summary = "a force and a torque on a body",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .complete = complete,
    .state_size = sizeof(struct wrench),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "wrench",
    .limits = limits,
    .pushes_body = true,
};
