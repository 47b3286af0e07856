/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer: keeps the avatar on the real robot's pose by correcting the avatar's velocity. It
 * observes both at its own period and corrects at property Period; while it corrects, it owns the
 * avatar's velocity. The real robot's command stream is never touched. */
#include <string.h>

#include <doppel/msg/services.h>
#include <doppel/plugin.h>

#include "base.pb-c.h"
#include "tables.h"
#include "wheel_controller.pb-c.h"

enum port {
    PORT_REAL,
    PORT_AVATAR,
    PORT_COMMAND,
};

/* Knows nothing of the pair, and has counted nothing. */
static int begin(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    struct sync_state *state = self->state;
    struct dpl_sync_config config = sync_config_from(props);
    dpl_ns cycle = state->cycle;
    memset(state, 0, sizeof *state);
    state->cycle = cycle;
    state->period = dpl_ns_from_s(props->period_ms * 1e-3);
    state->period = cycle > state->period ? cycle : state->period;
    config.period_s = dpl_ns_to_s(state->period);
    int err = dpl_sync_init(&state->sync, &config);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        "a property is out of its range; `doppel info Synchronizer` lists them");
    }
    state->strategy = props->strategy;
    state->view.min_fidelity = (double)NAN;
    state->view.rms_mm = (double)NAN;
    state->view.max_mm = (double)NAN;
    state->truth = (struct sync_truth){.distance_mm = (double)NAN,
                                       .heading_deg = (double)NAN,
                                       .rms_mm = (double)NAN,
                                       .max_mm = (double)NAN,
                                       .final_mm = (double)NAN,
                                       .heading_rms_deg = (double)NAN};
    return 0;
}

/* Finds what is wrong with the properties. */
static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    return begin(self, reterr);
}

/* After a stop both robots may be anywhere, and others too: what was estimated and counted before
 * is of a synchronization that is over. Not in stop: what it came to is read after that. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    const struct sync_state *state = self->state;
    int err = begin(self, reterr);
    if (err == 0 && dpl_ns_to_s(state->period) * 1e3 > props->period_ms + 1e-6) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "Period %g ms is shorter than the component's own of %g ms: it corrects "
                          "every %g ms",
                          props->period_ms, dpl_ns_to_s(state->cycle) * 1e3,
                          dpl_ns_to_s(state->period) * 1e3);
    }
    return err;
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct sync_state *state = self->state;
    state->cycle = period;
    return 0;
}

static bool read_truth(struct dpl_component *self, unsigned port, struct dpl_pose2 *ret_pose)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    int err = dpl_service_call(self, port, DPL_WHEEL_GET_TRUTH, &request, &response);
    if (err < 0 || !response.valid) {
        return false;
    }
    *ret_pose = (struct dpl_pose2){pose.x, pose.y, pose.theta};
    return true;
}

/* The true error is measured every cycle, corrections or not. */
static void measure_truth(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    struct dpl_pose2 real, avatar;
    if (!read_truth(self, PORT_REAL, &real) || !read_truth(self, PORT_AVATAR, &avatar)) {
        return;
    }
    struct sync_truth *truth = &state->truth;
    double distance = dpl_pose2_distance(real, avatar);
    double heading = dpl_wrap_angle(real.theta - avatar.theta);
    truth->distance_mm = distance * 1e3;
    truth->heading_deg = dpl_rad_to_deg(heading);
    truth->final_mm = truth->distance_mm;
    truth->max_mm = truth->n == 0 ? truth->distance_mm : fmax(truth->max_mm, truth->distance_mm);
    truth->n++;
    truth->sum2_m2 += distance * distance;
    truth->heading_sum2_rad2 += heading * heading;
    truth->rms_mm = 1e3 * sqrt(truth->sum2_m2 / (double)truth->n);
    truth->heading_rms_deg = dpl_rad_to_deg(sqrt(truth->heading_sum2_rad2 / (double)truth->n));
}

static struct dpl_sync_pose_input read_pose(struct dpl_component *self, unsigned port)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    int err = dpl_service_call(self, port, DPL_WHEEL_GET_POSITION, &request, &response);
    return (struct dpl_sync_pose_input){
        .valid = err == 0 && response.valid,
        .pose = {pose.x, pose.y, pose.theta},
        .stamp_s = dpl_ns_to_s(response.stamp_ns),
        .restarts = response.restarts,
    };
}

