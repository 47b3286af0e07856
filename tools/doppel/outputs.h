/* SPDX-License-Identifier: Apache-2.0 */
/* Guards the files that a command reads against the files that it writes. */
#ifndef DOPPEL_CLI_OUTPUTS_H
#define DOPPEL_CLI_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* A file or a folder as it is named on the command line. */
struct cli_path {
    const char *what; /* for messages: "--output", "RECORDING" */
    const char *path; /* NULL: not given */
};

/* Whether both names mean the same file: the same device and inode, or the same name in the same
 * folder. Devices and pipes are never the same: nothing in them is lost. */
bool cli_same_file(const char *a, const char *b);

/* 0, or -1 after printing "doppel COMMAND: ...": an output is a file that the command reads, or two
 * outputs are one file. Of a folder among the inputs, the results of a run in it count. An output
 * is first written as PATH.part: that name counts, too. Blocks (stat); changes nothing. */
int cli_check_outputs(const char *command, const struct cli_path *outputs, size_t n_outputs,
                      const struct cli_path *inputs, size_t n_inputs);

#endif
