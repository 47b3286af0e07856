/* TemplateName: the judge of the bench. Takes odometry and gives the verdict, which ends the run.
 * Glue; the rules are in template_name_logic.c. */
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>
#include <stdio.h>

#include "template_name_logic.h"

enum port {
    PORT_ODOMETRY,
};

/* Set by the profile, then const. */
struct properties {
    int expect;
    struct template_name_rules rules;
};

struct state {
    struct template_name_judge judge;
    int verdict;
};

static const char *const words[] = {"none", "arrived", "late"};

static void give_verdict(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct template_name_judge *judge = &state->judge;
    state->verdict = (int)judge->verdict;
    struct dpl_verdict verdict = {
        .expected = state->verdict == props->expect + 1,
        .n_measures = 2,
        .measures = {{"time", "s", judge->time_s}, {"distance", "m", judge->distance_m}},
    };
    snprintf(verdict.name, sizeof verdict.name, "%s", words[state->verdict]);
    snprintf(verdict.text, sizeof verdict.text, "%.3f m from the goal after %.2f s",
             judge->distance_m, judge->time_s);
    dpl_component_give_verdict(self, &verdict);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, PORT_ODOMETRY);
    if (!message || state->verdict != TEMPLATE_NAME_NONE) {
        return 0;
    }
    const Doppel__Odometry *odometry = message->body;
    struct dpl_pose2 pose = {odometry->pose->x, odometry->pose->y, odometry->pose->theta};
    if (template_name_judge_take(&state->judge, &props->rules, pose, dpl_ns_to_s(message->stamp))) {
        give_verdict(self);
    }
    return 0;
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
};

static const struct dpl_field properties[] = {
    DPL_CHOICE(struct properties, expect, "Expect", "arrived", "arrived|late",
               "the verdict that makes the bench succeed"),
    DPL_NUMBER(struct properties, rules.x_m, "GoalX", "m", "1", -1000, 1000, "the goal"),
    DPL_NUMBER(struct properties, rules.y_m, "GoalY", "m", "0", -1000, 1000, "the goal"),
    DPL_NUMBER(struct properties, rules.tolerance_m, "Tolerance", "m", "0.05", 0.001, 10,
               "so near to the goal is there"),
    DPL_NUMBER(struct properties, rules.patience_s, "Patience", "s", "10", 0.1, 3600,
               "later it is late"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_CHOICE(struct state, verdict, "verdict", "none|arrived|late",
                      DPL_FIELD_SUMMARY | DPL_FIELD_STATUS, "how the run ended"),
    DPL_EXPORT_NUMBER(struct state, judge.distance_m, "distance_m", "m",
                      DPL_FIELD_TRACE | DPL_FIELD_SUMMARY, "to the goal"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "TemplateName",
    .summary = "says whether a base arrives in time",
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
