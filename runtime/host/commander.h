/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the executors that command a device, and checks whether they run on time. Each executor
 * sets a limit for the end of its cycle; the owner of a device's wire compares the limit with the
 * clock (dpl_device_is_commanded). So a callback that blocks, or a thread that ends, stops the
 * devices that it commands without further action. A command of a life-cycle callback is valid
 * until executors run, for at most the late limit. */
#ifndef DOPPEL_RUNTIME_COMMANDER_H
#define DOPPEL_RUNTIME_COMMANDER_H

#include <stdatomic.h>
#include <stdbool.h>

#include <doppel/time.h>

struct dpl_runtime;
struct dpl__component;
struct dpl__device;
struct dpl__executor;

/* Finds the executors that command the device of `component`: its own; for a passive component, and
 * for a class with callers_command, those of the components that call its services. Another
 * executor is added when it gives a command (dpl_component_take_command). Allocates from the
 * runtime's arena. */
void dpl__device_find_commanders(struct dpl__device *device,
                                 const struct dpl__component *component);

/* Control thread, several times per second: counts and logs the devices that have no command in
 * time, and logs when they are commanded again. */
void dpl__commanders_watch(struct dpl_runtime *runtime);

/* Whether any device has no command in time. Any thread. */
bool dpl__commanders_are_late(const struct dpl_runtime *runtime);

#endif
