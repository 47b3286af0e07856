/* TemplateName: drives a wheel base by range finders and a bumper. Glue; what it decides is in
 * template_name_logic.c. */
#include <doppel/msg/range.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "template_name_logic.h"

enum port {
    PORT_RANGES,
    PORT_WHEELS,
};

/* The order in which the driver of RangeFinders names them (its property Ranges). */
enum { FRONT, LEFT, RIGHT, N_RANGES };

/* Set by the profile, then const. */
struct properties {
    struct template_name_rules rules;
    double stale_after_ms;
};

/* Zeroed when the component is created, and by a reset. */
struct state {
    struct template_name logic;
    bool sees, refused;
    int64_t blind; /* cycles without a valid view */
};

static bool has_all(const Doppel__RangeReadings *ranges)
{
    bool all = ranges->n_range >= N_RANGES;
    for (size_t i = 0; i < ranges->n_valid; i++) {
        all &= ranges->valid[i];
    }
    for (size_t i = 0; i < ranges->n_contact_valid; i++) {
        all &= ranges->contact_valid[i];
    }
    return all;
}

/* What is not measured, or is too old, is not known: the view is not valid. */
static struct template_name_view look(struct dpl_component *self, dpl_ns now)
{
    const struct properties *props = self->properties;
    struct template_name_view view = {.valid = false};
    const struct dpl_message *message = dpl_port_latest(self, PORT_RANGES);
    if (!message || now - message->stamp > dpl_ns_from_s(props->stale_after_ms * 1e-3) ||
        !has_all(message->body)) {
        return view;
    }
    const Doppel__RangeReadings *ranges = message->body;
    view.valid = true;
    view.front_m = ranges->range[FRONT];
    view.left_m = ranges->range[LEFT];
    view.right_m = ranges->range[RIGHT];
    for (size_t i = 0; i < ranges->n_contact; i++) {
        view.touched |= ranges->contact[i];
    }
    return view;
}

/* A base that is lost or halts refuses: "not now", so the next cycle tries again. An error of
 * execute would end in ERROR for ever. */
static void drive(struct dpl_component *self, struct dpl_twist2 twist)
{
    struct state *state = self->state;
    int err = dpl_wheel_controller_call_drive_wheel(self, PORT_WHEELS, twist.linear, twist.angular);
    if ((err < 0) != state->refused) {
        state->refused = err < 0;
        dpl_component_log(self, err < 0 ? DPL_LOG_WARN : DPL_LOG_INFO,
                          err < 0 ? "stands: the base refuses" : "the base obeys again");
    }
}

/* Once per period: looks, decides, commands. No allocation, lock or file. A base whose commander is
 * late, or ends, stops by itself. */
static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct template_name_view view = look(self, tick->now);
    struct dpl_twist2 twist = template_name_decide(&state->logic, &props->rules, &view);
    state->blind += !view.valid;
    if (view.valid != state->sees) {
        state->sees = view.valid;
        dpl_component_log(self, view.valid ? DPL_LOG_INFO : DPL_LOG_WARN,
                          view.valid ? "drives" : "stands: a sensor gives nothing");
    }
    drive(self, twist);
    return 0;
}

static int stop(struct dpl_component *self)
{
    dpl_wheel_controller_call_stop_wheel(self, PORT_WHEELS); /* a lost base stops by itself */
    return 0;
}

/* A callback has failed: the base stops. */
static int on_error(struct dpl_component *self, int cause)
{
    (void)cause;
    return stop(self);
}

static const struct dpl_port_desc ports[] = {
    [PORT_RANGES] =
        {
            .name = "ranges",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__range_readings__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "range finders in front, left, right; bumpers",
        },
    [PORT_WHEELS] =
        {
            .name = "WheelControllerService",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the base to drive",
            .commands = true,
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, rules.velocity_m_s, "Velocity", "m/s", "0.15", 0, 1,
               "straight on"),
    DPL_NUMBER(struct properties, rules.turn_rad_s, "TurnRate", "rad/s", "1", 0.1, 5, "of a turn"),
    DPL_NUMBER(struct properties, rules.stop_m, "StopDistance", "m", "0.3", 0.05, 5,
               "nearer than this in front, it turns; beside it, half of it"),
    DPL_NUMBER(struct properties, stale_after_ms, "StaleAfter", "ms", "300", 1, 10000,
               "it stands when what it sees is older"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, logic.turns, "turns", NULL, DPL_FIELD_SUMMARY | DPL_FIELD_STATUS,
                   "begun so far"),
    DPL_EXPORT_INT(struct state, blind, "blind", NULL, DPL_FIELD_SUMMARY,
                   "cycles without all that it must see"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
    .stop = stop,
    .error = on_error,
};

static const struct dpl_component_class class = {
    .name = "TemplateName",
    .summary = "drives a wheel base by range finders and a bumper",
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
