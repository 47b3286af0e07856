/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment's tables with published and specified numbers, as a Markdown page. */
#ifndef TRANSPARENCY_EXPERIMENT_PAGE_H
#define TRANSPARENCY_EXPERIMENT_PAGE_H

#include <stdio.h>

#include "experiment.h"

/* Writes the page with the charts of experiment_charts. Runs the chain as pure logic for
 * comparison: takes about a second. 0 or a negative errno. */
int experiment_page(FILE *out, const struct experiments *experiments);

#endif
