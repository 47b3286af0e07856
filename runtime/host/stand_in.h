/* SPDX-License-Identifier: Apache-2.0 */
/* Life-cycle callbacks run on the control thread. During a callback that thread sends nothing,
 * prints nothing and does not handle stop requests. If a callback takes longer than 0.1 s, another
 * thread of the run stands in: it prints the log, logs the callback that does not return, stops
 * devices without a commander, and ends the process after the second stop request. Exactly one of
 * the two threads has the duty at any time. */
#ifndef DOPPEL_RUNTIME_STAND_IN_H
#define DOPPEL_RUNTIME_STAND_IN_H

#include <stdbool.h>

#include <doppel/diag.h>

#include "component.h"

struct dpl_runtime;
struct dpl__stand_in;

/* A callback that has not returned after this time is logged; initialize and start may wait for
 * hardware. It is logged again each time the time doubles, and after the first stop request when
 * the callback has run for the last of these. */
#define DPL__PATIENCE_START (5 * DPL_S)
#define DPL__PATIENCE_STOP  DPL_S
#define DPL__PATIENCE_ASKED (500 * DPL_MS)

/* Allocates from the runtime's arena. */
void dpl__stand_in_create(struct dpl_runtime *runtime);

/* Control thread, before and after all calls of dpl__stand_in_operate. If the thread cannot be
 * created (logged), there is no stand-in. */
void dpl__stand_in_begin(struct dpl_runtime *runtime);
void dpl__stand_in_end(struct dpl_runtime *runtime);

/* Control thread, between begin and end: dpl__component_operate with supervision. */
int dpl__stand_in_operate(struct dpl__component *component, enum dpl__operation operation,
                          struct dpl_diag *reterr);

/* Whether the stand-in is active because the control thread is in a callback. Any thread,
 * signal-safe. */
bool dpl__stand_in_is_there(const struct dpl_runtime *runtime);

/* Control thread, in a callback that does not return but ends the process: takes the duty back. */
void dpl__stand_in_dismiss(struct dpl_runtime *runtime);

#endif
