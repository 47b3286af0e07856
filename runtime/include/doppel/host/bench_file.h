/* SPDX-License-Identifier: Apache-2.0 */
/* Benches that repeat a run (<bench>, written by /run/bench of a run that is viewed): the
 * application with its bindings and values, what was done by hand, and the values at the end. */
#ifndef DOPPEL_HOST_BENCH_FILE_H
#define DOPPEL_HOST_BENCH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is done by hand at a time of the run. */
struct dpl_bench_input {
    dpl_ns at, hold; /* hold 0: it stays */
    bool is_put;     /* into a world; else a property is set */
    const char *name, *value;
};

struct dpl_bench_expected {
    const char *name, *value;
};

/* The texts are the bench's. */
struct dpl_bench {
    const char *application;
    const char *const *bindings, *const *sets; /* [n_bindings], [n_sets] */
    size_t n_bindings, n_sets;
    uint64_t seed;
    dpl_ns duration;
    const struct dpl_bench_input *inputs; /* [n_inputs], in the order of time */
    size_t n_inputs;
    const struct dpl_bench_expected *expected; /* [n_expected] */
    size_t n_expected;
};

/* 0 with the bench, which dpl_bench_destroy frees; -EMEDIUMTYPE: the file is no such bench;
 * -EINVAL with errors in diags, whose file name is `file`. Reads a file, allocates. */
int dpl_bench_read(const char *file, struct dpl_bench **ret_bench, struct dpl_diags *diags);
void dpl_bench_destroy(struct dpl_bench *bench); /* NULL: nothing */

#ifdef __cplusplus
}
#endif

#endif
