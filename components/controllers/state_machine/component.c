/* SPDX-License-Identifier: Apache-2.0 */
/* StateMachine: runs a state machine from XML (docs/guides/state-machines.md) over the channels of
 * its device. The device's driver says what the channels are: those of a simulated world, or
 * registers of a bus. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drv/channels.h>
#include <doppel/msg/controllers.h>
#include <doppel/plugin.h>
#include <doppel/state_machine.h>

_Static_assert((int)DPL_STATE_MACHINE_CHANNELS_MAX <= (int)DPL_CHANNELS_MAX &&
                   (int)DPL_STATE_MACHINE_CHANNEL_SIZE <= (int)DPL_CHANNELS_NAME_MAX,
               "a device has room for every channel that a machine can name");

enum { PORT_TRANSITION, PORT_REPORT };
enum { TEXT_MAX = 127, REPORT_MAX = 4000 }; /* bytes of a text in an event */

struct properties {
    char file[4096];
};

struct state {
    struct dpl_state_machine *machine;
    struct dpl_state_machine_run run;
    char name[DPL_STATE_MACHINE_NAME_SIZE]; /* of the state; "": none */
    int64_t n_transitions, n_interruptions;
    bool released, failed;
    dpl_ns reported; /* when; 0: anew */
};

/* ---- channels ---- */

static int find_channel(struct dpl_component *self, size_t i, struct dpl_diag *reterr)
{
    const struct state *state = self->state;
    const struct dpl_state_machine_channel *channel = dpl_state_machine_channel(state->machine, i);
    int err = dpl_channels_find(dpl_component_device(self), (int64_t)i, channel->put, channel->name,
                                reterr);
    if (err < 0 && reterr) {
        reterr->place = channel->place;
    }
    return err;
}

/* All values of one cycle; false: one has none. */
static bool read_channels(struct dpl_component *self)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    for (size_t i = 0; i < dpl_state_machine_n_channels(state->machine); i++) {
        struct dpl_channels_value value;
        if (dpl_state_machine_channel(state->machine, i)->put) {
            continue;
        }
        if (dpl_channels_get(device, (int64_t)i, &value) < 0 || !isfinite(value.value)) {
            return false;
        }
        state->run.values[i] = value.value;
    }
    return true;
}

/* Again in each cycle: a device that was lost has forgotten what was put. */
static void put_channels(struct dpl_component *self)
{
    struct state *state = self->state;
    for (size_t i = 0; i < dpl_state_machine_n_channels(state->machine); i++) {
        if (state->run.is_put[i]) {
            dpl_channels_put(dpl_component_device(self), (int64_t)i, state->run.values[i]);
            state->released = false;
        }
    }
}

/* Nothing that the machine has put counts any more; it begins anew. */
static void release(struct dpl_component *self)
{
    struct state *state = self->state;
    if (!state->released) {
        state->released = true;
        dpl_channels_release(dpl_component_device(self));
    }
    state->run = (struct dpl_state_machine_run){0};
}

/* ---- what it tells ---- */

static const char *name_of(const struct state *state, size_t number)
{
    return dpl_state_machine_state(state->machine, number);
}

static void report_transition(struct dpl_component *self,
                              const struct dpl_state_machine_transition *taken, dpl_ns now)
{
    const struct state *state = self->state;
    const char *from = name_of(state, taken->from), *to = name_of(state, taken->to);
    dpl_component_log(self, DPL_LOG_INFO, "%s -> %s after %.3f s (line %d%s%.80s)", from, to,
                      dpl_ns_to_s(taken->stayed), taken->place.line, taken->when[0] ? ": " : "",
                      taken->when);
    Doppel__StateTransition *message = dpl_port_loan(self, PORT_TRANSITION);
    if (!message) {
        return;
    }
    snprintf(message->from, TEXT_MAX + 1, "%s", from);
    snprintf(message->to, TEXT_MAX + 1, "%s", to);
    snprintf(message->when, TEXT_MAX + 1, "%s", taken->when);
    message->stayed = dpl_ns_to_s(taken->stayed);
    message->number = (uint32_t)state->run.n_transitions;
    dpl_port_publish(self, PORT_TRANSITION, message, now);
}

/* At each change and each second. */
static void report_states(struct dpl_component *self, dpl_ns now)
{
    struct state *state = self->state;
    if (state->reported != 0 && now - state->reported < DPL_S) {
        return;
    }
    state->reported = now;
    Doppel__StateReport *message = dpl_port_loan(self, PORT_REPORT);
    if (!message) {
        return;
    }
    size_t at = 0;
    message->states[0] = '\0';
    for (size_t i = 0; i < dpl_state_machine_n_states(state->machine); i++) {
        const char *name = name_of(state, i);
        if (at + strlen(name) + 1 <= REPORT_MAX) {
            at += (size_t)snprintf(message->states + at, REPORT_MAX + 1 - at, "%s%s",
                                   i > 0 ? "|" : "", name);
        }
    }
    snprintf(message->present, REPORT_MAX + 1, "%s", state->name);
    message->moves[0] = message->requests[0] = '\0';
    dpl_port_publish(self, PORT_REPORT, message, now);
}

