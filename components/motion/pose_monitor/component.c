/* SPDX-License-Identifier: Apache-2.0 */
/* PoseMonitor: measures the difference between the avatar of a machine and the real one, in six
 * degrees of freedom. It compares two measured poses in each cycle and sends no commands. */
#include <errno.h>

#include <doppel/math/geometry.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../pose6.h"
#include "pose_metrics.h"

enum port {
    PORT_REAL,
    PORT_AVATAR,
};

struct properties {
    double length_m, max_position_m, max_orientation_deg;
    double settle_s;
};

struct state {
    dpl_ns period, began;
    bool seen;  /* both poses have arrived since the start */
    bool apart; /* beyond a limit */
    struct pose_error error, rms;
    struct pose_statistics statistics;
    struct pose_lag lag;
    double lag_ms;
    bool lag_known;
    int64_t n_compared, n_missing, n_apart;
};

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    ((struct state *)self->state)->period = period;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "the lag is counted in periods: the execution must be periodic");
    }
    pose_lag_init(&state->lag, props->length_m);
    state->seen = state->apart = state->lag_known = false;
    return 0;
}

/* NULL: no pose in this cycle. */
static const Doppel__Pose6 *receive_pose(struct dpl_component *self, unsigned port)
{
    const struct dpl_message *message = dpl_port_take(self, port);
    const Doppel__MeasuredPose *measured = message ? message->body : NULL;
    return measured && measured->valid ? measured->pose : NULL;
}

static void check_distance(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    double limit_rad = dpl_deg_to_rad(props->max_orientation_deg);
    bool apart =
        state->error.position_m > props->max_position_m || state->error.orientation_rad > limit_rad;
    if (apart && !state->apart) {
        state->n_apart++;
        dpl_component_log(self, DPL_LOG_WARN, "the avatar is %.3g mm, %.3g mrad away",
                          state->error.position_m * 1e3, state->error.orientation_rad * 1e3);
    }
    state->apart = apart;
}

static void compare(struct dpl_component *self, const Doppel__Pose6 *real,
                    const Doppel__Pose6 *avatar)
{
    struct state *state = self->state;
    double first[DPL_SIX], second[DPL_SIX], samples;
    dpl_pose6_get(real, first);
    dpl_pose6_get(avatar, second);
    state->error = pose_error_of(first, second);
    pose_statistics_add(&state->statistics, &state->error);
    state->rms = pose_statistics_rms(&state->statistics);
    pose_lag_add(&state->lag, first, second);
    state->lag_known = pose_lag_estimate(&state->lag, &samples);
    if (state->lag_known) {
        state->lag_ms = samples * dpl_ns_to_s(state->period) * 1e3;
    }
    state->n_compared++;
    check_distance(self);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const Doppel__Pose6 *real = receive_pose(self, PORT_REAL),
                        *avatar = receive_pose(self, PORT_AVATAR);
    if (!real || !avatar) {
        pose_lag_break(&state->lag);
        state->n_missing += state->seen;
        return 0;
    }
    if (!state->seen) {
        state->seen = true;
        state->began = tick->now;
    }
    if (dpl_ns_to_s(tick->now - state->began) >= props->settle_s) {
        compare(self, real, avatar);
    }
    return 0;
}

#define POSE(index_, name_, text_)                                                                 \
    [index_] = {                                                                                   \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = DPL_PORT_IN,                                                                        \
        .message = &doppel__measured_pose__descriptor,                                             \
        .required = true,                                                                          \
        .summary = text_,                                                                          \
    }

static const struct dpl_port_desc ports[] = {
    POSE(PORT_REAL, "real", "where the real platform is"),
    POSE(PORT_AVATAR, "avatar", "where the avatar's is"),
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, length_m, "Length", "m", "0.25", 0.001, 100,
               "a radian counts as this much where position and orientation are added up"),
    DPL_NUMBER(struct properties, max_position_m, "MaxPositionError", "m", "0.005", 0, 100,
               "beyond this the avatar is apart; this is counted and logged"),
    DPL_NUMBER(struct properties, max_orientation_deg, "MaxOrientationError", "deg", "1", 0, 180,
               "likewise"),
    DPL_NUMBER(struct properties, settle_s, "Settle", "s", "0.1", 0, 3600,
               "not compared before this time after both were seen first"),
};

#define REAL(name_, member_, unit_, flags_, text_)                                                 \
    DPL_EXPORT_NUMBER(struct state, member_, name_, unit_, flags_, text_)
#define COUNT(name_, member_, text_)                                                               \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    REAL("position_error", error.position_m, "m", DPL_FIELD_TRACE | DPL_FIELD_STATUS,
         "distance of the avatar's platform from the real one"),
    REAL("orientation_error", error.orientation_rad, "rad", DPL_FIELD_TRACE,
         "angle between the two platforms"),
    REAL("position_rms", rms.position_m, "m", DPL_FIELD_SUMMARY, "of the run"),
    REAL("orientation_rms", rms.orientation_rad, "rad", DPL_FIELD_SUMMARY, "of the run"),
    REAL("position_max", statistics.most.position_m, "m", DPL_FIELD_SUMMARY, "of the run"),
    REAL("orientation_max", statistics.most.orientation_rad, "rad", DPL_FIELD_SUMMARY,
         "of the run"),
    REAL("lag", lag_ms, "ms", DPL_FIELD_TRACE | DPL_FIELD_SUMMARY,
         "of the avatar behind the real machine"),
    DPL_EXPORT_BOOL(struct state, lag_known, "lag_known", DPL_FIELD_SUMMARY,
                    "there was enough motion to measure the lag, within 24 periods"),
    COUNT("compared", n_compared, "cycles with both poses"),
    COUNT("missing", n_missing, "cycles without one of them, after both were seen"),
    COUNT("times_apart", n_apart, "times that the avatar went beyond a limit"),
};

static const struct dpl_component_ops ops = {
    .start = start,
    .execute = execute,
    .period_changed = period_changed,
};

static const struct dpl_component_class class = {
    .name = "PoseMonitor",
    .summary = "measures the difference between the poses of an avatar and of the real machine",
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
