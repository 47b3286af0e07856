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

#endif
