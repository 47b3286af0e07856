/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer: keeps the avatar on the real robot's pose by correcting the avatar's velocity. It
 * observes both at its own period and corrects at property Period; for that it takes the avatar,
 * and releases it when it stops. The real robot's command stream is never touched. */
#include <errno.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "tables.h"

/* Back to the state before the first cycle: nothing estimated, nothing counted. */
static int begin(struct dpl_component *self, struct dpl_sync_config config, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    struct sync_state *state = self->state;
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
    state->safe_radius_mm = props->safe_radius_m * 1e3;
    sync_view_init(&state->view);
    state->truth = (struct sync_truth){.distance_mm = (double)NAN,
                                       .heading_deg = (double)NAN,
                                       .rms_mm = (double)NAN,
                                       .max_mm = (double)NAN,
                                       .final_mm = (double)NAN,
                                       .heading_rms_deg = (double)NAN,
                                       .heading_max_deg = (double)NAN};
    state->interval_held = (double)NAN;
    state->place_mm = state->refusal_told_s = state->flaw_told_s = (double)NAN;
    return 0;
}

/* Finds what is wrong with the properties. */
static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    return begin(self, sync_config_from(self->properties), reterr);
}

/* After a stop both robots may be anywhere, and others too: what was estimated and counted before
 * is of a synchronization that is over. Not in stop: what it came to is read after that. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct sync_properties *props = self->properties;
    const struct sync_state *state = self->state;
    struct dpl_sync_config config = sync_config_from(props);
    sync_limits_ask(self, SYNC_PORT_REAL, SYNC_PORT_AVATAR, &config);
    int err = begin(self, config, reterr);
    if (err == 0 && dpl_ns_to_s(state->period) * 1e3 > props->period_ms + 1e-6) {
        dpl_component_log(
            self, DPL_LOG_WARN,
            "Period %g ms is shorter than the component's period of %g ms: corrections every %g ms",
            props->period_ms, dpl_ns_to_s(state->cycle) * 1e3, dpl_ns_to_s(state->period) * 1e3);
    }
    return err;
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct sync_state *state = self->state;
    state->cycle = period;
    return 0;
}

/* The true error is measured every cycle, corrections or not. */
static void measure_truth(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    struct dpl_pose2 real, avatar;
    struct sync_truth *truth = &state->truth;
    truth->distance_mm = truth->heading_deg = truth->final_mm = (double)NAN;
    if (!sync_read_truths(self, &real, &avatar)) {
        return;
    }
    double distance = dpl_pose2_distance(real, avatar);
    double heading = dpl_wrap_angle(real.theta - avatar.theta);
    truth->distance_mm = distance * 1e3;
    truth->heading_deg = dpl_rad_to_deg(heading);
    truth->final_mm = truth->distance_mm;
    truth->max_mm = truth->n == 0 ? truth->distance_mm : fmax(truth->max_mm, truth->distance_mm);
    truth->heading_max_deg = fmax(truth->heading_max_deg, fabs(truth->heading_deg));
    truth->n++;
    truth->sum2_m2 += distance * distance;
    truth->heading_sum2_rad2 += heading * heading;
    truth->rms_mm = 1e3 * sqrt(truth->sum2_m2 / (double)truth->n);
    truth->heading_rms_deg = dpl_rad_to_deg(sqrt(truth->heading_sum2_rad2 / (double)truth->n));
}

static void show_drive(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct sync_state *state = self->state;
    state->view.drive_v = twist.linear;
    state->view.drive_w = twist.angular;
}

/* Also before each command, since we lose the avatar when we are late or when the avatar is lost.
 * An avatar that is a base of its own, no side of a HIL driver, cannot be taken and need not be. */
static int take_avatar(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    int err = dpl_wheel_controller_call_take_wheel(self, SYNC_PORT_AVATAR);
    if (err == -EBUSY && state->hold != SYNC_AVATAR_OF_OTHERS) {
        dpl_component_log(self, DPL_LOG_WARN, "another component has taken the avatar");
    }
    switch (err) {
    case 0: state->hold = SYNC_AVATAR_TAKEN; return 0;
    case -ENOTSUP: state->hold = SYNC_AVATAR_ALONE; return 0;
    case -EBUSY: state->hold = SYNC_AVATAR_OF_OTHERS; return err;
    default: state->hold = SYNC_AVATAR_FREE; return err;
    }
}

