/* SPDX-License-Identifier: Apache-2.0 */
/* Localizer: finds the real robot in the world of its avatar from laser scans and odometry, and
 * publishes its pose with covariance. Its device is the plan of the surroundings. The avatar's true
 * pose is compared with the newest scan, too. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "diagnosis.h"
#include "publish.h"
#include "raycast.h"
#include "same_world.h"
#include "tables.h"
#include "tell.h"

/* What a scan tells of the avatar holds for two periods of the scanner, within these limits. */
#define SEEN_LEAST_S 0.35
#define SEEN_MOST_S  2.0

/* ---- life cycle ---- */

static void forget(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    bool restarts = state->restarts || state->localizer;
    localizer_destroy(state->localizer);
    free(state->moved);
    *state = (struct loc_state){.seen_stamp_s = (double)NAN,
                                .came_stamp_s = (double)NAN,
                                .returned_stamp_s = (double)NAN,
                                .restarts = restarts};
    state->estimate.state = LOCALIZER_INIT;
    loc_view_init(&state->view);
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    forget(self);
    ((struct loc_state *)self->state)->restarts = false;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    forget(self);
    loc_warn_of_another_world(self);
    return 0;
}

static void destroy(struct dpl_component *self)
{
    forget(self);
}

static bool read_truth(struct dpl_component *self, unsigned port, struct pose_history *history)
{
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    if (!dpl_port_is_connected(self, port) ||
        dpl_wheel_controller_call_get_truth(self, port, &response) < 0 || !response.valid) {
        return false;
    }
    pose_history_add(history, dpl_ns_to_s(response.stamp_ns), dpl_pose2_get(&pose));
    return true;
}

/* Where the robot is believed to be at the start; false: the avatar has not told yet. */
static bool find_start(struct dpl_component *self, struct dpl_pose2 *ret_pose)
{
    const struct loc_properties *props = self->properties;
    struct loc_state *state = self->state;
    if (!dpl_port_is_connected(self, LOC_PORT_AVATAR)) {
        *ret_pose = (struct dpl_pose2){props->start_x_m, props->start_y_m, props->start_theta_rad};
        return true;
    }
    return pose_history_at(&state->avatar, (double)INFINITY, ret_pose);
}

static struct dpl_raycast_outline *outlines_of(const struct dpl_floor_plan *plan)
{
    struct dpl_raycast_outline *outlines = calloc(plan->n_outlines + 1, sizeof *outlines);
    for (size_t i = 0; outlines && i < plan->n_outlines; i++) {
        const struct dpl_floor_plan_outline *from = &plan->outlines[i];
        outlines[i] = (struct dpl_raycast_outline){
            .x = from->x,
            .y = from->y,
            .dx = from->dx,
            .dy = from->dy,
            .radius = from->radius,
            .owner = from->object,
        };
    }
    return outlines;
}

static int create(struct dpl_component *self, struct dpl_pose2 from, double axle_m)
{
    struct loc_state *state = self->state;
    struct localizer_config config;
    loc_config_from(self->properties, &config);
    struct dpl_raycast_outline *outlines = outlines_of(&state->plan);
    state->moved = calloc(state->plan.n_objects + 1, sizeof *state->moved);
    if (!outlines || !state->moved) {
        free(outlines);
        return -ENOMEM;
    }
    config.outlines = outlines;
    config.n_outlines = state->plan.n_outlines;
    config.n_objects = state->plan.n_objects;
    config.axle_m = axle_m;
    config.start = from;
    config.start_trust &= !state->restarts; /* the robot has driven since */
    int err = localizer_create(&config, &state->localizer);
    free(outlines);
    return err;
}

/* Once the plan, the start and the axle are known: a served world may answer late. This is the only
 * place that allocates; before it the component does nothing. */
static int begin(struct dpl_component *self, const Doppel__Odometry *odometry)
{
    struct loc_state *state = self->state;
    struct dpl_pose2 from = {0};
    int err = dpl_floor_plan_get(dpl_component_device(self), &state->plan);
    if (err == -EAGAIN || err == -ENODEV || (err == 0 && !find_start(self, &from))) {
        return -EAGAIN;
    }
    err = err < 0 ? err : create(self, from, odometry->axle);
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "cannot localize: %s",
                          err == -EINVAL ? "the plan or the odometry has a number out of its range"
                                         : strerror(-err));
        return err;
    }
    loc_tell_start(self, from);
    loc_tell_empty_plan(self);
    return 0;
}

/* ---- inputs ---- */

static int take_odometry(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, LOC_PORT_ODOMETRY))) {
        const Doppel__Odometry *odometry = message->body;
        if (!state->localizer) {
            int err = begin(self, odometry);
            if (err < 0) {
                return err == -EAGAIN ? 0 : err;
            }
        }
        localizer_odometry(state->localizer, &(struct localizer_odometry){
                                                 .stamp_s = dpl_ns_to_s(message->stamp),
                                                 .left_m = odometry->left_travel,
                                                 .right_m = odometry->right_travel,
                                                 .has_gyro = odometry->has_gyro,
                                                 .gyro_rad = odometry->gyro_turn,
                                             });
        state->odometry =
            (struct loc_odometry){true, message->stamp, dpl_pose2_get(odometry->pose)};
    }
    return 0;
}

/* While everything is halted the drive gets nothing. */
static void take_command(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct loc_state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, LOC_PORT_COMMAND);
    if (message) {
        const Doppel__VelocityCommand *command = message->body;
        struct dpl_twist2 twist = dpl_twist2_get(command->twist);
        bool drives = command->active && !tick->halt;
        localizer_command(state->localizer, dpl_ns_to_s(message->stamp),
                          drives ? twist : (struct dpl_twist2){0});
    }
}

