/* SPDX-License-Identifier: Apache-2.0 */
/* Handles a component that crashes, ends the process (exit) or ends the thread of the run during
 * the run. First the devices get the information (dpl_device_is_commanded is false from then on),
 * then the control thread has the time DPL__GOING_DOWN to stop them, then the process ends: after a
 * crash with its signal, otherwise with DPL_EXIT_FAULT, and never with 0. A call of _exit is
 * noticed in a program that defines _exit and calls dpl_runtime_leaves, as `doppel` does. SIGKILL
 * and a system call without _exit cannot be noticed: then only the device's own watchdog stops it.
 */
#ifndef DOPPEL_RUNTIME_GOING_DOWN_H
#define DOPPEL_RUNTIME_GOING_DOWN_H

#include <doppel/time.h>

struct dpl_runtime;

#define DPL__GOING_DOWN (300 * DPL_MS)

/* Watches one run of the process at a time; called on its control thread; NULL: the run is over.
 * While a run is watched, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT are handled here and then
 * passed to the previous handlers. */
void dpl__going_down_watch(struct dpl_runtime *runtime);

/* Ends the process with DPL_EXIT_FAULT, at once. */
void dpl__going_down_leave(void) __attribute__((noreturn));

/* A callback has ended the run's own thread (pthread_exit): does not return. */
void dpl__going_down_without_thread(void *runtime) __attribute__((noreturn));

#endif
