/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOPPEL_RUNTIME_VERDICT_H
#define DOPPEL_RUNTIME_VERDICT_H

#include <stdbool.h>

struct dpl_runtime;

/* Whether an ACTIVE component must still come to rest before the run may end. Any thread. */
bool dpl__runtime_moves(const struct dpl_runtime *runtime);

#endif
