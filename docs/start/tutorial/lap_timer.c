/* SPDX-License-Identifier: Apache-2.0 */
/* LapTimer: times the laps of a wheel base by its odometry. Glue; the logic is in lap.c. */
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "lap.h"

enum port {
    PORT_ODOMETRY,
    PORT_LAP,
};

struct properties {
    struct lap_rules rules;
    int64_t laps;
};

struct state {
    struct lap lap;
};

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, PORT_ODOMETRY);
    if (!message) {
        return 0;
    }
    const Doppel__Odometry *odometry = message->body;
    struct dpl_pose2 pose = {odometry->pose->x, odometry->pose->y, odometry->pose->theta};
    if (!lap_update(&state->lap, &props->rules, pose, dpl_ns_to_s(message->stamp))) {
        return 0;
    }
    dpl_component_log(self, DPL_LOG_INFO, "lap %lld: %.3f s", (long long)state->lap.laps,
                      state->lap.last_s);
    if (state->lap.laps == props->laps) {
        dpl_component_finish_run(self);
    }
    return dpl_port_signal(self, PORT_LAP, message->stamp);
}

static const struct dpl_port_desc ports[] = {
    [PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "where the base is",
        },
    [PORT_LAP] =
        {
            .name = "lap",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .summary = "the base has finished a lap",
        },
};

static const struct dpl_field properties[] = {
    {
        .name = "LineWidth",
        .type = DPL_FIELD_DOUBLE,
        DPL_MEMBER(struct properties, rules.line_width_m),
        .unit = "m",
        .default_text = "0.5",
        .min = 0.01,
        .max = 100,
        .summary = "of the start line, which lies across the first pose",
    },
    {
        .name = "MinimumLap",
        .type = DPL_FIELD_DOUBLE,
        DPL_MEMBER(struct properties, rules.minimum_s),
        .unit = "s",
        .default_text = "2",
        .min = 0.0,
        .max = 3600,
        .summary = "a crossing sooner than this is noise",
    },
    {
        .name = "Laps",
        .type = DPL_FIELD_INT,
        DPL_MEMBER(struct properties, laps),
        .default_text = "0",
        .min = 0,
        .max = 1000000,
        .summary = "ends the run after so many; 0: never",
    },
};

static const struct dpl_field exports[] = {
    {
        .name = "laps",
        .type = DPL_FIELD_INT,
        .flags = DPL_FIELD_TRACE | DPL_FIELD_SUMMARY | DPL_FIELD_STATUS,
        DPL_MEMBER(struct state, lap.laps),
        .summary = "laps finished",
    },
    {
        .name = "best_lap_s",
        .type = DPL_FIELD_DOUBLE,
        .flags = DPL_FIELD_SUMMARY,
        DPL_MEMBER(struct state, lap.best_s),
        .unit = "s",
        .summary = "the fastest; 0: none yet",
    },
};

static const struct dpl_component_ops ops = {
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "LapTimer",
    .summary = "times the laps of a wheel base by its odometry",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
