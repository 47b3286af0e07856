/* SPDX-License-Identifier: Apache-2.0 */
/* The exports that a run records: one column for each export of a component or of its devices. */
#ifndef DOPPEL_RUNTIME_RECORDER_COLUMNS_H
#define DOPPEL_RUNTIME_RECORDER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/field.h>

struct dpl_runtime;
struct dpl__component;
struct dpl__executor;

struct dpl__column {
    struct dpl_field field; /* a copy whose offset is that of the value in a row */
    const char *tag;
    const uint8_t *source;                /* the value in the state */
    const struct dpl__executor *executor; /* the executor whose thread may read it */
};

struct dpl__columns {
    struct dpl__column *items; /* exports with TRACE or STATUS, in component order */
    size_t n;
};

/* The tag in "<tag>.<name>" of a component's exports: the class's tag, or the instance's name when
 * the class has none or an earlier component uses it. */
const char *dpl__columns_tag(const struct dpl_runtime *runtime, size_t component);

/* Allocates from the runtime's arena. Exports of a passive component are omitted if several
 * executors may call it; otherwise they belong to the first executor. */
void dpl__columns_create(struct dpl__columns *columns, struct dpl_runtime *runtime);

/* Assigns offsets in a row to the values of an executor, from `first` on; returns their size. */
size_t dpl__columns_place(struct dpl__columns *columns, const struct dpl__executor *executor,
                          size_t first);

bool dpl__columns_traces(const struct dpl__columns *columns, const struct dpl__executor *executor);

/* Size of the longest value as text, with its NUL. */
size_t dpl__columns_text_size(const struct dpl__columns *columns);

#endif
