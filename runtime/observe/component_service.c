/* SPDX-License-Identifier: Apache-2.0 */
/* Services of components for those outside: the thread that owns the provider calls the method
 * between two callbacks, in the way of a component's own call. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "component.h"
#include "descriptor_set.h"
#include "executor.h"
#include "host_calls.h"
#include "outside_message.h"
#include "port.h"
#include "runtime.h"
#include "services.h"

#define ROOM 4096 /* elements of a repeated field, bytes of a text in a request */

static const struct dpl_place nowhere;

struct call {
    struct dpl__errand errand; /* must be first */
    const struct dpl__service *service;
    const struct dpl__port *port;
    struct dpl_arena arena; /* of the response */
    ProtobufCMessage *request, *response;
};

static const ProtobufCMethodDescriptor *method_of(const struct dpl__service *service)
{
    return &((const struct dpl__port *)service->source)->desc->service->methods[service->method];
}

/* ---- on the owner's thread ---- */

static int run_call(struct dpl__request *request, struct dpl_diag *reterr)
{
    const struct call *call = (const struct call *)(const void *)request;
    struct dpl__component *provider = call->port->component;
    dpl__log_event(provider->runtime->log, DPL_LOG_DEBUG, provider->self.name, "%s calls %s",
                   request->who, call->service->self.name);
    int r = dpl__service_serve(call->port, call->service->method, provider->executor, NULL,
                               call->request, call->response);
    return r >= 0            ? 0
           : r == -ESHUTDOWN ? dpl_fail(reterr, r, nowhere, "%s: the component is not ready",
                                        call->service->self.name)
                             : dpl_fail(reterr, r, nowhere, "%s: refused: %s",
                                        call->service->self.name, strerror(-r));
}

/* ---- on the observer's thread ---- */

static void add_answer(struct dpl__errand *errand, struct dpl_bytes *out)
{
    const struct call *call = (const void *)errand;
    size_t n = protobuf_c_message_get_packed_size(call->response);
    uint8_t *at = n > 0 ? dpl_bytes_extend(out, n) : NULL;
    if (at) {
        protobuf_c_message_pack(call->response, at);
    }
}

static void finish_call(struct dpl__errand *errand)
{
    struct call *call = (void *)errand;
    if (call->request) {
        protobuf_c_message_free_unpacked(call->request, NULL);
    }
    dpl_arena_finish(&call->arena);
}

static const struct dpl__errand_ops call_ops = {
    {"call a service", DPL_ROLE_CONTROL, run_call}, NULL, add_answer, finish_call};

static int prepare(struct call *call, const struct dpl_asked *asked, struct dpl_diag *reterr)
{
    const ProtobufCMethodDescriptor *method = method_of(call->service);
    call->request = dpl__outside_message(method->input, asked->value, asked->n_value, ROOM, reterr);
    if (!call->request) {
        return -EPROTO;
    }
    call->response = dpl__outside_response(&call->arena, method->output);
    return call->response ? 0
                          : dpl_fail(reterr, -E2BIG, nowhere, "its answer has no bound in size");
}

static void call_method(struct dpl__services *services, const struct dpl__service *service,
                        struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct dpl_diag why = {0};
    struct call *call =
        (void *)dpl__errand_create(&services->errands, asker, asked, &call_ops, sizeof *call);
    if (!call) {
        return;
    }
    call->service = service;
    call->port = service->source;
    int r = prepare(call, asked, &why);
    if (r < 0) {
        char text[DPL_DIAG_TEXT_MAX];
        snprintf(text, sizeof text, "%s: %.300s", service->self.name, why.text);
        dpl__asker_tell(asker, asked->tag, r, text);
        dpl__errand_destroy(&call->errand);
        return;
    }
    dpl__errand_post(&services->errands, &call->errand, dpl__component_owner(call->port->component),
                     asked->role);
}

/* ---- the services ---- */

static int add_schema(struct dpl_arena *arena, const ProtobufCMessageDescriptor *type,
                      const char **ret_name, const void **ret_schema, size_t *ret_n)
{
    struct dpl_bytes bytes = {0};
    int r = dpl__descriptor_set(type, &bytes);
    void *kept = dpl_arena_alloc(arena, bytes.n + 1);
    if (r == 0) {
        memcpy(kept, bytes.data, bytes.n);
    }
    *ret_name = type->name;
    *ret_schema = kept;
    *ret_n = bytes.n;
    dpl_bytes_finish(&bytes);
    return r;
}

static int add_method(struct dpl__services *services, const struct dpl__port *port, unsigned i)
{
    struct dpl_arena *arena = &services->arena;
    const ProtobufCServiceDescriptor *type = port->desc->service;
    const ProtobufCMethodDescriptor *method = &type->methods[i];
    const char *component = port->component->self.name;
    struct dpl_service_desc self = {
        .name = dpl_arena_printf(arena, "/%s/%s/%s", component, port->desc->name, method->name),
        .type = dpl_arena_printf(arena, "%s.%s", type->name, method->name),
        .provider = component,
        .encoding = "protobuf",
        .schema_encoding = "protobuf",
    };
    int r = add_schema(arena, method->input, &self.request_schema_name, &self.request_schema,
                       &self.n_request_schema);
    r = r < 0 ? r
              : add_schema(arena, method->output, &self.response_schema_name, &self.response_schema,
                           &self.n_response_schema);
    if (r == 0) {
        dpl__services_add(services, &(struct dpl__service){self, call_method, port, i});
    }
    return r;
}

int dpl__component_services_add(struct dpl__services *services, struct dpl_diag *reterr)
{
    const struct dpl_runtime *runtime = services->runtime;
    int r = 0;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        for (size_t k = 0; k < component->self.class_->n_ports; k++) {
            const struct dpl__port *port = &component->ports[k];
            bool provides = port->desc->kind == DPL_PORT_SERVICE &&
                            port->desc->dir == DPL_PORT_OUT && port->desc->methods;
            for (unsigned m = 0; provides && m < port->desc->service->n_methods && r == 0; m++) {
                r = port->desc->methods[m] ? add_method(services, port, m) : 0;
            }
        }
    }
    return r < 0 ? dpl_fail(reterr, r, nowhere, "no schema of a service") : 0;
}
