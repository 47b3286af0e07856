/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of axes: six motors with friction and torque lag and the same loops as the
 * simulator's, or ideal axes that are exactly at their references; with a plan of faults
 * (mock_faults.h). Works on any clock, also as either side of a HIL driver. */
#include <string.h>

#include <doppel/math/six_axes.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "axes_loops.h"
#include "axes_motion.h"
#include "axis_plant.h"
#include "mock_faults.h"

/* Longest cycle for plant and loops: a run that was delayed continues from its state. */
#define PERIOD_MAX_S 0.05
#define PERIODS_MAX  4

enum model {
    MODEL_SERVO,
    MODEL_IDEAL,
};

struct properties {
    struct axes_motion_properties motion;
    struct axes_loops_properties loops;
    int model;
    double lag_ms, coulomb_n, viscous_n_s_m;
    char start[256];
    char faults[4096];
};

struct state {
    struct axes_motion motion;
    struct axes_loops loops;
    struct dpl_axis_plant_config plant;
    struct dpl_axis_plant plants[DPL_AXES_N];
    struct mock_faults faults;
    struct mock_faults_now now;
    bool valid, silenced;
    dpl_ns stamp;
    double passed_s; /* time for the plants in this cycle */
    struct axes_motion_measured measured, told;
    int64_t n_faulty;
};

/* ---- opening ---- */

/* check_start and check_faults have checked the texts. */
static int read_text(struct dpl_device *device)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct mock_faults_error bad;
    const char *at;
    bool good = dpl_six_read(p->start, state->measured.position_m, &at);
    return good ? mock_faults_parse(&state->faults, p->faults, &bad) : -EINVAL;
}

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    axes_motion_init(&state->motion);
    axes_loops_init(&state->loops, &p->loops);
    state->plant = (struct dpl_axis_plant_config){
        .motor_kg = p->loops.axis_kg,
        .lag_s = p->lag_ms * 1e-3,
        .coulomb_n = p->coulomb_n,
        .viscous_n_s_m = p->viscous_n_s_m,
        .friction_speed_m_s = p->loops.servo.friction_speed_m_s,
        .effort_max_n = p->loops.effort_limit_n,
    };
    int err = read_text(device);
    if (err == 0 && dpl_axis_plant_check(&state->plant, PERIOD_MAX_S) < 0) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                       "%s: an axis with this mass, friction and lag cannot be simulated",
                       device->name);
    }
    for (size_t i = 0; err == 0 && i < DPL_AXES_N; i++) {
        dpl_axis_plant_reset(&state->plants[i], state->measured.position_m[i]);
    }
    return err;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

/* ---- commands ---- */

static bool answers(const struct dpl_device *device)
{
    const struct state *state = device->state;
    return !state->now.lost && !state->now.silent;
}

static int mock_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    return answers(device) ? axes_motion_enable(&state->motion) : -ENODEV;
}

static int mock_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_disable(&state->motion);
    return answers(device) ? 0 : -ENODEV;
}

static int mock_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    axes_motion_stop(&state->motion);
    return answers(device) ? 0 : -ENODEV;
}

static int mock_reset(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (!answers(device)) {
        return -ENODEV;
    }
    axes_motion_reset(&state->motion);
    return 0;
}

static int mock_follow(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_axes_reference *reference = in;
    struct state *state = device->state;
    return answers(device) ? axes_motion_follow(&state->motion, reference) : -ENODEV;
}

/* ---- a cycle ---- */

/* An ideal axis is at its reference; without torque it stays where it is. */
static void move_axis(struct dpl_device *device, size_t i, double period_s)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct dpl_axis_plant *plant = &state->plants[i];
    if (p->model == MODEL_SERVO) {
        dpl_axis_plant_step(&state->plant, plant, state->loops.asked_n[i], period_s);
    } else if (state->loops.closed) {
        dpl_axis_plant_reset(plant, state->motion.reference.position_m[i]);
        plant->load_velocity_m_s = state->motion.reference.velocity_m_s[i];
    } else {
        plant->load_velocity_m_s = 0.0;
    }
}

/* The loops use the true values; faults change only the reported values. */
static void measure(struct state *state, dpl_ns now)
{
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_axis_plant *plant = &state->plants[i];
        state->measured.position_m[i] = plant->load_position_m;
        state->measured.velocity_m_s[i] = plant->load_velocity_m_s;
        if (!state->now.stuck[i] || !state->valid) {
            state->told.position_m[i] = plant->load_position_m + state->now.offset_m[i];
        }
        state->told.velocity_m_s[i] = state->now.stuck[i] ? 0.0 : plant->load_velocity_m_s;
    }
    state->stamp = now;
    state->valid = true;
}

