/* SPDX-License-Identifier: Apache-2.0 */
/* The one row at the bottom of the terminal that says how far a command is. It is cut to the width
 * of the terminal, which is asked for at each draw: a window that changes its size needs no signal,
 * which a thread of a real-time cycle could get. It is there only if standard error is a terminal
 * that can clear a line (TERM is neither empty nor "dumb"): elsewhere nothing is drawn, and no
 * control byte is written.
 *
 * A process has one terminal and so one row. It belongs to the thread that began it, which also
 * writes the log. */
#ifndef DOPPEL_CLI_STATUS_ROW_H
#define DOPPEL_CLI_STATUS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define STATUS_ROW_BYTES 1024

/* From now on status_row_show draws. */
void status_row_begin(void);

/* Whether a row can be shown: one was begun, on a terminal. */
bool status_row_is_on(void);

/* Draws "SHARE  TIME LEFT  TEXT", at most ten times a second. `share` is the part that is done, 0
 * to 1; NAN if the end is not known: then there is TEXT alone. The time that is left follows from
 * the share done since the first call. */
void status_row_show(double share, const char *text);

/* The same, "COUNT of N WHAT". */
void status_row_count(size_t count, size_t n, const char *what);

/* Clears the row before something else is printed; the next status_row_show draws it again. */
void status_row_hide(void);

/* Clears the row for good. */
void status_row_end(void);

/* Standard error for the lines of a log: the row moves down under each. Borrowed: it is not
 * closed. Standard error itself if there is no row. */
FILE *status_row_log(void);

/* ---- pure, for tests ---- */

/* Makes one line of at most `columns` columns: control characters become blanks, and what is longer
 * is cut. Characters outside of ASCII count twice, because some are two columns wide. */
void status_row_cut(const char *text, size_t columns, char ret_line[STATUS_ROW_BYTES]);

/* " 42 %     0:18 left  TEXT": the figures keep their width while time passes. `left_s` NAN: not
 * known yet; `share` NAN: TEXT alone. */
void status_row_format(double share, double left_s, const char *text,
                       char ret_line[STATUS_ROW_BYTES]);

#endif
