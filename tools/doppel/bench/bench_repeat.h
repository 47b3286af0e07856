/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a run that is repeated (doppel/host/bench_file.h). */
#ifndef DOPPEL_CLI_BENCH_REPEAT_H
#define DOPPEL_CLI_BENCH_REPEAT_H

#include <doppel/host/bench_file.h>

/* Whether the values, a JSON object, are those that are expected; `ret_why` says so in words. */
bool bench_repeat_compare(const struct dpl_bench *bench, const char *values, char *ret_why,
                          size_t size);

#endif
