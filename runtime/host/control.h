/* SPDX-License-Identifier: Apache-2.0 */
/* The control thread: a libuv loop for sockets, ttys, signals-free stop requests, timers.
 * Simulated runs poll it between grants (dpl__control_poll in host_calls.h). */
#ifndef DOPPEL_RUNTIME_CONTROL_H
#define DOPPEL_RUNTIME_CONTROL_H

#include <doppel/diag.h>
#include <doppel/time.h>

#include "host_calls.h"

#define DPL__CONTROL_PERIOD (100 * DPL_MS) /* longest time between two turns of the loop */

struct dpl_runtime;
struct dpl__control;

int dpl__control_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);
void dpl__control_destroy(struct dpl__control *control);

/* Runs the loop until the duration is over or a stop is requested. Every 100 ms it drains the log
 * and the recorder, checks the executors, prints the status (every 500 ms), and checks duration and
 * stop_requested. */
int dpl__control_run(struct dpl__control *control, struct dpl_diag *reterr);
/* Call after dpl__control_run, on the real clock: raises the halt of an ending run and continues
 * until nothing moves, a second stop is requested, or DPL_ENDING_PATIENCE is over (then it logs
 * this). */
void dpl__control_come_to_rest(struct dpl__control *control);
/* For the thread that stands in for the control thread (stand_in.h): prints the log, logs devices
 * without a command in time, and serves the streams while there are any such devices, or if `serve`
 * is true. */
void dpl__control_stand_in(struct dpl__control *control, bool serve);
/* Any thread, signal-safe (uv_async_send). */
void dpl__control_wake(struct dpl__control *control);

#endif
