/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime of a few lines. */
#include "chain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/axes.h>
#include <doppel/plugin.h>
#include <doppel/sim/machine.h>

#include "hexa_ik.h"
#include "pose6.h"

#define PORTS_MAX 8
#define BLOCKS    8

extern const struct dpl_plugin planner_plugin, path_plugin, kinematics_plugin;

struct chain chain;
struct dpl_diag chain_error;

struct port {
    bool connected;
    void *blocks[BLOCKS];
    struct dpl_message messages[BLOCKS]; /* in ports: a ring */
    unsigned written, taken;
};

static struct member {
    struct dpl_component component;
    struct port ports[PORTS_MAX];
    dpl_ns period;
} members[CHAIN_N_MEMBERS];

static const struct {
    int from, from_port, to, to_port;
} wires[] = {
    {CHAIN_PLANNER, PLANNER_POSE, CHAIN_PATH, PATH_POSE},
    {CHAIN_PATH, PATH_STATE, CHAIN_PLANNER, PLANNER_PATH},
    {CHAIN_KINEMATICS, KINEMATICS_MEASURED, CHAIN_PLANNER, PLANNER_MEASURED},
    {CHAIN_KINEMATICS, KINEMATICS_MEASURED, CHAIN_PATH, PATH_MEASURED},
};

/* ---- the runtime, as far as the components meet it ---- */

static struct port *port_of(const struct dpl_component *component, unsigned port)
{
    return &((struct member *)component->runtime)->ports[port];
}

static void *make_block(const struct dpl_port_desc *desc)
{
    const ProtobufCMessageDescriptor *type = desc->message;
    unsigned char *block = calloc(1, type->sizeof_message);
    protobuf_c_message_init(type, block);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        void *room = NULL;
        if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            room = calloc(6, sizeof(double));
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            const ProtobufCMessageDescriptor *sub = field->descriptor;
            room = calloc(1, sub->sizeof_message);
            protobuf_c_message_init(sub, room);
        }
        if (room) {
            memcpy(block + field->offset, &room, sizeof room);
        }
    }
    return block;
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    struct port *p = port_of(component, port);
    void **block = &p->blocks[p->written % BLOCKS];
    if (!*block) {
        *block = make_block(&component->class_->ports[port]);
    }
    return *block;
}

static void deliver(int member, int port, void *body, dpl_ns stamp)
{
    struct port *p = &members[member].ports[port];
    p->messages[p->written++ % BLOCKS] = (struct dpl_message){.stamp = stamp, .body = body};
    if (p->written - p->taken > BLOCKS) {
        p->taken = p->written - BLOCKS; /* the oldest drop out */
    }
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    struct port *p = port_of(component, port);
    int from = (int)((struct member *)component->runtime - members);
    cr_assert_eq(body, p->blocks[p->written % BLOCKS]);
    p->written++;
    for (size_t i = 0; i < DPL_COUNT(wires); i++) {
        if (wires[i].from == from && wires[i].from_port == (int)port &&
            members[wires[i].to].ports[wires[i].to_port].connected) {
            deliver(wires[i].to, wires[i].to_port, body, stamp);
        }
    }
    return 0;
}

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    struct port *p = port_of(component, port);
    return p->taken < p->written ? &p->messages[p->taken++ % BLOCKS] : NULL;
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    struct port *p = port_of(component, port);
    return p->written > 0 ? &p->messages[(p->written - 1) % BLOCKS] : NULL;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return port_of(component, port)->connected;
}

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    cr_assert(component == chain_member(CHAIN_PATH) && port == PATH_KINEMATICS);
    struct dpl_component *provider = chain_member(CHAIN_KINEMATICS);
    const struct dpl_port_desc *service = &provider->class_->ports[KINEMATICS_SERVICE];
    return service->methods[method](provider, KINEMATICS_SERVICE, request, response);
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(chain.log, sizeof chain.log, format, arguments);
    va_end(arguments);
    chain.log_lines++;
}

