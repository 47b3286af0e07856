/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the components of a run: each starts after those that it needs; they stop and go in
 * the reverse order. All on the control thread. */
#ifndef DOPPEL_RUNTIME_ORDER_H
#define DOPPEL_RUNTIME_ORDER_H

#include "runtime.h"

/* Fills start_order, when there are components. */
void dpl__order_components(struct dpl_runtime *runtime);

/* Until the first failure, which is also a fault of the run. -errno with reterr. */
int dpl__order_start(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Continues after a failure; returns the first error. Components that are stuck are left out. */
int dpl__order_stop(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Destroys components and closes devices, also those of a run that was not created completely. 0;
 * reterr is for the caller's table only. */
int dpl__order_take_down(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Whether the thread of an executor is blocked for good. */
bool dpl__order_is_any_left_behind(const struct dpl_runtime *runtime);

#endif
