/* SPDX-License-Identifier: Apache-2.0 */
/* The report of runs as one self-contained HTML page, which is well-formed XML too. */
#ifndef DOPPEL_REPORT_PAGE_H
#define DOPPEL_REPORT_PAGE_H

#include "plot.h"
#include "report_plan.h"
#include "result.h"

struct page {
    const char *title;
    const struct result *main;     /* the run with all details */
    const struct result *compared; /* further runs for the comparison */
    size_t n_compared;
    const struct report_plan *plan; /* of the world of the main run; NULL: unknown */
};

void page_write(FILE *out, const struct page *page);

/* Gives all charts of the page to the sink. */
void page_give_plots(const struct plot_sink *sink, const struct page *page);

#endif
