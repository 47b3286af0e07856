/* SPDX-License-Identifier: Apache-2.0 */
/* Localizer: finds the real robot in the world of its avatar from laser scans and odometry, and
 * publishes its pose with covariance. Its device is the plan of the surroundings. The avatar's true
 * pose is compared with the newest scan, too. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "diagnosis.h"
#include "raycast.h"
#include "tables.h"

#define CALIBRATION_EVERY DPL_S
#define NAME_MAX_BYTES    64 /* of an object, in the event */

/* What a scan tells of the avatar holds for two periods of the scanner, within these limits. */
#define SEEN_LEAST_S 0.35
#define SEEN_MOST_S  2.0

enum port {
    PORT_SCAN,
    PORT_ODOMETRY,
    PORT_AVATAR,
    PORT_TRUTH,
    PORT_POSE,
    PORT_CALIBRATION,
    PORT_COMMAND,
    PORT_DIAGNOSIS,
};

/* ---- life cycle ---- */

static void forget(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    localizer_destroy(state->localizer);
    free(state->moved);
    *state = (struct loc_state){.seen_stamp_s = (double)NAN, .came_stamp_s = (double)NAN};
    state->estimate.state = LOCALIZER_INIT;
    loc_view_init(&state->view);
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    forget(self);
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
    if (!dpl_port_is_connected(self, PORT_AVATAR)) {
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
    dpl_component_log(self, DPL_LOG_INFO,
                      "the plan has %zu objects with %zu outlines; start at x %.2f m, y %.2f m, "
                      "%.0f deg",
                      state->plan.n_objects, state->plan.n_outlines, from.x, from.y,
                      dpl_rad_to_deg(from.theta));
    return 0;
}

/* ---- inputs ---- */

static int take_odometry(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, PORT_ODOMETRY))) {
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
    const struct dpl_message *message = dpl_port_take(self, PORT_COMMAND);
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
    const struct dpl_message *message = dpl_port_take(self, PORT_SCAN);
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
    state->n_scans++;
    state->scan_stamp = message->stamp;
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
    if (!read_truth(self, PORT_TRUTH, &state->truth) ||
        dpl_ns_to_s(tick->now - state->started_at) < props->measure_from_s ||
        isnan(estimate->scan_stamp_s) ||
        !pose_history_at(&state->truth, estimate->stamp_s, &truth)) {
        return;
    }
    truth_error_add(&state->error, truth, estimate->pose, estimate->covariance);
}

static const char *name_of(const struct dpl_floor_plan *plan, size_t object)
{
    return plan->names && plan->names[object] ? plan->names[object] : "?";
}

static void report_objects(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    for (size_t i = 0; i < state->plan.n_objects; i++) {
        struct localizer_object object;
        localizer_object(state->localizer, i, &object);
        bool is_moved = object.reliability < 0.5;
        if (is_moved && !state->moved[i]) {
            state->n_moved++;
            dpl_component_log(self, DPL_LOG_WARN,
                              "beams go through %s: it is not where the world has it, and is not "
                              "used any more",
                              name_of(&state->plan, i));
        }
        state->moved[i] = is_moved;
    }
}

static void report_state(struct dpl_component *self, enum localizer_state before)
{
    struct loc_state *state = self->state;
    const struct localizer_estimate *now = &state->estimate;
    state->n_lost += now->state == LOCALIZER_LOST || now->state == LOCALIZER_AMBIGUOUS;
    state->n_coasting += now->state == LOCALIZER_COASTING || now->state == LOCALIZER_MAP_WRONG;
    if (now->state == before) {
        return;
    }
    bool is_good = now->state == LOCALIZER_TRACKING;
    dpl_component_log(self, is_good ? DPL_LOG_INFO : DPL_LOG_WARN,
                      "%s -> %s, agreement of the scan %.2f, sigma %.0f mm", loc_state_name(before),
                      loc_state_name(now->state), now->agreement,
                      1e3 * sqrt(now->covariance[0] + now->covariance[2]));
}

/* For the verdict that the avatar is elsewhere. */
static void tell_avatar(struct loc_state *state)
{
    struct dpl_pose2 avatar;
    bool known = pose_history_at(&state->avatar, state->estimate.stamp_s, &avatar);
    localizer_avatar(state->localizer,
                     known ? dpl_pose2_distance(avatar, state->estimate.pose) : (double)NAN);
}

/* ---- outputs ---- */

