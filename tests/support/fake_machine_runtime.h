/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime as far as the machine's components meet it: ports that a test fills and reads, a log
 * that keeps its newest line. Included once a test program. */
#ifndef TESTS_SUPPORT_FAKE_MACHINE_RUNTIME_H
#define TESTS_SUPPORT_FAKE_MACHINE_RUNTIME_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/plugin.h>

#define FAKE_PORTS 8

static struct {
    const void *in[FAKE_PORTS]; /* what arrives once */
    struct dpl_message messages[FAKE_PORTS];
    void *out[FAKE_PORTS]; /* where a loan points to; NULL: none is free */
    int n_published[FAKE_PORTS];
    char log[256];    /* newest line */
    char errors[512]; /* all of that level */
    int n_logged;
    struct dpl_device *device;
    bool moves;        /* as dpl_component_moves was told last */
    const char *fault; /* as dpl_component_fault was */
} fake;

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    cr_assert_lt(port, FAKE_PORTS);
    if (!fake.in[port]) {
        return NULL;
    }
    fake.messages[port].body = (void *)(uintptr_t)fake.in[port];
    fake.in[port] = NULL;
    return &fake.messages[port];
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    cr_assert_lt(port, FAKE_PORTS);
    return fake.out[port];
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    fake.n_published[port]++;
    return 0;
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fake.log, sizeof fake.log, format, args);
    va_end(args);
    if (level == DPL_LOG_ERROR) {
        size_t n = strlen(fake.errors);
        snprintf(fake.errors + n, sizeof fake.errors - n, "%s\n", fake.log);
    }
    fake.n_logged++;
}

void dpl_component_moves(struct dpl_component *component, bool moves)
{
    fake.moves = moves;
}

void dpl_component_fault(struct dpl_component *component, const char *what)
{
    fake.fault = what;
}

struct dpl_device *dpl_component_device(struct dpl_component *component)
{
    return fake.device;
}

/* Default properties of the plugin's class; `properties` has room for them. */
static inline void fake_component(struct dpl_component *self, void *properties, void *state)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    *self = (struct dpl_component){
        .name = "Fake", .class_ = class, .properties = properties, .state = state};
}

#endif
