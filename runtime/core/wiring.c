/* SPDX-License-Identifier: Apache-2.0 */
/* Connects ports as the application specifies: queues inside an executor, rings between executors,
 * and pools with enough blocks for all stages of a message. Nothing here runs after start. */
#include <errno.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "executor.h"
#include "port.h"
#include "runtime.h"
#include "tap.h"

/* ---- callers --------------------- */

static struct dpl__executor many; /* means "several executors" in `homes` */

static bool merge(struct dpl__executor **home, struct dpl__executor *caller)
{
    if (!caller || *home == caller || *home == &many) {
        return false;
    }
    *home = *home ? &many : caller;
    return true;
}

/* A service runs on its caller's thread, and so do the services that it calls: a component that
 * several executors reach in this way needs its lock. The simulated clock has one thread. */
static void find_shared(struct dpl_runtime *runtime)
{
    const struct dpl_app *app = runtime->app;
    struct dpl__executor **homes =
        dpl_arena_alloc(&runtime->arena, (app->n_components + 1) * sizeof(void *));
    for (size_t i = 0; i < app->n_components; i++) {
        homes[i] = runtime->components[i]->executor;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < app->n_connections; i++) {
            const struct dpl_app_connection *c = &app->connections[i];
            if (c->kind == DPL_PORT_SERVICE) {
                changed |= merge(&homes[c->target], homes[c->source]);
            }
        }
    }
    for (size_t i = 0; i < app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        component->shared = homes[i] == &many && !runtime->options.simulated;
        component->home = homes[i] == &many ? NULL : homes[i];
    }
}

static bool service_reaches(const struct dpl_app *app, size_t from, size_t to, bool *seen)
{
    if (from == to) {
        return true;
    }
    seen[from] = true;
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind == DPL_PORT_SERVICE && c->source == from && !seen[c->target] &&
            service_reaches(app, c->target, to, seen)) {
            return true;
        }
    }
    return false;
}

/* Two threads that call each other's components could wait for each other without end. Within one
 * executor a cycle of calls is detected when it happens. */
static int check_service_cycles(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    const struct dpl_app *app = runtime->app;
    bool *seen = dpl_arena_alloc(&runtime->arena, app->n_components + 1);
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind != DPL_PORT_SERVICE || !runtime->components[c->target]->shared) {
            continue;
        }
        memset(seen, 0, app->n_components);
        if (service_reaches(app, c->target, c->source, seen)) {
            return dpl_fail(
                reterr, -EDEADLK, c->place,
                "%s calls services of %s, which calls back, from several executors: they could "
                "block each other. Run them in one executor (periodic-shared with the same period "
                "and priority, or in one rate group)",
                app->components[c->source].name, app->components[c->target].name);
        }
    }
    return 0;
}

/* ---- checks of one connection ---- */

static struct dpl__port *port_at(const struct dpl_runtime *runtime, size_t component, unsigned port)
{
    if (component >= runtime->app->n_components ||
        port >= runtime->components[component]->self.class_->n_ports) {
        return NULL;
    }
    return &runtime->components[component]->ports[port];
}

/* Plugins may have their own copy of a descriptor: the names are compared, and the structs must be
 * equal. */
static bool same_message(const ProtobufCMessageDescriptor *a, const ProtobufCMessageDescriptor *b)
{
    if (a == b) {
        return true;
    }
    return a && b && strcmp(a->name, b->name) == 0 && a->sizeof_message == b->sizeof_message &&
           a->n_fields == b->n_fields;
}

static bool same_service(const ProtobufCServiceDescriptor *a, const ProtobufCServiceDescriptor *b)
{
    return a && b && strcmp(a->name, b->name) == 0 && a->n_methods == b->n_methods;
}

static const char *type_name(const struct dpl__port *port)
{
    if (port->desc->kind == DPL_PORT_SERVICE) {
        return port->desc->service ? port->desc->service->name : "none";
    }
    return port->desc->message ? port->desc->message->name : "none";
}

static int check_connection(const struct dpl_app_connection *c, const struct dpl__port *source,
                            const struct dpl__port *target, struct dpl_diag *reterr)
{
    if (!source || !target) {
        return dpl_fail(reterr, -EINVAL, c->place, "connection to a port that does not exist");
    }
    bool service = c->kind == DPL_PORT_SERVICE;
    enum dpl_port_dir from = service ? DPL_PORT_IN : DPL_PORT_OUT;
    if (source->desc->kind != c->kind || target->desc->kind != c->kind) {
        return dpl_fail(reterr, -EINVAL, c->place, "%s and %s are ports of different kinds",
                        source->name, target->name);
    }
    if (source->desc->dir != from || target->desc->dir == from) {
        return dpl_fail(reterr, -EINVAL, c->place, "%s -> %s goes in the wrong direction",
                        source->name, target->name);
    }
    bool same = service ? same_service(source->desc->service, target->desc->service)
                        : same_message(source->desc->message, target->desc->message);
    if (!same) {
        return dpl_fail(reterr, -EINVAL, c->place, "%s is of type %s, but %s of type %s",
                        source->name, type_name(source), target->name, type_name(target));
    }
    if (service && source->provider) {
        return dpl_fail(reterr, -EEXIST, c->place, "%s is connected to %s already", source->name,
                        source->provider->name);
    }
    return 0;
}

