/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the page of a run. Private to the page. */
#ifndef DOPPEL_REPORT_PAGE_PARTS_H
#define DOPPEL_REPORT_PAGE_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "page.h"

/* Key figures of the run and of each robot, with what they mean; the verdict of a bench. */
void page_write_figures(FILE *out, const struct result *result);

/* Whether these say for how long it was not known where a robot was: by the trace. */
bool page_shows_unknown_place(const struct result *result);

/* All values of the summary that components gave. */
void page_write_values(FILE *out, const struct result *result);

/* What the drivers of robots, lasers and IMUs were calibrated to. */
void page_write_calibration(FILE *out, const struct result *result);

void page_write_executors(FILE *out, const struct result *result);

/* Where the run comes from: date, host, version, command line, seed, world. */
void page_write_origin(FILE *out, const struct result *result, const struct report_plan *plan);

/* Steps and measures, of the results of a test plan; nothing of a run. */
void page_write_steps(FILE *out, const struct result *result);

/* Table cells: a number, or a dash if it is none; a text, escaped. */
void page_cell(FILE *out, const char *format, double value);
void page_text_cell(FILE *out, const char *text);

#endif