/* What of the residuals explains the verdict. */
static void explain(const struct loc_state *state, const struct diagnosis_verdict *what,
                    char *ret_text, size_t size)
{
    const struct residuals *r = &what->residuals;
    if (what->verdict == VERDICT_NO_LASER) {
        dpl_ns since = state->n_scans > 0 ? state->scan_stamp : state->started_at;
        snprintf(ret_text, size, "no scan for %.1f s%s", dpl_ns_to_s(state->odometry.stamp - since),
                 state->n_scans > 0 ? "" : ", since the start");
    } else if (what->verdict == VERDICT_GYRO) {
        snprintf(ret_text, size,
                 "turn in the last %.1f s: wheels against gyro %.1f deg, gyro against laser %.1f "
                 "deg, wheels against laser %.1f deg",
                 r->span_s, dpl_rad_to_deg(r->odometry_gyro_rad), dpl_rad_to_deg(r->gyro_laser_rad),
                 dpl_rad_to_deg(r->odometry_laser_rad));
    } else {
        snprintf(ret_text, size,
                 "wheels against command %.0f and %.0f mm, odometry against laser %.0f mm and %.1f "
                 "deg",
                 1e3 * r->command_m[0], 1e3 * r->command_m[1], 1e3 * r->shift_m,
                 dpl_rad_to_deg(r->odometry_laser_rad));
    }
}

static void log_event(struct dpl_component *self, const struct diagnosis_event *event)
{
    const struct loc_state *state = self->state;
    const struct diagnosis_verdict *what = &event->what;
    if (!event->rise) {
        dpl_component_log(self, DPL_LOG_INFO, "%s is over", verdict_name(what->verdict));
        return;
    }
    const char *wheel = verdict_wheel_name(what->wheel);
    char why[192];
    explain(state, what, why, sizeof why);
    dpl_component_log(self, DPL_LOG_WARN, "%s%s%s%s%s: %s", verdict_name(what->verdict),
                      *wheel ? ", wheel " : "", wheel, what->object >= 0 ? ", " : "",
                      what->object >= 0 ? name_of(&state->plan, (size_t)what->object) : "", why);
}

static void publish_event(struct dpl_component *self, const struct diagnosis_event *event)
{
    const struct loc_state *state = self->state;
    const struct diagnosis_verdict *what = &event->what;
    const struct residuals *r = &what->residuals;
    Doppel__Diagnosis *message = dpl_port_loan(self, PORT_DIAGNOSIS);
    if (!message) {
        return;
    }
    message->verdict = (Doppel__RobotVerdict)what->verdict;
    message->rise = event->rise;
    message->wheel = (Doppel__VerdictWheel)what->wheel;
    if (what->object >= 0) {
        const char *name = name_of(&state->plan, (size_t)what->object);
        snprintf(message->object, NAME_MAX_BYTES + 1, "%s", name);
    }
    message->x = what->x;
    message->y = what->y;
    message->start_stamp_ns = dpl_ns_from_s(what->start_s);
    message->off = what->off;
    message->parameter = what->parameter >= 0 ? (uint32_t)what->parameter : 0;
    message->path = r->path_m;
    message->command_left = r->command_m[0];
    message->command_right = r->command_m[1];
    message->shift = r->shift_m;
    message->across = r->across_m;
    message->odometry_gyro = r->odometry_gyro_rad;
    message->odometry_laser = r->odometry_laser_rad;
    message->gyro_laser = r->gyro_laser_rad;
    dpl_port_publish(self, PORT_DIAGNOSIS, message, dpl_ns_from_s(event->stamp_s));
}

static void report_verdicts(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct diagnosis *diagnosis = localizer_diagnosis(state->localizer);
    struct diagnosis_event event;
    while (localizer_take_event(state->localizer, &event)) {
        log_event(self, &event);
        publish_event(self, &event);
    }
    state->verdict = (int)diagnosis_active(diagnosis)->verdict;
    state->n_verdicts = (int64_t)diagnosis_rises(diagnosis, VERDICT_NONE);
}

/* Of the odometry's frame in the world. */
static struct dpl_pose2 correction_of(const struct loc_state *state)
{
    struct dpl_pose2 back = dpl_pose2_relative(state->odometry.pose, (struct dpl_pose2){0});
    return dpl_pose2_compose(state->estimate.pose, back);
}

