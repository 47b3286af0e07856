/* SPDX-License-Identifier: Apache-2.0 */
/* Plant, laser and loop. */
#include "sim_robot.h"

#include <string.h>
#include <time.h>

#include <doppel/math/random.h>

#define TICK_S      0.005
#define SCAN_S      0.1
#define QUEUE       64
#define RANGE_MIN_M 0.02
#define RANGE_MAX_M 5.6
#define CELL_M      0.1
#define CELLS       120
#define NEARBY      7 /* cells across of what counts as passed */
#define STILL_M     0.2
#define CONTACT_GAP 0.002 /* room after which a touch has ended */

struct queued {
    double due_s;
    struct dpl_twist2 twist;
};

struct plant {
    const struct sim_plant_config *config;
    struct dpl_pose2 truth, odometry;
    double slew[2], wheel[2]; /* left, right in m/s */
    struct queued queue[QUEUE];
    size_t head, tail;
    struct dpl_twist2 active;
};

struct laser {
    float fresh[SIM_BEAMS], delivered[SIM_BEAMS];
    double fresh_s, delivered_s;
    bool has_fresh, has_delivered;
    struct dpl_random rng;
};

struct stats {
    bool touching;
    bool visited[CELLS][CELLS];
    struct dpl_pose2 anchor;
    double anchor_s, cpu_s;
    unsigned long steps;
};

struct sim_plant_config sim_plant_ideal(double radius_m)
{
    return (struct sim_plant_config){.radius_m = radius_m,
                                     .axle_m = 0.30,
                                     .scale_left = 1.0,
                                     .scale_right = 1.0,
                                     .acceleration_m_s2 = 0.5};
}

struct sim_plant_config sim_plant_random(uint64_t seed, double radius_m)
{
    struct dpl_random rng = dpl_random_seeded(seed, 102);
    struct sim_plant_config plant = sim_plant_ideal(radius_m);
    plant.scale_left = dpl_random_uniform(&rng, 0.9, 1.1);
    plant.scale_right = dpl_random_uniform(&rng, 0.9, 1.1);
    plant.latency_s = dpl_random_uniform(&rng, 0.0, 0.1);
    plant.lag_s = dpl_random_uniform(&rng, 0.0, 0.1);
    plant.range_noise = 0.01;
    plant.dropout_rate = 0.02;
    plant.scan_delay_s = dpl_random_uniform(&rng, 0.0, 0.05);
    plant.mount.x = dpl_random_uniform(&rng, -0.05, 0.1);
    plant.seed = seed;
    return plant;
}

static void command(struct plant *plant, double now_s, struct dpl_twist2 twist)
{
    plant->queue[plant->tail % QUEUE] = (struct queued){now_s + plant->config->latency_s, twist};
    plant->tail++;
}

static struct dpl_pose2 moved(struct dpl_pose2 pose, double left, double right, double axle)
{
    double turn = (right - left) / axle * TICK_S, way = (left + right) / 2.0 * TICK_S;
    pose.x += way * cos(pose.theta + turn / 2.0);
    pose.y += way * sin(pose.theta + turn / 2.0);
    pose.theta = dpl_wrap_angle(pose.theta + turn);
    return pose;
}

static void plant_tick(struct plant *plant, double now_s)
{
    const struct sim_plant_config *config = plant->config;
    while (plant->head < plant->tail && plant->queue[plant->head % QUEUE].due_s <= now_s) {
        plant->active = plant->queue[plant->head++ % QUEUE].twist;
    }
    for (int i = 0; i < 2; i++) {
        double half = (i == 0 ? -0.5 : 0.5) * config->axle_m;
        double target = plant->active.linear + plant->active.angular * half;
        double most = config->acceleration_m_s2 * TICK_S;
        plant->slew[i] += dpl_clamp(target - plant->slew[i], -most, most);
        double gain = config->lag_s > 0.0 ? 1.0 - exp(-TICK_S / config->lag_s) : 1.0;
        plant->wheel[i] += (plant->slew[i] - plant->wheel[i]) * gain;
    }
    plant->truth = moved(plant->truth, plant->wheel[0] * config->scale_left,
                         plant->wheel[1] * config->scale_right, config->axle_m);
    plant->odometry = moved(plant->odometry, plant->wheel[0], plant->wheel[1], config->axle_m);
}

static double beam_start(void)
{
    return (44.0 - 384.0) * 2.0 * DPL_PI / 1024.0;
}

static void laser_measure(struct laser *laser, const struct sim_run *run, const struct plant *plant,
                          double now_s)
{
    const struct sim_plant_config *config = plant->config;
    sim_world_cast(run->world, dpl_pose2_compose(plant->truth, config->mount), beam_start(),
                   2.0 * DPL_PI / 1024.0, SIM_BEAMS, 10.0, laser->fresh);
    for (size_t i = 0; i < SIM_BEAMS; i++) {
        double range = (double)laser->fresh[i];
        if (config->range_noise > 0.0) {
            range *= 1.0 + config->range_noise * dpl_random_normal(&laser->rng);
        }
        bool lost = config->dropout_rate > 0.0 &&
                    dpl_random_uniform(&laser->rng, 0.0, 1.0) < config->dropout_rate;
        /* The URG answers 0 when nothing is in range. */
        laser->fresh[i] = lost || range > RANGE_MAX_M ? 0.0F : (float)range;
    }
    laser->fresh_s = now_s;
    laser->has_fresh = true;
}

static void laser_deliver(struct laser *laser, const struct sim_run *run, double now_s)
{
    bool blind = now_s >= run->blind_from_s && now_s < run->blind_until_s;
    if (!blind && laser->has_fresh &&
        now_s >= laser->fresh_s + run->plant.scan_delay_s - TICK_S / 2.0) {
        memcpy(laser->delivered, laser->fresh, sizeof laser->fresh);
        laser->delivered_s = laser->fresh_s;
        laser->has_delivered = true;
        laser->has_fresh = false;
    }
}

