/* SPDX-License-Identifier: Apache-2.0 */
/* Files of results: whole, or not there. What is written goes to PATH.part beside the final name,
 * is synced when all of it is there, and only then gets its name, in place of an older file. Who is
 * killed, or finds the disk full, leaves the part, which tells by its name that it is one. Where
 * PATH is no regular file (a device, a pipe) it is written directly. */
#ifndef DOPPEL_OUTPUT_H
#define DOPPEL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/diag.h>

#define DPL_OUTPUT_PATH_MAX 4096

struct dpl_output {
    FILE *stream; /* public: write there; NULL: not open */
    int error; /* public: the first errno that writing met, 0: none; nothing is written after it */
    int fd;
    char *path, *part; /* part NULL: written directly */
};

/* Opens a zeroed *output. 0, or -errno (-ENAMETOOLONG, -ENOMEM) with the name and the cause in
 * reterr. Allocates; blocks. One thread at a time uses an output. */
int dpl_output_open(struct dpl_output *output, const char *path, struct dpl_diag *reterr);

/* Makes the file final: 0, or -errno with the name, the cause and where the part is. Not open: 0.
 * Blocks until the disk has it. */
int dpl_output_close(struct dpl_output *output, struct dpl_diag *reterr);

/* Closes it and removes the part: what had the name before is as it was. Not open: nothing. */
void dpl_output_abandon(struct dpl_output *output);

#endif
