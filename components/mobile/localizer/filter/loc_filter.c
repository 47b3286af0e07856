/* SPDX-License-Identifier: Apache-2.0 */
/* State, start and prediction. */
#include "loc_filter.h"

#include <string.h>

#define SCALE_WALK  2e-7 /* per m of both wheels */
#define SLOW_WALK   2e-8 /* the same: axle, direction of the laser */
#define OFFSET_WALK 5e-7 /* s^2 per s in motion */
#define GYRO_NOISE  1e-6 /* rad^2 per s */
#define STILL_M     1e-4 /* travel of a sample below which the base stands */

static bool is_logarithm(int parameter)
{
    return parameter <= LOCALIZER_AXLE_SCALE;
}

void loc_filter_init(struct loc_filter *filter, const struct loc_start *start)
{
    memset(filter, 0, sizeof *filter);
    filter->time_s = (double)NAN;
    filter->axle_m = start->axle_m;
    filter->wheel_noise = start->odometry_noise * start->odometry_noise;
    filter->drifts = start->calibrate == LOCALIZER_CALIBRATE_ON;
    filter->has_way = start->calibrate == LOCALIZER_CALIBRATE_IDENTIFY;
    bool exact = start->calibrate == LOCALIZER_CALIBRATE_FROZEN ||
                 start->calibrate == LOCALIZER_CALIBRATE_OFF;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        int k = LOC_STATE_PARAMETERS + i;
        double value = start->initial[i], sigma = start->initial_sigma[i];
        if (start->calibrate != LOCALIZER_CALIBRATE_OFF) {
            filter->x[k] = is_logarithm(i) ? log(value) : value;
        }
        filter->p[k][k] = exact ? 0.0 : sigma * sigma;
    }
    loc_filter_place(filter, start->pose, start->sigma_m, start->sigma_rad);
}

void loc_filter_place(struct loc_filter *filter, struct dpl_pose2 pose, double sigma_m,
                      double sigma_rad)
{
    filter->x[LOC_STATE_X] = pose.x;
    filter->x[LOC_STATE_Y] = pose.y;
    filter->x[LOC_STATE_THETA] = pose.theta;
    for (int i = 0; i < LOC_STATE_PARAMETERS; i++) {
        for (int j = 0; j < LOC_STATES; j++) {
            filter->p[i][j] = filter->p[j][i] = 0.0;
        }
    }
    filter->p[LOC_STATE_X][LOC_STATE_X] = filter->p[LOC_STATE_Y][LOC_STATE_Y] = sigma_m * sigma_m;
    filter->p[LOC_STATE_THETA][LOC_STATE_THETA] = sigma_rad * sigma_rad;
    memset(filter->way, 0, sizeof filter->way); /* nothing of before is in the pose */
}

void loc_filter_begin_way(struct loc_filter *filter)
{
    memset(filter->way, 0, sizeof filter->way);
    for (int i = 0; i < LOC_STATE_PARAMETERS; i++) {
        filter->way[i][i] = 1.0;
    }
}

void loc_filter_forget(struct loc_filter *filter, const struct loc_filter *parameters,
                       double sigma_m, double sigma_rad)
{
    struct dpl_pose2 pose = loc_filter_pose(filter);
    double time_s = filter->time_s;
    *filter = *parameters;
    filter->time_s = time_s;
    loc_filter_place(filter, pose, sigma_m, sigma_rad);
}

struct dpl_pose2 loc_filter_pose(const struct loc_filter *filter)
{
    return (struct dpl_pose2){filter->x[LOC_STATE_X], filter->x[LOC_STATE_Y],
                              filter->x[LOC_STATE_THETA]};
}

struct loc_wheels loc_filter_wheels(const struct loc_filter *filter)
{
    return (struct loc_wheels){exp(filter->x[LOC_STATE_LEFT]), exp(filter->x[LOC_STATE_RIGHT]),
                               filter->axle_m * exp(filter->x[LOC_STATE_AXLE])};
}