static void fail(struct dpl_component *self, const struct dpl_diag *why)
{
    struct state *state = self->state;
    char text[DPL_DIAG_TEXT_MAX];
    dpl_diag_format(why, text, sizeof text);
    dpl_component_log(self, DPL_LOG_ERROR,
                      "stopped in state '%s' until a reset, outputs are released: %s",
                      name_of(state, state->run.state), text);
    dpl_component_set_fault(self, "an expression of the state machine has no value");
    state->failed = true;
    release(self);
    state->name[0] = '\0';
}

static void interrupt(struct dpl_component *self, const char *why)
{
    struct state *state = self->state;
    if (state->run.begun) {
        state->n_interruptions++;
        dpl_component_log(self, DPL_LOG_WARN,
                          "%s: leaves state '%s', releases its outputs, and starts again", why,
                          state->name);
    }
    release(self);
    state->name[0] = '\0';
}

/* ---- life cycle ---- */

static void destroy(struct dpl_component *self)
{
    struct state *state = self->state;
    dpl_state_machine_destroy(state->machine);
    state->machine = NULL;
}

/* The first error, of a file that may have several (`doppel check FILE` prints all). */
static int read_machine(const char *file, struct dpl_state_machine **ret_machine,
                        struct dpl_diag *reterr)
{
    struct dpl_diags diags = {0};
    int err = dpl_state_machine_read(file, &diags, ret_machine);
    for (size_t i = 0; err < 0 && i < diags.n; i++) {
        if (diags.items[i].severity == DPL_SEVERITY_ERROR) {
            dpl_fail(reterr, err, diags.items[i].place, "%s", diags.items[i].text);
            break;
        }
    }
    dpl_diags_finish(&diags);
    return err;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    *state = (struct state){.released = true};
    int err = read_machine(props->file, &state->machine, reterr);
    for (size_t i = 0; err == 0 && i < dpl_state_machine_n_channels(state->machine); i++) {
        err = find_channel(self, i, reterr);
    }
    if (err < 0) {
        if (reterr) {
            reterr->place.file = props->file; /* the machine's copy goes */
        }
        destroy(self);
    }
    return err;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct state *state = self->state;
    release(self);
    state->name[0] = '\0';
    state->failed = false;
    dpl_component_set_fault(self, NULL);
    return 0;
}

static void step(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_state_machine_transition taken;
    struct dpl_diag why;
    bool begins = !state->run.begun;
    int result = dpl_state_machine_step(state->machine, &state->run, tick->now, &taken, &why);
    if (result < 0) {
        fail(self, &why);
        return;
    }
    snprintf(state->name, sizeof state->name, "%s", name_of(state, state->run.state));
    if (begins) {
        dpl_component_log(self, DPL_LOG_INFO, "%s begins in state '%s'",
                          dpl_state_machine_name(state->machine), state->name);
    }
    if (begins || result > 0) {
        state->reported = 0;
    }
    report_states(self, tick->now);
    if (result > 0) {
        state->n_transitions++;
        report_transition(self, &taken, tick->now);
    }
    put_channels(self);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    int err = dpl_channels_execute(dpl_component_device(self), tick);
    if (state->failed) {
        return 0;
    }
    if (tick->halt) {
        interrupt(self, "the application halts");
    } else if (err < 0 || !read_channels(self)) {
        interrupt(self, "a channel has no value");
    } else {
        step(self, tick);
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    release(self);
    return 0;
}

/* ---- tables ---- */

static int check_file(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    struct dpl_state_machine *machine = NULL;
    struct dpl_diag why = {.text = ""};
    char text[DPL_DIAG_TEXT_MAX];
    int err = read_machine(props->file, &machine, &why);
    dpl_state_machine_destroy(machine);
    if (err < 0) {
        dpl_diag_format(&why, text, sizeof text);
        return dpl_fail(reterr, err, (struct dpl_place){0}, "%.500s", text);
    }
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_TRANSITION] =
        {
            .name = "transition",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .message = &doppel__state_transition__descriptor,
            .capacity = TEXT_MAX,
            .summary = "it came to another state",
        },
    [PORT_REPORT] =
        {
            .name = "report",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .message = &doppel__state_report__descriptor,
            .capacity = REPORT_MAX,
            .summary = "its states, and the present one, for an operator",
        },
};

static const struct dpl_field properties[] = {
    DPL_FILE(struct properties, file, "File", NULL, "the state machine"),
};

static const struct dpl_field exports[] = {
    {
        .name = "state",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct state, name),
        .flags = DPL_FIELD_TRACE | DPL_FIELD_STATUS | DPL_FIELD_SUMMARY,
        .summary = "name of the state; empty: the machine does not run",
    },
    DPL_EXPORT_INT(struct state, n_transitions, "transitions", NULL, DPL_FIELD_SUMMARY,
                   "that were taken"),
    DPL_EXPORT_INT(struct state, n_interruptions, "interruptions", NULL, DPL_FIELD_SUMMARY,
                   "how often it restarted: a halt, or a channel without a value"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "StateMachine",
    .summary = "runs a state machine from XML over the channels of its device",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_CHANNELS_CLASS,
    .n_device_calls = DPL_DRV_CHANNELS_N_CALLS,
    .default_period = 10 * DPL_MS,
    .check = check_file,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
