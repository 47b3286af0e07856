/* SPDX-License-Identifier: Apache-2.0 */
/* The report of runs as one self-contained HTML page. */
#ifndef DOPPEL_REPORT_PAGE_H
#define DOPPEL_REPORT_PAGE_H

#include "result.h"

struct page {
    const char *title;
    const struct result *main;     /* the run with all details */
    const struct result *compared; /* further runs for the comparison */
    size_t n_compared;
};

void page_write(FILE *out, const struct page *page);

/* The possible charts of runs, in the order of preference. */
enum page_chart {
    PAGE_DISTANCE, /* distance of robot and avatar over time: with a Synchronizer */
    PAGE_WAY,      /* path of the robot, as a map */
    PAGE_NOTHING,
};

/* Whether a run has the data for such a chart. */
bool page_has(const struct result *result, enum page_chart chart);

/* The first chart for which at least one of the runs has data. */
enum page_chart page_chart_of(const struct result *results, size_t n);

/* Writes this chart as a standalone SVG, with a curve for each run that has the data; nothing for
 * PAGE_NOTHING. */
void page_write_svg(FILE *out, const char *title, const struct result *results, size_t n);

#endif
