/* SPDX-License-Identifier: Apache-2.0 */
/* The exports that a run records: one column for each export of a component or of its devices. */
#ifndef DOPPEL_RUNTIME_RECORDER_COLUMNS_H
#define DOPPEL_RUNTIME_RECORDER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/field.h>

struct dpl_arena;
struct dpl_runtime;
struct dpl__component;
struct dpl__executor;

struct dpl__column {
    struct dpl_field field; /* a copy whose offset is that of the value in a row */
    const char *tag;
    const char *topic;                    /* of its values, for observers */
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

/* False: an export with DPL_FIELD_IF_THERE whose number is NaN, or whose choice is below 0. */
bool dpl__columns_is_there(const struct dpl_field *field, const void *state);

/* The topic with the values of a component; or of its device or a side of it, which has this name.
 */
const char *dpl__columns_topic(struct dpl_arena *arena, const char *component, const char *device);

/* Exports of a passive component are omitted if several executors may call it; otherwise they
 * belong to the first executor. */
void dpl__columns_create(struct dpl__columns *columns, const struct dpl_runtime *runtime,
                         struct dpl_arena *arena);

/* Assigns offsets in a row to the values of an executor, from `first` on; returns their size. */
size_t dpl__columns_place(struct dpl__columns *columns, const struct dpl__executor *executor,
                          size_t first);

/* The executor whose cycles are the rows of the trace: the fastest periodic one with a traced
 * export; if there is none, the first one with a traced export; NULL: none. */
const struct dpl__executor *dpl__columns_tracer(const struct dpl__columns *columns,
                                                const struct dpl_runtime *runtime);

/* Size of the longest value as text, with its NUL. */
size_t dpl__columns_text_size(const struct dpl__columns *columns);

#endif
