/* SPDX-License-Identifier: Apache-2.0 */
/* Hexaslide: the kinematics of a machine whose six sliders move a platform. In each cycle it
 * publishes the pose of the platform; its service computes both directions. */
#include <errno.h>
#include <string.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "../robot_machine.h"
#include "hexa_fk.h"
#include "hexa_ik.h"

enum port {
    PORT_AXES,
    PORT_MEASURED,
    PORT_KINEMATICS,
};

enum solver {
    SOLVER_NEWTON,
    SOLVER_JFMD,
};

struct properties {
    char robot[128];
    int solver; /* enum solver */
    bool extrapolate;
    double fence, tolerance_m;
    int64_t max_iterations;
    double axes_timeout_ms;
};

struct state {
    struct dpl_hexa_geometry geometry;
    struct dpl_hexa_tracker tracker;
    bool failing; /* the newest step found no pose */
    double pose[DPL_SIX];
    bool valid, located; /* located: there was a pose since the start */
    int64_t without_pose;
    int64_t iterations, n_failures, n_refused, n_steps, n_iterations, most_iterations;
    double residual_m;
};

/* ---- geometry ------------------------------------------------------------------------------- */

static void set_geometry(const struct dpl_machine *machine, struct dpl_hexa_geometry *g)
{
    *g = (struct dpl_hexa_geometry){.reserve = machine->reserve};
    memcpy(g->home, machine->home, sizeof g->home);
    memcpy(g->half_range, machine->half_range, sizeof g->half_range);
    for (int i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_machine_leg *leg = &machine->legs[i];
        for (int c = 0; c < 3; c++) {
            g->joint_m[c][i] = leg->joint_m[c];
            g->rail_m[c][i] = leg->rail_m[c];
            g->axis[c][i] = leg->direction[c];
        }
        g->branch[i] = leg->branch;
        g->link_m[i] = leg->link_m;
        g->low_m[i] = leg->low_m;
        g->high_m[i] = leg->high_m;
    }
}

/* Without a robot model: the reference machine of the kinematics. */
static int load_geometry(struct dpl_component *self, struct dpl_hexa_geometry *ret_geometry,
                         struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    if (props->robot[0] == '\0') {
        *ret_geometry = dpl_hexa_reference;
        return 0;
    }
    struct dpl_machine machine;
    const char *what;
    double q[DPL_AXES_N];
    int err = motion_read_machine(self, props->robot, &machine, reterr);
    if (err < 0) {
        return err;
    }
    set_geometry(&machine, ret_geometry);
    if (dpl_hexa_geometry_check(ret_geometry, &what) < 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "robot '%s': %s", props->robot,
                        what);
    }
    if (dpl_hexa_ik(ret_geometry, ret_geometry->home, q) < 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "robot '%s': its sliders cannot hold the platform at home", props->robot);
    }
    return 0;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    return load_geometry(self, &((struct state *)self->state)->geometry, reterr);
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct dpl_hexa_tracker *tracker = &state->tracker;
    dpl_hexa_tracker_init(tracker, &state->geometry);
    tracker->solver = props->solver == SOLVER_JFMD ? dpl_hexa_fk_jfmd : dpl_hexa_fk_newton;
    tracker->extrapolate = props->extrapolate;
    tracker->options.fence = props->fence;
    tracker->options.tolerance_m = props->tolerance_m;
    tracker->options.max_iterations = (int)props->max_iterations;
    memcpy(state->pose, state->geometry.home, sizeof state->pose);
    state->valid = state->failing = state->located = false;
    return 0;
}

/* ---- a tick --------------------------------------------------------------------------------- */

/* NULL: there are no positions, or they are too old. */
static const double *slider_positions(struct dpl_component *self, dpl_ns now)
{
    const struct properties *props = self->properties;
    const struct dpl_message *message = dpl_port_latest(self, PORT_AXES);
    bool old = !message || now - message->stamp > dpl_ns_from_s(props->axes_timeout_ms * 1e-3);
    const Doppel__AxisState *axes = old ? NULL : message->body;
    bool usable = axes && axes->valid && axes->n_position == DPL_AXES_N;
    return usable ? axes->position : NULL;
}

/* Logs the first failure, and then not again until a success. */
static void report_failure(struct dpl_component *self)
{
    struct state *state = self->state;
    state->n_failures++;
    if (!state->failing) {
        dpl_component_log(self, DPL_LOG_WARN, "no pose for the sliders: %s",
                          dpl_hexa_fk_outcome_name(state->tracker.report.outcome));
    }
    state->failing = true;
}

