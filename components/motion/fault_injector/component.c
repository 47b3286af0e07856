/* SPDX-License-Identifier: Apache-2.0 */
/* FaultInjector: disturbs the messages on a connection, for experiments and tests. It handles
 * references, planned poses and wrenches; every connected stream gets the same faults. The faults
 * are in faults.h. */
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "../pose6.h"
#include "../wrench.h"
#include "faults.h"

#define N_STREAMS 3

/* The inputs of the streams, then their outputs, in the same order. */
enum port {
    PORT_REFERENCE,
    PORT_POSE,
    PORT_WRENCH,
    PORT_REFERENCE_OUT,
    PORT_POSE_OUT,
    PORT_WRENCH_OUT,
};

struct properties {
    char faults[4096];
};

struct state {
    struct fault_list list;
    struct fault_channel streams[N_STREAMS];
    int64_t n_passed, n_changed, n_dropped, n_delayed, n_active;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    struct fault_error bad;
    (void)reterr;
    return faults_parse(p->faults, &state->list, &bad); /* check_faults has checked the text */
}

/* ---- messages as six values and back --------------------------------------------------------- */

static void read_message(unsigned stream, const struct dpl_message *from, struct fault_message *to)
{
    to->stamp_ns = from->stamp;
    if (stream == PORT_REFERENCE) {
        dpl_pose6_get(((const Doppel__PoseReference *)from->body)->pose, to->values);
    } else if (stream == PORT_POSE) {
        const Doppel__PlannedPose *planned = from->body;
        dpl_pose6_get(planned->pose, to->values);
        to->sequence = planned->sequence;
        to->upon = planned->upon;
    } else {
        const Doppel__Wrench *wrench = from->body;
        dpl_wrench_get(wrench, to->values);
        to->valid = wrench->valid;
    }
}

static void send(struct dpl_component *self, unsigned stream, const struct fault_message *message)
{
    unsigned port = PORT_REFERENCE_OUT + stream;
    void *body = dpl_port_loan(self, port);
    if (!body) {
        return;
    }
    if (stream == PORT_REFERENCE) {
        dpl_pose6_set(((Doppel__PoseReference *)body)->pose, message->values);
    } else if (stream == PORT_POSE) {
        Doppel__PlannedPose *planned = body;
        dpl_pose6_set(planned->pose, message->values);
        planned->sequence = message->sequence;
        planned->upon = message->upon;
    } else {
        dpl_wrench_set(body, message->values, message->valid);
    }
    dpl_port_publish(self, port, body, message->stamp_ns);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void pass(struct dpl_component *self, unsigned stream, dpl_ns now)
{
    struct state *state = self->state;
    struct fault_channel *channel = &state->streams[stream];
    const struct dpl_message *from;
    while ((from = dpl_port_take(self, stream))) {
        struct fault_message message = {.valid = false};
        read_message(stream, from, &message);
        if (faults_apply(&state->list, channel, now, &message)) {
            state->n_passed++;
            send(self, stream, &message);
        }
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    state->n_changed = state->n_dropped = state->n_delayed = state->n_active = 0;
    for (unsigned i = 0; i < N_STREAMS; i++) {
        const struct fault_channel *channel = &state->streams[i];
        pass(self, i, tick->now);
        state->n_changed += channel->n_changed;
        state->n_dropped += channel->n_dropped;
        state->n_delayed += channel->n_delayed;
        state->n_active += channel->n_active;
    }
    return 0;
}

#define INPUT(name_, message_)                                                                     \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_DATA, .dir = DPL_PORT_IN, .message = message_,             \
        .policy = DPL_QUEUE_FIFO, .depth = 16, .summary = "what passes",                           \
    }
#define OUTPUT(name_, message_)                                                                    \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_DATA, .dir = DPL_PORT_OUT, .message = message_,            \
        .summary = "the same message in the same cycle, changed by the active faults",             \
    }

static const struct dpl_port_desc ports[] = {
    [PORT_REFERENCE] = INPUT("reference", &doppel__pose_reference__descriptor),
    [PORT_POSE] = INPUT("pose", &doppel__planned_pose__descriptor),
    [PORT_WRENCH] = INPUT("wrench", &doppel__wrench__descriptor),
    [PORT_REFERENCE_OUT] = OUTPUT("reference_out", &doppel__pose_reference__descriptor),
    [PORT_POSE_OUT] = OUTPUT("pose_out", &doppel__planned_pose__descriptor),
    [PORT_WRENCH_OUT] = OUTPUT("wrench_out", &doppel__wrench__descriptor),
};

static int check_faults(const char *text, struct dpl_diag *reterr)
{
    struct fault_list list;
    struct fault_error bad;
    return faults_parse(text, &list, &bad) == 0
               ? 0
               : dpl_check_fail(text, text + bad.offset, bad.what, reterr);
}

static const struct dpl_field properties[] = {
    DPL_TEXT_CHECKED(
        struct properties, faults, "Faults", "", check_faults,
        "rows \"t spike n AXIS value\", \"t step n AXIS value\", \"t dropout n\", \"t hold "
        "n\", \"t nan n\" and \"t delay n samples\" separated by ';': s, n messages (0: for "
        "ever), x y z roll pitch yaw, m or rad (N or N m)"),
};

#define COUNTED(member_, name_, text_)                                                             \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_active, "active", NULL, DPL_FIELD_TRACE,
                   "active faults at the newest message"),
    COUNTED(n_passed, "passed", "messages sent"),
    COUNTED(n_changed, "changed", "messages with changed values"),
    COUNTED(n_dropped, "dropped", "messages that were not sent"),
    COUNTED(n_delayed, "delayed", "messages that had to wait"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "FaultInjector",
    .summary = "adds faults to the references, planned poses or wrenches that pass through it",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 2500 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
