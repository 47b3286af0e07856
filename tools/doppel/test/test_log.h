/* SPDX-License-Identifier: Apache-2.0 */
/* unit.log: what units print, the first and the last bytes of it. The first part is in the file at
 * once; what comes after it waits in memory, and is written at the end of each unit. */
#ifndef DOPPEL_CLI_TEST_LOG_H
#define DOPPEL_CLI_TEST_LOG_H

#include <stddef.h>
#include <stdint.h>

#define TEST_LOG_PART ((size_t)8 << 20) /* bytes, of the first and of the last part */

struct test_log {
    int fd;
    size_t part;
    uint64_t said; /* bytes in all */
    char *tail;    /* [part] byte number n of all is at (n - part) % part */
    int err;       /* why it cannot be written: -errno; 0: it can */
};

/* Goes on with a file that is open for reading and writing, after `said` bytes of earlier units; at
 * the beginning it is empty. Errors are in `err`, after which nothing is written any more. */
void test_log_begin(struct test_log *log, int fd, size_t part, uint64_t said);
void test_log_add(struct test_log *log, const char *bytes, size_t n);
/* Writes what waits, and between the parts how much was left out. Does not close the file. */
void test_log_end(struct test_log *log);

#endif
