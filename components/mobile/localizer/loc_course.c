/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_course.h"

#define LEAST     0.6    /* of the memory: reached on 0.9 of it */
#define STEP_M    0.5    /* at most: after a longer one the scan may have moved the pose */
#define STRAIGHT  0.5    /* rad for each m of way, at most */
#define OFF_RAD   0.0175 /* 1 deg: as much is a verdict */
#define SIGMAS    4.0
#define LENGTH    0.1   /* of a step, by which scans and wheels may differ */
#define KNOWN_RAD 0.006 /* deviation of the course, and of what is made of it */

void loc_course_add(struct loc_course *course, double memory_m, double ahead_m,
                    const double beyond_m[2], double turn_rad)
{
    if (fabs(turn_rad) > STRAIGHT * fabs(ahead_m) || fabs(ahead_m) > STEP_M) {
        return;
    }
    double keep = exp(-fabs(ahead_m) / memory_m);
    course->wheels = keep * course->wheels + ahead_m * ahead_m;
    course->ahead = keep * course->ahead + ahead_m * (ahead_m + beyond_m[0]);
    course->left = keep * course->left + ahead_m * beyond_m[1];
    course->way_m = keep * course->way_m + fabs(ahead_m);
}

bool loc_course_is_known(const struct loc_course *course, double memory_m)
{
    return course->way_m >= LEAST * memory_m;
}

bool loc_course_is_off(const struct loc_course *course, double memory_m,
                       const struct loc_filter *filter, double position_m, double *ret_rad)
{
    double mount2 = filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW];
    if (!(mount2 > 0.0) || !loc_course_is_known(course, memory_m)) {
        return false;
    }
    double noise_rad = position_m / course->way_m;
    double length = hypot(course->ahead, course->left) / course->wheels;
    *ret_rad = atan2(course->left, course->ahead);
    return fabs(length - 1.0) < LENGTH &&
           fabs(*ret_rad) > fmax(OFF_RAD, SIGMAS * sqrt(mount2 + noise_rad * noise_rad));
}

void loc_course_take(struct loc_filter *filter, struct dpl_pose2 mount, double rad)
{
    /* What a turn of the base by 1 rad, with the laser kept, does to the state. */
    double c = cos(filter->x[LOC_STATE_THETA]), s = sin(filter->x[LOC_STATE_THETA]);
    double lx = c * mount.x - s * mount.y, ly = s * mount.x + c * mount.y;
    static const int at[] = {LOC_STATE_X, LOC_STATE_Y, LOC_STATE_THETA, LOC_STATE_MOUNT_YAW};
    double by[] = {ly, -lx, 1.0, -1.0};
    for (int i = 0; i < 4; i++) {
        filter->x[at[i]] += rad * by[i];
        for (int j = 0; j < 4; j++) {
            filter->p[at[i]][at[j]] += KNOWN_RAD * KNOWN_RAD * by[i] * by[j];
        }
    }
    filter->x[LOC_STATE_THETA] = dpl_wrap_angle(filter->x[LOC_STATE_THETA]);
}