/* After a failure the next search starts at home, because the newest pose may be wrong. */
static void locate(struct dpl_component *self, const double *q_m)
{
    struct state *state = self->state;
    struct dpl_hexa_tracker *tracker = &state->tracker;
    state->valid = dpl_hexa_tracker_step(tracker, q_m, state->pose) == 0;
    if (!state->valid) {
        dpl_hexa_tracker_restart(tracker, state->geometry.home);
        state->valid = dpl_hexa_tracker_step(tracker, q_m, state->pose) == 0;
    }
    const struct dpl_hexa_fk_report *report = &tracker->report;
    state->iterations = report->iterations;
    state->residual_m = report->residual_m;
    if (!state->valid) {
        dpl_hexa_tracker_restart(tracker, state->geometry.home);
        report_failure(self);
        return;
    }
    state->failing = false;
    state->n_steps++;
    state->n_iterations += report->iterations;
    if (report->iterations > state->most_iterations) {
        state->most_iterations = report->iterations;
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    const double *q_m = slider_positions(self, tick->now);
    state->valid = false;
    if (q_m) {
        locate(self, q_m);
    }
    state->located |= state->valid;
    state->without_pose += state->located && !state->valid;
    Doppel__MeasuredPose *message = dpl_port_loan(self, PORT_MEASURED);
    if (message) {
        dpl_pose6_set(message->pose, state->pose);
        message->valid = state->valid;
        dpl_port_publish(self, PORT_MEASURED, message, tick->now);
    }
    return 0;
}

/* ---- service -------------------------------------------------------------------------------- */

static int inverse(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    struct state *state = self->state;
    Doppel__Axes *answer = response;
    double pose[DPL_SIX];
    if (answer->n_position < DPL_AXES_N) {
        return -ENOSPC;
    }
    dpl_pose6_get(request, pose);
    int err = dpl_hexa_ik(&state->geometry, pose, answer->position);
    if (err == 0 && !dpl_hexa_travel_ok(&state->geometry, answer->position)) {
        err = -EDOM;
    }
    state->n_refused += err < 0;
    answer->n_position = err < 0 ? 0 : DPL_AXES_N;
    return err;
}

static int forward(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    const Doppel__Axes *axes = request;
    const struct state *state = self->state;
    const struct dpl_hexa_tracker *tracker = &state->tracker;
    struct dpl_hexa_fk_report report;
    double pose[DPL_SIX];
    if (axes->n_position != DPL_AXES_N) {
        return -EINVAL;
    }
    if (!tracker->solver) {
        return -EAGAIN;
    }
    memcpy(pose, tracker->last, sizeof pose);
    int err = tracker->solver(&state->geometry, &tracker->options, axes->position, pose, &report);
    if (err == 0) {
        dpl_pose6_set(response, pose);
    }
    return err;
}

static const dpl_service_method service[DPL_KINEMATICS_N_METHODS] = {
    [DPL_KINEMATICS_INVERSE] = inverse,
    [DPL_KINEMATICS_FORWARD] = forward,
};

/* ---- tables --------------------------------------------------------------------------------- */

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, robot, "Robot", "hx_a.xml",
             "the robot model with the machine's geometry; none: the reference machine HX-A"),
    DPL_CHOICE(struct properties, solver, "Solver", "newton", "newton|jfmd",
               "of the forward kinematics: with the Jacobian in closed form or by differences"),
    DPL_BOOL(struct properties, extrapolate, "Extrapolate", "true",
             "a search starts from the predicted pose, not from the last one"),
    DPL_NUMBER(
        struct properties, fence, "Fence", NULL, "3", 0.0, 100,
        "in half-ranges: a pose farther from home belongs to another assembly mode; 0: no limit"),
    DPL_NUMBER(struct properties, tolerance_m, "Tolerance", "m", "1e-10", 1e-15, 1e-3,
               "error of all link lengths at which a search ends"),
    DPL_INT(struct properties, max_iterations, "MaximumIterations", "20", 1, 1000, "of a search"),
    DPL_NUMBER(struct properties, axes_timeout_ms, "AxesTimeout", "ms", "20", 1, 10000,
               "older positions are not used"),
};

#define E(member_, name_, unit_, text_)                                                            \
    DPL_EXPORT_NUMBER(struct state, member_, name_, unit_, DPL_FIELD_TRACE, text_)
#define S(member_, name_, flags_, text_)                                                           \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, flags_, text_)

static const struct dpl_field exports[] = {
    E(pose[0], "x", "m", "of the platform, measured"),
    E(pose[1], "y", "m", "of the platform, measured"),
    E(pose[2], "z", "m", "of the platform, measured"),
    E(pose[3], "roll", "rad", "of the platform, measured"),
    E(pose[4], "pitch", "rad", "of the platform, measured"),
    E(pose[5], "yaw", "rad", "of the platform, measured"),
    DPL_EXPORT_BOOL(struct state, valid, "valid", DPL_FIELD_TRACE, "the pose is of this tick"),
    S(iterations, "iterations", DPL_FIELD_TRACE, "of the newest search"),
    E(residual_m, "residual", "m", "of the newest search"),
    S(without_pose, "without_pose", DPL_FIELD_SUMMARY,
      "ticks without a pose since the first one: positions too old, missing, or without a "
      "solution"),
    S(n_steps, "solved", DPL_FIELD_SUMMARY, "searches that found the pose"),
    S(n_iterations, "iterations_total", DPL_FIELD_SUMMARY, "of those"),
    S(most_iterations, "iterations_most", DPL_FIELD_SUMMARY, "of one of those"),
    S(n_failures, "fk_failures", DPL_FIELD_SUMMARY, "ticks with axes but without a pose"),
    S(n_refused, "ik_refused", DPL_FIELD_SUMMARY, "poses that cannot be reached"),
};

static const struct dpl_port_desc ports[] = {
    [PORT_AXES] =
        {
            .name = "axes",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__axis_state__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "where the sliders are",
        },
    [PORT_MEASURED] =
        {
            .name = "measured",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__measured_pose__descriptor,
            .summary = "each tick: where the platform is",
        },
    [PORT_KINEMATICS] =
        {
            .name = "KinematicsService",
            .aliases = "Kinematics",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__kinematics_service__descriptor,
            .methods = service,
            .summary = "from poses to sliders and back",
        },
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "Hexaslide",
    .summary = "kinematics of a platform on six sliders",
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
