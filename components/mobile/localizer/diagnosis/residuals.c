/* SPDX-License-Identifier: Apache-2.0 */
#include "residuals.h"

#include <math.h>
#include <string.h>

#define SIGMAS         2.0
#define COMMAND_HOLD_S 1.0
#define COMMAND_M      0.020
#define COMMAND_SHARE  0.12
#define EARLY_M        0.012
#define EARLY_SHARE    0.02
#define TURN_RAD       (2.0 * DPL_PI / 180.0)
#define TURN_SHARE     0.05
#define TURN_PATH      0.02 /* of the path, over the axle: wheels that are a little off */
#define SHIFT_M        0.020
#define SHIFT_SHARE    0.05
#define SHIFT_TURN_M   0.3
#define ACROSS_M       0.012
#define ACROSS_SHARE   0.06
#define WHEEL_M        0.015
#define WHEEL_SHARE    0.05
#define WEAK_SIGMAS    3.0
#define FALL_SCANS     5
#define LONG_S         3.0

void residuals_init(struct residuals_window *window, double axle_m)
{
    memset(window, 0, sizeof *window);
    window->axle_m = axle_m;
}

void residuals_clear(struct residuals_window *window)
{
    window->next = window->n = 0;
}

/* Record number i back from the newest. */
static const struct residuals_record *back(const struct residuals_window *window, size_t i)
{
    return &window->record[(window->next + RESIDUALS_RING - 1 - i) % RESIDUALS_RING];
}

static void add_wheels(const struct residuals_window *window, const struct residuals_step *step,
                       struct residuals_record *record)
{
    double way = (step->left_m + step->right_m) / 2.0;
    double turn = (step->right_m - step->left_m) / window->axle_m;
    double h = step->stamp_s - record->stamp_s;
    double heading = record->odometry.theta;
    record->odometry = dpl_pose2_compose(record->odometry, step->moved);
    record->odometry.theta = heading + turn;
    record->wheel_m[0] += step->left_m;
    record->wheel_m[1] += step->right_m;
    record->back_m[0] += fmax(0.0, -step->left_m);
    record->back_m[1] += fmax(0.0, -step->right_m);
    record->raw_m[0] += step->left_m / step->scale[0];
    record->raw_m[1] += step->right_m / step->scale[1];
    record->path_m += (fabs(step->left_m) + fabs(step->right_m)) / 2.0;
    record->forward_m_s = h > 0.0 ? way / h : 0.0;
    record->turn_rad_s = h > 0.0 ? turn / h : 0.0;
}

/* The laser's step, and along a direction that the scan does not show the one of odometry. */
static struct dpl_pose2 seen_step(const struct residuals_step *step,
                                  const struct residuals_record *before,
                                  const struct residuals_record *now)
{
    struct dpl_pose2 seen = {now->laser.x - before->laser.x, now->laser.y - before->laser.y, 0.0};
    if (!step->unobservable) {
        return seen;
    }
    double turned = before->laser.theta - before->odometry.theta;
    double ox = now->odometry.x - before->odometry.x, oy = now->odometry.y - before->odometry.y;
    double wx = cos(turned) * ox - sin(turned) * oy, wy = sin(turned) * ox + cos(turned) * oy;
    double ux = cos(step->unobservable_rad), uy = sin(step->unobservable_rad);
    double miss = (wx - seen.x) * ux + (wy - seen.y) * uy;
    seen.x += miss * ux;
    seen.y += miss * uy;
    return seen;
}

static void add_laser(const struct residuals_step *step, const struct residuals_record *before,
                      struct residuals_record *record)
{
    double turn = dpl_wrap_angle(step->laser.theta - before->laser.theta);
    record->laser = step->laser;
    record->laser.theta = before->laser.theta + turn;
    struct dpl_pose2 way = seen_step(step, before, record);
    double middle = before->laser.theta + turn / 2.0;
    record->seen.x += way.x;
    record->seen.y += way.y;
    record->seen.theta = record->laser.theta;
    record->along_m += cos(middle) * way.x + sin(middle) * way.y;
    double half = step->moved.theta / 2.0;
    record->across_m += -sin(middle) * way.x + cos(middle) * way.y;
    record->across_m -= -sin(half) * step->moved.x + cos(half) * step->moved.y;
}