/* ---- connecting ---- */

static void connect_messages(struct dpl_runtime *runtime, struct dpl__port *source,
                             struct dpl__port *target)
{
    struct dpl__connection *connection = dpl_arena_alloc(&runtime->arena, sizeof *connection);
    connection->source = source;
    connection->target = target;
    const struct dpl__component *from = source->component, *to = target->component;
    bool same_executor = from->executor && from->executor == to->executor;
    if (to->executor && to->executor->execution.type == DPL_EXECUTION_APERIODIC) {
        connection->wakes = to->executor;
    }
    /* Within one executor but shared: a service may publish or take on a caller's thread. */
    if (!same_executor || from->shared || to->shared) {
        size_t depth = target->depth < DPL__RING_SLOTS ? target->depth : DPL__RING_SLOTS;
        connection->ring = dpl__ring_create(&runtime->arena, depth);
        connection->local = same_executor;
        target->rings[target->n_rings++] = connection;
    }
    source->outputs[source->n_outputs++] = connection;
}

/* Storage for the connections of every port; one list may have all of them. */
static void reserve(struct dpl_runtime *runtime)
{
    const struct dpl_app *app = runtime->app;
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        struct dpl__port *source = port_at(runtime, c->source, c->source_port);
        struct dpl__port *target = port_at(runtime, c->target, c->target_port);
        if (c->kind == DPL_PORT_SERVICE || !source || !target) {
            continue;
        }
        size_t bytes = app->n_connections * sizeof(void *);
        source->outputs =
            source->outputs ? source->outputs : dpl_arena_alloc(&runtime->arena, bytes);
        target->rings = target->rings ? target->rings : dpl_arena_alloc(&runtime->arena, bytes);
    }
}

static int connect_all(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_connections; i++) {
        const struct dpl_app_connection *c = &runtime->app->connections[i];
        struct dpl__port *source = port_at(runtime, c->source, c->source_port);
        struct dpl__port *target = port_at(runtime, c->target, c->target_port);
        int r = check_connection(c, source, target, reterr);
        if (r < 0) {
            return r;
        }
        source->connected = true;
        target->connected = true;
        if (c->kind == DPL_PORT_SERVICE) {
            source->provider = target;
        } else {
            connect_messages(runtime, source, target);
        }
    }
    return 0;
}

/* ---- resources of ports ------- */

/* Number of places where a block can be at the same time, so that a correct application never runs
 * out of blocks. */
static size_t blocks_needed(const struct dpl__port *port)
{
    size_t n = DPL__OPEN_LOANS;
    for (size_t i = 0; i < port->n_outputs; i++) {
        const struct dpl__connection *c = port->outputs[i];
        n += c->target->depth + DPL__HELD_BLOCKS + (c->ring ? c->ring->n_slots : 0);
    }
    return n;
}

static int complete_port(struct dpl_runtime *runtime, struct dpl__port *port,
                         struct dpl_diag *reterr)
{
    const struct dpl_port_desc *desc = port->desc;
    struct dpl_place place = port->component->model->place;
    if (desc->required && !port->connected) {
        return dpl_fail(reterr, -ENOTCONN, place, "%s must be connected", port->name);
    }
    if (desc->kind == DPL_PORT_SERVICE || desc->dir == DPL_PORT_IN) {
        return 0;
    }
    size_t n_spare = runtime->options.n_gateways > 0 ? dpl__tap_create(&runtime->arena, port) : 0;
    size_t n_blocks = blocks_needed(port);
    struct dpl_diag why = {0};
    int r = dpl__pool_create(&runtime->arena, desc->message, desc->capacity, n_blocks + n_spare,
                             &port->pool, &why);
    if (r < 0) {
        return dpl_fail(reterr, r, place, "%s: %s", port->name, why.text);
    }
    dpl__pool_limit(port->pool, n_blocks);
    dpl__port_find_short_cuts(port);
    return 0;
}

static int complete_ports(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        struct dpl__component *component = runtime->components[i];
        for (size_t j = 0; j < component->self.class_->n_ports; j++) {
            int r = complete_port(runtime, &component->ports[j], reterr);
            if (r < 0) {
                return r;
            }
        }
    }
    return 0;
}

static void connect_depends(struct dpl_runtime *runtime)
{
    const struct dpl_app *app = runtime->app;
    for (size_t i = 0; i < app->n_depends; i++) {
        struct dpl__component *target = runtime->components[app->depends[i].target];
        if (!target->depends) {
            target->depends =
                dpl_arena_alloc(&runtime->arena, app->n_depends * sizeof *target->depends);
        }
        target->depends[target->n_depends++] =
            (struct dpl__depends){.source = runtime->components[app->depends[i].source]};
    }
}

int dpl__wiring_connect(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    find_shared(runtime);
    int r = check_service_cycles(runtime, reterr);
    if (r < 0) {
        return r;
    }
    reserve(runtime);
    r = connect_all(runtime, reterr);
    if (r < 0) {
        return r;
    }
    connect_depends(runtime);
    return complete_ports(runtime, reterr);
}

const char *dpl__port_type(const struct dpl_port_desc *port)
{
    return port->message ? port->message->name : port->service ? port->service->name : NULL;
}
