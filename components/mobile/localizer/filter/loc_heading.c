/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_heading.h"

/* course */
#define LEAST     0.6    /* of the memory: reached on 0.9 of it */
#define STEP_M    0.5    /* at most: after a longer one the scan may have moved the pose */
#define STRAIGHT  0.5    /* rad for each m of way, at most */
#define OFF_RAD   0.0175 /* 1 deg: as much is a verdict */
#define SIGMAS    4.0
#define LENGTH    0.1   /* of a step, by which scans and wheels may differ */
#define KNOWN_RAD 0.006 /* deviation of the course, and of what is made of it */

/* heading */
#define COURSE_M     2.0
#define WHOLE_M      5.0
#define NO_PUSH_RAD  1.0   /* nobody pushes a robot so far beside its heading for metres */
#define CONFIRMS     0.5   /* of the angle: the gyro's */
#define SURE_RAD     0.009 /* half of what a course is off by at least */
#define DENIED_M     8.0   /* then the course is believed all the same */
#define MEMORY_S     15.0
#define STANDS_RAD_S 0.05
#define SETTLED      10    /* scans */
#define LASER_RAD    0.052 /* 3 deg */
#define AGREE        0.3   /* of it, between wheels and gyro */

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

/* Until the course has been right once, calibrations that are still wrong turn headings while the
 * robot turns. */
static void add_turns(struct loc_heading *heading, const struct loc_heading_step *step)
{
    double keep = exp(-step->gap_s / MEMORY_S);
    bool stands = fabs(step->turned_rad) < STANDS_RAD_S * step->gap_s;
    bool knows = step->knew_heading && (stands || heading->was_right);
    double counts = step->has_gyro && knows && heading->n >= SETTLED ? 1.0 : 0.0;
    heading->n += heading->n < SETTLED;
    heading->beyond_gyro_rad = keep * heading->beyond_gyro_rad + counts * step->beyond_gyro_rad;
    heading->beyond_wheels_rad =
        keep * heading->beyond_wheels_rad + counts * step->beyond_wheels_rad;
    heading->base_rad = keep * heading->base_rad + counts * step->base_rad;
    heading->since_rad += counts * step->beyond_gyro_rad;
}

static void add_courses(struct loc_heading *heading, const struct loc_heading_step *step)
{
    if (step->doubts_wheels) {
        heading->course = (struct loc_course){0};
    } else {
        loc_course_add(&heading->course, COURSE_M, step->ahead_m, step->beyond_m, step->turned_rad);
    }
    loc_course_add(&heading->whole, WHOLE_M, step->ahead_m, step->beyond_m, step->turned_rad);
}

/* Wheels and gyro agree that the robot has not turned as scans say. */
static bool has_laser_turned(const struct loc_heading *heading, const struct loc_filter *filter,
                             double *ret_rad)
{
    double gyro = heading->beyond_gyro_rad, wheels = heading->beyond_wheels_rad;
    *ret_rad = -heading->base_rad;
    return filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] > 0.0 && fabs(gyro) > LASER_RAD &&
           fabs(wheels - gyro) < AGREE * fabs(gyro);
}

static bool is_course_off(struct loc_heading *heading, const struct loc_heading_step *step,
                          const struct loc_filter *filter, double position_m, double *ret_rad)
{
    const struct loc_course *whole = &heading->whole;
    bool off = loc_course_is_off(&heading->course, COURSE_M, filter, position_m, ret_rad) ||
               loc_course_is_off(whole, WHOLE_M, filter, position_m, ret_rad) ||
               (loc_course_is_off(whole, COURSE_M, filter, position_m, ret_rad) &&
                fabs(*ret_rad) > NO_PUSH_RAD);
    bool asks = off && step->has_gyro && heading->was_right;
    double unlike = asks ? fabs(dpl_wrap_angle(*ret_rad + heading->since_rad)) : 0.0;
    bool denied = unlike >= fmax(CONFIRMS * fabs(*ret_rad), SURE_RAD);
    heading->denied_m = off && denied ? heading->denied_m + fabs(step->ahead_m) : 0.0;
    return off && (!denied || heading->denied_m > DENIED_M);
}

void loc_heading_step(struct loc_heading *heading, const struct loc_heading_step *step,
                      struct loc_filter *filter, struct dpl_pose2 mount, double position_m)
{
    double off_rad;
    add_turns(heading, step);
    add_courses(heading, step);
    if (has_laser_turned(heading, filter, &off_rad) ||
        is_course_off(heading, step, filter, position_m, &off_rad)) {
        struct loc_heading before = *heading;
        loc_course_take(filter, mount, off_rad);
        *heading = (struct loc_heading){
            .n = before.n, .was_right = before.was_right, .since_rad = before.since_rad + off_rad};
    } else if (loc_course_is_known(&heading->course, COURSE_M) && !(heading->denied_m > 0.0)) {
        /* what comes later is not mixed with it */
        heading->whole = (struct loc_course){0};
        heading->since_rad *= exp(-fabs(step->ahead_m) / COURSE_M);
        heading->was_right = true;
    }
}
