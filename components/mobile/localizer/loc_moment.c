/* SPDX-License-Identifier: Apache-2.0 */
/* The covariance that is published. */
#include "loc_algebra.h"
#include "loc_filter.h"

#define SINGLE_SCAN 2.25 /* times the covariance of one scan, published */

void loc_filter_moment(const struct loc_filter *filter, const struct loc_update *update,
                       struct loc_moment *ret_moment)
{
    double single[3][3] = {{0}};
    if (update->used) {
        struct loc_information seen = update->information;
        double direction;
        bool unseen = loc_information_project(&seen, &direction);
        loc_invert_pose((const double(*)[LOC_DIMS])seen.a, single);
        if (unseen) { /* the filter's own variance along it is large already */
            double v[3] = {cos(direction), sin(direction), 0.0}, along = 0.0;
            for (int i = 0; i < 9; i++) {
                along += v[i / 3] * single[i / 3][i % 3] * v[i % 3];
            }
            for (int i = 0; i < 9; i++) {
                single[i / 3][i % 3] -= along * v[i / 3] * v[i % 3];
            }
        }
    }
    ret_moment->pose = loc_filter_pose(filter);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ret_moment->covariance[i][j] = filter->p[i][j] + SINGLE_SCAN * single[i][j];
        }
    }
}
