/* SPDX-License-Identifier: Apache-2.0 */
/* What the channels of a test plan did before the end of a step that failed. */
#ifndef DOPPEL_CLI_TEST_TRACE_H
#define DOPPEL_CLI_TEST_TRACE_H

#include <stdio.h>

#include <doppel/sim/plan.h>

struct test_trace;

/* Of the channels that a bound plan uses, and those that it names besides. 0; -EINVAL with reterr:
 * a pattern fits none; -ENOMEM. Allocates all that it needs. */
int test_trace_create(const struct dpl_sim_plan *plan, const struct dpl_world_channels *channels,
                      dpl_ns step, struct test_trace **ret_trace, struct dpl_diag *reterr);
void test_trace_destroy(struct test_trace *trace); /* NULL: nothing */

/* A row of now; the oldest one goes if there is no room. */
void test_trace_take(struct test_trace *trace, const struct dpl_plan_run *run, dpl_ns now);

/* Writes the rows as CSV; `began` is where step_time counts from. */
void test_trace_write(const struct test_trace *trace, FILE *out, dpl_ns began);

#endif
