/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime as far as the components of the force chain meet it: one message waits at each input,
 * one was sent by each output. Include in one file of a test that links a component's glue. */
#ifndef TESTS_SUPPORT_FAKE_RUNTIME_H
#define TESTS_SUPPORT_FAKE_RUNTIME_H

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#define FAKE_PORTS 8

static struct {
    struct dpl_message inbox[FAKE_PORTS]; /* body NULL: none came */
    struct dpl_message taken[FAKE_PORTS]; /* the newest one ever */
    bool connected[FAKE_PORTS];
    union {
        Doppel__Wrench wrench;
        Doppel__PoseReference reference;
        Doppel__PlannedPose planned;
    } bodies[FAKE_PORTS];
    Doppel__Pose6 poses[FAKE_PORTS];
    int n_sent[FAKE_PORTS];
    dpl_ns stamps[FAKE_PORTS];
    int n_logged;
} fake;

static struct dpl_component self;

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    if (!fake.inbox[port].body) {
        return NULL;
    }
    fake.taken[port] = fake.inbox[port];
    fake.inbox[port].body = NULL;
    return &fake.taken[port];
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    dpl_port_take(component, port);
    return fake.taken[port].body ? &fake.taken[port] : NULL;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return fake.connected[port];
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    const ProtobufCMessageDescriptor *type = component->class_->ports[port].message;
    protobuf_c_message_init(type, &fake.bodies[port]);
    doppel__pose6__init(&fake.poses[port]);
    if (type == &doppel__pose_reference__descriptor) {
        fake.bodies[port].reference.pose = &fake.poses[port];
    } else if (type == &doppel__planned_pose__descriptor) {
        fake.bodies[port].planned.pose = &fake.poses[port];
    }
    return &fake.bodies[port];
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    cr_assert_eq(body, (void *)&fake.bodies[port]);
    fake.n_sent[port]++;
    fake.stamps[port] = stamp;
    return 0;
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    fake.n_logged++;
}

static inline void fake_receive(unsigned port, void *body, dpl_ns stamp)
{
    fake.inbox[port] = (struct dpl_message){.body = body, .stamp = stamp};
}

/* The component at its creation, with its defaults. */
static inline void fake_begin(void)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    void *properties = calloc(1, class->properties_size);
    void *state = calloc(1, class->state_size);
    cr_assert(properties && state && class->n_ports <= FAKE_PORTS);
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    self = (struct dpl_component){
        .name = "Fake", .class_ = class, .properties = properties, .state = state};
}

static inline void fake_end(void)
{
    free((void *)(uintptr_t)self.properties);
    free(self.state);
}

static inline void fake_set(const char *name, const char *text)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->properties, class->n_properties, name);
    struct dpl_field_text value = {.text = text};
    cr_assert_not_null(field, "%s", name);
    cr_assert_eq(dpl_field_parse(field, &value, (void *)(uintptr_t)self.properties, NULL), 0);
}

/* The property does not take the text, and says why. */
static inline void fake_refuses(const char *name, const char *text, const char *expected)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->properties, class->n_properties, name);
    struct dpl_field_text value = {.text = text};
    struct dpl_diag found;
    cr_assert_not_null(field, "%s", name);
    cr_assert_lt(dpl_field_parse(field, &value, (void *)(uintptr_t)self.properties, &found), 0,
                 "%s=%s was taken", name, text);
    cr_assert_not_null(strstr(found.text, expected), "%s", found.text);
}

static inline double fake_export(const char *name)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->exports, class->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, self.state);
}

/* initialize, period_changed, start: 0 or what the first of them says, with its text. */
static inline int fake_start(dpl_ns period, struct dpl_diag *reterr)
{
    const struct dpl_component_ops *ops = self.class_->ops;
    int err = ops->initialize ? ops->initialize(&self, reterr) : 0;
    if (err == 0 && ops->period_changed && period > 0) {
        err = ops->period_changed(&self, period);
    }
    return err == 0 && ops->start ? ops->start(&self, reterr) : err;
}

static inline void fake_cycle(dpl_ns now, dpl_ns period)
{
    struct dpl_tick tick = {.now = now, .period = period};
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
}

#endif