static void suffer(struct dpl_device *device)
{
    struct state *state = device->state;
    if (state->now.lost) {
        dpl_device_lost(device, "planned fault");
    } else if (dpl_device_is_lost(device)) {
        dpl_device_found(device);
    }
    bool cut = !answers(device);
    if (cut && !state->silenced) {
        axes_motion_disable(&state->motion);
    }
    state->silenced = cut;
    if (state->now.drive >= 0) {
        axes_motion_fail(&state->motion, state->now.drive, AXES_FAULT_GENERIC);
    }
    bool any = cut || state->now.drive >= 0;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        any |= state->now.stuck[i] || state->now.offset_m[i] != 0.0;
    }
    state->n_faulty += any;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    double before_s = state->valid ? dpl_ns_to_s(state->stamp) : -1.0;
    double now_s = dpl_ns_to_s(tick->now);
    double most_s = fmin(PERIODS_MAX * dpl_ns_to_s(tick->period), PERIOD_MAX_S);
    state->passed_s = state->valid ? fmin(now_s - before_s, most_s) : 0.0;
    for (size_t i = 0; i < DPL_AXES_N && state->passed_s > 0.0; i++) {
        move_axis(device, i, state->passed_s);
    }
    mock_faults_at(&state->faults, before_s, now_s, &state->now);
    suffer(device);
    measure(state, tick->now);
    return answers(device) ? 0 : -ENODEV;
}

static int mock_finish(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    double period_s = dpl_ns_to_s(tick->period);
    if (!state->valid || period_s <= 0.0) {
        return 0;
    }
    axes_motion_watch(&state->motion, &p->motion, &state->measured);
    axes_motion_step(&state->motion, &p->motion, &state->measured, period_s);
    struct axes_loops_reading readings[DPL_AXES_N];
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        readings[i] = (struct axes_loops_reading){
            .position_m = state->measured.position_m[i],
            .velocity_m_s = state->measured.velocity_m_s[i],
            .passed_s = state->passed_s,
        };
    }
    axes_loops_step(&state->loops, &state->motion, readings, period_s);
    return 0;
}

/* Without references the axes continue to move until friction stops them. */
static void mock_poll(struct dpl_device *device, const struct dpl_tick *tick)
{
    (void)mock_execute(device, tick, NULL);
    (void)mock_finish(device, tick, NULL);
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_axes_state *ret = out;
    const struct state *state = device->state;
    if (!answers(device)) {
        return -ENODEV;
    }
    *ret = (struct dpl_axes_state){.valid = state->valid, .stamp = state->stamp};
    axes_motion_read(&state->motion, ret);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        ret->position_m[i] = state->told.position_m[i];
        ret->velocity_m_s[i] = state->told.velocity_m_s[i];
        ret->effort_n[i] = state->plants[i].effort_n;
    }
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_AXES_N_CALLS] = {
    [DPL_DRV_AXES_ENABLE] = mock_enable, [DPL_DRV_AXES_DISABLE] = mock_disable,
    [DPL_DRV_AXES_STOP] = mock_stop,     [DPL_DRV_AXES_RESET] = mock_reset,
    [DPL_DRV_AXES_FOLLOW] = mock_follow, [DPL_DRV_AXES_EXECUTE] = mock_execute,
    [DPL_DRV_AXES_FINISH] = mock_finish, [DPL_DRV_AXES_READ] = mock_read,
};

#define NUMBER(name_, member_, unit_, fallback_, min_, max_, text_)                                \
    DPL_NUMBER(struct properties, member_, name_, unit_, fallback_, min_, max_, text_)

static int check_start(const char *text, struct dpl_diag *reterr)
{
    double positions[DPL_AXES_N];
    const char *at;
    return dpl_six_read(text, positions, &at)
               ? 0
               : dpl_check_fail(text, at, "expected six positions in m", reterr);
}

static int check_faults(const char *text, struct dpl_diag *reterr)
{
    struct mock_faults faults;
    struct mock_faults_error bad;
    return mock_faults_parse(&faults, text, &bad) == 0
               ? 0
               : dpl_check_fail(text, text + bad.offset, bad.what, reterr);
}

static const struct dpl_field properties[] = {
    AXES_MOTION_FIELDS(struct properties, motion),
    DPL_CHOICE(struct properties, model, "Model", "servo", "servo|ideal",
               "motors with control loops, or ideal axes that are always at their reference"),
    AXES_LOOPS_FIELDS(struct properties, loops),
    NUMBER("TorqueLag", lag_ms, "ms", "0.3", 0, 1000, "time constant of the motors"),
    NUMBER("CoulombFriction", coulomb_n, "N", "60", 0, 100000, "of an axis"),
    NUMBER("ViscousFriction", viscous_n_s_m, "N s/m", "100", 0, 1e6, "of an axis"),
    DPL_TEXT_CHECKED(
        struct properties, start, "Start",
        "0.856792452437 -0.699375929539 0.550247635031 0.856792452437 -0.699375929539 "
        "0.550247635031",
        check_start,
        "where the axes begin, six positions in m; default: home of the robot model hx_a"),
    DPL_TEXT_CHECKED(
        struct properties, faults, "Faults", "", check_faults,
        "rows \"t kind axis duration\" separated by ';' (s; axis 0: all; duration 0: for "
        "good): lost, silent, drive_fault, stuck, or offset with a value in m after it"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_faulty, "faulty_cycles", NULL, DPL_FIELD_SUMMARY,
                   "cycles with an active fault of the plan"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "six simulated motors with friction and control loops, with adjustable faults",
    .device_class = &dpl_axes_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
    .poll = mock_poll,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
