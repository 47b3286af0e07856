/* SPDX-License-Identifier: Apache-2.0 */
/* Output files of a run. The data is written to PATH.part beside the final name. When it is
 * complete and synced, the part gets the final name and replaces an older file. If the process is
 * killed or the disk is full, PATH.part remains: the suffix shows that it is incomplete. If PATH
 * exists and is not a regular file (a device, a pipe), it is written directly. */
#ifndef DOPPEL_OUTPUT_H
#define DOPPEL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_OUTPUT_PATH_MAX 4096

struct dpl_output {
    FILE *stream; /* public: write to it; NULL: not open */
    int error;    /* public: the first errno of a write, 0: none; after an error nothing more is
                     written */
    int fd;
    char *path, *part; /* part NULL: PATH is written directly */
};

/* Opens a zeroed *output. 0, or -errno (-ENAMETOOLONG, -ENOMEM) with the name and the cause in
 * reterr. Allocates; blocks. One thread at a time uses an output. */
int dpl_output_open(struct dpl_output *output, const char *path, struct dpl_diag *reterr);

/* Gives the file its final name: 0, or -errno with the name, the cause and the name of the part.
 * Not open: 0. Blocks until the data is on the disk. */
int dpl_output_close(struct dpl_output *output, struct dpl_diag *reterr);

/* Gives the file this name instead, at once and without a wait for the disk; the part must have
 * been written (output->part). 0, or -errno as dpl_output_close. */
int dpl_output_set_aside(struct dpl_output *output, const char *path, struct dpl_diag *reterr);

/* Closes the file and removes the part; an older file with the final name stays unchanged. Does
 * nothing if not open. */
void dpl_output_abandon(struct dpl_output *output);

#ifdef __cplusplus
}
#endif

#endif
