/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong in a run, in the terminal: in red where there is one that shows colours, and
 * without a control character elsewhere. */
#ifndef DOPPEL_CLI_PROBLEMS_H
#define DOPPEL_CLI_PROBLEMS_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/diag.h>
#include <doppel/host/runtime.h>

#include "findings.h"

/* Whether it is a terminal that shows colours: not one of TERM "dumb", and not where NO_COLOR is
 * set. */
bool cli_has_colours(FILE *stream);

/* Prints one line for each: "problem: LABEL: TEXT". `label` NULL: without. */
void cli_tell_problems(FILE *stream, const char *label, const struct findings *findings);

/* The same of a run of this process that has ended; then, if wanted, what it did (outcome.h). */
void cli_tell_end_of(struct dpl_runtime *runtime, enum dpl_exit code, bool tells_outcome);

/* Prints why a run failed, to standard error. */
void cli_tell_failure(const struct dpl_diag *why);

#endif
