/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the life cycle run on the control thread, which does nothing else meanwhile: it
 * sends nothing, prints nothing, and hears of no request to stop. While one of them takes longer
 * than a moment, a thread of the run stands in for it: it prints the log, says which callback does
 * not return, brings devices to a stop that nobody commands any more, and ends the process when
 * that is asked for twice. One of the two threads has the duty at any time. */
#ifndef DOPPEL_RUNTIME_STAND_IN_H
#define DOPPEL_RUNTIME_STAND_IN_H

#include <stdbool.h>

#include <doppel/diag.h>

#include "component.h"

struct dpl_runtime;
struct dpl__stand_in;

/* It is told that a callback has not returned after this long: initialize and start may wait for
 * hardware. Each time the time doubles it is told again, and after the first request to stop, once
 * the callback has run for the last of these. */
#define DPL__PATIENCE_START (5 * DPL_S)
#define DPL__PATIENCE_STOP  DPL_S
#define DPL__PATIENCE_ASKED (500 * DPL_MS)

/* Into the runtime's arena. */
void dpl__stand_in_create(struct dpl_runtime *runtime);

/* Control thread, around all that calls dpl__stand_in_operate. Without a thread (said in the log)
 * nobody stands in. */
void dpl__stand_in_begin(struct dpl_runtime *runtime);
void dpl__stand_in_end(struct dpl_runtime *runtime);

/* Control thread, between the two: dpl__component_operate, under watch. */
int dpl__stand_in_operate(struct dpl__component *component, enum dpl__operation operation,
                          struct dpl_diag *reterr);

/* Whether somebody stands in for the control thread, which is in a callback. Any thread,
 * signal-safe. */
bool dpl__stand_in_is_there(const struct dpl_runtime *runtime);

/* Control thread, in a callback that does not return but ends the process: takes the duty back. */
void dpl__stand_in_dismiss(struct dpl_runtime *runtime);

#endif
