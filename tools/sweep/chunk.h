/* SPDX-License-Identifier: Apache-2.0 */
/* Results on their way: each process of a study appends lines to a file of its own in the folder
 * STUDY.runs. A line that has no end, because the process was killed, does not count. */
#ifndef DOPPEL_SWEEP_CHUNK_H
#define DOPPEL_SWEEP_CHUNK_H

#include "store.h"

/* Reads all lines of all files: results of rows whose identity is that of the line. Returns the
 * number of lines of another identity (a study that was changed, or a program); -errno with
 * reterr. */
long sweep_chunks_read(const char *store, struct sweep_table *table, struct dpl_diag *reterr);

struct sweep_chunk {
    int file;
    int64_t synced; /* when lines were last written to the disk, of the monotonic clock */
};

/* Opens the file of chunk `k` of `n` to add lines. -EBUSY: another process runs this chunk; -errno;
 * with reterr. */
int sweep_chunk_open(struct sweep_chunk *chunk, const char *store, size_t k, size_t n,
                     struct dpl_diag *reterr);
/* Adds a line. It survives the end of this process at once, that of the machine within a second. */
int sweep_chunk_add(struct sweep_chunk *chunk, const struct sweep_row *row, size_t n_measures,
                    const struct sweep_outcome *outcome);
int sweep_chunk_close(struct sweep_chunk *chunk);

#endif
