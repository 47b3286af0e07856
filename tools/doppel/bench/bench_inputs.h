/* SPDX-License-Identifier: Apache-2.0 */
/* Does again in a run what was done by hand, at the same times of it: an observer that asks as a
 * person does. The run pauses there, so it is the same each time. */
#ifndef DOPPEL_CLI_BENCH_INPUTS_H
#define DOPPEL_CLI_BENCH_INPUTS_H

#include <doppel/host/bench_file.h>
#include <doppel/host/gateway.h>

/* Its options are a struct dpl_bench with an input. The run must pause at its beginning (`hold`
 * of its options). */
extern const struct dpl_gateway bench_inputs_gateway;

#endif
