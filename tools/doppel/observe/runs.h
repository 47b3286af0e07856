/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of this user that can be viewed, by the notes that they leave (observe.c). */
#ifndef DOPPEL_CLI_RUNS_H
#define DOPPEL_CLI_RUNS_H

#include <jansson.h>

/* Their notes {pid, name, port, token} in the order of pids; the caller owns the array. NULL after
 * printing why the folder cannot be used. Notes of processes that have died are removed. */
json_t *runs_read(const char *command);

struct run_place {
    int port, pid; /* pid 0: not known */
    char token[64];
};

/* The run of this name or process, the one at an address "ws://127.0.0.1:PORT/TOKEN", or (NULL) the
 * only one. DPL_EXIT_DONE, or an exit code after printing why not and which there are. */
int runs_find(const char *command, const char *wanted, struct run_place *ret_place);

#endif
