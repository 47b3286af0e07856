/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a trace.csv as the topics that a run has for them ("/<Component>/values"). */
#ifndef DOPPEL_RECORDED_FOLDER_VALUES_H
#define DOPPEL_RECORDED_FOLDER_VALUES_H

#include "bag_new.h"
#include "table.h"

struct json_t;
struct folder_column;
struct folder_topic;

/* Zero-initialise. */
struct folder_values {
    const struct table *trace; /* borrowed */
    struct folder_column *columns;
    struct folder_topic *topics;
    size_t n_columns, n_topics;
    const char **cells; /* [trace->n_names + 1] where each begins, of one row; then the row's end */
};

/* Finds the topics by the columns of run.json; to those that name none, and those that only the
 * trace has, it adds "/<tag>/values" in `record`, which must outlive the values. 0 or -ENOMEM. */
int folder_values_create(struct folder_values *values, const struct table *trace,
                         struct json_t *record);
void folder_values_put(struct folder_values *values, size_t row, dpl_ns stamp, struct bag_new *bag);
void folder_values_finish(struct folder_values *values);

#endif
