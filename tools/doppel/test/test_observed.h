/* SPDX-License-Identifier: Apache-2.0 */
/* --view and --record of `doppel test`: a plan is a run that it drives itself. Each new world of a
 * plan begins in the run's time where the one before has ended. */
#ifndef DOPPEL_CLI_TEST_OBSERVED_H
#define DOPPEL_CLI_TEST_OBSERVED_H

#include "test_session.h"

/* Calls `plan` as such a run. What that returns; or -errno with reterr: it cannot be observed, or
 * not all was recorded. */
int test_observed_run(struct test_session *session,
                      int (*plan)(struct test_session *session, struct dpl_diag *reterr),
                      struct dpl_diag *reterr);

/* ---- for a session that may be observed ---- */

/* Its world is a new one; it has none any more. */
void test_observed_begin(struct test_session *session);
void test_observed_end(struct test_session *session);

/* Waits until the world may step. False: the test is stopped. */
bool test_observed_go(struct test_session *session);
void test_observed_look(const struct test_session *session);
/* Whether hands of those who look have put something into its world. */
bool test_observed_is_touched(const struct test_session *session);
/* A step of the plan begins (it has no verdict yet), or what was found out in it. */
void test_observed_tell(const struct test_session *session, size_t index);
/* For a signal handler: nobody waits any more. */
void test_observed_stop(void);

#endif
