/* SPDX-License-Identifier: Apache-2.0 */
/* Builds small applications for tests of the runtime's core. */
#include "rig.h"

#include <string.h>

char rig_calls[256];

void rig_init(struct rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig_log[0] = '\0';
    rig_calls[0] = '\0';
    rig_clock_offset = 0;
    rig->app.name = "rig";
    rig->app.components = rig->components;
    rig->app.connections = rig->connections;
    rig->app.depends = rig->depends;
    rig->runtime.app = &rig->app;
    rig->runtime.options.simulated = true;
    rig->runtime.options.seed = 1;
    rig->runtime.options.log_level = DPL_LOG_DEBUG;
}

size_t rig_add(struct rig *rig, const char *name, const struct dpl_component_class *class_)
{
    size_t index = rig->app.n_components++;
    rig->components[index] = (struct dpl_app_component){
        .name = name,
        .place = {"rig.xml", (int)index + 1, 1},
        .class_ = class_,
        .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = 10 * DPL_MS},
    };
    return index;
}

void rig_execution(struct rig *rig, size_t component, enum dpl_execution_type type, dpl_ns period)
{
    rig->components[component].execution.type = type;
    rig->components[component].execution.period = period;
}

void rig_connect(struct rig *rig, size_t source, unsigned source_port, size_t target,
                 unsigned target_port)
{
    const struct dpl_component_class *class_ = rig->components[source].class_;
    rig->connections[rig->app.n_connections++] = (struct dpl_app_connection){
        .kind = source_port < class_->n_ports ? class_->ports[source_port].kind : DPL_PORT_DATA,
        .source = source,
        .target = target,
        .source_port = source_port,
        .target_port = target_port,
        .place = {"rig.xml", 100 + (int)rig->app.n_connections, 1},
    };
}

void rig_depends(struct rig *rig, size_t source, size_t target)
{
    rig->depends[rig->app.n_depends++] =
        (struct dpl_app_depends){.source = source, .target = target, .place = {"rig.xml", 200, 1}};
}

int rig_wire(struct rig *rig)
{
    int r = dpl__components_create(&rig->runtime, &rig->diag);
    if (r >= 0) {
        r = dpl__executors_create(&rig->runtime, &rig->diag);
    }
    return r < 0 ? r : dpl__wiring_connect(&rig->runtime, &rig->diag);
}

int rig_start(struct rig *rig)
{
    int r = rig_wire(rig);
    for (size_t i = 0; r >= 0 && i < rig->app.n_components; i++) {
        r = dpl__component_operate(rig_component(rig, i), DPL__INITIALIZE, 0, &rig->diag);
    }
    for (size_t i = 0; r >= 0 && i < rig->app.n_components; i++) {
        r = dpl__component_operate(rig_component(rig, i), DPL__START, 0, &rig->diag);
    }
    return r;
}

struct dpl__component *rig_component(struct rig *rig, size_t index)
{
    return rig->runtime.components[index];
}

struct dpl_component *rig_self(struct rig *rig, size_t index)
{
    return &rig->runtime.components[index]->self;
}

struct dpl__port_counters rig_counters(struct rig *rig, size_t component, unsigned port)
{
    struct dpl__port_counters counters;
    dpl__port_read_counters(rig_component(rig, component), port, &counters);
    return counters;
}

void rig_finish(struct rig *rig)
{
    if (rig->runtime.components) {
        dpl__components_finish(&rig->runtime);
    }
    dpl_arena_finish(&rig->runtime.arena);
}

void rig_note(const struct dpl_component *self, char what)
{
    size_t n = strlen(rig_calls);
    if (n + 3 < sizeof rig_calls) {
        rig_calls[n] = what;
        rig_calls[n + 1] = self->name[0];
        rig_calls[n + 2] = '\0';
    }
}

int rig_on_update(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    rig_note(self, 'u');
    return 0;
}

int rig_on_event(struct dpl_component *self, unsigned port, const struct dpl_message *message)
{
    (void)port;
    (void)message;
    rig_note(self, 'e');
    return 0;
}

void rig_within(struct rig *rig, size_t component, void (*body)(struct dpl_component *))
{
    struct dpl__component *c = rig_component(rig, component);
    struct dpl__activation activation;
    if (dpl__component_enter(c, c->executor, "test", &activation) == 0) {
        body(&c->self);
        dpl__component_leave(c, &activation);
    }
}