int dpl_component_find_file(struct dpl_component *component, const struct dpl_file_wanted *wanted,
                            const char **ret_path, struct dpl_diag *reterr)
{
    *ret_path = wanted->name;
    return 0;
}

/* HX-A, moved along x. */
int dpl_sim_read_machine(const char *file, struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    *ret_machine = (struct dpl_machine){.reserve = g->reserve};
    memcpy(ret_machine->home, g->home, sizeof g->home);
    memcpy(ret_machine->half_range, g->half_range, sizeof g->half_range);
    ret_machine->home[0] += chain.machine_home_x;
    for (int i = 0; i < DPL_AXES_N; i++) {
        struct dpl_machine_leg *leg = &ret_machine->legs[i];
        for (int c = 0; c < 3; c++) {
            leg->joint_m[c] = g->joint_m[c][i];
            leg->rail_m[c] = g->rail_m[c][i];
            leg->direction[c] = g->axis[c][i];
        }
        leg->rail_m[0] += chain.machine_home_x;
        leg->branch = g->branch[i];
        leg->link_m = g->link_m[i];
        leg->low_m = g->low_m[i];
        leg->high_m = g->high_m[i];
    }
    return chain.machine_error;
}

/* ---- the test's hands ---- */

struct dpl_component *chain_member(enum chain_member member)
{
    return &members[member].component;
}

static void prepare_member(enum chain_member member, const struct dpl_plugin *plugin, dpl_ns period)
{
    struct member *m = &members[member];
    const struct dpl_component_class *class = plugin->component;
    void *properties = calloc(1, class->properties_size);
    memset(m, 0, sizeof *m);
    cr_assert_leq(class->n_ports, PORTS_MAX);
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    m->component = (struct dpl_component){
        .name = class->name,
        .class_ = class,
        .properties = properties,
        .state = calloc(1, class->state_size),
        .runtime = m,
    };
    m->period = period;
    for (size_t i = 0; i < class->n_ports; i++) {
        m->ports[i].connected = true;
    }
}

void chain_prepare(void)
{
    chain = (struct chain){
        .axes_known = true,
        .axes_valid = true,
        .has_command = true,
        .has_kinematics = true,
        .machine = DOPPEL__MACHINE_STATE__MACHINE_STOPPED,
    };
    memcpy(chain.target, dpl_hexa_reference.home, sizeof chain.target);
    memcpy(chain.reference, dpl_hexa_reference.home, sizeof chain.reference);
    cr_assert_eq(dpl_hexa_ik(&dpl_hexa_reference, chain.target, chain.axes), 0);
    prepare_member(CHAIN_PLANNER, &planner_plugin, CHAIN_PLANNER_TICKS * CHAIN_SERVO_PERIOD);
    prepare_member(CHAIN_PATH, &path_plugin, CHAIN_SERVO_PERIOD);
    prepare_member(CHAIN_KINEMATICS, &kinematics_plugin, CHAIN_SERVO_PERIOD);
}

int chain_accepts(enum chain_member member, const char *name, const char *text)
{
    const struct dpl_component *c = chain_member(member);
    const struct dpl_component_class *class = c->class_;
    const struct dpl_field *field = dpl_field_find(class->properties, class->n_properties, name);
    cr_assert_not_null(field, "%s", name);
    struct dpl_field_text value = {.text = text};
    return dpl_field_parse(field, &value, (void *)(uintptr_t)c->properties, &chain_error);
}

void chain_set(enum chain_member member, const char *name, const char *text)
{
    cr_assert_eq(chain_accepts(member, name, text), 0, "%s", chain_error.text);
}

static int start_member(struct member *m)
{
    const struct dpl_component_ops *ops = m->component.class_->ops;
    int err = ops->initialize ? ops->initialize(&m->component, &chain_error) : 0;
    if (err == 0 && ops->period_changed) {
        err = ops->period_changed(&m->component, m->period);
    }
    return err ? err : ops->start(&m->component, &chain_error);
}

