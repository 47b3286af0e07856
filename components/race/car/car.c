/* SPDX-License-Identifier: Apache-2.0 */
/* One interface for all models of a car. */
#include "car.h"

#include <math.h>

static int64_t to_mm(double m)
{
    return llround(dpl_clamp(m * 1000.0, -4e9, 4e9));
}

static int64_t to_whole_deg(double rad)
{
    int64_t deg = llround(dpl_rad_to_deg(dpl_wrap_angle(rad)));
    return deg < 0 ? deg + 360 : deg;
}

static struct car_paper_segment segment_mm(const struct car_segment *s)
{
    return (struct car_paper_segment){to_mm(s->a.x), to_mm(s->a.y), to_mm(s->b.x), to_mm(s->b.y)};
}

static int init_paper(struct car *car, const struct car_config *config, size_t *ret_wall)
{
    struct car_paper_config paper = {
        .tick_ms = llround(config->tick * 1000.0),
        .sight_mm = to_mm(config->reach),
        .n_sensors = config->n_sensors,
        .n_walls = config->around.n_walls,
        .has_finish = config->around.has_finish,
        .finish = segment_mm(&config->around.finish),
    };
    for (size_t i = 0; i < paper.n_sensors; i++) {
        paper.sensor_deg[i] = llround(config->sensor_deg[i]);
    }
    for (size_t i = 0; i < paper.n_walls; i++) {
        paper.walls[i] = segment_mm(&config->around.walls[i]);
    }
    return car_paper_init(&car->paper, &paper, ret_wall);
}

static void init_body(struct car *car)
{
    const struct car_config *config = &car->config;
    car->body = (struct car_body){
        .footprint = car_footprint_rectangle(config->length, config->width, config->behind),
        .around = &config->around,
        .n_sensors = config->n_sensors,
        .reach = config->reach,
    };
    for (size_t i = 0; i < config->n_sensors; i++) {
        car->body.sensors[i] =
            (struct car_mount){config->mounts[i], dpl_deg_to_rad(config->sensor_deg[i])};
    }
}

int car_init(struct car *car, const struct car_config *config, size_t *ret_wall)
{
    car->config = *config;
    if (config->model == CAR_MODEL_PAPER) {
        return init_paper(car, config, ret_wall);
    }
    init_body(car);
    return 0;
}

static void stand_still(struct car *car)
{
    const struct car_config *config = &car->config;
    car->differential =
        (struct car_differential){.track_width = config->track_width, .motor = config->motor};
    car->ackermann = (struct car_ackermann){
        .wheel_base = config->wheel_base,
        .motor = config->motor,
        .steering = config->steering,
    };
}

void car_place(struct car *car, struct dpl_pose2 pose)
{
    if (car->config.model == CAR_MODEL_PAPER) {
        car_paper_place(&car->paper, to_mm(pose.x), to_mm(pose.y), to_whole_deg(pose.theta));
        return;
    }
    stand_still(car);
    car_body_place(&car->body, pose);
}

static void command_paper(struct car_paper *car, const struct car_command *command)
{
    if (command->scripted) {
        car_paper_command(car, llround(command->heading_deg), llround(command->velocity_mm_s));
    } else if (command->driven) {
        car_paper_command(car, car->heading_deg + to_whole_deg(command->steering),
                          to_mm(command->left));
    } else {
        car_paper_command(car, car->heading_deg, 0);
    }
}

static void command_body(struct car *car, const struct car_command *command)
{
    const struct car_config *config = &car->config;
    if (command->scripted) {
        car->body.pose.theta = dpl_wrap_angle(dpl_deg_to_rad(command->heading_deg));
        car->body.twist = (struct dpl_twist2){command->velocity_mm_s / 1000.0, 0.0};
        return;
    }
    double left = command->driven ? command->left : 0.0;
    double right = command->driven ? command->right : 0.0;
    car->body.twist =
        config->model == CAR_MODEL_DIFFERENTIAL
            ? car_differential_drive(&car->differential, left, right, config->tick)
            : car_ackermann_drive(&car->ackermann, left, command->driven ? command->steering : 0.0,
                                  config->tick);
}

