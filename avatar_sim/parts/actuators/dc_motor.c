/* SPDX-License-Identifier: Apache-2.0 */
/* A direct-current motor at a voltage, behind a gear:
 *   L di/dt = u - R i - k w,   torque = k i - b w   (w: speed of the shaft).
 * During a step the speed is that at its beginning; the current is then solved exactly, and its
 * mean over the step makes the torque. That torque's change with the speed is a damper, which the
 * joint solves with the step: a light joint stays stable. With backlash the rotor has a motion of
 * its own, in parts of the step that are as short as it needs; the joint then moves with the speed
 * of its beginning, and gets the mean of what the rotor gives it. */
#include <errno.h>
#include <math.h>

#include <doppel/sim/world.h>

#include "backlash.h"
#include "gear.h"
#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_dc_motor;

struct settings {
    struct dpl__gear gear; /* first: see gear.h */
    struct dpl__setpoint_settings setpoint;
    double resistance, inductance, constant, damping;
    struct dpl__backlash_settings backlash;
};

/* Parts of a step for each rate of the rotor times the step, and at most. */
enum { PARTS_A_RATE = 20, PARTS_MAX = 2000 };

static const struct dpl_field fields[] = {
    DPL__SETPOINT_FIELDS(DPL_NUMBER, struct settings, setpoint, "V"),
    DPL_NUMBER(struct settings, resistance, "R", "Ohm", NULL, 1e-6, 1e6, "of the winding"),
    DPL_NUMBER(struct settings, inductance, "L", "H", "0", 0.0, 1e3, "of the winding"),
    DPL_NUMBER(struct settings, constant, "k", NULL, NULL, 1e-9, 1e6,
               "torque constant, N m/A; the voltage constant, V s/rad, is the same number"),
    DPL_NUMBER(struct settings, damping, "damping", NULL, "0", 0.0, 1e6,
               "torque against the shaft's speed, N m s/rad"),
    DPL_NUMBER_OF_JOINT(struct settings, backlash.play, "backlash", "rad|m", "0", 0.0, 1e3,
                        "play of the joint while the shaft is held; 0: none"),
    DPL_NUMBER(struct settings, backlash.stiffness, "backlash_stiffness", NULL, "0", 0.0, 1e12,
               "of the teeth at either end of the play, at the joint: N m/rad or N/m"),
    DPL_NUMBER(struct settings, backlash.damping, "backlash_damping", NULL, "0", 0.0, 1e12,
               "the same, N m s/rad or N s/m; they never pull"),
};

static const struct settings unset = {.gear = DPL__GEAR_UNSET};

static const struct dpl_element_kind children[] = {DPL__GEAR_KINDS};

struct motor {
    struct dpl__setpoint setpoint; /* first: see setpoint.h */
    const struct dpl_sim_site *site;
    double current; /* A, at the end of the newest step */
    double passed;  /* share of the current's way to its end value that passes in a part */
    double mean;    /* share of that way in the mean over the part */
    unsigned parts; /* of a step; 1 without backlash */
    double part;    /* s */
    struct dpl__backlash backlash;
    double speed_before; /* of the joint */
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    bool has_play = settings->backlash.play > 0.0;
    if (has_play && !(settings->backlash.stiffness > 0.0)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a motor with 'backlash' needs 'backlash_stiffness' above 0");
    }
    if (has_play && !(settings->gear.rotor > 0.0)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a motor with 'backlash' needs the inertia of its <rotor>: it moves by "
                        "itself");
    }
    return 0;
}

/* Of the rotor, in the units of the joint. */
static double inertia_of(const struct settings *settings)
{
    return settings->gear.rotor * settings->gear.ratio * settings->gear.ratio;
}

/* A rotor with a play is a body of its own, and its friction acts on it. */
static struct dpl_sim_burden burden(const void *of)
{
    const struct settings *settings = of;
    if (!(settings->backlash.play > 0.0)) {
        return dpl__gear_burden(settings);
    }
    return (struct dpl_sim_burden){.teeth_stiffness = settings->backlash.stiffness,
                                   .teeth_damping = settings->backlash.damping};
}

/* 1/s: the fastest that happens to the rotor. */
static double rate_of(const struct settings *settings)
{
    double k = settings->constant, rotor = settings->gear.rotor;
    double brake = (k * k / settings->resistance + settings->damping) / rotor;
    double swing = settings->inductance > 0.0 ? k / sqrt(settings->inductance * rotor) : 0.0;
    double stop = dpl__backlash_rate(&settings->backlash, inertia_of(settings));
    return fmax(stop, fmax(brake, swing));
}

