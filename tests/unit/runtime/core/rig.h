/* SPDX-License-Identifier: Apache-2.0 */
/* A hand-built application for tests of the runtime's core, with fakes for what surrounds it: log,
 * recorder, control loop, devices, clock. */
#ifndef TEST_RUNTIME_RIG_H
#define TEST_RUNTIME_RIG_H

#include <doppel/device.h>

#include "component.h"
#include "executor.h"
#include "host_calls.h"
#include "port.h"
#include "runtime.h"

#define RIG_MAX 16

struct rig {
    struct dpl_app app;
    struct dpl_app_component components[RIG_MAX];
    struct dpl_app_connection connections[2 * RIG_MAX];
    struct dpl_app_depends depends[RIG_MAX];
    struct dpl_runtime runtime;
    struct dpl_diag diag; /* of the last failure */
};

/* What the fakes know of a device; self.runtime points back to this struct. */
struct rig_device {
    struct dpl_device self;
    bool opened;
    atomic_int lost;
};

extern char rig_log[4096];      /* what was logged: "source: text\n" each */
extern char rig_calls[256];     /* what was called, with the component's initial: "xA" */
extern dpl_ns rig_clock_offset; /* added to CLOCK_MONOTONIC */
extern unsigned rig_polls;      /* calls of dpl__control_poll */

void rig_init(struct rig *rig);
size_t rig_add(struct rig *rig, const char *name, const struct dpl_component_class *class_);
/* Periodic-shared by default (10 ms); `period` 0: aperiodic; negative: passive. */
void rig_execution(struct rig *rig, size_t component, enum dpl_execution_type type, dpl_ns period);
void rig_connect(struct rig *rig, size_t source, unsigned source_port, size_t target,
                 unsigned target_port);
void rig_depends(struct rig *rig, size_t source, size_t target);
/* Creates, groups, wires; returns the first failure. */
int rig_wire(struct rig *rig);
/* The same, then initialises and starts all. */
int rig_start(struct rig *rig);
struct dpl__component *rig_component(struct rig *rig, size_t index);
struct dpl_component *rig_self(struct rig *rig, size_t index);
struct dpl__port_counters rig_counters(struct rig *rig, size_t component, unsigned port);
void rig_finish(struct rig *rig);

/* What a callback does that notes its call in rig_calls. */
void rig_note(const struct dpl_component *self, char what);
int rig_on_update(struct dpl_component *self, const struct dpl_tick *tick); /* 'u' */
int rig_on_event(struct dpl_component *self, unsigned port,
                 const struct dpl_message *message); /* 'e' */

/* Runs a function inside a callback bracket of a component. */
void rig_within(struct rig *rig, size_t component, void (*body)(struct dpl_component *));

#endif
