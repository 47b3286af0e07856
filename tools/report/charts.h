/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of runs. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include "plot.h"
#include "report_plan.h"
#include "result.h"

enum { CHARTS_RESULTS_MAX = 16 }; /* in one chart; more are not drawn */

/* The distance of robot and avatar; nothing if no run has one. The results of several strategies
 * differ by orders of magnitude: then the axis is logarithmic. */
void charts_give_distance(const struct plot_sink *sink, const char *name, const char *title,
                          const struct result *const *results, size_t n);

/* The distance of each robot of a run and its avatar, a chart for each. */
void charts_give_robots(const struct plot_sink *sink, const struct result *result);

/* The possible charts of runs, in the order of preference. */
enum charts_kind {
    CHARTS_DISTANCE, /* distance of robot and avatar over time: with a Synchronizer */
    CHARTS_WAY,      /* path of the robot, as a map */
    CHARTS_NOTHING,
};

/* Whether a run has the data for such a chart. */
bool charts_has(const struct result *result, enum charts_kind chart);

/* The first chart for which at least one of the runs has data. */
enum charts_kind charts_kind_of(const struct result *results, size_t n);

/* Writes this chart as a standalone SVG, with a curve for each run that has the data; nothing for
 * CHARTS_NOTHING. `plan` as for map_give. */
void charts_write_svg(FILE *out, const char *title, const struct result *results, size_t n,
                      const struct report_plan *plan);

#endif
