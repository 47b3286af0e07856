/* SPDX-License-Identifier: Apache-2.0 */
/* The protection level: the error of the position is beyond it at most once in 1000 times. What is
 * wrong in the plan is wrong in all scans of a place and does not average out, so one scan's
 * information counts, each surface with an unknown offset of its own, beside the filter's
 * covariance; and how far the position depends on one object (solution separation: Blanch and
 * others, Baseline Advanced RAIM User Algorithm, IEEE Transactions on Aerospace and Electronic
 * Systems 51(1), 2015). */
#ifndef INTEGRITY_PROTECTION_H
#define INTEGRITY_PROTECTION_H

#include <stdint.h>

#include "loc_match.h"

struct protection_sum {
    double a[LOC_DIMS][LOC_DIMS], b[LOC_DIMS]; /* lower triangle */
    bool touched;
};

struct protection {
    const uint32_t *group; /* [surfaces] the object of an outline */
    struct protection_sum *sums;
    uint32_t *touched; /* [n_groups] */
    size_t n_touched;
    double fading_m; /* half of the innovations that contradicted, fading */
};

struct protection_input {
    const struct loc_match *match; /* after loc_match_evaluate at the tracked laser */
    double bias_variance, scale_variance;
    double position[3]; /* covariance of the filter's position: xx xy yy */
    double nis, innovation_m;
};

struct protection_result {
    double level_m;
    double sigma_m;        /* of one scan, in its weakest direction */
    double sigma_rad;      /* likewise, of its heading */
    double separation_m;   /* d_sep */
    double offset_m;       /* d_y: of the scan alone from the filter */
    double contradicted_m; /* d_nis */
};

/* False: out of memory; protection_finish frees what there is. `group` is borrowed. */
bool protection_init(struct protection *protection, const uint32_t *group, size_t n_groups);
void protection_finish(struct protection *protection);

void protection_scan(struct protection *protection, const struct protection_input *input,
                     struct protection_result *ret_result);

#endif
