/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/rollouts.h>

static const struct dpl_field ask[] = {
    DPL_INT(struct dpl_rollouts_request, n, "n", NULL, 0, DPL_ROLLOUTS_MAX, "rollouts"),
    DPL_NUMBER(struct dpl_rollouts_request, sample_s, "sample", "s", NULL, 0.001, 60,
               "time between poses"),
};

static const struct dpl_field answer[] = {
    DPL_EXPORT_INT(struct dpl_rollouts_answer, number, "number", NULL, 0, "of the request"),
    DPL_EXPORT_INT(struct dpl_rollouts_answer, stamp, "stamp", "ns", 0,
                   "of the state that the rollouts began with"),
    DPL_EXPORT_NUMBER(struct dpl_rollouts_answer, took_s, "took", "s", 0, "real time"),
    DPL_EXPORT_INT(struct dpl_rollouts_answer, n, "n", NULL, 0, "rollouts"),
};

static const struct dpl_field status[] = {
    DPL_EXPORT_INT(struct dpl_rollouts_status, state, "state", NULL, 0,
                   "0 waits, 1 works, 2 silent, 3 dead"),
};

static const struct dpl_call calls[DPL_DRV_ROLLOUTS_N_CALLS] = {
    [DPL_DRV_ROLLOUTS_ASK] =
        DPL_CALL(READING, "ask", "begins rollouts from now on",
                 DPL_CALL_IN(struct dpl_rollouts_request, ask), .beyond = "wants and twists"),
    [DPL_DRV_ROLLOUTS_ANSWER] = DPL_CALL(READING, "answer", "what came of them",
                                         DPL_CALL_OUT(struct dpl_rollouts_answer, answer),
                                         .borrowed = true, .beyond = "outcomes"),
    [DPL_DRV_ROLLOUTS_STATUS] = DPL_CALL(READING, "status", "whether requests are answered",
                                         DPL_CALL_OUT(struct dpl_rollouts_status, status)),
};

const struct dpl_device_class dpl_rollouts_class = {
    .name = DPL_ROLLOUTS_CLASS,
    .summary = "what a wheel base would do and touch from now on, by a simulated world",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