void residuals_add(struct residuals_window *window, const struct residuals_step *step)
{
    struct residuals_record record = {
        .stamp_s = step->stamp_s, .laser = step->laser, .seen = step->laser};
    if (window->n > 0) {
        const struct residuals_record *before = back(window, 0);
        record = *before;
        add_wheels(window, step, &record);
        add_laser(step, before, &record);
        record.gyro_rad += step->has_gyro ? step->gyro_rad : 0.0;
        record.gyro_steps += step->has_gyro;
    }
    record.stamp_s = step->stamp_s;
    record.agreement = step->agreement;
    memcpy(record.spread, step->spread, sizeof record.spread);
    window->record[window->next] = record;
    window->next = (window->next + 1) % RESIDUALS_RING;
    window->n += window->n < RESIDUALS_RING;
}

/* How many records back a window of `span_s` begins: at the newest that is so old, else at the
 * oldest. */
static size_t steps_of(const struct residuals_window *window, double span_s)
{
    double end_s = back(window, 0)->stamp_s;
    for (size_t i = 1; i < window->n; i++) {
        if (end_s - back(window, i)->stamp_s > span_s - 0.01) {
            return i;
        }
    }
    return window->n - 1;
}

/* Laser's displacement minus the odometric one, in the world. */
static struct dpl_pose2 shift_between(const struct residuals_record *begin,
                                      const struct residuals_record *end)
{
    struct dpl_pose2 odometry = dpl_pose2_relative(begin->odometry, end->odometry);
    double c = cos(begin->seen.theta), s = sin(begin->seen.theta);
    return (struct dpl_pose2){end->seen.x - begin->seen.x - (c * odometry.x - s * odometry.y),
                              end->seen.y - begin->seen.y - (s * odometry.x + c * odometry.y), 0.0};
}

/* Covariance of the way between two scans' positions. */
struct spread {
    double xx, xy, yy;
};

static struct spread spread_between(const struct residuals_record *begin,
                                    const struct residuals_record *end)
{
    return (struct spread){begin->spread[0] + end->spread[0], begin->spread[1] + end->spread[1],
                           begin->spread[2] + end->spread[2]};
}

static double spread_along(const struct spread *spread, double direction)
{
    double c = cos(direction), s = sin(direction);
    return sqrt(fmax(c * c * spread->xx + 2.0 * c * s * spread->xy + s * s * spread->yy, 0.0));
}

static double spread_most(const struct spread *spread)
{
    double half = 0.5 * (spread->xx + spread->yy);
    return sqrt(half + hypot(0.5 * (spread->xx - spread->yy), spread->xy));
}

/* A limit, and beyond it what WEAK_SIGMAS of the spread let the shift be in its direction.
 */
static double limit_along(const struct spread *spread, struct dpl_pose2 shift, double limit_m)
{
    double w = WEAK_SIGMAS * WEAK_SIGMAS, length = hypot(shift.x, shift.y);
    double xx = limit_m * limit_m + w * spread->xx, yy = limit_m * limit_m + w * spread->yy;
    double xy = w * spread->xy, determinant = xx * yy - xy * xy;
    double square =
        (yy * shift.x * shift.x - 2.0 * xy * shift.x * shift.y + xx * shift.y * shift.y) /
        determinant;
    if (length <= 0.0 || square <= 0.0) {
        return limit_m;
    }
    double both_m = length / sqrt(square); /* border of the ellipse of limit and spread */
    return limit_m + sqrt(fmax(both_m * both_m - limit_m * limit_m, 0.0));
}

