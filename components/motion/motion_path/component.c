/* SPDX-License-Identifier: Apache-2.0 */
/* MotionPath: takes the planner's poses and gives the axes a reference in each servo tick. While
 * the axes do not follow, it rests at the measured pose of the platform, so that the axes start
 * where they are. */
#include <errno.h>
#include <string.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "brake.h"
#include "path.h"
#include "six_check.h"

#define SERVO_TICKS_A_MOVE 4

enum port {
    PORT_POSE,
    PORT_COMMAND,
    PORT_MEASURED,
    PORT_AXES,
    PORT_KINEMATICS,
    PORT_REFERENCE,
    PORT_PATH,
};

struct properties {
    char accel_max[192];
    int64_t distance;
    int law; /* enum dpl_time_base_law */
    int64_t limit, reversal, gain;
    bool spread;
};

struct state {
    struct dpl_path path;
    struct dpl_traj_axes brake; /* limits of a synthesised move */
    dpl_ns period;
    bool placed;    /* the path rests or moves at a known pose */
    bool following; /* the axes follow it */
    int map_error;  /* the newest result of the inverse kinematics */
    double axis[DPL_AXES_N];
    double factor;
    bool moving;
    int64_t distance, n_synthesised, n_overruns, n_late, n_map_faults, n_bad, n_off_nominal;
};

/* ---- callbacks of the path ------------------------------------------------------------------ */

static void brake_next(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                       double ret_pose[DPL_SIX])
{
    const struct state *state = context;
    struct dpl_traj_motion motion;
    memcpy(motion.y, pose, sizeof motion.y);
    memcpy(motion.d, step, sizeof motion.d);
    dpl_traj_brake_step(&state->brake, &motion, ret_pose);
}

static int ask_kinematics(struct dpl_component *self, const double pose[DPL_SIX],
                          double ret_axes[DPL_AXES_N])
{
    Doppel__Pose6 request = DOPPEL__POSE6__INIT;
    Doppel__Axes response = DOPPEL__AXES__INIT;
    double position[DPL_AXES_N];
    response.position = position;
    response.n_position = DPL_AXES_N;
    dpl_pose6_set(&request, pose);
    int err = dpl_kinematics_call_inverse(self, PORT_KINEMATICS, &request, &response);
    if (err >= 0 && response.n_position != DPL_AXES_N) {
        err = -EPROTO;
    }
    if (err >= 0) {
        memcpy(ret_axes, position, sizeof position);
    }
    return err < 0 ? err : 0;
}

/* Logs the first failure, and then not again until a success. */
static int to_axes(void *context, const double pose[DPL_SIX], double ret_axes[DPL_AXES_N])
{
    struct dpl_component *self = context;
    struct state *state = self->state;
    int err = ask_kinematics(self, pose, ret_axes);
    state->n_map_faults += err < 0;
    if (err < 0 && state->map_error == 0) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "no axis positions for the pose (%g, %g, %g) m, (%g, %g, %g) rad: %s",
                          pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], strerror(-err));
    }
    state->map_error = err;
    return err;
}

static void configure(struct dpl_component *self, struct dpl_path_config *ret_config)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    double accel_max[DPL_SIX];
    const char *at;
    dpl_six_read(props->accel_max, accel_max, &at); /* check_limits has checked the text */
    double period_s = dpl_ns_to_s(state->period);
    dpl_traj_axes_set(&state->brake, dpl_ns_to_s(SERVO_TICKS_A_MOVE * state->period), accel_max);
    *ret_config = (struct dpl_path_config){
        .servo_period_s = period_s,
        .time_base = {.law = (enum dpl_time_base_law)props->law,
                      .distance = (int)props->distance,
                      .limit = (int)props->limit,
                      .reversal = (int)props->reversal,
                      .spread = props->spread,
                      .gain = (int)props->gain},
        .brake = {.next = brake_next, .context = state},
    };
    if (dpl_port_is_connected(self, PORT_KINEMATICS)) {
        ret_config->map = (struct dpl_pose_map){.to_axes = to_axes, .context = self};
    }
}

/* ---- life cycle ----------------------------------------------------------------------------- */

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    ((struct state *)self->state)->period = period;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct state *state = self->state;
    struct dpl_path_config config;
    struct dpl_time_base time_base;
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a path moves on by its period: its execution must be periodic");
    }
    configure(self, &config);
    if (dpl_time_base_init(&time_base, &config.time_base) < 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "the time base cannot work with these properties");
    }
    state->path = (struct dpl_path){.config = config};
    state->placed = state->following = false;
    return 0;
}

/* ---- a tick --------------------------------------------------------------------------------- */

