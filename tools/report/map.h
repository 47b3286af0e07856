/* SPDX-License-Identifier: Apache-2.0 */
/* The map of a run: the world from above, the ways of its robots and their avatars. */
#ifndef DOPPEL_REPORT_MAP_H
#define DOPPEL_REPORT_MAP_H

#include "plot.h"
#include "report_plan.h"
#include "result.h"

/* Gives the map to the sink; nothing if no robot has a way and no scan was recorded. `plan` NULL:
 * no world is drawn. */
void map_give(const struct plot_sink *sink, const char *title, const struct result *result,
              const struct report_plan *plan);

#endif