/* What is not known of the calibration, as a turn that is missed. */
static double turn_doubt(const struct residuals_window *window, const struct residuals *r,
                         const double *sigma)
{
    double wheels = hypot(sigma[LOCALIZER_SCALE_LEFT], sigma[LOCALIZER_SCALE_RIGHT]);
    double turn = (r->wheel_m[1] - r->wheel_m[0]) / window->axle_m;
    return SIGMAS *
           (wheels * r->path_m / window->axle_m + sigma[LOCALIZER_AXLE_SCALE] * fabs(turn));
}

static void set_limits(const struct residuals_window *window, const double *sigma,
                       const struct residuals_record *begin, struct residuals *r)
{
    const struct residuals_record *end = back(window, 0);
    double turn = fabs(r->wheel_m[1] - r->wheel_m[0]) / window->axle_m;
    double late = SIGMAS * sigma[LOCALIZER_TIME_OFFSET];
    double wheels = SIGMAS * fmax(sigma[LOCALIZER_SCALE_LEFT], sigma[LOCALIZER_SCALE_RIGHT]);
    double mount = SIGMAS * hypot(sigma[LOCALIZER_MOUNT_X], sigma[LOCALIZER_MOUNT_Y]) * turn;
    double yaw = SIGMAS * sigma[LOCALIZER_MOUNT_YAW] * r->path_m;
    struct spread spread = spread_between(begin, end);
    struct dpl_pose2 shift = shift_between(begin, end);
    double heading = 0.5 * (begin->laser.theta + end->laser.theta);
    double weak = WEAK_SIGMAS * spread_along(&spread, heading);
    double weak_across = WEAK_SIGMAS * spread_along(&spread, heading + 0.5 * DPL_PI);
    double late_m = late * fabs(end->forward_m_s - begin->forward_m_s);
    double late_rad = late * fabs(end->turn_rad_s - begin->turn_rad_s);

    r->gyro_limit_rad = TURN_RAD + TURN_SHARE * turn + TURN_PATH * r->path_m / window->axle_m +
                        turn_doubt(window, r, sigma);
    r->laser_limit_rad = r->gyro_limit_rad + late_rad;
    double shift_limit_m = SHIFT_M + (SHIFT_SHARE + wheels) * r->path_m + mount + yaw + late_m +
                           SHIFT_TURN_M * fabs(r->odometry_laser_rad);
    r->weak_m = spread_most(&spread);
    r->shift_m = hypot(shift.x, shift.y);
    r->shift_limit_m = limit_along(&spread, shift, shift_limit_m);
    r->shift_is_weak = r->shift_limit_m > 2.0 * shift_limit_m;
    r->across_limit_m = ACROSS_M + ACROSS_SHARE * r->path_m + mount + yaw + weak_across;
    for (int i = 0; i < 2; i++) {
        r->wheel_limit_m[i] = WHEEL_M + (WHEEL_SHARE + wheels) * (r->ahead_m[i] + r->back_m[i]) +
                              late_m + mount + late_rad * window->axle_m / 2.0 + weak;
    }
}

static double fall_of_agreement(const struct residuals_window *window)
{
    size_t scans = window->n > FALL_SCANS ? FALL_SCANS : window->n - 1;
    double most = 0.0;
    for (size_t i = 1; i <= scans; i++) {
        most = fmax(most, back(window, i)->agreement);
    }
    return most - back(window, 0)->agreement;
}

