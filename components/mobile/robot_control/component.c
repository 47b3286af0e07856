/* SPDX-License-Identifier: Apache-2.0 */
/* RobotControl: drives a wheel base with a laser scanner. It visits waypoints or wanders, avoids
 * obstacles, recovers from dead ends, and stops on old scans. The navigator makes the decisions;
 * this file gives it the readings and sends its commands. */
#include <errno.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "navigator.h"
#include "waypoints.h"

#define RANGES_MAX 2048
#define PLACES_MAX 16 /* of predicted contacts */
#define START_TIME (2 * DPL_S)
#define TASKS      "drive|avoid|turn|recover|stale|halted|arrived"
#define TASK_WAITS (DPL_NAV_ARRIVED + 1) /* nothing has come yet, which is no fault */

enum port {
    PORT_WHEEL,
    PORT_LASER,
    PORT_SCAN,
    PORT_ODOMETRY,
    PORT_SAFETY,
};

struct properties {
    double robot_radius_m, safe_radius_m;
    double max_velocity_m_s, max_angular_deg_s, acceleration_m_s2, angular_acceleration_deg_s2;
    double latency_ms, stale_after_ms, blind_after_ms;
    char waypoints[4096];
    bool loop;
    double tolerance_m, patience_s;
    int64_t seed;
};

struct state {
    struct dpl_nav nav;
    int nav_state, task; /* task: the same, or TASK_WAITS */
    bool was_fresh;      /* at least once */
    dpl_ns started;      /* the first cycle; -1: not yet */
    bool stale, blind;   /* was logged, and its end was not logged yet */
    double nearest_m, command_v, command_w;
    int64_t waypoint, reached, abandoned;
    int64_t stale_cycles, refused, vetoes;
    int safety;                 /* LookState of the newest answer */
    float ranges_m[RANGES_MAX]; /* of a scan received through the service */
};

static int check_waypoints(const char *text, struct dpl_diag *reterr)
{
    struct dpl_nav_route_config route = {0};
    size_t offset;
    return dpl_nav_waypoints_parse(&route, text, &offset) < 0
               ? dpl_check_fail(text, text + offset, "expected \"x y; x y; ...\" in m, at most 64",
                                reterr)
               : 0;
}

static int check_radii(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *p = properties;
    return p->safe_radius_m < p->robot_radius_m
               ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "SafeRadius (%g m) must not be smaller than RobotRadius (%g m)",
                          p->safe_radius_m, p->robot_radius_m)
               : 0;
}

static int make_config(const struct dpl_component *self, dpl_ns period,
                       struct dpl_nav_config *ret_config)
{
    const struct properties *p = self->properties;
    struct dpl_nav_config config = dpl_nav_config_default();
    config.robot_radius_m = p->robot_radius_m;
    config.safe_radius_m = p->safe_radius_m;
    config.max_linear_m_s = p->max_velocity_m_s;
    config.max_angular_rad_s = dpl_deg_to_rad(p->max_angular_deg_s);
    config.linear_acceleration_m_s2 = p->acceleration_m_s2;
    config.angular_acceleration_rad_s2 = dpl_deg_to_rad(p->angular_acceleration_deg_s2);
    config.period_s = dpl_ns_to_s(period);
    config.latency_s = p->latency_ms * 1e-3;
    config.stale_after_s = p->stale_after_ms * 1e-3;
    config.blind_after_s = p->blind_after_ms * 1e-3;
    config.route.loop = p->loop;
    config.route.tolerance_m = p->tolerance_m;
    config.route.patience_s = p->patience_s;
    config.seed = dpl_component_seed(self) * 1000003u + (uint64_t)p->seed;
    size_t offset; /* check_waypoints has checked the text */
    int err = dpl_nav_waypoints_parse(&config.route, p->waypoints, &offset);
    if (err < 0) {
        return err;
    }
    config.mode = config.route.count > 0 ? DPL_NAV_WAYPOINTS : DPL_NAV_WANDER;
    *ret_config = config;
    return 0;
}

/* The ranges of the properties were checked when loading. */
static int prepare(struct dpl_component *self, dpl_ns period)
{
    struct state *state = self->state;
    struct dpl_nav_config config;
    int err = make_config(self, period, &config);
    return err < 0 ? err : dpl_nav_init(&state->nav, &config);
}