static struct dpl_sync_input gather(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_sync_input input = {
        .now_s = dpl_ns_to_s(tick->now),
        .real = read_pose(self, PORT_REAL),
        .avatar = read_pose(self, PORT_AVATAR),
    };
    const struct dpl_message *message = dpl_port_latest(self, PORT_COMMAND);
    if (message) {
        const Doppel__VelocityCommand *command = message->body;
        input.has_command = command->active;
        input.command = (struct dpl_twist2){command->twist->linear, command->twist->angular};
    }
    return input;
}

static void drive_avatar(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct sync_state *state = self->state;
    Doppel__Drive drive = DOPPEL__DRIVE__INIT;
    Doppel__Empty empty = DOPPEL__EMPTY__INIT;
    drive.linear_velocity = twist.linear;
    drive.angular_velocity = twist.angular;
    state->refused += dpl_service_call(self, PORT_AVATAR, DPL_WHEEL_DRIVE, &drive, &empty) < 0;
    state->view.drive_v = twist.linear;
    state->view.drive_w = twist.angular;
}

/* Without a strategy the HIL driver's fan-out brings the command to the avatar; but not until it
 * has taken the avatar back from us when we had it follow the robot, so changes are passed on. */
static void pass_on(struct dpl_component *self, struct dpl_twist2 command)
{
    const struct sync_state *state = self->state;
    if (state->drove &&
        (state->view.drive_v != command.linear || state->view.drive_w != command.angular)) {
        drive_avatar(self, command);
    }
}

static void put_avatar(struct dpl_component *self, struct dpl_pose2 target)
{
    struct sync_state *state = self->state;
    Doppel__Empty empty = DOPPEL__EMPTY__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    pose.x = target.x;
    pose.y = target.y;
    pose.theta = target.theta;
    int err = dpl_service_call(self, PORT_AVATAR, DPL_WHEEL_SET_POSITION, &pose, &empty);
    if (err < 0) {
        state->refused++;
        dpl_sync_pose_refused(&state->sync);
    }
    if (err < 0 && !state->put_refused) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the avatar cannot be put at (%.3f, %.3f) m, %.1f deg: %s", target.x,
                          target.y, dpl_rad_to_deg(target.theta), strerror(-err));
    }
    state->put_refused = err < 0;
}

static void send(struct dpl_component *self, const struct dpl_sync_input *input,
                 const struct dpl_sync_output *output)
{
    struct sync_state *state = self->state;
    if (output->has_set_pose) {
        put_avatar(self, output->set_pose);
    }
    if (state->strategy == DPL_SYNC_NONE && input->has_command && !output->stops) {
        pass_on(self, input->command);
        return;
    }
    for (int i = 0; i < output->n_drive; i++) {
        drive_avatar(self, output->drive[i]);
        state->drove = true;
    }
}

static void view_robot(struct sync_robot_view *view, struct dpl_pose2 pose,
                       const struct dpl_sync_robot_status *status)
{
    *view = (struct sync_robot_view){
        .x = pose.x,
        .y = pose.y,
        .theta = pose.theta,
        .pose_age_s = status->pose_age_s,
        .latency_s = status->latency_s,
        .lag_s = status->lag_s,
        .m11 = status->map.m11,
        .m12 = status->map.m12,
        .m21 = status->map.m21,
        .m22 = status->map.m22,
        .scale_left = status->wheels.scale_left,
        .scale_right = status->wheels.scale_right,
        .axle_m = status->wheels.axle_m,
        .dv = status->bias.linear,
        .dw = status->bias.angular,
        .slip = status->slip,
        .nis = status->nis_average,
        .blocked = status->blocked,
        .rejected = status->rejected,
        .outliers = status->outliers,
        .jumps = status->jumps,
    };
}

