/* SPDX-License-Identifier: Apache-2.0 */
#include "bound.h"

#include <string.h>

#define LEAST_INCIDENCE 0.05

enum { X, Y, THETA, PARAMETERS, BEFORE = BOUND_STATES - 1 };

static int state_of(enum localizer_parameter parameter)
{
    return PARAMETERS + (int)parameter;
}

void bound_init(struct bound *bound, const struct localizer_config *config)
{
    memset(bound, 0, sizeof *bound);
    bound->p[X][X] = bound->p[Y][Y] = config->start_sigma_m * config->start_sigma_m;
    bound->p[THETA][THETA] = config->start_sigma_rad * config->start_sigma_rad;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        double sigma = config->initial_sigma[i];
        bound->p[PARAMETERS + i][PARAMETERS + i] = sigma * sigma;
    }
}

/* One number was measured: h times the state, with this variance. */
static void measure(struct bound *bound, const double h[BOUND_STATES], double variance)
{
    double ph[BOUND_STATES], sum = variance;
    for (int i = 0; i < BOUND_STATES; i++) {
        ph[i] = 0.0;
        for (int j = 0; j < BOUND_STATES; j++) {
            ph[i] += bound->p[i][j] * h[j];
        }
        sum += h[i] * ph[i];
    }
    for (int i = 0; i < BOUND_STATES; i++) {
        for (int j = 0; j < BOUND_STATES; j++) {
            bound->p[i][j] -= ph[i] * ph[j] / sum;
        }
    }
}

/* P <- F P F'. */
static void move(struct bound *bound, const double f[BOUND_STATES][BOUND_STATES])
{
    static double half[BOUND_STATES][BOUND_STATES];
    for (int i = 0; i < BOUND_STATES; i++) {
        for (int j = 0; j < BOUND_STATES; j++) {
            half[i][j] = 0.0;
            for (int k = 0; k < BOUND_STATES; k++) {
                half[i][j] += f[i][k] * bound->p[k][j];
            }
        }
    }
    for (int i = 0; i < BOUND_STATES; i++) {
        for (int j = 0; j < BOUND_STATES; j++) {
            bound->p[i][j] = 0.0;
            for (int k = 0; k < BOUND_STATES; k++) {
                bound->p[i][j] += half[i][k] * f[j][k];
            }
        }
    }
}

/* Change of the pose with the way of a wheel. */
static void by_wheel(double theta, double way, double axle, double side, double ret[3])
{
    double lever = 0.5 * side * way / axle;
    ret[X] = 0.5 * cos(theta) - lever * sin(theta);
    ret[Y] = 0.5 * sin(theta) + lever * cos(theta);
    ret[THETA] = side / axle;
}

void bound_step(struct bound *bound, const struct robot *robot)
{
    double axle = ROBOT_AXLE_M * robot->faults.value[LOCALIZER_AXLE_SCALE];
    double left = robot->speed_left * ROBOT_STEP_S, right = robot->speed_right * ROBOT_STEP_S;
    double theta = robot_pose(robot, robot_time(robot)).theta;
    double way = 0.5 * (left + right), turn = (right - left) / axle;
    double slip2 = robot->faults.slip_m * robot->faults.slip_m;
    double f[BOUND_STATES][BOUND_STATES] = {{0}}, of_left[3], of_right[3];
    by_wheel(theta, way, axle, -1.0, of_left);
    by_wheel(theta, way, axle, 1.0, of_right);
    for (int i = 0; i < BEFORE; i++) {
        f[i][i] = 1.0;
    }
    f[BEFORE][THETA] = 1.0;
    f[X][THETA] = -way * sin(theta);
    f[Y][THETA] = way * cos(theta);
    f[THETA][state_of(LOCALIZER_AXLE_SCALE)] = -turn;
    for (int i = 0; i < 3; i++) {
        f[i][state_of(LOCALIZER_SCALE_LEFT)] = of_left[i] * left;
        f[i][state_of(LOCALIZER_SCALE_RIGHT)] = of_right[i] * right;
    }
    move(bound, f);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            bound->p[i][j] += slip2 * (of_left[i] * of_left[j] * fabs(left) +
                                       of_right[i] * of_right[j] * fabs(right));
        }
    }
    double gyro[BOUND_STATES] = {[THETA] = 1.0, [BEFORE] = -1.0};
    measure(bound, gyro, ROBOT_GYRO_NOISE * ROBOT_GYRO_NOISE * ROBOT_STEP_S);
}

