/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/output.h>

#include "arena.h"
#include "pool.h"

struct fake_runtime fake;

/* Of an output: one block is with the component, one with the test. */
static struct output {
    struct dpl__pool *pool;
    struct dpl__block *loaned, *sent;
} outputs[FAKE_PORTS];
static struct dpl_arena arena;

/* ---- ports ---- */

static struct fake_port *port_of(const struct dpl_component *component, unsigned port)
{
    cr_assert(component == &fake.self && port < component->class_->n_ports, "port %u", port);
    return &fake.ports[port];
}

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    struct fake_port *p = port_of(component, port);
    if (fake.take) {
        return fake.take(port);
    }
    if (!p->next.body) {
        return NULL;
    }
    p->latest = p->next;
    p->next.body = NULL;
    return &p->latest;
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    struct fake_port *p = port_of(component, port);
    dpl_port_take(component, port);
    return p->latest.body ? &p->latest : NULL;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return !port_of(component, port)->is_open;
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    const struct fake_port *p = port_of(component, port);
    const struct dpl_port_desc *desc = &component->class_->ports[port];
    struct output *output = &outputs[port];
    if (p->is_full) {
        return NULL;
    }
    if (!output->pool) {
        struct dpl_diag error;
        int err = dpl__pool_create(&arena, desc->message, desc->capacity, 2, &output->pool, &error);
        cr_assert_eq(err, 0, "%s", error.text);
    }
    if (output->loaned) {
        dpl__block_unref(output->loaned);
    }
    output->loaned = dpl__pool_acquire(output->pool);
    return output->loaned->message.body;
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    struct fake_port *p = port_of(component, port);
    struct output *output = &outputs[port];
    cr_assert(output->loaned && output->loaned->message.body == body, "port %u", port);
    if (output->sent) {
        dpl__block_unref(output->sent);
    }
    output->sent = output->loaned;
    output->loaned = NULL;
    p->n_sent++;
    p->stamp = stamp;
    return 0;
}

int dpl_port_signal(struct dpl_component *component, unsigned port, dpl_ns stamp)
{
    struct fake_port *p = port_of(component, port);
    p->n_sent++;
    p->stamp = stamp;
    return 0;
}

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    port_of(component, port);
    return fake.service ? fake.service(port, method, request, response) : 0;
}

/* ---- what the runtime knows ---- */

struct dpl_device *dpl_component_device(struct dpl_component *component)
{
    return fake.device;
}

struct dpl_device *dpl_device_side(struct dpl_device *device, size_t index)
{
    return NULL;
}

int dpl_component_find_file(struct dpl_component *component, const struct dpl_file_wanted *wanted,
                            const char **ret_path, struct dpl_diag *reterr)
{
    *ret_path = wanted->name;
    return 0;
}

int dpl_sim_read_machine(const char *file, struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    *ret_machine = fake.machine;
    return fake.machine_error;
}

size_t dpl_component_caller(const struct dpl_component *component)
{
    return 0;
}

dpl_ns dpl_component_now(const struct dpl_component *component)
{
    return fake.now;
}

bool dpl_component_clock_is_simulated(const struct dpl_component *component)
{
    return fake.is_simulated;
}

uint64_t dpl_component_seed(const struct dpl_component *component)
{
    return fake.seed;
}

int dpl_component_get_property(const struct dpl_component *component, const char *name,
                               char *ret_text, size_t size)
{
    const char *text = fake.property ? fake.property(name) : NULL;
    if (!text) {
        return -ENOENT;
    }
    return (size_t)snprintf(ret_text, size, "%s", text) < size ? 0 : -ENOSPC;
}

int dpl_component_set_property(struct dpl_component *component, const char *name, const char *text,
                               struct dpl_diag *reterr)
{
    return -ENOENT;
}

bool dpl_component_keeps_results(const struct dpl_component *component)
{
    return fake.folder;
}

int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", fake.folder, name);
    return dpl_output_open(output, path, reterr);
}

/* ---- what the component says ---- */

static void append(char *text, size_t size, const char *line)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s\n", line);
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    append(fake.log, sizeof fake.log, line);
    if (level == DPL_LOG_ERROR) {
        append(fake.errors, sizeof fake.errors, line);
    }
    fake.n_warnings += level == DPL_LOG_WARN;
    fake.n_logged++;
}

void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict)
{
    fake.verdict = *verdict;
    fake.n_verdicts++;
}

void dpl_component_set_moving(struct dpl_component *component, bool moves)
{
    fake.moves = moves;
}

void dpl_component_set_fault(struct dpl_component *component, const char *what)
{
    fake.fault = what;
}

void dpl_component_take_command(struct dpl_component *component)
{
}

/* ---- for the test ---- */

void fake_begin(void)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    fake_end();
    cr_assert_leq(class->n_ports, FAKE_PORTS);
    void *properties = calloc(1, class->properties_size + 1);
    void *state = calloc(1, class->state_size + 1);
    cr_assert(properties && state);
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    fake = (struct fake_runtime){
        .self = {.name = class->name, .class_ = class, .properties = properties, .state = state},
        .seed = 1,
    };
}

void fake_end(void)
{
    free((void *)(uintptr_t)fake.self.properties);
    free(fake.self.state);
    fake.self = (struct dpl_component){0};
    dpl_arena_finish(&arena);
    memset(outputs, 0, sizeof outputs);
}

static const struct dpl_field *property(const char *name)
{
    const struct dpl_component_class *class = fake.self.class_;
    const struct dpl_field *field = dpl_field_find(class->properties, class->n_properties, name);
    cr_assert_not_null(field, "%s", name);
    return field;
}

void fake_set(const char *name, const char *text)
{
    struct dpl_field_text value = {.text = text};
    struct dpl_diag error;
    int err =
        dpl_field_parse(property(name), &value, (void *)(uintptr_t)fake.self.properties, &error);
    cr_assert_eq(err, 0, "%s", error.text);
}

void fake_refuses(const char *name, const char *text, const char *expected)
{
    struct dpl_field_text value = {.text = text};
    struct dpl_diag error;
    int err =
        dpl_field_parse(property(name), &value, (void *)(uintptr_t)fake.self.properties, &error);
    cr_assert_eq(err, -EINVAL, "%s=%s: %d", name, text, err);
    cr_assert_not_null(strstr(error.text, expected), "%s", error.text);
}

double fake_export(const char *name)
{
    const struct dpl_component_class *class = fake.self.class_;
    const struct dpl_field *field = dpl_field_find(class->exports, class->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, fake.self.state);
}

int fake_start(dpl_ns period, struct dpl_diag *reterr)
{
    const struct dpl_component_ops *ops = fake.self.class_->ops;
    int err = ops->initialize ? ops->initialize(&fake.self, reterr) : 0;
    if (err == 0 && ops->period_changed && period > 0) {
        err = ops->period_changed(&fake.self, period);
    }
    return err == 0 && ops->start ? ops->start(&fake.self, reterr) : err;
}

void fake_execute(const struct dpl_tick *tick)
{
    cr_assert_eq(fake.self.class_->ops->execute(&fake.self, tick), 0);
}

void fake_cycle(dpl_ns now, dpl_ns period)
{
    fake_execute(&(struct dpl_tick){.now = now, .period = period});
}

void fake_receive(unsigned port, void *body, dpl_ns stamp)
{
    port_of(&fake.self, port)->next = (struct dpl_message){.body = body, .stamp = stamp};
}

const void *fake_sent(unsigned port)
{
    cr_assert_gt(port_of(&fake.self, port)->n_sent, 0, "port %u sent nothing", port);
    return outputs[port].sent->message.body;
}
