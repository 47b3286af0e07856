/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of plugins and files on their way to the terminal. */
#ifndef DOPPEL_CLI_CLEAN_H
#define DOPPEL_CLI_CLEAN_H

/* The text by dpl_text_clean: itself where it is clean already, else a copy that lasts until the
 * end of the process. NULL: "". Allocates; one thread at a time. */
const char *cli_clean(const char *text);

#endif