struct dpl_pose2 loc_filter_mount(const struct loc_filter *filter, struct dpl_pose2 nominal)
{
    return (struct dpl_pose2){nominal.x + filter->x[LOC_STATE_MOUNT_X],
                              nominal.y + filter->x[LOC_STATE_MOUNT_Y],
                              nominal.theta + filter->x[LOC_STATE_MOUNT_YAW]};
}

struct loc_laser loc_filter_laser(const struct loc_filter *filter, struct dpl_pose2 base,
                                  struct dpl_pose2 nominal)
{
    return (struct loc_laser){dpl_pose2_compose(base, loc_filter_mount(filter, nominal)),
                              filter->x[LOC_STATE_BIAS], filter->x[LOC_STATE_SCALE]};
}

/* Change of the pose with the travel of a wheel, in the plan: `side` -1 left, 1 right. */
struct way {
    double c, s;      /* of the middle direction */
    double way, axle; /* m */
};

static void by_wheel(const struct way *w, double side, double ret[3])
{
    double lever = 0.5 * side * w->way / w->axle;
    ret[0] = 0.5 * w->c - lever * w->s;
    ret[1] = 0.5 * w->s + lever * w->c;
    ret[2] = side / w->axle;
}

/* The way goes on by F. */
static void move_way(struct loc_filter *filter, const double f[3][LOC_STATES])
{
    double was[LOC_STATE_PARAMETERS][LOC_STATES];
    memcpy(was, filter->way, sizeof was);
    for (int i = 0; i < LOC_STATE_PARAMETERS; i++) {
        for (int j = 0; j < LOC_STATES; j++) {
            filter->way[i][j] += f[i][LOC_STATE_THETA] * was[LOC_STATE_THETA][j];
        }
        for (int k = LOC_STATE_LEFT; k <= LOC_STATE_AXLE; k++) {
            filter->way[i][k] += f[i][k];
        }
    }
}

/* P <- F P F': rows and columns of the pose get those of theta and the wheels. */
static void move_covariance(struct loc_filter *filter, const double f[3][LOC_STATES])
{
    double moved[3][LOC_STATES];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < LOC_STATES; j++) {
            double sum = filter->p[i][j];
            for (int k = LOC_STATE_THETA; k <= LOC_STATE_AXLE; k++) {
                sum += f[i][k] * filter->p[k][j];
            }
            moved[i][j] = sum;
        }
    }
    double corner[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            corner[i][j] = moved[i][j];
            for (int k = LOC_STATE_THETA; k <= LOC_STATE_AXLE; k++) {
                corner[i][j] += moved[i][k] * f[j][k];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < LOC_STATES; j++) {
            filter->p[i][j] = filter->p[j][i] = j < 3 ? 0.0 : moved[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            filter->p[i][j] = 0.5 * (corner[i][j] + corner[j][i]);
        }
    }
}

static void add_noise(struct loc_filter *filter, const double by[3], double variance)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            filter->p[i][j] += by[i] * by[j] * variance;
        }
    }
}

/* A parameter that is exact stays so. */
static void walk(struct loc_filter *filter, int state, double variance)
{
    if (filter->drifts && filter->p[state][state] > 0.0) {
        filter->p[state][state] += variance;
    }
}

static void walk_parameters(struct loc_filter *filter, double travel_m, double h)
{
    walk(filter, LOC_STATE_LEFT, SCALE_WALK * travel_m);
    walk(filter, LOC_STATE_RIGHT, SCALE_WALK * travel_m);
    walk(filter, LOC_STATE_AXLE, SLOW_WALK * travel_m);
    walk(filter, LOC_STATE_MOUNT_YAW, SLOW_WALK * travel_m);
    if (travel_m > STILL_M) {
        walk(filter, LOC_STATE_OFFSET, OFFSET_WALK * h);
    }
}

/* In a gap of odometry nobody knows in which order the robot turned and drove: the way has any
 * direction between the first heading and the last. */
static void add_detour(struct loc_filter *filter, double way_m, double turn_rad, double h)
{
    double off_m = h > LOC_HISTORY_GAP_S ? way_m * fmin(0.5 * fabs(turn_rad), 1.0) : 0.0;
    filter->p[LOC_STATE_X][LOC_STATE_X] += off_m * off_m;
    filter->p[LOC_STATE_Y][LOC_STATE_Y] += off_m * off_m;
}