static void publish_pose(struct dpl_component *self)
{
    const struct loc_state *state = self->state;
    const struct localizer_estimate *estimate = &state->estimate;
    Doppel__LocalizedPose *message = dpl_port_loan(self, PORT_POSE);
    if (!message) {
        return;
    }
    dpl_pose2_set(message->pose, estimate->pose);
    memcpy(message->covariance, estimate->covariance, sizeof estimate->covariance);
    message->n_covariance = DPL_COUNT(estimate->covariance);
    message->state = (Doppel__LocalizerState)estimate->state;
    dpl_pose2_set(message->correction, correction_of(state));
    message->relocations = estimate->relocations;
    message->scan_stamp_ns =
        isnan(estimate->scan_stamp_s) ? 0 : dpl_ns_from_s(estimate->scan_stamp_s);
    message->agreement = estimate->agreement;
    message->short_share = estimate->too_short;
    message->long_share = estimate->too_long;
    message->nis = estimate->nis;
    message->map_error = estimate->map_error_m;
    message->unobservable = estimate->unobservable;
    message->unobservable_direction = estimate->unobservable_rad;
    message->hypotheses = estimate->hypotheses;
    message->has_avatar = state->seen.valid;
    message->avatar_agreement = state->seen.agreement;
    message->scan_distance = state->seen.scan_distance_m;
    dpl_port_publish(self, PORT_POSE, message, state->odometry.stamp);
}

static void publish_calibration(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct loc_state *state = self->state;
    if (tick->now < state->calibration_at) {
        return;
    }
    state->calibration_at = tick->now + CALIBRATION_EVERY;
    Doppel__LocalizerCalibration *message = dpl_port_loan(self, PORT_CALIBRATION);
    if (!message) {
        return;
    }
    for (size_t i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        message->value[i] = state->calibration.value[i];
        message->sigma[i] = state->calibration.sigma[i];
        message->identified[i] = state->calibration.identified[i];
    }
    message->n_value = message->n_sigma = message->n_identified = LOCALIZER_N_PARAMETERS;
    dpl_port_publish(self, PORT_CALIBRATION, message, tick->now);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct loc_state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->started_at = state->calibration_at = tick->now;
    }
    enum localizer_state before = state->estimate.state;
    read_truth(self, PORT_AVATAR, &state->avatar);
    int err = take_odometry(self);
    take_scan(self);
    if (err < 0 || !state->localizer || !state->odometry.valid) {
        return err;
    }
    take_command(self, tick);
    tell_avatar(state);
    localizer_step(state->localizer, dpl_ns_to_s(tick->now));
    localizer_estimate(state->localizer, dpl_ns_to_s(state->odometry.stamp), &state->estimate);
    localizer_calibration(state->localizer, &state->calibration);
    look_at_avatar(self, dpl_ns_to_s(tick->now));
    measure_truth(self, tick);
    report_objects(self);
    report_state(self, before);
    report_verdicts(self);
    loc_view_fill(state);
    publish_pose(self);
    publish_calibration(self, tick);
    return 0;
}

/* ---- tables ---- */

static const struct dpl_port_desc ports[] = {
    [PORT_SCAN] =
        {
            .name = "scan",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__scan__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "of the real robot's laser",
        },
    [PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_FIFO,
            .required = true,
            .summary = "of the real robot: the ways of its wheels, the turn of its gyro",
        },
    [PORT_AVATAR] =
        {
            .name = "Avatar",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary = "the avatar, whose true pose is the start and is compared with the scans",
        },
    [PORT_TRUTH] =
        {
            .name = "Truth",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary = "a base that knows the true pose of the real robot; only to measure errors",
        },
    [PORT_POSE] =
        {
            .name = "pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__localized_pose__descriptor,
            .capacity = 6,
            .summary = "of the real robot in the world, each cycle",
        },
    [PORT_CALIBRATION] =
        {
            .name = "calibration",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__localizer_calibration__descriptor,
            .capacity = LOCALIZER_N_PARAMETERS,
            .summary = "of odometry and laser, each second",
        },
    [PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "of the real robot, for the diagnosis; without it a blocked wheel and a "
                       "wrong encoder cannot be told from slip",
        },
    [PORT_DIAGNOSIS] =
        {
            .name = "diagnosis",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .message = &doppel__diagnosis__descriptor,
            .capacity = NAME_MAX_BYTES,
            .summary = "a verdict rises or falls",
        },
};

static const struct dpl_component_ops ops = {
    .start = start,
    .execute = execute,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "Localizer",
    .summary = "finds the real robot in the plan of the device that ApiName names",
    .tag = "loc",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
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
