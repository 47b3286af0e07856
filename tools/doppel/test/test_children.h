/* SPDX-License-Identifier: Apache-2.0 */
/* The children of this process, also those that it has as the subreaper of what others have left
 * behind. For processes that start children, and are made subreapers, on their main thread only.
 * Nothing here allocates or takes a lock. */
#ifndef DOPPEL_CLI_TEST_CHILDREN_H
#define DOPPEL_CLI_TEST_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TEST_CHILDREN_MAX 512

struct test_children {
    size_t n;
    bool is_cut; /* there may be more */
    pid_t pids[TEST_CHILDREN_MAX];
};

/* Those of the calling thread, also those that have ended and were not waited for. */
void test_children_list(struct test_children *ret_children);

/* Kills and reaps all of them but `others`, and what they leave to us, until there are none; gives
 * up after `limit_ms`. False: some are still there, or may be. */
bool test_children_end(const struct test_children *others, int limit_ms);

#endif
