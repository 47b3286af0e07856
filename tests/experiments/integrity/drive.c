/* SPDX-License-Identifier: Apache-2.0 */
#include "drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "robot.h"

#define ODOMETRY_STEPS 4  /* 50 Hz */
#define ROW_STEPS      20 /* 10 Hz */
#define CLEARANCE_M    0.30
#define PLACE_TRIES    500
#define COPY_S         2.0

struct run {
    struct world world;
    struct route route;
    struct robot robot;
    struct dpl_raycast_outline outlines[4 * ROOM_OBJECTS_MAX];
    struct localizer *localizer;
    struct drive_about about;
    struct dpl_random rng;
    double end_s, share, push_m_s, push_rad; /* of what happens */
    struct dpl_pose2 carried_from, carried_to;
    double carry_s; /* how long it takes */
    bool carried;
    void *blocks[64];
    size_t n_blocks;
};

const char *drive_case_name(enum drive_case what)
{
    static const char *const names[DRIVE_CASES] = {"right", "wrong", "carried", "carried",
                                                   "blind", "slips", "pushed"};
    return names[what];
}

static void *zeroed(void *context, size_t n, size_t size)
{
    struct run *run = context;
    return run->n_blocks < 64 ? run->blocks[run->n_blocks++] = calloc(n, size) : NULL;
}

static double draw(struct run *run, double low, double high)
{
    return dpl_random_uniform(&run->rng, low, high);
}

static void draw_robot(struct run *run)
{
    struct robot_faults faults;
    robot_faults_init(&faults);
    faults.value[LOCALIZER_SCALE_LEFT] = draw(run, 0.95, 1.05);
    faults.value[LOCALIZER_SCALE_RIGHT] = draw(run, 0.95, 1.05);
    faults.value[LOCALIZER_AXLE_SCALE] = draw(run, 0.95, 1.05);
    faults.value[LOCALIZER_TIME_OFFSET] = draw(run, 0.0, 0.15);
    faults.value[LOCALIZER_MOUNT_X] = draw(run, -0.02, 0.02);
    faults.value[LOCALIZER_MOUNT_Y] = draw(run, -0.02, 0.02);
    faults.value[LOCALIZER_MOUNT_YAW] = dpl_deg_to_rad(draw(run, -2.0, 2.0));
    faults.value[LOCALIZER_RANGE_BIAS] = draw(run, -0.015, 0.015);
    faults.value[LOCALIZER_RANGE_SCALE] = draw(run, -0.01, 0.01);
    faults.people = run->about.people = (int)draw(run, 0.0, 7.0);
    struct dpl_raycast_memory memory = {zeroed, run};
    size_t n = room_outlines(&run->world.room, run->outlines, DPL_COUNT(run->outlines));
    const struct dpl_raycast_index *index = dpl_raycast_index_create(&memory, run->outlines, n, 0);
    route_init(&run->route, &run->world.room, CLEARANCE_M, run->rng);
    run->route.speed = draw(run, 0.2, 0.5);
    robot_init(&run->robot, &faults, index, &run->route, run->rng);
    run->robot.glass = run->world.glass;
}

/* Free, and so far from a pose. */
static struct dpl_pose2 draw_place(struct run *run, struct dpl_pose2 from, double least_m,
                                   double most_m)
{
    for (int i = 0; i < PLACE_TRIES; i++) {
        double way = draw(run, least_m, most_m), angle = draw(run, -DPL_PI, DPL_PI);
        bool turned = draw(run, 0.0, 1.0) < 1.0 / 3.0;
        double turn = turned ? draw(run, -DPL_PI, DPL_PI) : 0.0;
        struct dpl_pose2 to = {from.x + way * cos(angle), from.y + way * sin(angle),
                               dpl_wrap_angle(from.theta + turn)};
        if (route_is_free(&run->route, to.x, to.y)) {
            return to;
        }
    }
    return from;
}

