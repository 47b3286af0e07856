/* SPDX-License-Identifier: Apache-2.0 */
/* Service calls in the process: a function call on the caller's thread, with the provider's lock
 * when several threads may call it. */
#include <errno.h>

#include <protobuf-c/protobuf-c.h>

#include "executor.h"
#include "host_calls.h"
#include "port.h"
#include "runtime.h"

static bool serves(enum dpl__state state)
{
    return state == DPL__READY || state == DPL__ACTIVE || state == DPL__INACTIVE;
}

/* With the provider activated. */
static int call(const struct dpl__port *port, dpl_service_method method, const void *request,
                void *response)
{
    struct dpl__component *provider = port->component;
    if (!serves(atomic_load_explicit(&provider->state, memory_order_acquire))) {
        return -ESHUTDOWN;
    }
    if (!provider->executor) {
        dpl__component_take_inputs(provider); /* passive: no cycle takes its inputs */
    }
    return method(&provider->self, (unsigned)(port - provider->ports), request, response);
}

/* A request or response of NULL is the caller's mistake: the provider would crash by it. Logged
 * once. */
static int refuse_null(struct dpl__component *caller, const struct dpl__port *provider,
                       unsigned method)
{
    if (!caller->told_null) {
        caller->told_null = true;
        dpl__log_printf(caller->runtime->log, DPL_LOG_ERROR, caller->self.name,
                        "calls %s of %s without a request or without a response (NULL): refused",
                        provider->desc->service->methods[method].name,
                        provider->component->self.name);
    }
    return -EINVAL;
}

int dpl__service_serve(const struct dpl__port *port, unsigned method, struct dpl__executor *on,
                       struct dpl__component *caller, const void *request, void *response)
{
    const struct dpl_port_desc *provided = port->desc;
    if (method >= provided->service->n_methods) {
        return -EINVAL;
    }
    if (!provided->methods || !provided->methods[method]) {
        return -ENOSYS;
    }
    if (!request || !response) {
        return caller ? refuse_null(caller, port, method) : -EINVAL;
    }
    struct dpl__component *provider = port->component;
    struct dpl__activation activation;
    int r =
        dpl__component_enter(provider, on, provided->service->methods[method].name, &activation);
    if (r < 0) {
        return r;
    }
    provider->caller = caller;
    r = call(port, provided->methods[method], request, response);
    provider->caller = NULL;
    dpl__component_leave(provider, &activation);
    return r;
}

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    const struct dpl__port *self = dpl__port_find(component, port, DPL_PORT_SERVICE, DPL_PORT_IN);
    if (!self) {
        return -EINVAL;
    }
    if (!self->provider) {
        return -ENOTCONN;
    }
    return dpl__service_serve(self->provider, method, self->component->on, self->component, request,
                              response);
}

size_t dpl_component_caller(const struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    const struct dpl_app *app = self->runtime->app;
    return self->caller ? (size_t)(self->caller->model - app->components) : app->n_components;
}
