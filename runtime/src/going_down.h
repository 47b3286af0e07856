/* SPDX-License-Identifier: Apache-2.0 */
/* A component that crashes, ends the process (exit) or ends the thread of the run while the run
 * goes on. The devices are told first (dpl_device_is_commanded is false from then on), the control
 * thread gets DPL__GOING_DOWN to bring them to a stop, then the process ends: after a crash by its
 * signal, else with DPL_EXIT_FAULT, and never with 0. What this cannot see is _exit and SIGKILL:
 * there the device's own watchdog is the last one. */
#ifndef DOPPEL_RUNTIME_GOING_DOWN_H
#define DOPPEL_RUNTIME_GOING_DOWN_H

#include <stddef.h>

#include <doppel/time.h>

struct dpl_runtime;

#define DPL__GOING_DOWN (300 * DPL_MS)

/* Watches over one run of the process at a time, called on its control thread; NULL: the run is
 * over. While a run is watched, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT pass through here to
 * whoever handled them before. */
void dpl__going_down_watch(struct dpl_runtime *runtime);

/* A thread of the run calls it once, with memory that stays: its stack may be full when it crashes.
 * Does nothing where somebody else (a sanitizer) has given it one. */
void dpl__going_down_guard_stack(void *stack, size_t size);
#define DPL__SIGNAL_STACK ((size_t)64 * 1024)

/* For who stands in for the control thread, which is in a callback of `component` and does not
 * return although the run shall end: says so, writes it into the results, ends the process. */
struct dpl__component;
void dpl__going_down_leave(struct dpl_runtime *runtime, const struct dpl__component *component)
    __attribute__((noreturn));

/* A callback has ended the run's own thread (pthread_exit): does not return. */
void dpl__going_down_without_thread(void *runtime) __attribute__((noreturn));

#endif
