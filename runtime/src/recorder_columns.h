/* SPDX-License-Identifier: Apache-2.0 */
/* Which exports a run records: one column for each export of a component or of its devices. */
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
    const struct dpl__executor *executor; /* whose thread may read it */
};

struct dpl__columns {
    struct dpl__column *items; /* exports with TRACE or STATUS, in component order */
    size_t n;
};

/* "<tag>.<name>" of a component's exports: the class's tag, or the instance's name when the class
 * has none or an earlier component took it. */
const char *dpl__columns_tag(const struct dpl_runtime *runtime, size_t component);

/* Allocates from the runtime's arena. The exports of a component that no executor runs are left out
 * when several may call it; else they belong to the first executor. */
void dpl__columns_create(struct dpl__columns *columns, struct dpl_runtime *runtime);

/* Gives the values of an executor their places in a row from `first` on; returns their size. */
size_t dpl__columns_place(struct dpl__columns *columns, const struct dpl__executor *executor,
                          size_t first);

bool dpl__columns_traces(const struct dpl__columns *columns, const struct dpl__executor *executor);

/* Room for any value as text, with its NUL. */
size_t dpl__columns_text_size(const struct dpl__columns *columns);

#endif