/* period_changed is called before start. */
static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct state *state = self->state;
    (void)reterr;
    state->started = -1;
    return prepare(self, 100 * DPL_MS);
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    return prepare(self, period);
}

static void use_scan(struct dpl_nav_input *input, const Doppel__Scan *scan, dpl_ns stamp)
{
    input->scan = (struct dpl_nav_scan){
        .ranges_m = scan->ranges,
        .count = scan->n_ranges,
        .start_rad = scan->start_angle,
        .step_rad = scan->step_angle,
        .range_min_m = scan->range_min,
        .range_max_m = scan->range_max,
        .stamp_s = dpl_ns_to_s(stamp),
    };
    if (scan->mount) {
        input->scan.mount = dpl_pose2_get(scan->mount);
    }
}

/* A pose as old as a scan may not be is not valid: the base does not answer. */
static void use_odometry(const struct dpl_component *self, struct dpl_nav_input *input,
                         const Doppel__Odometry *odometry, dpl_ns stamp)
{
    const struct properties *p = self->properties;
    if (fabs(input->now_s - dpl_ns_to_s(stamp)) > p->stale_after_ms * 1e-3) {
        return;
    }
    input->pose = dpl_pose2_get(odometry->pose);
    input->twist = dpl_twist2_get(odometry->twist);
    input->pose_valid = true;
}

/* Reads the ports if they are connected, otherwise the services. */
static void read_scan(struct dpl_component *self, struct dpl_nav_input *input)
{
    struct state *state = self->state;
    if (dpl_port_is_connected(self, PORT_SCAN)) {
        const struct dpl_message *message = dpl_port_latest(self, PORT_SCAN);
        if (message) {
            use_scan(input, message->body, message->stamp);
        }
        return;
    }
    Doppel__StampedScan response = DOPPEL__STAMPED_SCAN__INIT;
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    Doppel__Pose2 mount = DOPPEL__POSE2__INIT;
    scan.ranges = state->ranges_m;
    scan.n_ranges = RANGES_MAX;
    scan.mount = &mount;
    response.scan = &scan;
    int err = dpl_laser_scanner_call_get_sensor_value(self, PORT_LASER, &response);
    if (err == 0 && response.valid) {
        use_scan(input, &scan, response.stamp_ns);
        input->scan.mount = dpl_pose2_get(&mount);
    }
}

static void read_odometry(struct dpl_component *self, struct dpl_nav_input *input)
{
    if (dpl_port_is_connected(self, PORT_ODOMETRY)) {
        const struct dpl_message *message = dpl_port_latest(self, PORT_ODOMETRY);
        if (message) {
            use_odometry(self, input, message->body, message->stamp);
        }
        return;
    }
    Doppel__StampedOdometry response = DOPPEL__STAMPED_ODOMETRY__INIT;
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    odometry.pose = &pose;
    odometry.twist = &twist;
    response.odometry = &odometry;
    int err = dpl_wheel_controller_call_get_odometry(self, PORT_WHEEL, &response);
    if (err == 0 && response.valid) {
        use_odometry(self, input, &odometry, response.stamp_ns);
    }
}

/* Nothing is logged during a halt: the robot stands in any case. And nothing at the start, while
 * the first scan and the first pose may still be on their way. */
static void report_freshness(struct dpl_component *self, enum dpl_nav_state now, bool blind,
                             dpl_ns since_start)
{
    struct state *state = self->state;
    state->was_fresh |= now != DPL_NAV_STALE && now != DPL_NAV_HALTED;
    if (!state->was_fresh && since_start < START_TIME) {
        return;
    }
    if (now == DPL_NAV_STALE && (!state->stale || blind != state->blind)) {
        dpl_component_log(self, DPL_LOG_WARN, "%s: the robot stops",
                          blind ? "hardly a beam of the laser returns" : "no fresh scan or pose");
        state->stale = true;
        state->blind = blind;
    } else if (now != DPL_NAV_STALE && now != DPL_NAV_HALTED && state->stale) {
        dpl_component_log(self, DPL_LOG_INFO, "scans and pose are fresh: the robot drives on");
        state->stale = false;
    }
}

