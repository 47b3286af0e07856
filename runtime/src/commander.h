/* SPDX-License-Identifier: Apache-2.0 */
/* Who commands a device, and whether it runs on time. Each executor promises when its cycle will
 * have ended; whoever owns a device's wire compares that with the clock (dpl_device_is_commanded).
 * So a callback that hangs, or a thread that ends, stops the devices that it commands without
 * having to do anything. What a callback of the life cycle commands counts until executors run,
 * for as long as they may be late. */
#ifndef DOPPEL_RUNTIME_COMMANDER_H
#define DOPPEL_RUNTIME_COMMANDER_H

#include <stdatomic.h>
#include <stdbool.h>

#include <doppel/time.h>

struct dpl_runtime;
struct dpl__component;
struct dpl__device;
struct dpl__executor;

/* No cycle is due: an aperiodic executor that waits, or one that was asked to stop. */
#define DPL__NO_PROMISE INT64_MAX

/* The executor's own thread, or the control thread before it starts: by `monotonic`
 * (CLOCK_MONOTONIC) its next cycle will have ended. */
void dpl__executor_promise(struct dpl__executor *executor, dpl_ns monotonic);

/* Finds the executors that command the device of `component`: its own; of a passive component, or
 * of one whose class says so, those of the components that call its services. Who commands from
 * another executor is added when it does (dpl_component_take_command). Allocates from the
 * runtime's arena. */
void dpl__device_find_commanders(struct dpl__device *device,
                                 const struct dpl__component *component);

/* Control thread, several times a second: counts and tells which devices were left without a
 * command, and when they are commanded again. */
void dpl__commanders_watch(struct dpl_runtime *runtime);

/* Whether there is a device that nobody commands in time. Any thread. */
bool dpl__commanders_are_late(const struct dpl_runtime *runtime);

#endif
