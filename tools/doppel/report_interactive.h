/* SPDX-License-Identifier: Apache-2.0 */
/* doppel report --interactive: the page of `doppel view` and recordings in one HTML file, which a
 * browser opens without a server. */
#ifndef DOPPEL_CLI_REPORT_INTERACTIVE_H
#define DOPPEL_CLI_REPORT_INTERACTIVE_H

#include <stddef.h>

/* `runs`: [n] recordings or folders that have one; one or two. `output` NULL: beside the first run,
 * and its name is printed. `title` NULL: that of the page. Returns the exit code; says why. Blocks,
 * allocates. */
int report_interactive(const char *const *runs, size_t n, const char *output, const char *title);

#endif
