/* TemplateName: measures the way of a wheel base by its odometry. Glue; the logic is in
 * template_name_logic.c. */
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "template_name.pb-c.h"
#include "template_name_logic.h"

enum port {
    PORT_ODOMETRY,
    PORT_REPORT,
};

/* Set by the profile, then const. */
struct properties {
    double least_step_m;
};

/* Zeroed when the component is created, and by a reset. */
struct state {
    struct template_name_way way;
};

/* Once per period: takes a message, asks the logic, publishes. No allocation, lock or file; time
 * comes with the message. */
static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, PORT_ODOMETRY);
    if (!message) {
        return 0;
    }
    const Doppel__Odometry *odometry = message->body;
    struct dpl_pose2 pose = {odometry->pose->x, odometry->pose->y, odometry->pose->theta};
    if (!template_name_update(&state->way, props->least_step_m, pose,
                              dpl_ns_to_s(message->stamp))) {
        return 0;
    }
    TemplateName__Report *report = dpl_port_loan(self, PORT_REPORT);
    if (!report) {
        return 0; /* all blocks are in use: the runtime counts the drop */
    }
    report->way = state->way.way_m;
    report->fastest = state->way.fastest_m_s;
    return dpl_port_publish(self, PORT_REPORT, report, message->stamp);
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
    [PORT_REPORT] =
        {
            .name = "report",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &template_name__report__descriptor,
            .summary = "the way so far",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, least_step_m, "LeastStep", "m", "0.001", 0, 1,
               "shorter steps are noise"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, way.way_m, "way_m", "m",
                      DPL_FIELD_TRACE | DPL_FIELD_SUMMARY | DPL_FIELD_STATUS,
                      "driven since the start"),
    DPL_EXPORT_NUMBER(struct state, way.fastest_m_s, "fastest_m_s", "m/s", DPL_FIELD_SUMMARY,
                      "largest speed"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "TemplateName",
    .summary = "measures the way of a wheel base",
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
