/* SPDX-License-Identifier: Apache-2.0 */
/* A direct-current motor at a voltage, behind a gear:
 *   L di/dt = u - R i - k w,   torque = k i - b w   (w: speed of the shaft).
 * During a step the speed is that at its beginning; the current is then solved exactly, and its
 * mean over the step makes the torque. */
#include <math.h>

#include <doppel/sim/world.h>

#include "gear.h"
#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_dc_motor;

struct settings {
    struct dpl__gear gear; /* first: see gear.h */
    struct dpl__setpoint_settings setpoint;
    double resistance, inductance, constant, damping;
};

static const struct dpl_field fields[] = {
    DPL__SETPOINT_FIELDS(DPL_NUMBER, struct settings, setpoint, "V"),
    DPL_NUMBER(struct settings, resistance, "R", "Ohm", NULL, 1e-6, 1e6, "of the winding"),
    DPL_NUMBER(struct settings, inductance, "L", "H", "0", 0.0, 1e3, "of the winding"),
    DPL_NUMBER(struct settings, constant, "k", NULL, NULL, 1e-9, 1e6,
               "torque constant, N m/A; the voltage constant, V s/rad, is the same number"),
    DPL_NUMBER(struct settings, damping, "damping", NULL, "0", 0.0, 1e6,
               "torque against the shaft's speed, N m s/rad"),
};

static const struct settings unset = {.gear = DPL__GEAR_UNSET};

static const struct dpl_element_kind children[] = {DPL__GEAR_KINDS};

struct motor {
    struct dpl__setpoint setpoint; /* first: see setpoint.h */
    const struct dpl_sim_site *site;
    double current; /* A, at the end of the newest step */
    double passed;  /* share of the current's way to its end value that passes in a step */
    double mean;    /* share of that way in the mean over the step */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct motor *motor = state;
    const struct settings *settings = site->entry->settings;
    bool lags = settings->inductance > 0.0;
    double steps = lags ? settings->resistance * site->dt / settings->inductance : 0.0;
    (void)reterr;
    motor->site = site;
    motor->passed = lags ? -expm1(-steps) : 1.0;
    motor->mean = lags ? 1.0 - motor->passed / steps : 1.0;
    return dpl__setpoint_build(&motor->setpoint, site, &settings->setpoint);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct motor *motor = state;
    const struct dpl_sim_site *site = motor->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double speed = joints->velocity[site->joint], shaft = settings->gear.ratio * speed;
    double voltage = dpl__setpoint_next(&motor->setpoint);
    double way = (voltage - settings->constant * shaft) / settings->resistance - motor->current;
    double torque =
        settings->constant * (motor->current + motor->mean * way) - settings->damping * shaft;
    (void)tick;
    motor->current += motor->passed * way;
    joints->push[site->joint] = dpl__gear_effort(&settings->gear, torque, speed);
    joints->driven[site->joint] = true;
}

/* ---- channels ---- */

DPL__SETPOINT_CALLS(dpl_dc_motor)

static int get_current(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct motor *motor = dpl_world_entry(world, &dpl_dc_motor, id);
    (void)inout_stamp;
    *(double *)ret_value = motor->current;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL__SETPOINT_ROW("voltage", "V", describe_setpoint, "setpoint of the motor's voltage"),
    DPL_CHANNEL_READ("current", &dpl_channel_number, DPL_CHANNEL_OUT, "A", 0,
                     "through the winding, exact", get_current, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_dc_motor = {
    .name = "dc motor",
    .summary = "a direct-current motor at a voltage",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), &unset},
    .state_size = sizeof(struct motor),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "dc",
    .is_at_joint = true,
    .commands = DPL_SIM_COMMAND_PUSH,
    .children = children,
    .n_children = DPL_COUNT(children),
    .burden = dpl__gear_burden,
};
