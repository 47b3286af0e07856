/* SPDX-License-Identifier: Apache-2.0 */
/* The report of runs as one self-contained HTML page. */
#ifndef DOPPEL_REPORT_PAGE_H
#define DOPPEL_REPORT_PAGE_H

#include "result.h"

struct page {
    const char *title;
    const struct result *main;     /* the run that is shown in full */
    const struct result *compared; /* further runs for the comparison */
    size_t n_compared;
};

void page_write(FILE *out, const struct page *page);

/* What can be drawn of runs, in the order of preference. */
enum page_chart {
    PAGE_DISTANCE, /* of robot and avatar over time: there was a Synchronizer */
    PAGE_WAY,      /* of the robot, as a map */
    PAGE_NOTHING,
};

/* Whether a run has what such a chart shows. */
bool page_has(const struct result *result, enum page_chart chart);

/* The first that at least one of the runs has. */
enum page_chart page_chart_of(const struct result *results, size_t n);

/* That chart as a standalone SVG, with a curve for each run that has it; nothing for PAGE_NOTHING.
 */
void page_write_svg(FILE *out, const char *title, const struct result *results, size_t n);

#endif