static struct residuals compute(const struct residuals_window *window, size_t steps,
                                const struct localizer_calibration *calibration)
{
    const struct residuals_record *begin = back(window, steps), *end = back(window, 0);
    struct residuals r = {.span_s = end->stamp_s - begin->stamp_s,
                          .path_m = end->path_m - begin->path_m,
                          .has_gyro = end->gyro_steps - begin->gyro_steps == steps};
    r.full = r.span_s > 0.45 * RESIDUALS_WINDOW_S;
    for (int i = 0; i < 2; i++) {
        r.wheel_m[i] = end->wheel_m[i] - begin->wheel_m[i];
        r.back_m[i] = end->back_m[i] - begin->back_m[i];
        r.ahead_m[i] = r.wheel_m[i] + r.back_m[i];
    }
    double odometry_rad = end->odometry.theta - begin->odometry.theta;
    double laser_rad = end->laser.theta - begin->laser.theta;
    double gyro_rad = end->gyro_rad - begin->gyro_rad;
    double along_m = end->along_m - begin->along_m;
    r.odometry_laser_rad = odometry_rad - laser_rad;
    r.odometry_gyro_rad = r.has_gyro ? odometry_rad - gyro_rad : 0.0;
    r.gyro_laser_rad = r.has_gyro ? gyro_rad - laser_rad : 0.0;
    r.laser_wheel_m[0] = along_m - laser_rad * window->axle_m / 2.0;
    r.laser_wheel_m[1] = along_m + laser_rad * window->axle_m / 2.0;
    r.across_m = end->across_m - begin->across_m;
    r.agreement_fall = fall_of_agreement(window);
    set_limits(window, calibration->sigma, begin, &r);
    return r;
}

/* The way, and who is to blame for it, by a longer window: what wheels lose grows with the way, the
 * doubt of single scans does not. Turns stay those of the last second. */
static void take_way(const struct residuals *longer, struct residuals *r)
{
    r->path_m = longer->path_m;
    r->shift_m = longer->shift_m;
    r->shift_limit_m = longer->shift_limit_m;
    r->across_m = longer->across_m;
    r->across_limit_m = longer->across_limit_m;
    for (int i = 0; i < 2; i++) {
        r->wheel_m[i] = longer->wheel_m[i];
        r->back_m[i] = longer->back_m[i];
        r->ahead_m[i] = longer->ahead_m[i];
        r->laser_wheel_m[i] = longer->laser_wheel_m[i];
        r->wheel_limit_m[i] = longer->wheel_limit_m[i];
    }
}

bool residuals_compute(const struct residuals_window *window,
                       const struct localizer_calibration *calibration,
                       struct residuals *ret_residuals)
{
    if (window->n < 2) {
        return false;
    }
    struct residuals r = compute(window, steps_of(window, RESIDUALS_WINDOW_S), calibration);
    if (r.shift_is_weak) {
        struct residuals longer = compute(window, steps_of(window, LONG_S), calibration);
        if (longer.shift_m > longer.shift_limit_m) {
            take_way(&longer, &r);
        }
    }
    *ret_residuals = r;
    return true;
}

static double beyond(double value, double low, double high)
{
    return value < low ? value - low : value > high ? value - high : 0.0;
}

void residuals_add_command(const struct residuals_window *window, struct command_model *model,
                           bool learn, struct residuals *residuals)
{
    const struct residuals_record *begin = back(window, steps_of(window, RESIDUALS_WINDOW_S)),
                                  *end = back(window, 0);
    residuals->has_command =
        command_model_covers(model, begin->stamp_s, end->stamp_s, COMMAND_HOLD_S);
    if (!residuals->has_command) {
        return;
    }
    struct command_travel travel;
    command_model_travel(model, begin->stamp_s, end->stamp_s, &travel);
    double raw[2];
    bool fits = true;
    for (int i = 0; i < 2; i++) {
        raw[i] = end->raw_m[i] - begin->raw_m[i];
        residuals->command_m[i] = beyond(raw[i], travel.low[i], travel.high[i]);
        double path = fmax(fabs(raw[i]), fmax(fabs(travel.low[i]), fabs(travel.high[i])));
        residuals->command_limit_m[i] = COMMAND_M + COMMAND_SHARE * path;
        residuals->command_early_m[i] = EARLY_M + EARLY_SHARE * path;
        fits = fits && fabs(residuals->command_m[i]) <= residuals->command_limit_m[i];
    }
    if (learn && fits) {
        command_model_learn(model, begin->stamp_s, end->stamp_s, raw);
    }
}
