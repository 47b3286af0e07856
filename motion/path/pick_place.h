/* SPDX-License-Identifier: Apache-2.0 */
/* The pick-and-place path: from one place up, across and down to another place, and back along the
 * same path, repeatedly. Each of the three movements is a quintic in time; the movement across
 * begins before the upward one ends, and ends after the downward one began, which rounds the
 * corners. Velocity and acceleration are continuous. Pure: no state. */
#ifndef MOTION_PATH_PICK_PLACE_H
#define MOTION_PATH_PICK_PLACE_H

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_pick_place {
    double pick_m[3], place_m[3]; /* the two places */
    double lift_m;                /* the highest point is this far above the higher place */
    double way_s;                 /* from one place to the other; a cycle is twice this */
    double lift_s;                /* up in the first lift_s of a move, down in its last lift_s */
    double across_after_s; /* the movement across begins at this time, and ends this time before the
                              end of the move */
};

/* 305 mm along x in the middle of y, at z = -0.5 m, 25 mm up, 0.3 s for each move: an adept cycle
 * of 25, 305 and 25 mm in 0.6 s. */
extern const struct dpl_pick_place dpl_pick_place_reference;

/* Finite numbers, lift_m not negative, times above 0 and in order. Returns 0, or -EINVAL with
 * `*reterr_what` (static text; may be NULL). */
int dpl_pick_place_check(const struct dpl_pick_place *path, const char **reterr_what);

/* Position (m), velocity (m/s) and acceleration (m/s2), x y z, at a time in s, which may be
 * negative: the path has no beginning. `path` must have passed the check, `at_s` be finite. */
void dpl_pick_place_at(const struct dpl_pick_place *path, double at_s, double *ret_p, double *ret_v,
                       double *ret_a);

#ifdef __cplusplus
}
#endif

#endif