void car_command(struct car *car, const struct car_command *command)
{
    if (car->config.model == CAR_MODEL_PAPER) {
        command_paper(&car->paper, command);
    } else {
        command_body(car, command);
    }
}

void car_row(const struct car *car, struct car_row *ret_row)
{
    if (car->config.model == CAR_MODEL_PAPER) {
        *ret_row = (struct car_row){car->paper.x_mm, car->paper.y_mm, car->paper.velocity_mm_s,
                                    car->paper.heading_deg};
    } else {
        *ret_row =
            (struct car_row){to_mm(car->body.pose.x), to_mm(car->body.pose.y),
                             to_mm(car->body.twist.linear), to_whole_deg(car->body.pose.theta)};
    }
    ret_row->n_ranges = car_ranges(car, ret_row->ranges);
}

enum dpl_car_outcome car_move(struct car *car)
{
    static const enum dpl_car_outcome outcome[] = {
        [CAR_PAPER_DRIVES] = DPL_CAR_DRIVES,
        [CAR_PAPER_FINISHED] = DPL_CAR_FINISHED,
        [CAR_PAPER_HIT] = DPL_CAR_HIT,
    };
    return car->config.model == CAR_MODEL_PAPER ? outcome[car_paper_move(&car->paper)]
                                                : car_body_move(&car->body, car->config.tick);
}

struct dpl_pose2 car_pose(const struct car *car)
{
    if (car->config.model != CAR_MODEL_PAPER) {
        return car->body.pose;
    }
    return (struct dpl_pose2){
        .x = (double)car->paper.x_mm / 1000.0,
        .y = (double)car->paper.y_mm / 1000.0,
        .theta = dpl_wrap_angle(dpl_deg_to_rad((double)car->paper.heading_deg)),
    };
}

struct dpl_twist2 car_twist(const struct car *car)
{
    if (car->config.model != CAR_MODEL_PAPER) {
        return car->body.twist;
    }
    return (struct dpl_twist2){.linear = (double)car->paper.velocity_mm_s / 1000.0};
}

static double clearance_of(const struct car *car, struct dpl_pose2 pose)
{
    const struct car_surroundings *around = &car->config.around;
    bool is_point = car->config.model == CAR_MODEL_PAPER;
    struct car_footprint outline = car_footprint_at(&car->body.footprint, pose);
    double least = (double)INFINITY;
    for (size_t i = 0; i < around->n_walls; i++) {
        const struct car_segment *wall = &around->walls[i];
        double distance = is_point ? car_point_distance((struct car_point){pose.x, pose.y}, wall)
                                   : car_footprint_distance(&outline, wall);
        least = fmin(least, distance);
    }
    return least;
}

struct car_room car_room(const struct car *car)
{
    const struct car_surroundings *around = &car->config.around;
    struct dpl_pose2 pose = car_pose(car);
    struct car_point at = {pose.x, pose.y};
    double left = pose.theta + DPL_PI / 2.0, right = pose.theta - DPL_PI / 2.0;
    return (struct car_room){
        .clearance = clearance_of(car, pose),
        .left = car_ray_range(at, left, around->walls, around->n_walls, (double)INFINITY),
        .right = car_ray_range(at, right, around->walls, around->n_walls, (double)INFINITY),
    };
}

size_t car_ranges(const struct car *car, double ret_ranges[CAR_SENSORS_MAX])
{
    for (size_t i = 0; i < car->config.n_sensors; i++) {
        int64_t mm = car->paper.ranges_mm[i];
        ret_ranges[i] = car->config.model != CAR_MODEL_PAPER ? car->body.ranges[i]
                        : mm == CAR_PAPER_NO_HIT             ? (double)INFINITY
                                                             : (double)mm / 1000.0;
    }
    return car->config.n_sensors;
}
