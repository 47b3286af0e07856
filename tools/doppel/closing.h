/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines of a command that has run something, to standard error: where the results are, and
 * the command that is useful next. What happened stands before them. */
#ifndef DOPPEL_CLI_CLOSING_H
#define DOPPEL_CLI_CLOSING_H

#include <stdbool.h>

/* Whether the folder has this file, complete. */
bool cli_has_result(const char *folder, const char *name);
/* A trace.csv there may be of somebody who wrote it by hand. `what`: of which command. */
void cli_warn_of_foreign_trace(const char *what, const char *folder);

/* Prints the files that were written; nothing without a summary. */
void cli_tell_results(const char *folder);

/* Prints the command that is useful after a run; folder NULL: the run kept no results. */
void cli_tell_next(const char *folder);

/* Whether somebody sits before the terminal that standard error is: then the commands whose output
 * is for pipes print these lines, too. */
bool cli_has_reader(void);

/* Both lines, for a reader. `folder` as for cli_tell_next; `under`: where in it the folders of
 * several runs are, as a shell names them, such as a star; NULL: it is of one run. */
void cli_tell_closing(const char *folder, const char *under);

#endif