static void watch(struct stats *stats, struct sim_result *result, const struct sim_run *run,
                  struct dpl_pose2 truth, double now_s)
{
    double room = sim_world_distance(run->world, truth.x, truth.y) - run->plant.radius_m;
    result->nearest_m = fmin(result->nearest_m, room);
    if (room <= 0.0 && !stats->touching) {
        if (result->contacts++ == 0) {
            result->first_contact_s = now_s;
        }
        stats->touching = true;
    } else if (room > CONTACT_GAP) {
        stats->touching = false;
    }
    for (int k = 0; k < NEARBY * NEARBY; k++) {
        int i = (int)(truth.x / CELL_M) + k / NEARBY - NEARBY / 2;
        int j = (int)(truth.y / CELL_M) + k % NEARBY - NEARBY / 2;
        if (i >= 0 && j >= 0 && i < CELLS && j < CELLS) {
            stats->visited[i][j] = true;
        }
    }
    if (dpl_pose2_distance(truth, stats->anchor) > STILL_M) {
        stats->anchor = truth;
        stats->anchor_s = now_s;
    }
    result->longest_still_s = fmax(result->longest_still_s, now_s - stats->anchor_s);
}

/* Cells that the robot's centre can reach from where it started. */
static double covered(const struct sim_run *run, const struct stats *stats)
{
    static bool reachable[CELLS][CELLS];
    static int stack[CELLS * CELLS * 4][2];
    memset(reachable, 0, sizeof reachable);
    int top = 0, all = 0, seen = 0;
    stack[top][0] = (int)(run->start.x / CELL_M);
    stack[top++][1] = (int)(run->start.y / CELL_M);
    while (top > 0) {
        int i = stack[--top][0], j = stack[top][1];
        bool inside = i >= 0 && j >= 0 && i < CELLS && j < CELLS &&
                      i * CELL_M < run->world->width && j * CELL_M < run->world->height;
        if (!inside || reachable[i][j] ||
            (all > 0 && sim_world_distance(run->world, (i + 0.5) * CELL_M, (j + 0.5) * CELL_M) <
                            run->plant.radius_m + 0.03)) {
            continue;
        }
        reachable[i][j] = true;
        all++;
        seen += stats->visited[i][j];
        for (int k = 0; k < 4; k++) {
            stack[top][0] = i + (k == 0) - (k == 1);
            stack[top++][1] = j + (k == 2) - (k == 3);
        }
    }
    return all > 0 ? (double)seen / all : 0.0;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void step_nav(struct dpl_nav *nav, const struct sim_run *run, struct plant *plant,
                     struct laser *laser, struct stats *stats, double now_s,
                     struct sim_result *result)
{
    struct dpl_nav_input input = {
        .now_s = now_s,
        .pose = plant->odometry,
        .pose_valid = true,
        .twist = {(plant->wheel[0] + plant->wheel[1]) / 2.0,
                  (plant->wheel[1] - plant->wheel[0]) / run->plant.axle_m},
        .scan = {.ranges_m = laser->has_delivered ? laser->delivered : NULL,
                 .count = SIM_BEAMS,
                 .start_rad = beam_start(),
                 .step_rad = 2.0 * DPL_PI / 1024.0,
                 .range_min_m = RANGE_MIN_M,
                 .range_max_m = RANGE_MAX_M,
                 .mount = run->plant.mount,
                 .stamp_s = laser->delivered_s},
    };
    struct dpl_nav_output output;
    double before = cpu_now();
    dpl_nav_step(nav, &input, &output);
    stats->cpu_s += cpu_now() - before;
    stats->steps++;
    command(plant, now_s, output.command);
    result->state = output.state;
    result->waypoint = output.waypoint;
    result->reached = output.reached;
    result->abandoned = output.abandoned;
    if (run->watcher) {
        run->watcher(run->context, now_s, plant->truth, &input, &output);
    }
}

int sim_run(const struct sim_run *run, struct sim_result *ret_result)
{
    static struct dpl_nav nav;
    static struct plant plant;
    static struct laser laser;
    static struct stats stats;
    int rc = dpl_nav_init(&nav, &run->nav);
    if (rc < 0) {
        return rc;
    }
    plant = (struct plant){.config = &run->plant, .truth = run->start, .odometry = run->start};
    laser = (struct laser){.rng = dpl_random_seeded(run->plant.seed, 103)};
    stats = (struct stats){.anchor = run->start};
    struct sim_result result = {.nearest_m = 1e9};
    long ticks = lround(run->duration_s / TICK_S);
    long per_scan = lround(SCAN_S / TICK_S), per_step = lround(run->nav.period_s / TICK_S);
    for (long tick = 0; tick < ticks; tick++) {
        double now_s = (double)tick * TICK_S;
        if (tick % per_scan == 0) {
            laser_measure(&laser, run, &plant, now_s);
        }
        laser_deliver(&laser, run, now_s);
        if (tick % per_step == 0) {
            step_nav(&nav, run, &plant, &laser, &stats, now_s, &result);
        }
        struct dpl_pose2 before = plant.truth;
        plant_tick(&plant, now_s);
        result.distance_m += dpl_pose2_distance(before, plant.truth);
        if (tick % 2 == 0) {
            watch(&stats, &result, run, plant.truth, now_s);
        }
    }
    result.mean_m_s = result.distance_m / run->duration_s;
    result.covered = covered(run, &stats);
    result.step_us = stats.steps > 0 ? 1e6 * stats.cpu_s / (double)stats.steps : 0.0;
    result.pose = plant.truth;
    *ret_result = result;
    return 0;
}