static int build_backlash(struct motor *motor, const struct settings *settings,
                          const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    double parts = ceil(PARTS_A_RATE * rate_of(settings) * site->dt);
    if (!(parts <= PARTS_MAX)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "motor '%s': its rotor is too light for the stiffness or damping of its "
                        "backlash, or for its winding: %.3g parts of a step, at most %d are made",
                        site->entry->name, parts, PARTS_MAX);
    }
    motor->parts = (unsigned)fmax(parts, 1.0);
    motor->part = site->dt / motor->parts;
    motor->backlash.position = site->state->joints.position[site->joint];
    motor->backlash.speed = site->state->joints.velocity[site->joint];
    return 0;
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct motor *motor = state;
    const struct settings *settings = site->entry->settings;
    bool lags = settings->inductance > 0.0;
    motor->site = site;
    motor->speed_before = site->state->joints.velocity[site->joint];
    motor->parts = 1;
    motor->part = site->dt;
    int err = settings->backlash.play > 0.0 ? build_backlash(motor, settings, site, reterr) : 0;
    if (err) {
        return err;
    }
    double steps = lags ? settings->resistance * motor->part / settings->inductance : 0.0;
    motor->passed = lags ? -expm1(-steps) : 1.0;
    motor->mean = lags ? 1.0 - motor->passed / steps : 1.0;
    return dpl__setpoint_build(&motor->setpoint, site, &settings->setpoint);
}

/* The mean torque at the shaft during a part, in which it turns with that speed. */
static double torque_of(struct motor *motor, const struct settings *settings, double voltage,
                        double shaft)
{
    double way = (voltage - settings->constant * shaft) / settings->resistance - motor->current;
    double torque =
        settings->constant * (motor->current + motor->mean * way) - settings->damping * shaft;
    motor->current += motor->passed * way;
    return torque;
}

/* How much less that mean torque is for each rad/s, N m s/rad. */
static double brake_of(const struct motor *motor, const struct settings *settings)
{
    return settings->constant * motor->mean * settings->constant / settings->resistance +
           settings->damping;
}

/* Returns the mean torque at the shaft that passes to the joint. */
static double advance_rotor(struct motor *motor, const struct settings *settings, double voltage,
                            double position, double speed)
{
    struct dpl__backlash *backlash = &motor->backlash;
    double ratio = settings->gear.ratio, friction = settings->gear.friction * fabs(ratio);
    double sum = 0.0;
    dpl__backlash_follow(backlash, position, motor->site->entry->turns);
    for (unsigned i = 0; i < motor->parts; i++) {
        double torque = torque_of(motor, settings, voltage, ratio * backlash->speed);
        dpl__backlash_advance(backlash, &settings->backlash, inertia_of(settings), ratio * torque,
                              friction, speed, motor->part);
        sum += backlash->contact;
    }
    return sum / motor->parts / ratio;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct motor *motor = state;
    const struct dpl_sim_site *site = motor->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double speed = joints->velocity[site->joint], ratio = settings->gear.ratio;
    double voltage = dpl__setpoint_next(&motor->setpoint);
    bool has_play = settings->backlash.play > 0.0;
    double torque =
        has_play ? advance_rotor(motor, settings, voltage, joints->position[site->joint], speed)
                 : torque_of(motor, settings, voltage, ratio * speed);
    struct dpl__gear_step now = {
        .effort = ratio * torque,
        .speed = speed,
        .speed_before = motor->speed_before,
        .dt = tick->dt,
        .rotor_is_apart = has_play,
    };
    double damping = has_play ? 0.0 : ratio * ratio * brake_of(motor, settings);
    joints->push[site->joint] = now.effort + damping * speed;
    joints->damping[site->joint] = damping;
    joints->share[site->joint] = dpl__gear_share(&settings->gear, &now);
    joints->driven[site->joint] = true;
    motor->speed_before = speed;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct motor *motor = state;
    return dpl__setpoint_limit(&motor->setpoint, "V", ret_limits, 0);
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

static bool has_shaft(const struct dpl_world *world, int id)
{
    const struct motor *motor = dpl_world_entry(world, &dpl_dc_motor, id);
    const struct settings *settings = motor->site->entry->settings;
    return settings->backlash.play > 0.0;
}

static int get_shaft(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct motor *motor = dpl_world_entry(world, &dpl_dc_motor, id);
    const struct settings *settings = motor->site->entry->settings;
    (void)inout_stamp;
    *(double *)ret_value = settings->gear.ratio * (motor->backlash.position + motor->backlash.lead);
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL__SETPOINT_ROW("voltage", "V", describe_setpoint, "setpoint of the motor's voltage"),
    DPL_CHANNEL_READ("current", &dpl_channel_number, DPL_CHANNEL_OUT, "A", 0,
                     "through the winding, exact", get_current, NULL),
    {
        .name = "shaft",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_OUT,
        .unit = "rad",
        .summary = "turn of the shaft: ratio * that of the joint, but for the backlash",
        .get = get_shaft,
        .is_there = has_shaft,
    },
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_dc_motor = {
    .name = "dc motor",
    .summary = "a direct-current motor at a voltage",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), &unset},
    .check = check,
    .state_size = sizeof(struct motor),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "dc",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_PUSH,
    .children = children,
    .n_children = DPL_COUNT(children),
    .burden = burden,
};
