/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file, all at once. */
#ifndef DOPPEL_BASE_FILE_BYTES_H
#define DOPPEL_BASE_FILE_BYTES_H

#include <stddef.h>

/* Reads a file until its end, or a little beyond `most` bytes, which its reader refuses then. Does
 * not wait for a writer of a named pipe. 0 with *ret_bytes, which the caller frees; -ENOMEM, or
 * -errno of the file: *ret_opened says whether it was opened. Allocates; blocks. */
int dpl_file_bytes(const char *file, size_t most, char **ret_bytes, size_t *ret_n, int *ret_opened);

/* From now on who watches gets the bytes of each file that was read, whoever reads it, during the
 * call (NULL: nobody does). For the hash of what was loaded; one thread. */
void dpl_file_bytes_watch(void (*seen)(void *user, const char *bytes, size_t n), void *user);

#endif
