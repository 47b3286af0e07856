/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a study. */
#ifndef DOPPEL_SWEEP_REPORT_H
#define DOPPEL_SWEEP_REPORT_H

#include <stdio.h>

#include "store.h"

/* Writes one HTML page, which needs no other file and is well-formed XML: what was accepted, how
 * the measures are distributed, what they depend on, and the worst runs with the commands that
 * repeat them. `store`: the file of the study, as those name it. Allocates. */
void sweep_report_write(FILE *out, const struct sweep_table *table, const char *store);

#endif
