/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of benches, test plans and machines behind the server of viewers: it lists them, runs
 * one at a time as a child of this program, and makes a file with other parameters. */
#ifndef DOPPEL_CLI_VIEW_FOLDER_H
#define DOPPEL_CLI_VIEW_FOLDER_H

#include <stdbool.h>

/* Whether it is a folder with such files, and none of a run. */
bool view_folder_is(const char *path);
/* Serves it until a signal; the exit code. */
int view_folder(const char *path, int port);

#endif