static void note_scan(struct loc_state *state, double stamp_s)
{
    double gap_s = stamp_s - state->came_stamp_s;
    state->scan_period_s = gap_s > 0.0 ? gap_s : 0.0;
    state->came_stamp_s = stamp_s;
}

static void take_scan(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, LOC_PORT_SCAN);
    if (!message || !state->localizer) {
        return;
    }
    const Doppel__Scan *scan = message->body;
    localizer_scan(state->localizer,
                   &(struct localizer_scan){
                       .stamp_s = dpl_ns_to_s(message->stamp),
                       .n = scan->n_ranges,
                       .ranges = scan->ranges,
                       .start_angle = scan->start_angle,
                       .step_angle = scan->step_angle,
                       .range_min = scan->range_min,
                       .range_max = scan->range_max,
                       .mount = scan->mount ? dpl_pose2_get(scan->mount) : (struct dpl_pose2){0},
                   });
    note_scan(state, dpl_ns_to_s(message->stamp));
    loc_tell_beams(self, scan, dpl_ns_to_s(message->stamp));
    state->n_scans++;
}

/* ---- judging ---- */

/* Once a scan that is used: how well the avatar's true pose at its time explains it. An old scan
 * says nothing of now. */
static void look_at_avatar(struct dpl_component *self, double now_s)
{
    struct loc_state *state = self->state;
    struct dpl_pose2 avatar;
    double stamp_s = state->estimate.scan_stamp_s;
    double most_s = dpl_clamp(2.0 * state->scan_period_s, SEEN_LEAST_S, SEEN_MOST_S);
    state->has_fresh_scan = now_s - stamp_s <= most_s; /* false for NAN */
    if (now_s - stamp_s > most_s) {
        state->seen.valid = false;
        state->seen_stamp_s = stamp_s;
        return;
    }
    if (isnan(stamp_s) || stamp_s == state->seen_stamp_s) {
        return;
    }
    state->seen_stamp_s = stamp_s;
    state->seen.valid = false;
    if (pose_history_at(&state->avatar, localizer_scan_time(state->localizer), &avatar)) {
        localizer_view(state->localizer, avatar, &state->seen);
    }
}

static void measure_truth(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct loc_properties *props = self->properties;
    struct loc_state *state = self->state;
    const struct localizer_estimate *estimate = &state->estimate;
    struct dpl_pose2 truth;
    if (!read_truth(self, LOC_PORT_TRUTH, &state->truth) ||
        dpl_ns_to_s(tick->now - state->started_at) < props->measure_from_s ||
        isnan(estimate->scan_stamp_s) || !pose_history_reaches(&state->truth, estimate->stamp_s) ||
        !pose_history_at(&state->truth, estimate->stamp_s, &truth)) {
        return;
    }
    double covariance[6], doubt2 = estimate->doubt_m * estimate->doubt_m;
    memcpy(covariance, estimate->covariance, sizeof covariance);
    covariance[0] += doubt2;
    covariance[2] += doubt2;
    truth_error_add(&state->error, truth, estimate->pose, covariance);
}

/* For the verdict that the avatar is elsewhere. */
static void tell_avatar(struct loc_state *state)
{
    struct dpl_pose2 avatar;
    double stamp_s = state->estimate.stamp_s;
    bool known = pose_history_reaches(&state->avatar, stamp_s) &&
                 pose_history_at(&state->avatar, stamp_s, &avatar);
    localizer_avatar(state->localizer,
                     known ? dpl_pose2_distance(avatar, state->estimate.pose) : (double)NAN);
}

static void report_verdicts(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct diagnosis *diagnosis = localizer_diagnosis(state->localizer);
    struct diagnosis_event event;
    while (localizer_take_event(state->localizer, &event)) {
        loc_tell_event(self, &event);
        loc_publish_event(self, &event);
    }
    state->verdict = (int)diagnosis_active(diagnosis)->verdict;
    state->n_verdicts = (int64_t)diagnosis_rises(diagnosis, VERDICT_NONE);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct loc_state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->started_at = state->calibration_at = tick->now;
    }
    enum localizer_state before = state->estimate.state;
    read_truth(self, LOC_PORT_AVATAR, &state->avatar);
    int err = take_odometry(self);
    take_scan(self);
    if (err < 0 || !state->localizer || !state->odometry.valid) {
        return err;
    }
    take_command(self, tick);
    tell_avatar(state);
    localizer_step(state->localizer, dpl_ns_to_s(tick->now));
    localizer_estimate(state->localizer, dpl_ns_to_s(state->odometry.stamp), &state->estimate);
    localizer_integrity(state->localizer, &state->integrity);
    localizer_calibration(state->localizer, &state->calibration);
    loc_tell_forgetting(self);
    look_at_avatar(self, dpl_ns_to_s(tick->now));
    measure_truth(self, tick);
    loc_tell_objects(self);
    loc_tell_state(self, before);
    report_verdicts(self);
    loc_view_fill(state);
    loc_publish_pose(self);
    loc_publish_calibration(self, tick);
    return 0;
}

/* ---- tables ---- */

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "Localizer",
    .summary = "finds the real robot in the plan of the device that ApiName names",
    .tag = "loc",
    .ops = &ops,
    .ports = loc_ports,
    .n_ports = LOC_N_PORTS,
    .properties = loc_property_table,
    .n_properties = LOC_N_PROPERTIES,
    .properties_size = sizeof(struct loc_properties),
    .exports = loc_export_table,
    .n_exports = LOC_N_EXPORTS,
    .state_size = sizeof(struct loc_state),
    .device_class = DPL_FLOOR_PLAN_CLASS,
    .n_device_calls = DPL_DRV_FLOOR_PLAN_N_CALLS,
    .only_senses = true,
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