/* Whether the axes shall follow. If their state is not connected, they count as following from the
 * first motion on: before that they may still be on the way to being enabled. */
static bool axes_follow(struct dpl_component *self, bool did)
{
    const struct dpl_message *message = dpl_port_latest(self, PORT_COMMAND);
    const Doppel__MachineCommand *command = message ? message->body : NULL;
    bool asked = command ? command->axes_on && !command->axes_stop
                         : !dpl_port_is_connected(self, PORT_COMMAND);
    if (dpl_port_is_connected(self, PORT_AXES)) {
        const struct dpl_message *seen = dpl_port_latest(self, PORT_AXES);
        const Doppel__AxisState *axes = seen ? seen->body : NULL;
        return asked && axes && axes->mode == DOPPEL__AXES_MODE__AXES_ON;
    }
    bool moves = !command || command->state != DOPPEL__MACHINE_STATE__MACHINE_STOPPED;
    return asked && (did || moves);
}

/* While the axes do not follow: rests at the measured pose of the platform, or at the last known
 * one. */
static void rest(struct dpl_component *self)
{
    struct state *state = self->state;
    double pose[DPL_SIX];
    const struct dpl_message *message = dpl_port_latest(self, PORT_MEASURED);
    const Doppel__MeasuredPose *measured = message ? message->body : NULL;
    if (!measured || !measured->valid) {
        return;
    }
    dpl_pose6_get(measured->pose, pose);
    state->placed = dpl_path_rest_at(&state->path, pose) == 0;
}

static void receive_poses(struct dpl_component *self)
{
    struct state *state = self->state;
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, PORT_POSE))) {
        const Doppel__PlannedPose *planned = message->body;
        double pose[DPL_SIX];
        if (!state->following || !state->placed) {
            continue;
        }
        dpl_pose6_get(planned->pose, pose);
        bool late = planned->upon != state->path.buffer.n_synthesised;
        int err =
            late ? -ESTALE : dpl_pose_buffer_write(&state->path.buffer, planned->sequence, pose);
        state->n_late += err == -ESTALE;
        state->n_overruns += err == -ENOSPC;
        state->n_bad += err == -EINVAL;
    }
}

static void publish_reference(struct dpl_component *self,
                              const struct dpl_axis_reference *reference, dpl_ns now)
{
    Doppel__AxisReference *message = dpl_port_loan(self, PORT_REFERENCE);
    if (!message) {
        return;
    }
    memcpy(message->position, reference->position, sizeof reference->position);
    memcpy(message->velocity, reference->velocity, sizeof reference->velocity);
    memcpy(message->acceleration, reference->acceleration, sizeof reference->acceleration);
    message->n_position = message->n_velocity = message->n_acceleration = DPL_AXES_N;
    dpl_port_publish(self, PORT_REFERENCE, message, now);
}

static void publish_path(struct dpl_component *self, dpl_ns now)
{
    const struct state *state = self->state;
    const struct dpl_path *path = &state->path;
    Doppel__PathState *message = dpl_port_loan(self, PORT_PATH);
    if (!message) {
        return;
    }
    double last[2][DPL_SIX];
    message->next_sequence = dpl_pose_buffer_resume(&path->buffer, last);
    dpl_pose6_set(message->last, last[0]);
    dpl_pose6_set(message->before, last[1]);
    message->distance = dpl_pose_buffer_distance(&path->buffer);
    message->full = message->distance >= DPL_POSE_BUFFER_SLOTS;
    message->moving = state->moving;
    message->synthesised = path->buffer.n_synthesised;
    message->factor = state->factor;
    message->unreachable = state->map_error < 0;
    dpl_port_publish(self, PORT_PATH, message, now);
}

static void update_trace(struct state *state, const struct dpl_axis_reference *reference)
{
    const struct dpl_path *path = &state->path;
    memcpy(state->axis, reference->position, sizeof state->axis);
    state->factor = reference->factor;
    state->n_off_nominal += reference->factor != 1.0;
    state->moving = !dpl_path_at_rest(path);
    state->distance = dpl_pose_buffer_distance(&path->buffer);
    state->n_synthesised = (int64_t)path->buffer.n_synthesised;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_axis_reference reference;
    state->following = axes_follow(self, state->following);
    if (!state->following || !state->placed) {
        rest(self);
    }
    receive_poses(self);
    if (!state->placed) {
        return 0;
    }
    (void)dpl_path_step(&state->path, &reference); /* to_axes counts and logs errors */
    update_trace(state, &reference);
    publish_reference(self, &reference, tick->now);
    publish_path(self, tick->now);
    return 0;
}