static bool wants_copy(struct run *run, double share)
{
    return draw(run, 0.0, 1.0) < share && run->world.has_copy;
}

static struct dpl_pose2 draw_start(struct run *run)
{
    struct dpl_pose2 start = robot_pose(&run->robot, 0.0);
    if (run->about.what == DRIVE_WRONG) {
        return wants_copy(run, 0.5) ? world_copy(&run->world, start)
                                    : draw_place(run, start, 1.0, 5.0);
    }
    start.x += 0.05 * dpl_random_normal(&run->rng);
    start.y += 0.05 * dpl_random_normal(&run->rng);
    start.theta += dpl_deg_to_rad(2.0) * dpl_random_normal(&run->rng);
    return start;
}

static void make_localizer(struct run *run, const struct drive_options *options)
{
    struct localizer_config config;
    localizer_config_init(&config);
    config.outlines = run->outlines;
    config.n_outlines = room_outlines(&run->world.plan, run->outlines, DPL_COUNT(run->outlines));
    config.n_objects = run->world.plan.n;
    config.axle_m = ROBOT_AXLE_M;
    config.use_gyro = false;
    config.scan_correlation = options->correlation;
    config.start = draw_start(run);
    config.start_trust = !options->no_trust;
    if (localizer_create(&config, &run->localizer) < 0) {
        fprintf(stderr, "integrity: cannot create a localizer\n");
        exit(2);
    }
}

static void draw_event(struct run *run, double seconds)
{
    static const double least_s[DRIVE_CASES] = {
        [DRIVE_BLIND] = 5.0, [DRIVE_SLIPS] = 1.0, [DRIVE_PUSHED] = 1.0};
    static const double most_s[DRIVE_CASES] = {
        [DRIVE_BLIND] = 15.0, [DRIVE_SLIPS] = 4.0, [DRIVE_PUSHED] = 3.0};
    enum drive_case what = run->about.what;
    double lasts_s = draw(run, least_s[what], most_s[what]);
    run->about.event_s = draw(run, 0.3, 0.6) * seconds;
    run->end_s = run->about.event_s + lasts_s;
    run->share = draw(run, 0.3, 1.0);
    run->push_m_s = draw(run, 0.3, 1.0) / fmax(lasts_s, 1.0);
    run->push_rad = draw(run, -DPL_PI, DPL_PI);
}

static bool happens(const struct run *run, enum drive_case what)
{
    double now_s = robot_time(&run->robot);
    return run->about.what == what && now_s >= run->about.event_s && now_s < run->end_s;
}

/* Into a copy of the place it goes in sight: a jump into an exact copy shows nobody. */
static void begin_carry(struct run *run)
{
    struct dpl_pose2 from = robot_pose(&run->robot, robot_time(&run->robot));
    bool copy = wants_copy(run, 1.0 / 3.0);
    run->carried_from = from;
    run->carried_to = copy ? world_copy(&run->world, from) : draw_place(run, from, 0.3, 5.0);
    run->carry_s = copy ? COPY_S : 0.0;
    run->about.carried_m = dpl_pose2_distance(from, run->carried_to);
    run->carried = run->robot.stands = true;
}

static void carry(struct run *run, struct dpl_pose2 *at)
{
    double since_s = robot_time(&run->robot) - run->about.event_s;
    if (!run->robot.stands) {
        return;
    }
    if (since_s >= run->carry_s) {
        run->robot.stands = false;
        run->route.goal = -1;
        robot_place(&run->robot, run->carried_to);
        return;
    }
    struct dpl_pose2 way = {run->carried_to.x - run->carried_from.x,
                            run->carried_to.y - run->carried_from.y,
                            dpl_wrap_angle(run->carried_to.theta - run->carried_from.theta)};
    double share = since_s / run->carry_s;
    *at =
        (struct dpl_pose2){run->carried_from.x + share * way.x, run->carried_from.y + share * way.y,
                           run->carried_from.theta + share * way.theta};
}

