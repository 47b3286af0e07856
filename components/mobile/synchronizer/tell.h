/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines of the Synchronizer: each change is told once. */
#ifndef SYNCHRONIZER_TELL_H
#define SYNCHRONIZER_TELL_H

#include "tables.h"

struct dpl_component;

/* After a correction: compares the component's state with its view before, and with the status that
 * the correction gave. Does not allocate. */
void sync_tell(struct dpl_component *self, const struct sync_view *before,
               const struct dpl_sync_status *status);

#endif
