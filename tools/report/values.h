/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of all that a run has recorded: numbers by component and unit. */
#ifndef DOPPEL_REPORT_VALUES_H
#define DOPPEL_REPORT_VALUES_H

#include "plot.h"
#include "result.h"

/* Calls `begin` before the charts of each component (NULL: not called), then gives its charts. A
 * value that never changed is in no chart. */
struct values_sink {
    struct plot_sink plots;
    void (*begin)(void *user, const char *component); /* with the user of `plots` */
};

void values_give(const struct values_sink *sink, const struct result *result);

/* Whether there is a value that changes. */
bool values_any(const struct result *result);

#endif
