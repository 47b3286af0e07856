/* SPDX-License-Identifier: Apache-2.0 */
/* The special rules of the HIL driver of axes: the simulation follows the application's references,
 * or (property Correction) the measured position of the hardware; in both cases without jumps, see
 * shadow.h. A simulation that was switched off by a fault starts again while the hardware is on. */
#include <doppel/plugin.h>

#include "hil/hil.h"
#include "shadow.h"

enum correction {
    CORRECT_NOT,
    CORRECT_POSITION,
};

/* Largest age of a reading for extrapolation, s. */
#define AGE_MAX_S    0.005
#define REJOIN_EVERY DPL_S

struct properties {
    struct dpl_hil_properties sides;
    int correction;
    double correction_speed_m_s;
};

struct state {
    struct dpl_hil_state sides;
    struct shadow shadow;
    struct dpl_axes_reference reference; /* the application's reference of this cycle */
    bool referred;                       /* it arrived in this cycle */
    dpl_ns led_at;                       /* the newest cycle with a reference for the simulation */
    dpl_ns rejoined_at;
    double bias_m; /* the current largest distance of the simulation from its target */
    int64_t rejoins;
};

static const struct properties *props(const struct dpl_device *device)
{
    return device->properties;
}

static int hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    state->rejoined_at = -REJOIN_EVERY;
    return dpl_hil_open(device, reterr);
}

/* The simulation follows in finish. */
static int follow(struct dpl_device *device, const struct dpl_axes_reference *reference)
{
    struct state *state = device->state;
    int hardware = dpl_hil_hardware(device, DPL_DRV_AXES_FOLLOW, reference, NULL);
    if (hardware == 0) {
        state->reference = *reference;
        state->referred = true;
    }
    return hardware;
}

/* With Correction, the simulation follows the hardware's stop. */
static int stop(struct dpl_device *device)
{
    int hardware = dpl_hil_hardware(device, DPL_DRV_AXES_STOP, NULL, NULL);
    if (props(device)->correction != CORRECT_POSITION || hardware != 0) {
        dpl_hil_simulate(device, DPL_DRV_AXES_STOP, NULL);
    }
    return hardware;
}

/* The target of the simulation in this cycle. The simulation's loops bring an axis to the reference
 * at the time of the reading that they use, so the target is the current position of the hardware.
 * False: there is no target. */
static bool find_target(struct dpl_device *device, const struct dpl_axes_state *real,
                        const struct dpl_tick *tick, struct dpl_axes_reference *ret)
{
    const struct state *state = device->state;
    if (props(device)->correction == CORRECT_NOT) {
        *ret = state->reference;
        return state->referred;
    }
    double age_s = dpl_ns_to_s(tick->now - real->stamp);
    bool follows = real->mode == DPL_AXES_ON && state->referred;
    shadow_target_of(real, follows ? state->reference.acceleration_m_s2 : NULL,
                     fmin(fmax(age_s, 0.0), AGE_MAX_S), ret);
    return real->valid;
}

/* Starts a simulation again that is off or has a fault while the hardware is on. */
static void rejoin(struct dpl_device *device, enum dpl_axes_mode mode, dpl_ns now)
{
    struct state *state = device->state;
    if (now - state->rejoined_at < REJOIN_EVERY) {
        return;
    }
    state->rejoined_at = now;
    state->rejoins++;
    if (mode == DPL_AXES_FAULT) {
        dpl_hil_simulate(device, DPL_DRV_AXES_RESET, NULL);
    }
    dpl_hil_simulate(device, DPL_DRV_AXES_ENABLE, NULL);
}

static void update_bias(struct state *state)
{
    state->bias_m = 0.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        state->bias_m = fmax(state->bias_m, fabs(state->shadow.bias_m[i]));
    }
}

/* The hardware's position has changed while the clock skipped cycles; references have not. */
static double passed_s(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct state *state = device->state;
    bool moved_on = state->shadow.joined && props(device)->correction == CORRECT_POSITION;
    return dpl_ns_to_s(moved_on ? tick->now - state->led_at : tick->period);
}

static void lead_simulation(struct dpl_device *device, const struct dpl_tick *tick)
{
    struct state *state = device->state;
    struct dpl_axes_state real, avatar;
    struct dpl_axes_reference target, reference;
    if (dpl_axes_read(dpl_device_side(device, DPL_HIL_HARDWARE), &real) < 0 ||
        dpl_axes_read(dpl_device_side(device, DPL_HIL_SIMULATION), &avatar) < 0) {
        shadow_leave(&state->shadow);
        return;
    }
    bool dropped = avatar.mode == DPL_AXES_OFF || avatar.mode == DPL_AXES_FAULT;
    if (dropped && real.mode == DPL_AXES_ON) {
        rejoin(device, avatar.mode, tick->now);
    }
    if (avatar.mode != DPL_AXES_ON || !find_target(device, &real, tick, &target)) {
        shadow_leave(&state->shadow);
        return;
    }
    shadow_step(&state->shadow, &target, avatar.position_m, props(device)->correction_speed_m_s,
                passed_s(device, tick), &reference);
    state->led_at = tick->now;
    update_bias(state);
    dpl_hil_simulate(device, DPL_DRV_AXES_FOLLOW, &reference);
}

/* Sends the hardware's references before any computation for the simulation. */
static int finish(struct dpl_device *device, const struct dpl_tick *tick)
{
    int hardware = dpl_hil_hardware(device, DPL_DRV_AXES_FINISH, tick, NULL);
    lead_simulation(device, tick);
    dpl_hil_simulate(device, DPL_DRV_AXES_FINISH, tick);
    return hardware;
}

static int read_side(struct dpl_device *device, const struct dpl_axes_read_side *asked, void *out)
{
    struct dpl_device *side = dpl_device_side(device, (size_t)asked->side);
    return dpl_device_call(side, DPL_DRV_AXES_READ, NULL, out);
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    struct state *state = device->state;
    switch (number) {
    case DPL_DRV_AXES_STOP: return stop(device);
    case DPL_DRV_AXES_FOLLOW: return follow(device, in);
    case DPL_DRV_AXES_FINISH: return finish(device, in);
    case DPL_DRV_AXES_READ_SIDE: return read_side(device, in, out);
    case DPL_DRV_AXES_EXECUTE: state->referred = false; break;
    case DPL_DRV_AXES_IDLE: shadow_leave(&state->shadow); break;
    default: break;
    }
    return dpl_hil_call(device, number, in, out);
}

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "cia402", "avatar", "machine"),
    DPL_CHOICE(struct properties, correction, "Correction", "position", "off|position",
               "the avatar follows the application's references, or where the real axes are"),
    DPL_NUMBER(struct properties, correction_speed_m_s, "CorrectionSpeed", "m/s", "0.1", 0.0001, 10,
               "how fast an axis of the avatar follows a jump of its reference"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, bias_m, "simulation_bias", "m", DPL_FIELD_TRACE,
                      "largest remaining difference of the avatar's axes after a jump"),
    DPL_HIL_EXPORT_ERRORS(struct state, sides),
    DPL_EXPORT_INT(struct state, rejoins, "simulation_rejoins", NULL, DPL_FIELD_SUMMARY,
                   "times that the driver enabled the avatar's axes again"),
};

static const struct dpl_driver driver = {
    DPL_HIL_DRIVER,
    .summary = "real axes and their avatar at once: references go to both, readings come from the "
               "real axes",
    .device_class = &dpl_axes_class,
    .answer = answer,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = hil_open,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