static void view_status(struct sync_view *view, const struct dpl_sync_status *status)
{
    view->state = (int)status->state;
    view->ex = status->ex;
    view->ey = status->ey;
    view->et_deg = dpl_rad_to_deg(status->et);
    view->distance_mm = status->position_error * 1e3;
    view->heading_deg = dpl_rad_to_deg(status->heading_error);
    view->rms_5s_mm = status->rms_5s * 1e3;
    view->rms_mm = status->rms * 1e3;
    view->max_mm = status->max_position_error * 1e3;
    view->fidelity = status->fidelity;
    if (status->measured || status->state != DPL_SYNC_INIT) {
        view->min_fidelity = fmin(view->min_fidelity, status->fidelity); /* NaN before the first */
    }
    view->warn = status->warn;
    view->saturated = status->saturated;
    view->fallback = status->fallback;
    view->astray = status->astray;
    view->teleports = status->teleports;
    view->rejoins = status->rejoins;
    view->overruns = status->overruns;
    view->fallback_ticks = status->fallback_ticks;
    view->ticks++;
    view->warn_ticks += status->warn;
    view->diverged_ticks += status->state == DPL_SYNC_DIVERGED;
    view->lost_ticks += status->state == DPL_SYNC_LOST;
    view_robot(&view->real, status->real_pose, &status->real);
    view_robot(&view->avatar, status->avatar_pose, &status->avatar);
}

static void report_state(struct dpl_component *self, enum dpl_sync_state before,
                         const struct dpl_sync_status *status)
{
    enum dpl_log_level level = status->state > DPL_SYNC_STALE ? DPL_LOG_WARN : DPL_LOG_INFO;
    const char *from = dpl_sync_state_name(before), *to = dpl_sync_state_name(status->state);
    double real_s = status->real.pose_age_s, avatar_s = status->avatar.pose_age_s;
    if (status->astray) {
        dpl_component_log(self, level, "%s -> %s, the avatar's world began anew", from, to);
    } else if (fmax(real_s, avatar_s) > DPL_SYNC_STALE_S) {
        const char *who = real_s >= avatar_s ? "real robot" : "avatar";
        dpl_component_log(self, level, "%s -> %s, no pose of the %s for %.1f s", from, to, who,
                          fmax(real_s, avatar_s));
    } else {
        dpl_component_log(self, level, "%s -> %s, distance %.0f mm", from, to,
                          status->judged_error * 1e3);
    }
}

static void report_change(struct dpl_component *self, const struct sync_view *before,
                          const struct dpl_sync_status *status)
{
    if ((int)status->state != before->state) {
        report_state(self, (enum dpl_sync_state)before->state, status);
    }
    if (status->teleports > before->teleports) {
        dpl_component_log(self, DPL_LOG_WARN, "the avatar was put on the real robot, %.0f mm away",
                          status->judged_error * 1e3);
    }
    if (status->rejoins > before->rejoins) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the avatar's world began anew: the avatar was put on the real robot");
    }
    if (status->warn && !before->warn && status->measured) {
        dpl_component_log(self, DPL_LOG_WARN, "fidelity %.2f, distance %.0f mm", status->fidelity,
                          status->judged_error * 1e3);
    }
}

static void correct(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct sync_state *state = self->state;
    struct sync_view before = state->view;
    struct dpl_sync_input input = gather(self, tick);
    struct dpl_sync_output output;
    dpl_sync_step(&state->sync, &input, &output);
    view_status(&state->view, &output.status);
    if (!tick->halt) {
        send(self, &input, &output);
    } else if (output.has_set_pose) {
        dpl_sync_pose_refused(&state->sync); /* nothing moves now */
    }
    report_change(self, &before, &output.status);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct sync_properties *props = self->properties;
    struct sync_state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->started_at = tick->now;
        state->next_step = tick->now;
    }
    if (dpl_ns_to_s(tick->now - state->started_at) >= props->settle_s) {
        measure_truth(self);
    }
    if (tick->now >= state->next_step) {
        correct(self, tick);
        dpl_ns behind = tick->now - state->next_step;
        state->next_step +=
            state->period * (1 + behind / state->period); /* keeps its grid after a late cycle */
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    Doppel__Empty empty = DOPPEL__EMPTY__INIT;
    dpl_service_call(self, PORT_AVATAR, DPL_WHEEL_STOP, &empty, &empty);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_REAL] =
        {
            .name = "Real",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the real robot's base, e.g. WheelController.HardwareService",
        },
    [PORT_AVATAR] =
        {
            .name = "Avatar",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the avatar's base, e.g. WheelController.SimulationService",
        },
    [PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "the application's command; without it the real robot's motion is followed",
        },
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "Synchronizer",
    .summary = "keeps the avatar on the real robot's pose and says how well",
    .tag = "sync",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = sync_property_table,
    .n_properties = SYNC_N_PROPERTIES,
    .properties_size = sizeof(struct sync_properties),
    .exports = sync_export_table,
    .n_exports = SYNC_N_EXPORTS,
    .state_size = sizeof(struct sync_state),
    .default_period = 10 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