/* The way is that of the sound wheel alone: a change of it moves the middle as far. */
static void trust_one(double sound[3], double lying[3])
{
    for (int i = 0; i < 2; i++) {
        sound[i] += lying[i];
        lying[i] = 0.0;
    }
}

/* One step along an arc. Columns of theta and of the wheels' scales in F; F is the identity else.
 */
static void step(struct loc_filter *filter, const struct loc_travel *travel, double h, bool gyro,
                 int lying)
{
    struct loc_wheels wheels = loc_filter_wheels(filter);
    double left = wheels.left * travel->left_m, right = wheels.right * travel->right_m;
    if (lying != 0) {
        double across = wheels.axle_m * travel->turn_rad;
        *(lying < 0 ? &left : &right) = lying < 0 ? right - across : left + across;
    }
    double unsaid = filter->time_s < filter->unsaid_until_s ? h : 0.0;
    double by_wheels = (right - left) / wheels.axle_m + unsaid * filter->unsaid_rad_s;
    double turn = gyro ? travel->turn_rad : by_wheels;
    double middle = filter->x[LOC_STATE_THETA] + 0.5 * turn;
    struct way w = {cos(middle), sin(middle), 0.5 * (left + right), wheels.axle_m};
    double by_left[3], by_right[3], f[3][LOC_STATES] = {{0}};
    by_wheel(&w, -1.0, by_left);
    by_wheel(&w, 1.0, by_right);
    if (gyro) {
        by_left[2] = by_right[2] = 0.0;
    }
    if (lying != 0) {
        trust_one(lying < 0 ? by_right : by_left, lying < 0 ? by_left : by_right);
    }
    f[0][LOC_STATE_THETA] = -w.way * w.s;
    f[1][LOC_STATE_THETA] = w.way * w.c;
    for (int i = 0; i < 3; i++) {
        f[i][LOC_STATE_LEFT] = by_left[i] * left;
        f[i][LOC_STATE_RIGHT] = by_right[i] * right;
    }
    if (!gyro) {
        f[0][LOC_STATE_AXLE] = 0.5 * w.way * w.s * turn;
        f[1][LOC_STATE_AXLE] = -0.5 * w.way * w.c * turn;
        f[2][LOC_STATE_AXLE] = -turn;
    }
    move_covariance(filter, f);
    if (filter->has_way) {
        move_way(filter, f);
    }
    add_noise(filter, by_left, filter->wheel_noise * fabs(left));
    add_noise(filter, by_right, filter->wheel_noise * fabs(right));
    filter->p[2][2] += gyro ? GYRO_NOISE * h : 0.0;
    add_detour(filter, w.way, turn, h);
    walk_parameters(filter, fabs(left) + fabs(right), h);
    double ahead = w.way + unsaid * filter->unsaid_m_s[0];
    double aside = unsaid * filter->unsaid_m_s[1];
    filter->x[LOC_STATE_X] += ahead * w.c - aside * w.s;
    filter->x[LOC_STATE_Y] += ahead * w.s + aside * w.c;
    filter->x[LOC_STATE_THETA] = dpl_wrap_angle(filter->x[LOC_STATE_THETA] + turn);
}

void loc_filter_advance(struct loc_filter *filter, const struct loc_motion *motion, double to_s)
{
    double end = fmin(to_s, loc_history_newest(motion->history));
    if (!isfinite(end)) {
        return;
    }
    if (!isfinite(filter->time_s)) {
        filter->time_s = end;
    }
    for (int i = 0; i < LOC_HISTORY_SAMPLES && filter->time_s < end; i++) {
        double next = fmin(loc_history_after(motion->history, filter->time_s), end);
        next = next > filter->time_s ? next : end;
        struct loc_travel travel = loc_history_travel(motion->history, filter->time_s, next);
        bool gyro = motion->by_gyro && travel.has_gyro;
        step(filter, &travel, next - filter->time_s, gyro, gyro ? motion->lying : 0);
        filter->time_s = next;
    }
}
