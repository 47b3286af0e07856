/* SPDX-License-Identifier: Apache-2.0 */
/* The files that explain a run: run.json, and the profiles and the world that it was made of. */
#ifndef DOPPEL_RUNTIME_OBSERVE_FILES_H
#define DOPPEL_RUNTIME_OBSERVE_FILES_H

#include <doppel/host/gateway.h>

struct dpl_runtime;

/* Gives each file to a gateway; one that cannot be read is left out. Reads files, allocates. */
void dpl__observe_files(const struct dpl_runtime *runtime,
                        void (*keep)(void *self, const struct dpl_kept_file *file), void *self);

#endif