/* Wheels slip: the ground sees less of the way. Or somebody pushes, as far as there is room. */
static void disturb(struct run *run, struct dpl_pose2 before)
{
    struct dpl_pose2 *at = &run->robot.track[run->robot.steps % ROBOT_TRACK];
    if (happens(run, DRIVE_SLIPS)) {
        struct dpl_pose2 way = dpl_pose2_relative(before, *at);
        double kept = 1.0 - run->share;
        way = (struct dpl_pose2){kept * way.x, kept * way.y, kept * way.theta};
        *at = dpl_pose2_compose(before, way);
    }
    double x = at->x + run->push_m_s * ROBOT_STEP_S * cos(run->push_rad);
    double y = at->y + run->push_m_s * ROBOT_STEP_S * sin(run->push_rad);
    if (happens(run, DRIVE_PUSHED) && route_is_free(&run->route, x, y)) {
        at->x = x;
        at->y = y;
    }
    bool carries = run->about.what == DRIVE_CARRIED || run->about.what == DRIVE_CARRIED_AGAIN;
    if (carries && !run->carried && robot_time(&run->robot) >= run->about.event_s) {
        begin_carry(run);
    }
    carry(run, at);
}

static void give(struct run *run, long step)
{
    double now_s = robot_time(&run->robot);
    struct localizer_odometry odometry = robot_odometry(&run->robot);
    localizer_odometry(run->localizer, &odometry);
    if (step % ROW_STEPS == 0 && !happens(run, DRIVE_BLIND)) {
        struct localizer_scan scan = robot_scan(&run->robot, now_s);
        localizer_scan(run->localizer, &scan);
    }
    localizer_command(run->localizer, now_s, run->robot.twist);
    localizer_step(run->localizer, now_s);
}

static void judge(struct run *run, const struct drive_sink *sink)
{
    struct localizer_estimate e;
    double now_s = robot_time(&run->robot);
    localizer_estimate(run->localizer, now_s, &e);
    struct drive_row row = {
        .time_s = now_s,
        .error_m = dpl_pose2_distance(e.pose, robot_pose(&run->robot, e.stamp_s)),
        .decided = e.state == LOCALIZER_TRACKING || e.state == LOCALIZER_DEGRADED,
        .state = e.state,
    };
    localizer_integrity(run->localizer, &row.verdict);
    sink->take(sink->user, &row);
}

void drive_run(uint64_t seed, int kind, int what, const struct drive_options *options,
               const struct drive_sink *sink, struct drive_about *ret_about)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        fprintf(stderr, "integrity: out of memory\n");
        exit(2);
    }
    run->rng = dpl_random_seeded(seed, 12);
    int of_kind = (int)draw(run, 0.0, WORLD_KINDS), of_case = (int)draw(run, 0.0, DRIVE_CASES);
    run->about.kind = (enum world_kind)(kind >= 0 ? kind : of_kind);
    run->about.what = (enum drive_case)(what >= 0 ? what : of_case);
    world_draw(&run->world, run->about.kind, seed);
    run->about.survey_m = run->world.survey_m;
    run->about.moved_share = run->world.moved_share;
    draw_event(run, options->seconds);
    draw_robot(run);
    make_localizer(run, options);
    long n = lround(options->seconds / ROBOT_STEP_S);
    for (long i = 0; i < n; i++) {
        struct dpl_pose2 before = robot_pose(&run->robot, robot_time(&run->robot));
        robot_step(&run->robot);
        disturb(run, before);
        if (i % ODOMETRY_STEPS == 0) {
            give(run, i);
        }
        if (i % ROW_STEPS == 0) {
            judge(run, sink);
        }
    }
    *ret_about = run->about;
    localizer_destroy(run->localizer);
    for (size_t i = 0; i < run->n_blocks; i++) {
        free(run->blocks[i]);
    }
    free(run);
}
