/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include <math.h>

#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

#define ASKED_HOLDS (300 * DPL_MS) /* what was asked about is the command for so long */
#define REST_S      1.0
#define EXTRAPOLATE 0.5 /* s: odometry that is older is not extrapolated */

/* Where rollouts begin. */
struct beginning {
    enum dpl_rollouts_start start;
    struct dpl_pose2 pose; /* in the world, if `start` says so */
    double covariance[6];
    double wheel_scale[2], wheel_sigma[2]; /* left, right */
};

struct dpl_twist2 look_command(struct dpl_component *self, dpl_ns now)
{
    const struct look_run *run = self->state;
    struct dpl_twist2 command = {0};
    bool pressed;
    if (run->has_asked && now - run->asked_at <= ASKED_HOLDS) {
        return run->asked;
    }
    look_read_base(self, &command, &pressed);
    return command;
}

void look_read_base(struct dpl_component *self, struct dpl_twist2 *ret_command, bool *ret_pressed)
{
    const struct dpl_message *message = dpl_port_latest(self, LOOK_PORT_COMMAND);
    *ret_command = (struct dpl_twist2){0};
    *ret_pressed = false;
    if (message) {
        const Doppel__VelocityCommand *command = message->body;
        *ret_command = command->active ? dpl_twist2_get(command->twist) : *ret_command;
    }
    message = dpl_port_latest(self, LOOK_PORT_ODOMETRY);
    if (message) {
        *ret_pressed = ((const Doppel__Odometry *)message->body)->pressed;
    }
}

/* ---- where ---- */

bool look_odometry(struct dpl_component *self, struct dpl_pose2 *ret_pose)
{
    const struct dpl_message *message = dpl_port_latest(self, LOOK_PORT_ODOMETRY);
    if (message) {
        *ret_pose = dpl_pose2_get(((const Doppel__Odometry *)message->body)->pose);
    }
    return message != NULL;
}

static const Doppel__LocalizedPose *localized(struct dpl_component *self)
{
    const struct dpl_message *message = dpl_port_latest(self, LOOK_PORT_POSE);
    return message ? message->body : NULL;
}

bool look_is_localized(struct dpl_component *self)
{
    if (!dpl_port_is_connected(self, LOOK_PORT_POSE)) {
        return true;
    }
    const Doppel__LocalizedPose *pose = localized(self);
    return pose && ((int)pose->state == DPL_LOCALIZER_TRACKING ||
                    (int)pose->state == DPL_LOCALIZER_DEGRADED ||
                    (int)pose->state == DPL_LOCALIZER_COASTING);
}

/* The newest odometry moved on to now by its twist. */
static bool find_odometry(struct dpl_component *self, dpl_ns now, struct dpl_pose2 *ret_pose)
{
    const struct dpl_message *message = dpl_port_latest(self, LOOK_PORT_ODOMETRY);
    if (!message) {
        return false;
    }
    const Doppel__Odometry *odometry = message->body;
    struct dpl_twist2 twist = dpl_twist2_get(odometry->twist);
    double age = dpl_clamp(dpl_ns_to_s(now - message->stamp), 0.0, EXTRAPOLATE);
    double way = twist.linear * age, turn = twist.angular * age;
    *ret_pose =
        dpl_pose2_compose(dpl_pose2_get(odometry->pose),
                          (struct dpl_pose2){way * cos(0.5 * turn), way * sin(0.5 * turn), turn});
    return true;
}

/* By the Localizer; else the avatar is the robot. */
static bool begin_localized(struct dpl_component *self, dpl_ns now, struct beginning *beginning)
{
    const Doppel__LocalizedPose *pose = localized(self);
    struct dpl_pose2 odometry;
    if (!pose || pose->n_covariance != 6 || !find_odometry(self, now, &odometry)) {
        return false;
    }
    beginning->start = DPL_ROLLOUTS_AT;
    beginning->pose = dpl_pose2_compose(dpl_pose2_get(pose->correction), odometry);
    for (int i = 0; i < 6; i++) {
        beginning->covariance[i] = pose->covariance[i];
    }
    beginning->covariance[0] += pose->doubt * pose->doubt;
    beginning->covariance[2] += pose->doubt * pose->doubt;
    return true;
}

/* What a wheel of the real robot does of what it is commanded. A robot that is not like its model
 * goes another way than the avatar would. */
static double scale_of(const Doppel__LocalizerCalibration *calibration, size_t i)
{
    bool known = i < calibration->n_value && isfinite(calibration->value[i]);
    return known ? dpl_clamp(calibration->value[i], 0.5, 1.5) : 1.0;
}

