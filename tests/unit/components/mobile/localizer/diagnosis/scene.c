/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include <math.h>

#define NOISE_M   0.002
#define NOISE_RAD 0.0005

static const double points[][2] = {
    {2.0, 2.0}, {5.0, 1.5}, {9.0, 2.5}, {14.0, 2.0}, {13.5, 5.0}, {14.0, 8.0},
    {9.0, 8.0}, {6.0, 7.0}, {2.0, 8.0}, {3.0, 5.0},  {8.0, 5.0},
};

void scene_config_init(struct scene_config *ret_config)
{
    *ret_config = (struct scene_config){
        .commands = true, .rate_hz = 10.0, .noise_m = NOISE_M, .sigma_scale = 1.0};
    faulty_robot_config_init(&ret_config->robot);
    ret_config->robot.points = points;
    ret_config->robot.n_points = sizeof points / sizeof points[0];
    ret_config->robot.kidnapped_to = (struct dpl_pose2){.x = 8.0, .y = 2.0, .theta = 1.0};
    ret_config->robot.start = (struct dpl_pose2){.x = 3.0, .y = 5.0, .theta = 2.0};
}

void scene_init(struct scene *scene, const struct scene_config *config)
{
    static const double sigma[LOCALIZER_N_PARAMETERS] = {0.002, 0.002, 0.003, 0.003, 0.001,
                                                         0.001, 0.001, 0.005, 0.003};
    struct diagnosis_config diagnosis;
    diagnosis_config_init(&diagnosis);
    diagnosis.axle_m = config->robot.axle_m;
    diagnosis.safe_radius_m = 0.5;
    *scene =
        (struct scene){.config = *config, .random = dpl_random_named(config->robot.seed, "scene")};
    faulty_robot_init(&scene->robot, &config->robot);
    diagnosis_init(&scene->diagnosis, &diagnosis);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        scene->calibration.sigma[i] = config->sigma_scale * sigma[i];
        scene->calibration.identified[i] = true;
    }
    scene->calibration.value[LOCALIZER_SCALE_LEFT] = 1.0;
    scene->calibration.value[LOCALIZER_SCALE_RIGHT] = 1.0;
    scene->calibration.value[LOCALIZER_AXLE_SCALE] = 1.0;
}

static void step(struct scene *scene)
{
    const double *counted = scene->robot.counted_m;
    double left = counted[0], right = counted[1];
    faulty_robot_step(&scene->robot);
    left = counted[0] - left;
    right = counted[1] - right;
    double turn = (right - left) / scene->config.robot.axle_m;
    struct dpl_pose2 moved = {(left + right) / 2.0 * cos(turn / 2.0),
                              (left + right) / 2.0 * sin(turn / 2.0), turn};
    scene->odometry = dpl_pose2_compose(scene->odometry, moved);
}

static struct dpl_pose2 seen_pose(struct scene *scene)
{
    struct dpl_pose2 pose = scene->robot.pose;
    double noise_m = scene->config.noise_m;
    pose.x += noise_m * dpl_random_normal(&scene->random);
    pose.y += noise_m * dpl_random_normal(&scene->random);
    pose.theta += NOISE_RAD * dpl_random_normal(&scene->random);
    pose.theta += faulty_robot_laser_yaw(&scene->robot);
    if (scene->config.unobservable) {
        pose.x += 0.1 * dpl_random_normal(&scene->random);
    }
    return pose;
}

static void scan(struct scene *scene)
{
    const struct faulty_robot *robot = &scene->robot;
    bool lost = robot->kidnapped && robot->now_s > robot->config.from_s + 0.5 &&
                robot->now_s < robot->config.from_s + 2.5;
    double noise_m = scene->config.noise_m;
    struct diagnosis_scan now = {
        .stamp_s = robot->now_s,
        .left_m = robot->counted_m[0] - scene->left_m,
        .right_m = robot->counted_m[1] - scene->right_m,
        .moved = dpl_pose2_relative(scene->before, scene->odometry),
        .has_gyro = robot->config.has_gyro,
        .gyro_rad = robot->gyro_rad - scene->gyro_rad,
        .equal = faulty_robot_has_fault(robot, ROBOT_LASER_FROZEN),
        .usable = !robot->kidnapped || robot->now_s > robot->config.from_s + 0.5,
        .pose = seen_pose(scene),
        .unobservable = scene->config.unobservable,
        .spread = {noise_m * noise_m, 0.0, noise_m * noise_m},
        .agreement = 0.95,
        .tracks = !lost,
        .lost = lost,
        .relocations = robot->kidnapped && !lost && robot->now_s > robot->config.from_s + 2.5,
        .calibration = scene->calibration,
        .moved_object = -1,
    };
    diagnosis_scan(&scene->diagnosis, &now);
    scene->left_m = robot->counted_m[0];
    scene->right_m = robot->counted_m[1];
    scene->gyro_rad = robot->gyro_rad;
    scene->before = scene->odometry;
}

static void take_events(struct scene *scene)
{
    struct diagnosis_event event;
    while (diagnosis_take_event(&scene->diagnosis, &event)) {
        if (event.rise) {
            scene->rises++;
        }
        if (event.rise && !scene->has_first) {
            scene->has_first = true;
            scene->first = event;
        }
    }
}

void scene_run(struct scene *scene, double until_s)
{
    while (scene->robot.now_s < until_s - 1e-9) {
        step(scene);
        double now_s = scene->robot.now_s;
        if (scene->config.commands) {
            diagnosis_command(&scene->diagnosis, now_s, scene->robot.command);
        }
        if ((double)scene->scan_number <= now_s * scene->config.rate_hz + 1e-6) {
            scene->scan_number++;
            if (!faulty_robot_has_fault(&scene->robot, ROBOT_LASER_ABSENT)) {
                scan(scene);
            }
        }
        diagnosis_step(&scene->diagnosis, now_s);
        take_events(scene);
    }
}