/* ---- tables --------------------------------------------------------------------------------- */

static int check_limits(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, 1e-6, 1e6, reterr);
}

static const struct dpl_field properties[] = {
    DPL_TEXT_CHECKED(
        struct properties, accel_max, "AccelerationLimits", "10 20", check_limits,
        "of the brake when poses do not come: m/s2 and rad/s2 (1, 2 or 6 numbers); those "
        "of TrajectoryPlanner must be the same"),
    DPL_INT(struct properties, distance, "DistanceWanted", "2", 1, 4,
            "poses between planner and path; each is a move of delay"),
    DPL_CHOICE(
        struct properties, law, "TimeBase", "fractional", "steps|fractional|off",
        "how the distance is controlled: steps of 1 %, as published, in proportion, or not at all"),
    DPL_INT(struct properties, limit, "TimeBaseLimit", "20", 1, 50,
            "largest change of the path's rate, in percent"),
    DPL_INT(struct properties, reversal, "TimeBaseReversal", "2", 2, 100,
            "with a change of the wrong sign: percent per move by which it returns"),
    DPL_INT(struct properties, gain, "TimeBaseGain", "16", 1, 100,
            "fractional: percent for a pose of distance"),
    DPL_BOOL(struct properties, spread, "TimeBaseSpread", "true",
             "a change takes effect over the ticks of a move, not in one"),
};

#define E(member_, name_, unit_, text_)                                                            \
    DPL_EXPORT_NUMBER(struct state, member_, name_, unit_, DPL_FIELD_TRACE, text_)
#define S(member_, name_, text_)                                                                   \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    E(axis[0], "q1", "m", "reference of an axis"),
    E(axis[1], "q2", "m", "reference of an axis"),
    E(axis[2], "q3", "m", "reference of an axis"),
    E(axis[3], "q4", "m", "reference of an axis"),
    E(axis[4], "q5", "m", "reference of an axis"),
    E(axis[5], "q6", "m", "reference of an axis"),
    E(factor, "factor", NULL, "of the time base"),
    DPL_EXPORT_INT(struct state, distance, "distance", NULL, DPL_FIELD_TRACE,
                   "poses received and not yet used"),
    DPL_EXPORT_BOOL(struct state, following, "following", DPL_FIELD_TRACE,
                    "the axes follow the path"),
    DPL_EXPORT_INT(struct state, n_synthesised, "synthesised", NULL,
                   DPL_FIELD_TRACE | DPL_FIELD_SUMMARY, "poses made by the brake"),
    S(n_overruns, "overruns", "poses dropped because the buffer was full"),
    S(n_late, "late_poses", "poses that came too late: the brake had replaced them"),
    S(n_bad, "bad_poses", "poses that were not finite"),
    S(n_map_faults, "map_faults", "poses without axis positions"),
    S(n_off_nominal, "off_nominal", "ticks in which the time base was not nominal"),
};

#define PORT(port_, name_, dir_, message_, text_)                                                  \
    [port_] = {                                                                                    \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = dir_,                                                                               \
        .message = &doppel__##message_##__descriptor,                                              \
        .policy = DPL_QUEUE_LAST,                                                                  \
        .capacity = DPL_AXES_N,                                                                    \
        .summary = text_,                                                                          \
    }

static const struct dpl_port_desc ports[] = {
    [PORT_POSE] =
        {
            .name = "pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__planned_pose__descriptor,
            .policy = DPL_QUEUE_FIFO,
            .depth = 8,
            .summary = "planned poses, one a move of four ticks",
        },
    PORT(PORT_COMMAND, "command", DPL_PORT_IN, machine_command,
         "whether the axes shall follow; open: always"),
    PORT(PORT_MEASURED, "measured", DPL_PORT_IN, measured_pose,
         "pose of the path while the axes do not follow"),
    PORT(PORT_AXES, "axes", DPL_PORT_IN, axis_state,
         "whether the axes follow; open: from the first motion on"),
    [PORT_KINEMATICS] =
        {
            .name = "KinematicsService",
            .aliases = "Kinematics",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__kinematics_service__descriptor,
            .summary = "from poses to axes; open: an axis is a number of the pose",
        },
    PORT(PORT_REFERENCE, "reference", DPL_PORT_OUT, axis_reference,
         "each tick: where the axes shall be"),
    PORT(PORT_PATH, "path", DPL_PORT_OUT, path_state,
         "each tick: the state from which the planner continues"),
};

static const struct dpl_component_ops ops = {
    .start = start,
    .execute = execute,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "MotionPath",
    .summary = "buffers planned poses and blends them into references of the axes",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 625 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