static void report(struct dpl_component *self, const struct dpl_nav_output *output, dpl_ns now)
{
    struct state *state = self->state;
    state->started = state->started < 0 ? now : state->started;
    report_freshness(self, output->state, output->is_blind, now - state->started);
    if ((int64_t)output->abandoned > state->abandoned) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "waypoint not reached in time: going on to the next one");
    }
    bool waits = output->state == DPL_NAV_STALE && !state->was_fresh;
    state->nav_state = (int)output->state;
    state->task = waits && now - state->started < START_TIME ? TASK_WAITS : state->nav_state;
    state->nearest_m = output->nearest_m;
    state->command_v = output->command.linear;
    state->command_w = output->command.angular;
    state->waypoint = (int64_t)output->waypoint;
    state->reached = (int64_t)output->reached;
    state->abandoned = (int64_t)output->abandoned;
    state->stale_cycles += output->state == DPL_NAV_STALE;
}

/* Nothing is logged at the beginning, where no look can be there yet. */
static void report_safety(struct dpl_component *self, int now)
{
    struct state *state = self->state;
    bool was_known = state->safety == DPL_LOOK_OK, is_known = now == DPL_LOOK_OK;
    if (was_known && !is_known) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "nobody looks ahead any more: driving by the laser alone");
    } else if (is_known && !was_known && state->safety != DPL_LOOK_WAITING) {
        dpl_component_log(self, DPL_LOG_INFO, "commands are looked ahead again");
    }
    state->safety = now;
}

/* What somebody who looks ahead leaves of a command; where contacts would be are obstacles from now
 * on. Without anybody the command stays as it is. */
static struct dpl_twist2 ask_safety(struct dpl_component *self, struct dpl_twist2 command)
{
    struct state *state = self->state;
    double x[PLACES_MAX], y[PLACES_MAX];
    Doppel__SafetyQuestion question = DOPPEL__SAFETY_QUESTION__INIT;
    Doppel__SafetyAnswer answer = DOPPEL__SAFETY_ANSWER__INIT;
    if (!dpl_port_is_connected(self, PORT_SAFETY)) {
        return command;
    }
    question.linear_velocity = command.linear;
    question.angular_velocity = command.angular;
    answer.contact_x = x, answer.n_contact_x = PLACES_MAX;
    answer.contact_y = y, answer.n_contact_y = PLACES_MAX;
    int err = dpl_service_call(self, PORT_SAFETY, DPL_SAFETY_CHECK, &question, &answer);
    report_safety(self, err < 0 ? DPL_LOOK_DEAD : (int)answer.state);
    if (err < 0 || (int)answer.state != DPL_LOOK_OK || answer.n_contact_x != answer.n_contact_y) {
        return command;
    }
    dpl_nav_add_points(&state->nav, dpl_ns_to_s(answer.stamp_ns), x, y, answer.n_contact_x);
    if (!answer.vetoed) {
        return command;
    }
    state->vetoes++;
    command = (struct dpl_twist2){answer.linear_velocity, answer.angular_velocity};
    dpl_nav_slowed(&state->nav, command);
    return command;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_nav_input input = {.now_s = dpl_ns_to_s(tick->now), .halt = tick->halt != 0};
    read_scan(self, &input);
    read_odometry(self, &input);
    struct dpl_nav_output output;
    dpl_nav_step(&state->nav, &input, &output);
    output.command = ask_safety(self, output.command);
    report(self, &output, tick->now);
    int err = dpl_wheel_controller_call_drive_wheel(self, PORT_WHEEL, output.command.linear,
                                                    output.command.angular);
    state->refused += err < 0;
    return 0;
}

