/* SPDX-License-Identifier: Apache-2.0 */
/* Joints without a world: each follows its setpoint with a first-order lag and a limit of speed
 * (joint_motion.h). It can come late (StartTime) and be lost for a while. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/drv/joints.h>
#include <doppel/math/number_rows.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "joint_motion.h"
#include "joint_names.h"

struct properties {
    char joints[2048];
    char start[1024];
    struct mock_joint_properties joint;
    double start_time_s;
    double lost_from_s, lost_to_s;
};

/* After a longer gap between two cycles the joints have stood still. */
#define GAP_MAX_S 0.3

struct state {
    struct joint_names names;
    struct mock_joint joints[DPL_JOINTS_MAX];
    struct dpl_joints_command command; /* n 0: none; the joints hold still */
    struct dpl_joints_state newest;
    dpl_ns began, stepped;
    bool has_begun, is_enabled;
    dpl_ns enabled;
};

/* ---- opening ---- */

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    double start[DPL_JOINTS_MAX] = {0};
    struct dpl_rows rows = dpl_rows_begin(props->start);
    joint_names_parse(props->joints, &state->names);
    (void)dpl_rows_next(&rows, 1, DPL_JOINTS_MAX, start); /* check has counted them */
    for (size_t i = 0; i < state->names.n; i++) {
        state->joints[i].position = start[i];
    }
    state->newest.n = (int64_t)state->names.n;
    return 0;
}

/* ---- commands ---- */

static int mock_enable(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (!state->is_enabled) {
        state->is_enabled = true;
        state->enabled = state->stepped;
    }
    return 0;
}

static int mock_stop(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    ((struct state *)device->state)->command = (struct dpl_joints_command){0};
    return 0;
}

static int mock_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->is_enabled = state->newest.ready = false;
    return mock_stop(device, in, out);
}

static int mock_command(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_joints_command *command = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (command->n != state->newest.n) {
        return -EINVAL;
    }
    if (!state->newest.ready) {
        return -EPERM;
    }
    state->command = *command;
    return 0;
}

/* ---- cycles ---- */

static void step(struct state *state, const struct mock_joint_properties *props, double period_s)
{
    const struct dpl_joints_command *command = &state->command;
    bool rests = command->n == 0;
    for (size_t i = 0; i < state->names.n; i++) {
        struct mock_joint *joint = &state->joints[i];
        mock_joint_step(joint, props,
                        rests ? DPL_JOINTS_VELOCITY : (enum dpl_joints_mode)command->mode,
                        rests ? 0.0 : command->value[i], period_s);
        state->newest.position[i] = joint->position;
        state->newest.velocity[i] = joint->velocity;
        state->newest.effort[i] = joint->effort;
    }
}

/* Whether the device is away at this time of its run. */
static bool is_away(const struct properties *props, double at_s)
{
    return at_s >= props->lost_from_s && at_s < props->lost_to_s;
}

static double since_begin(struct state *state, const struct dpl_tick *tick)
{
    if (!state->has_begun) {
        state->has_begun = true;
        state->began = state->stepped = state->enabled = tick->now;
    }
    return dpl_ns_to_s(tick->now - state->began);
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct properties *props = device->properties;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    double at_s = since_begin(state, tick);
    double passed_s = dpl_ns_to_s(tick->now - state->stepped);
    if (is_away(props, at_s)) {
        state->command = (struct dpl_joints_command){0};
        state->is_enabled = false;
        dpl_device_lost(device, "disconnected from %g s to %g s, by property", props->lost_from_s,
                        props->lost_to_s);
    }
    step(state, &props->joint, passed_s <= GAP_MAX_S ? passed_s : 0.0);
    state->stepped = tick->now;
    state->newest.stamp = tick->now;
    state->newest.valid = true;
    state->newest.ready =
        state->is_enabled && dpl_ns_to_s(tick->now - state->enabled) >= props->start_time_s;
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static void mock_poll(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    if (dpl_device_is_lost(device) && !is_away(props, since_begin(state, tick))) {
        dpl_device_found(device);
    }
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    (void)in;
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_joints_state *)out = state->newest;
    return 0;
}

/* ---- tables ---- */

static int check_start(const char *text, struct dpl_diag *reterr)
{
    double start[DPL_JOINTS_MAX], more;
    struct dpl_rows rows = dpl_rows_begin(text);
    int n = dpl_rows_next(&rows, 1, DPL_JOINTS_MAX, start);
    return n < 0 || (n > 0 && dpl_rows_next(&rows, 1, 1, &more) != 0)
               ? dpl_check_fail(text, rows.at, "one row of numbers is expected", reterr)
               : 0;
}

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    struct joint_names names;
    double start[DPL_JOINTS_MAX];
    struct dpl_rows rows = dpl_rows_begin(props->start);
    joint_names_parse(props->joints, &names);
    int n = dpl_rows_next(&rows, 1, DPL_JOINTS_MAX, start);
    if (n > 0 && (size_t)n != names.n) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "Start has %d numbers, but there are %zu Joints", n, names.n);
    }
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_JOINTS_N_CALLS] = {
    [DPL_DRV_JOINTS_ENABLE] = mock_enable,   [DPL_DRV_JOINTS_DISABLE] = mock_disable,
    [DPL_DRV_JOINTS_COMMAND] = mock_command, [DPL_DRV_JOINTS_STOP] = mock_stop,
    [DPL_DRV_JOINTS_EXECUTE] = mock_execute, [DPL_DRV_JOINTS_READ] = mock_read,
};

#define NUMBER(member_, name_, unit_, default_, min_, max_, text_)                                 \
    DPL_NUMBER(struct properties, member_, name_, unit_, default_, min_, max_, text_)

static const struct dpl_field properties[] = {
    JOINT_NAMES_FIELD(struct properties, joints),
    DPL_TEXT_CHECKED(struct properties, start, "Start", "", check_start,
                     "where the joints begin, in rad or m; empty: at 0"),
    NUMBER(joint.lag_s, "Lag", "s", "0.05", 0, 1e6,
           "time constant of positions and speeds; 0: none"),
    NUMBER(joint.max_speed, "MaximumSpeed", NULL, "3", DPL_ABOVE_0, 1e6,
           "of each joint, in rad/s or m/s"),
    NUMBER(joint.friction, "Friction", NULL, "1", DPL_ABOVE_0, 1e9,
           "effort per speed, in N m s/rad or N s/m"),
    NUMBER(start_time_s, "StartTime", "s", "0", 0, 60, "from enable to the first command"),
    NUMBER(lost_from_s, "LostFrom", "s", "0", 0, 1e6, "the device is lost from this time on"),
    NUMBER(lost_to_s, "LostTo", "s", "0", 0, 1e6, "the device is found again at this time"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "joints without a world, with lag and limits of speed",
    .device_class = &dpl_joints_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .poll = mock_poll,
    .check = check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