int chain_start(void)
{
    members[CHAIN_PLANNER].ports[PLANNER_COMMAND].connected = chain.has_command;
    members[CHAIN_PLANNER].ports[PLANNER_PATH].connected = !chain.path_is_open;
    members[CHAIN_PATH].ports[PATH_COMMAND].connected = chain.has_command;
    members[CHAIN_PATH].ports[PATH_AXES].connected = chain.axes_known;
    members[CHAIN_PATH].ports[PATH_KINEMATICS].connected = chain.has_kinematics;
    int err = 0;
    for (int i = 0; i < CHAIN_N_MEMBERS && err == 0; i++) {
        err = start_member(&members[i]);
    }
    return err;
}

static void send_command(void)
{
    static Doppel__MachineCommand command;
    static Doppel__Pose6 target;
    if (!chain.has_command) {
        return;
    }
    doppel__machine_command__init(&command);
    doppel__pose6__init(&target);
    dpl_pose6_set(&target, chain.target);
    command.state = chain.machine;
    command.epoch = chain.epoch;
    command.target = &target;
    command.axes_on = chain.axes_on;
    deliver(CHAIN_PLANNER, PLANNER_COMMAND, &command, chain.now);
    deliver(CHAIN_PATH, PATH_COMMAND, &command, chain.now);
}

static void send_reference(void)
{
    static Doppel__PoseReference reference;
    static Doppel__Pose6 pose;
    if (!chain.has_reference) {
        return;
    }
    doppel__pose_reference__init(&reference);
    doppel__pose6__init(&pose);
    dpl_pose6_set(&pose, chain.reference);
    reference.pose = &pose;
    deliver(CHAIN_PLANNER, PLANNER_REFERENCE, &reference, chain.now);
}

/* Axes that are where the newest reference wants them. */
static void send_axes(void)
{
    static Doppel__AxisState state;
    const Doppel__AxisReference *reference = chain_newest(CHAIN_PATH, PATH_REFERENCE);
    if (chain.axes_on && reference) {
        memcpy(chain.axes, reference->position, sizeof chain.axes);
    }
    doppel__axis_state__init(&state);
    state.position = chain.axes;
    state.n_position = 6;
    state.valid = chain.axes_valid;
    state.mode = chain.axes_on ? DOPPEL__AXES_MODE__AXES_ON : DOPPEL__AXES_MODE__AXES_OFF;
    deliver(CHAIN_KINEMATICS, KINEMATICS_AXES, &state, chain.now);
    if (chain.axes_known) {
        deliver(CHAIN_PATH, PATH_AXES, &state, chain.now);
    }
}

static void execute(enum chain_member member)
{
    struct member *m = &members[member];
    struct dpl_tick tick = {
        .now = chain.now, .period = m->period, .cycle = chain.cycle, .halt = chain.halt};
    cr_assert_eq(m->component.class_->ops->execute(&m->component, &tick), 0);
}

void chain_run(int servo_ticks)
{
    for (int i = 0; i < servo_ticks; i++) {
        send_command();
        if (chain.cycle % CHAIN_PLANNER_TICKS == 0 && !chain.planner_is_late) {
            send_reference();
            execute(CHAIN_PLANNER);
        }
        if (!chain.path_is_late) {
            execute(CHAIN_PATH);
        }
        send_axes();
        execute(CHAIN_KINEMATICS);
        if (chain.each_tick) {
            chain.each_tick();
        }
        chain.cycle++;
        chain.now += CHAIN_SERVO_PERIOD;
    }
}

void chain_command(Doppel__MachineState machine)
{
    chain.machine = machine;
    chain.epoch++;
}

const void *chain_newest(enum chain_member member, unsigned port)
{
    const struct port *p = &members[member].ports[port];
    return p->written > 0 ? p->blocks[(p->written - 1) % BLOCKS] : NULL;
}

int chain_count(enum chain_member member, unsigned port)
{
    return (int)members[member].ports[port].written;
}

double chain_export(enum chain_member member, const char *name)
{
    const struct dpl_component *c = chain_member(member);
    const struct dpl_field *field = dpl_field_find(c->class_->exports, c->class_->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, c->state);
}