static int stop(struct dpl_component *self)
{
    dpl_wheel_controller_call_stop_wheel(self, PORT_WHEEL);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_WHEEL] =
        {
            .name = "WheelControllerService",
            .aliases = "WheelController",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the base to drive",
            .commands = true,
        },
    [PORT_LASER] =
        {
            .name = "LaserScannerService",
            .aliases = "LaserScanner",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__laser_scanner_service__descriptor,
            .required = true,
            .summary = "the laser for avoiding obstacles",
        },
    [PORT_SCAN] =
        {
            .name = "scan",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__scan__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "scans of the laser; not connected: requested by service",
        },
    [PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "pose of the base; not connected: requested by service",
        },
    [PORT_SAFETY] =
        {
            .name = "SafetyService",
            .aliases = "Safety",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__safety_service__descriptor,
            .summary = "asked before each command; not connected: nobody looks ahead",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, robot_radius_m, "RobotRadius", "m", "0.20", 0.01, 10,
               "of the body around its axle"),
    DPL_NUMBER(struct properties, safe_radius_m, "SafeRadius", "m", "0.30", 0.01, 10,
               "distance from the robot's centre to obstacles that is kept where possible"),
    DPL_NUMBER(struct properties, max_velocity_m_s, "MaximumVelocity", "m/s", "0.2", 0.001, 20,
               "limit where the path is free"),
    DPL_NUMBER(struct properties, max_angular_deg_s, "MaximumAngularVelocity", "deg/s", "40", 0.1,
               3600, "when turning"),
    DPL_NUMBER(struct properties, acceleration_m_s2, "Acceleration", "m/s^2", "0.5", 0.01, 100,
               "of the base"),
    DPL_NUMBER(struct properties, angular_acceleration_deg_s2, "AngularAcceleration", "deg/s^2",
               "115", 0.1, 10000, "of the base"),
    DPL_NUMBER(struct properties, latency_ms, "LatencyAllowance", "ms", "150", 0.0, 2000,
               "time from a command to its effect"),
    DPL_NUMBER(struct properties, stale_after_ms, "StaleAfter", "ms", "300", 10, 10000,
               "a scan or pose older than this stops the robot"),
    DPL_NUMBER(struct properties, blind_after_ms, "BlindAfter", "ms", "1000", 0, 60000,
               "scans of which less than 1 % of the beams return stop the robot after this time; "
               "0: never"),
    DPL_TEXT_CHECKED(struct properties, waypoints, "Waypoints", "", check_waypoints,
                     "\"x y; x y; ...\" in m, frame of odometry; empty: wander"),
    DPL_BOOL(struct properties, loop, "Loop", "true",
             "after the last waypoint, continue with the first one"),
    DPL_NUMBER(struct properties, tolerance_m, "WaypointTolerance", "m", "0.15", 0.01, 10,
               "a waypoint is reached within this distance"),
    DPL_NUMBER(struct properties, patience_s, "WaypointPatience", "s", "60", 1, 3600,
               "time in addition to a slow drive there, after which a waypoint is given up"),
    DPL_INT(struct properties, seed, "Seed", "1", 0, 4294967295,
            "seed of its random choices, together with the run's seed"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_CHOICE(struct state, nav_state, "state", TASKS, DPL_FIELD_TRACE | DPL_FIELD_SUMMARY,
                      "its current task"),
    DPL_EXPORT_CHOICE(struct state, task, "task", TASKS "|waits", DPL_FIELD_STATUS,
                      "the same; waits: for the first scan and pose of the run"),
    DPL_EXPORT_NUMBER(struct state, nearest_m, "nearest_m", "m", DPL_FIELD_TRACE,
                      "nearest obstacle, from the robot's centre"),
    DPL_EXPORT_INT(struct state, reached, "waypoints_reached", NULL, DPL_FIELD_SUMMARY, "so far"),
    DPL_EXPORT_INT(struct state, abandoned, "waypoints_given_up", NULL, DPL_FIELD_SUMMARY,
                   "so far"),
    DPL_EXPORT_INT(struct state, stale_cycles, "stale_cycles", NULL, DPL_FIELD_SUMMARY,
                   "cycles without a fresh scan or pose"),
    DPL_EXPORT_INT(struct state, refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "commands that the base refused"),
    DPL_EXPORT_INT(struct state, vetoes, "vetoes", NULL, DPL_FIELD_SUMMARY,
                   "commands that were slowed down because of a contact to come"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .period_changed = period_changed,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "RobotControl",
    .summary = "patrols: drives to waypoints or wanders, and avoids obstacles with the laser",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
    .check = check_radii,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
