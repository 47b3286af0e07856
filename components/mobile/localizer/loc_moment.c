/* SPDX-License-Identifier: Apache-2.0 */
/* The covariance that is published. */
#include "loc_algebra.h"
#include "loc_filter.h"

#define MAP_SHARE 2.25 /* times what errors of the plan make of one scan, published */

/* T C T with T = 1 - v v': nothing along v. */
static void leave_out(double c[3][3], const double v[3])
{
    double along[3], twice = 0.0;
    for (int i = 0; i < 3; i++) {
        along[i] = c[i][0] * v[0] + c[i][1] * v[1] + c[i][2] * v[2];
        twice += v[i] * along[i];
    }
    for (int i = 0; i < 9; i++) {
        int r = i / 3, k = i % 3;
        c[r][k] += v[r] * v[k] * twice - v[r] * along[k] - along[r] * v[k];
    }
}

/* What the plan's errors make of the pose, beyond the noise of one scan: it is the same in all
 * scans of a place. */
static void map_covariance(const struct loc_update *update, double ret[3][3])
{
    double exact[3][3], direction;
    struct loc_information seen = update->information;
    bool unseen = loc_information_project(&seen, &direction);
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, ret);
    double padded[LOC_DIMS][LOC_DIMS] = {{0}};
    for (int i = 0; i < 9; i++) {
        padded[i / 3][i % 3] = seen.exact[i / 3][i % 3];
    }
    loc_invert_pose((const double(*)[LOC_DIMS])padded, exact);
    for (int i = 0; i < 9; i++) {
        ret[i / 3][i % 3] -= exact[i / 3][i % 3];
    }
    if (unseen) { /* the filter's own variance along it is large already */
        leave_out(ret, (double[3]){cos(direction), sin(direction), 0.0});
    }
}

void loc_filter_moment(const struct loc_filter *filter, const struct loc_update *update,
                       struct loc_moment *ret_moment)
{
    double map[3][3] = {{0}}, share = MAP_SHARE * update->map_ratio * update->map_ratio;
    if (update->used) {
        map_covariance(update, map);
    }
    ret_moment->pose = loc_filter_pose(filter);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ret_moment->covariance[i][j] = filter->p[i][j] + share * map[i][j];
        }
    }
}
