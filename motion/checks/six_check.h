/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of properties with six numbers, for the `check` of field tables: `doppel check` reports
 * errors with the place of the value. */
#ifndef MOTION_CHECKS_SIX_CHECK_H
#define MOTION_CHECKS_SIX_CHECK_H

#include <errno.h>

#include <doppel/math/six_axes.h>
#include <doppel/text_check.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One number, two (x y z, roll pitch yaw) or six, each within `low` and `high`. */
static inline int dpl_check_six_within(const char *text, double low, double high,
                                       struct dpl_diag *reterr)
{
    double values[DPL_SIX];
    const char *at;
    if (!dpl_six_read(text, values, &at)) {
        return dpl_check_fail(text, at, "expected one number, two (x y z, roll pitch yaw) or six",
                              reterr);
    }
    for (int i = 0; i < DPL_SIX; i++) {
        if (!(values[i] >= low && values[i] <= high)) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "%g of %s is out of range, expected %g..%g", values[i],
                            dpl_six_names[i], low, high);
        }
    }
    return 0;
}

/* A pose: exactly six numbers. */
static inline int dpl_check_pose(const char *text, struct dpl_diag *reterr)
{
    double values[DPL_SIX];
    return dpl_rows_only(text, DPL_SIX, values)
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "expected six numbers, x y z in m and roll pitch yaw in rad, found "
                          "'%.80s'",
                          text);
}

/* A pose, or nothing. */
static inline int dpl_check_pose_or_none(const char *text, struct dpl_diag *reterr)
{
    return text[0] == '\0' ? 0 : dpl_check_pose(text, reterr);
}

#ifdef __cplusplus
}
#endif

#endif