static void read_calibration(struct dpl_component *self, struct beginning *beginning)
{
    const struct dpl_message *message = dpl_port_latest(self, LOOK_PORT_CALIBRATION);
    const Doppel__LocalizerCalibration *calibration = message ? message->body : NULL;
    for (size_t i = 0; calibration && i < 2 && i < calibration->n_sigma; i++) {
        if (i < calibration->n_identified && calibration->identified[i]) {
            beginning->wheel_scale[i] = scale_of(calibration, i);
            beginning->wheel_sigma[i] = calibration->sigma[i] / beginning->wheel_scale[i];
        }
    }
}

static struct beginning find_beginning(struct dpl_component *self, dpl_ns now)
{
    const struct look_properties *props = self->properties;
    double position = props->position_sigma_m, turn = dpl_deg_to_rad(props->heading_sigma_deg);
    struct beginning beginning = {
        .start = DPL_ROLLOUTS_OFFSET,
        .covariance = {position * position, 0.0, position * position, 0.0, 0.0, turn * turn},
        .wheel_scale = {1.0, 1.0},
        .wheel_sigma = {props->wheel_sigma, props->wheel_sigma},
    };
    begin_localized(self, now, &beginning);
    read_calibration(self, &beginning);
    return beginning;
}

/* ---- the request ---- */

static void add_want(struct look_run *run, const struct beginning *from, size_t draw,
                     double duration_s)
{
    struct spread_start start =
        spread_draw(&run->spread, draw, from->covariance, from->wheel_sigma);
    struct dpl_pose2 pose =
        start.offset; /* of the covariance's frame: the base's, or the world's */
    if (from->start == DPL_ROLLOUTS_AT) {
        pose = (struct dpl_pose2){from->pose.x + start.offset.x, from->pose.y + start.offset.y,
                                  dpl_wrap_angle(from->pose.theta + start.offset.theta)};
    }
    run->request.wants[run->request.n++] = (struct dpl_rollouts_want){
        .duration_s = duration_s,
        .start = draw == 0 && from->start == DPL_ROLLOUTS_OFFSET ? DPL_ROLLOUTS_HERE : from->start,
        .pose = pose,
        .scale_left = from->wheel_scale[0] * start.scale_left,
        .scale_right = from->wheel_scale[1] * start.scale_right,
    };
}

static void add_twist(struct look_request *request, double at_s, struct dpl_twist2 twist)
{
    request->twists[request->n_twists++] = (struct dpl_rollouts_twist){
        .at_s = at_s, .rollout = (uint32_t)(request->n - 1), .twist = twist};
}

/* Of the commander, if it has one: at most as many twists as there is room for. */
static void read_plan(struct dpl_component *self)
{
    struct look_run *run = self->state;
    struct look_plan *plan = &run->plan;
    Doppel__Empty nothing = DOPPEL__EMPTY__INIT;
    Doppel__PlannedMotion answer = DOPPEL__PLANNED_MOTION__INIT;
    answer.time = plan->time_s, answer.n_time = LOOK_PLAN_MAX;
    answer.linear_velocity = plan->linear, answer.n_linear_velocity = LOOK_PLAN_MAX;
    answer.angular_velocity = plan->angular, answer.n_angular_velocity = LOOK_PLAN_MAX;
    plan->n = 0;
    if (dpl_port_is_connected(self, LOOK_PORT_PLAN) &&
        dpl_service_call(self, LOOK_PORT_PLAN, DPL_PLAN_GET_PLAN, &nothing, &answer) == 0 &&
        answer.n_time == answer.n_linear_velocity && answer.n_time == answer.n_angular_velocity) {
        plan->n = answer.n_time < LOOK_PLAN_MAX ? answer.n_time : LOOK_PLAN_MAX;
    }
}

static void add_plan(struct look_run *run, const struct beginning *from, double horizon_s)
{
    const struct look_plan *plan = &run->plan;
    struct look_request *request = &run->request;
    size_t most = plan->n > 0 ? (DPL_ROLLOUTS_TWISTS_MAX - request->n_twists) / plan->n : 0;
    most = most < run->spread.n ? most : run->spread.n;
    for (size_t i = 0; i < most; i++) {
        add_want(run, from, i, horizon_s);
        for (size_t k = 0; k < plan->n; k++) {
            add_twist(request, fmax(plan->time_s[k], 0.0),
                      (struct dpl_twist2){plan->linear[k], plan->angular[k]});
        }
    }
    request->n_plan = most;
}

void look_fill_request(struct dpl_component *self, dpl_ns now)
{
    const struct look_properties *props = self->properties;
    struct look_run *run = self->state;
    struct look_request *request = &run->request;
    struct beginning from = find_beginning(self, now);
    request->n = request->n_plan = request->n_twists = 0;
    request->held = look_command(self, now);
    for (size_t i = 0; i < run->spread.n; i++) {
        add_want(run, &from, i, props->horizon_s);
        add_twist(request, 0.0, request->held);
    }
    add_want(run, &from, 0, fmin(REST_S, props->horizon_s));
    add_twist(request, 0.0, (struct dpl_twist2){0});
    read_plan(self);
    add_plan(run, &from, props->horizon_s);
}
