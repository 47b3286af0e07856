/* SPDX-License-Identifier: Apache-2.0 */
/* The solver against the oracle, on a mechanism by chance. For tests. */
#ifndef DOPPEL_TESTS_COMPARE_H
#define DOPPEL_TESTS_COMPARE_H

#include <stdint.h>

#include <doppel/sim/multibody.h>

enum compare_verdict {
    COMPARE_USED,
    COMPARE_SINGULAR, /* near a singular pose: the oracle's pivot ratio is below 1e-6 */
    COMPARE_APART,    /* a gear couples mechanisms that float apart, which the solver refuses */
    COMPARE_REFUSED,  /* the solver refuses it for another reason */
};

struct compare_result {
    enum compare_verdict verdict;
    double place;        /* largest difference of positions (m) and entries of rotations */
    double velocity;     /* m/s or rad/s */
    double acceleration; /* relative to the largest acceleration, at least 1 m/s^2 or rad/s^2 */
    bool inverted;       /* the inverse dynamics knows its types of joints */
    double effort;       /* what that demands besides what acts: relative to the efforts that would
                            hold it without acceleration, at least 1 N or N m */
    char text[DPL_DIAG_TEXT_MAX]; /* of a refusal */
};

/* The states of all bodies at the start of random_mechanism_choose(seed). */
struct compare_result compare_seed(uint64_t seed);

#endif
