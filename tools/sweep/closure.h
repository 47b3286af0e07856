/* SPDX-License-Identifier: Apache-2.0 */
/* What the results of a study depend on beside its values: the files that are read while its
 * subject is loaded, those that its properties name, the plugins, and the program. */
#ifndef DOPPEL_SWEEP_CLOSURE_H
#define DOPPEL_SWEEP_CLOSURE_H

#include <stddef.h>
#include <stdint.h>

struct dpl_app;

struct closure {
    uint64_t *hashes; /* of contents; each once */
    size_t n, capacity;
};

/* From now on the bytes of all files count. One closure at a time in a process. */
void closure_begin(struct closure *closure);

/* The hash; the same for the same contents, whatever the names and the order. `app` NULL: none.
 * Blocks, allocates. */
uint64_t closure_end(struct closure *closure, const struct dpl_app *app);

#endif