static void release_avatar(struct dpl_component *self)
{
    struct sync_state *state = self->state;
    if (state->hold == SYNC_AVATAR_TAKEN) {
        dpl_wheel_controller_call_release_wheel(self, SYNC_PORT_AVATAR);
        state->hold = SYNC_AVATAR_FREE;
    }
}

static void drive_avatar(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct sync_state *state = self->state;
    int err = take_avatar(self);
    if (err == 0) {
        err = dpl_wheel_controller_call_drive_wheel(self, SYNC_PORT_AVATAR, twist.linear,
                                                    twist.angular);
    }
    state->refused += err < 0;
    show_drive(self, twist);
}

static void put_avatar(struct dpl_component *self, const struct dpl_sync_output *output)
{
    struct sync_state *state = self->state;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    dpl_pose2_set(&pose, output->set_pose);
    /* Of a base of its own SetPosition moves the odometry, not the base. */
    bool moves_odometry = state->hold == SYNC_AVATAR_ALONE && state->avatar_by_truth;
    int err = moves_odometry
                  ? -ENOTSUP
                  : dpl_wheel_controller_call_set_position(self, SYNC_PORT_AVATAR, &pose);
    state->placing = DPL_SYNC_PLACE_PENDING;
    if (err < 0) {
        sync_refuse_place(state, err);
    }
}

static void send(struct dpl_component *self, const struct dpl_sync_input *input,
                 const struct dpl_sync_output *output)
{
    struct sync_state *state = self->state;
    if (output->has_set_pose) {
        put_avatar(self, output);
    }
    if (state->strategy == DPL_SYNC_NONE && input->has_command && !output->stops) {
        release_avatar(self); /* the HIL driver brings it the command */
        show_drive(self, (struct dpl_twist2){0});
        return;
    }
    for (int i = 0; i < output->n_drive; i++) {
        drive_avatar(self, output->drive[i]);
    }
}

/* How often the interval that is published holds the true distance. */
static void score_interval(struct sync_state *state)
{
    const struct sync_view *view = &state->view;
    double within = view->error_limit_mm - view->distance_mm;
    double off = fabs(state->truth.distance_mm - view->distance_mm);
    if (isnan(within) || isnan(off)) {
        return;
    }
    state->n_judged++;
    state->n_held += off <= within;
    state->interval_held = (double)state->n_held / (double)state->n_judged;
}

static void correct(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct sync_state *state = self->state;
    struct sync_view before = state->view;
    struct dpl_sync_input input = sync_gather(self, tick);
    struct dpl_sync_output output;
    dpl_sync_step(&state->sync, &input, &output);
    sync_view_fill(&state->view, &output.status);
    sync_view_localizer(&state->view, &state->sync.localization);
    score_interval(state);
    if (output.has_set_pose) {
        state->place_mm = output.place_distance * 1e3;
    }
    if (!tick->halt) {
        send(self, &input, &output);
    } else if (output.has_set_pose) {
        state->placing = DPL_SYNC_PLACE_REFUSED;
        state->refusal = SYNC_REFUSAL_HALTED;
    }
    sync_report(self, &before, &output.status);
}

/* Commands come more often than corrections, and corrections may be further apart than the avatar's
 * owner may be silent. */
static void hear(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct sync_state *state = self->state;
    struct dpl_twist2 command = {0.0, 0.0};
    bool has_command = sync_read_command(self, &command);
    dpl_sync_hear(&state->sync, dpl_ns_to_s(tick->now), has_command, command);
    if (state->hold == SYNC_AVATAR_TAKEN && !tick->halt) {
        take_avatar(self);
    }
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
    } else {
        hear(self, tick);
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    const struct sync_state *state = self->state;
    if (state->hold == SYNC_AVATAR_ALONE) {
        dpl_wheel_controller_call_stop_wheel(self, SYNC_PORT_AVATAR);
    }
    release_avatar(self);
    return 0;
}

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "Synchronizer",
    .summary = "keeps the avatar at the real robot's pose and publishes the error",
    .tag = "sync",
    .ops = &ops,
    .ports = sync_ports,
    .n_ports = SYNC_N_PORTS,
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
