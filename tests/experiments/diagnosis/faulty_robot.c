/* SPDX-License-Identifier: Apache-2.0 */
#include "faulty_robot.h"

#include <math.h>

#define COMMAND_STEPS 10
#define NEAR_M        0.25
#define TURN_GAIN     2.0
#define TURN_MAX      1.2 /* rad/s */
#define TURN_FIRST    0.6 /* rad off the goal: turns in place */
#define STOP_SHARE    0.2 /* of the points, the robot stops there */
#define STOP_S        1.5
#define GYRO_NOISE    0.0005 /* rad per square root of a second */

void faulty_robot_config_init(struct faulty_robot_config *ret_config)
{
    *ret_config = (struct faulty_robot_config){
        .seed = 1,
        .axle_m = 0.23,
        .speed = 0.4,
        .acceleration = 1.0,
        .latency_s = 0.06,
        .lag_s = 0.05,
        .slip_m = 0.003,
        .scale = {1.0, 1.0},
        .axle_scale = 1.0,
        .has_gyro = true,
        .fault = ROBOT_IS_SOUND,
    };
}

static void choose_goal(struct faulty_robot *robot)
{
    size_t others = robot->config.n_points - 1;
    size_t step = 1 + (size_t)dpl_random_uniform(&robot->random, 0.0, (double)others);
    robot->goal = (robot->goal + step) % robot->config.n_points;
}

void faulty_robot_init(struct faulty_robot *robot, const struct faulty_robot_config *config)
{
    *robot = (struct faulty_robot){
        .config = *config,
        .random = dpl_random_named(config->seed, "faulty robot"),
        .pose = config->start,
    };
    if (!config->drive) {
        choose_goal(robot);
    }
}

bool faulty_robot_has_fault(const struct faulty_robot *robot, enum robot_fault fault)
{
    const struct faulty_robot_config *config = &robot->config;
    return config->fault == fault && robot->now_s >= config->from_s && robot->now_s < config->to_s;
}

/* Of the part `amount` of a fault; 0 without it. */
static double amount_of(const struct faulty_robot *robot, enum robot_fault fault)
{
    return faulty_robot_has_fault(robot, fault) ? robot->config.amount : 0.0;
}

static void steer(struct faulty_robot *robot)
{
    if (robot->config.drive) {
        if (robot->n_steps % COMMAND_STEPS == 0) {
            robot->command = robot->config.drive(robot->config.context, robot->pose);
        }
        return;
    }
    const double *goal = robot->config.points[robot->goal];
    double dx = goal[0] - robot->pose.x, dy = goal[1] - robot->pose.y;
    if (hypot(dx, dy) < NEAR_M) {
        choose_goal(robot);
        bool stops = dpl_random_uniform(&robot->random, 0.0, 1.0) < STOP_SHARE;
        robot->stop_until_s = stops ? robot->now_s + STOP_S : robot->now_s;
    }
    double off = dpl_wrap_angle(atan2(dy, dx) - robot->pose.theta);
    bool goes = robot->now_s >= robot->stop_until_s;
    robot->command.linear = goes && fabs(off) < TURN_FIRST ? robot->config.speed : 0.0;
    robot->command.angular = goes ? dpl_clamp(TURN_GAIN * off, -TURN_MAX, TURN_MAX) : 0.0;
}

static void drive(struct faulty_robot *robot)
{
    const struct faulty_robot_config *config = &robot->config;
    size_t late = (size_t)lround(config->latency_s / FAULTY_ROBOT_STEP_S);
    robot->on_the_way[robot->n_steps % FAULTY_ROBOT_LATENCY_STEPS] = robot->command;
    struct dpl_twist2 now = {0.0, 0.0};
    if (robot->n_steps >= late) {
        now = robot->on_the_way[(robot->n_steps - late) % FAULTY_ROBOT_LATENCY_STEPS];
    }
    double reach = config->acceleration * FAULTY_ROBOT_STEP_S;
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1.0 : 1.0;
        double wanted = now.linear + side * now.angular * config->axle_m / 2.0;
        robot->slewed[i] += dpl_clamp(wanted - robot->slewed[i], -reach, reach);
        double share = 1.0 - exp(-FAULTY_ROBOT_STEP_S / config->lag_s);
        robot->wheel_speed[i] += share * (robot->slewed[i] - robot->wheel_speed[i]);
    }
    bool both = faulty_robot_has_fault(robot, ROBOT_BLOCKED_BOTH);
    if (both || faulty_robot_has_fault(robot, ROBOT_BLOCKED_LEFT)) {
        robot->wheel_speed[0] = 0.0;
    }
    if (both) {
        robot->wheel_speed[1] = 0.0;
    }
}

/* Way over ground of a wheel that turned by `turned_m`. */
static double ground(struct faulty_robot *robot, int wheel, double turned_m)
{
    double lost = amount_of(robot, ROBOT_SLIPS_BOTH);
    if (wheel == 0) {
        lost += amount_of(robot, ROBOT_SLIPS_LEFT) + amount_of(robot, ROBOT_RADIUS_LEFT);
    }
    double noise = robot->config.slip_m * sqrt(fabs(turned_m));
    return (1.0 - lost) * robot->config.scale[wheel] * turned_m +
           noise * dpl_random_normal(&robot->random);
}

static void move(struct faulty_robot *robot, double left_m, double right_m)
{
    double way = (left_m + right_m) / 2.0,
           turn = (right_m - left_m) / (robot->config.axle_m * robot->config.axle_scale);
    double middle = robot->pose.theta + turn / 2.0;
    double pushed = amount_of(robot, ROBOT_PUSHED) * FAULTY_ROBOT_STEP_S;
    robot->pose.x += way * cos(middle) - pushed * sin(middle);
    robot->pose.y += way * sin(middle) + pushed * cos(middle);
    robot->pose.theta = dpl_wrap_angle(robot->pose.theta + turn);
    double seen = (1.0 - amount_of(robot, ROBOT_GYRO_SCALE)) * turn;
    robot->gyro_rad += seen + amount_of(robot, ROBOT_GYRO_DRIFT) * FAULTY_ROBOT_STEP_S +
                       GYRO_NOISE * sqrt(FAULTY_ROBOT_STEP_S) * dpl_random_normal(&robot->random);
}

static void kidnap(struct faulty_robot *robot)
{
    if (!robot->kidnapped && faulty_robot_has_fault(robot, ROBOT_KIDNAPPED)) {
        robot->kidnapped = true;
        robot->pose = robot->config.kidnapped_to;
    }
}

void faulty_robot_step(struct faulty_robot *robot)
{
    steer(robot);
    drive(robot);
    double way[2];
    for (int i = 0; i < 2; i++) {
        double turned = robot->wheel_speed[i] * FAULTY_ROBOT_STEP_S;
        double missed = i == 0 ? amount_of(robot, ROBOT_ENCODER_LEFT) : 0.0;
        way[i] = ground(robot, i, turned);
        robot->counted_m[i] += (1.0 - missed) * turned;
    }
    move(robot, way[0], way[1]);
    kidnap(robot);
    robot->n_steps++;
    robot->now_s = (double)robot->n_steps * FAULTY_ROBOT_STEP_S;
}

double faulty_robot_laser_yaw(const struct faulty_robot *robot)
{
    return amount_of(robot, ROBOT_LASER_YAW);
}

double faulty_robot_laser_delay(const struct faulty_robot *robot)
{
    return amount_of(robot, ROBOT_LATENCY);
}
