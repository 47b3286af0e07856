/* SPDX-License-Identifier: Apache-2.0 */
/* The steering of a mobile base: setpoint -> limit of the angle -> limit of the rate -> speed of
 * its joint, which the subsystem turns. */
#include "steering.h"

#include <math.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/mobile.h>

struct steering {
    const struct dpl_sim_steering *settings;
    const struct dpl_sim_joints *joints;
    int joint;
    double setpoint, dt;
    bool is_cut; /* the limit has changed the setpoint */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct steering *steering = state;
    (void)reterr;
    steering->settings = site->entry->settings;
    steering->joints = &site->state->joints;
    steering->joint = site->joint;
    steering->dt = site->dt;
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct steering *steering = state;
    double way = steering->setpoint - steering->joints->position[steering->joint];
    double rate = steering->settings->rate;
    (void)tick;
    steering->joints->speed[steering->joint] = dpl_clamp(way / steering->dt, -rate, rate);
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct steering *steering = state;
    ret_limits[0] = (struct dpl_sim_actuator_limit){"limit", steering->settings->limit, "rad",
                                                    steering->is_cut};
    return 1;
}

/* ---- channels ---- */

static int put_angle(struct dpl_world *world, int id, const void *value)
{
    struct steering *steering = dpl_world_entry(world, &dpl_steering, id);
    double angle = *(const double *)value, limit = steering->settings->limit;
    steering->setpoint = isfinite(angle) ? dpl_clamp(angle, -limit, limit) : 0.0;
    steering->is_cut = isfinite(angle) && fabs(angle) > limit;
    return 0;
}

/* It stays where it is. */
static void hold_angle(struct dpl_world *world, int id)
{
    struct steering *steering = dpl_world_entry(world, &dpl_steering, id);
    steering->setpoint = steering->joints->position[steering->joint];
    steering->is_cut = false;
}

static void describe_angle(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct steering *steering = dpl_world_entry(world, &dpl_steering, id);
    inout->min = -steering->settings->limit;
    inout->max = steering->settings->limit;
}

static int get_measured(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct steering *steering = dpl_world_entry(world, &dpl_steering, id);
    (void)inout_stamp;
    *(double *)ret_value = steering->joints->position[steering->joint];
    return 0;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "angle",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad",
        .summary = "setpoint of a wheel in the middle, positive to the left",
        .put = put_angle,
        .describe = describe_angle,
        .release = hold_angle,
    },
    DPL_CHANNEL_READ("measured", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0,
                     "angle of a wheel in the middle, exact", get_measured, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_steering = {
    .name = "steering",
    .summary = "turns the steered wheels of a base",
    .phase = DPL_SIM_ACTUATOR,
    .state_size = sizeof(struct steering),
    .build = build,
    .step = step,
    .channels = &channels,
    .limits = limits,
};