/* Change of the laser's pose (x, y, yaw) with the state, which stands at the newest step. */
static void of_laser(const struct robot *robot, double at_s, double ret[3][BOUND_STATES])
{
    const double *value = robot->faults.value;
    struct dpl_pose2 now = robot_pose(robot, robot_time(robot)), base = robot_pose(robot, at_s);
    struct dpl_pose2 next = robot_pose(robot, at_s + ROBOT_STEP_S);
    struct dpl_pose2 mount = {value[LOCALIZER_MOUNT_X], value[LOCALIZER_MOUNT_Y],
                              value[LOCALIZER_MOUNT_YAW]};
    struct dpl_pose2 laser = dpl_pose2_compose(base, mount), after = dpl_pose2_compose(next, mount);
    double c = cos(base.theta), s = sin(base.theta);
    memset(ret, 0, 3 * sizeof *ret);
    ret[X][X] = ret[Y][Y] = ret[THETA][THETA] = 1.0;
    ret[X][THETA] = -(laser.y - now.y);
    ret[Y][THETA] = laser.x - now.x;
    ret[X][state_of(LOCALIZER_TIME_OFFSET)] = -(after.x - laser.x) / ROBOT_STEP_S;
    ret[Y][state_of(LOCALIZER_TIME_OFFSET)] = -(after.y - laser.y) / ROBOT_STEP_S;
    ret[THETA][state_of(LOCALIZER_TIME_OFFSET)] =
        -dpl_wrap_angle(after.theta - laser.theta) / ROBOT_STEP_S;
    ret[X][state_of(LOCALIZER_MOUNT_X)] = ret[Y][state_of(LOCALIZER_MOUNT_Y)] = c;
    ret[X][state_of(LOCALIZER_MOUNT_Y)] = -s;
    ret[Y][state_of(LOCALIZER_MOUNT_X)] = s;
    ret[THETA][state_of(LOCALIZER_MOUNT_YAW)] = 1.0;
}

/* A range changes by -n.d / (n.u) as the laser moves by d: normal n at the hit, beam u. */
static void use_beam(struct bound *bound, const double laser[3][BOUND_STATES],
                     const struct dpl_raycast_ray *ray, const struct dpl_raycast_hit *hit)
{
    double incidence = hit->nx * ray->dx + hit->ny * ray->dy, h[BOUND_STATES];
    if (!isfinite(hit->range) || fabs(incidence) < LEAST_INCIDENCE) {
        return;
    }
    double by[3] = {-hit->nx / incidence, -hit->ny / incidence,
                    -hit->range * (hit->ny * ray->dx - hit->nx * ray->dy) / incidence};
    for (int k = 0; k < BOUND_STATES; k++) {
        h[k] = by[X] * laser[X][k] + by[Y] * laser[Y][k] + by[THETA] * laser[THETA][k];
    }
    h[state_of(LOCALIZER_RANGE_BIAS)] = 1.0;
    h[state_of(LOCALIZER_RANGE_SCALE)] = hit->range;
    double sigma = fmax(ROBOT_NOISE_M, ROBOT_NOISE_SHARE * hit->range);
    measure(bound, h, sigma * sigma);
}

void bound_scan(struct bound *bound, const struct robot *robot, double stamp_s)
{
    double at_s = stamp_s - robot->faults.value[LOCALIZER_TIME_OFFSET], j[3][BOUND_STATES];
    of_laser(robot, at_s, j);
    for (size_t i = 0; i < robot->faults.n_beams; i++) {
        struct dpl_raycast_ray ray = robot_beam(robot, at_s, i);
        struct dpl_raycast_hit hit;
        dpl_raycast_ray(robot->room, &ray, &hit);
        if (hit.range <= ROBOT_RANGE_MAX_M) {
            use_beam(bound, (const double(*)[BOUND_STATES])j, &ray, &hit);
        }
    }
}

double bound_sigma(const struct bound *bound, enum localizer_parameter parameter)
{
    int k = state_of(parameter);
    return sqrt(bound->p[k][k]);
}
