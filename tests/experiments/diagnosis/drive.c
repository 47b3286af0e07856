/* SPDX-License-Identifier: Apache-2.0 */
#include "drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "localizer.h"
#include "robot.h"
#include "room.h"
#include "things.h"

#define LASER_Z_M      0.17
#define ODOMETRY_STEPS 4  /* 50 Hz */
#define SCAN_STEPS     20 /* 10 Hz */
#define SETTLED_S      20.0
#define OFFSET_S       0.02
#define AFTER_S        2.0
#define OTHER_RAD_S    0.1
#define TICK_M         (1.0 / 11724.0)
#define BLOCKS_MAX     64
#define DEG            (180.0 / DPL_PI)

static const double scales[2] = {0.97, 1.02};

struct blocks {
    void *list[BLOCKS_MAX];
    size_t n;
};

/* A drive while it runs; large, so not on the stack. */
struct drive {
    const struct drive_config *config;
    struct drive_result *result;
    struct blocks blocks;
    struct room plan, changed, surveyed; /* the last is what the Localizer is told */
    const struct dpl_raycast_index *before, *after;
    struct dpl_raycast_outline outlines[4 * ROOM_OBJECTS_MAX + 1];
    bool moved[ROOM_OBJECTS_MAX];
    struct route route;
    struct faulty_robot robot;
    struct robot laser; /* only carried along */
    struct localizer *localizer;
    struct bystanders bystanders;
    struct dpl_raycast_outline pillar;
    double seen_from_s; /* the pillar; NAN: not yet */
    float frozen[ROBOT_BEAMS_MAX];
    double turn_rad_s; /* as commanded when the fault began; NAN: it has changed since */
    double judged_s, sum2, sound_sum2, straight_sum2;
    size_t n, sound_n;
};

void drive_config_init(struct drive_config *ret_config)
{
    *ret_config = (struct drive_config){
        .world = "profiles/worlds/office.xml",
        .seed = 1,
        .from_s = 80.0,
        .to_s = 88.0,
        .seconds = 90.0,
        .twist_to_s = (double)INFINITY,
        .n_beams = ROBOT_BEAMS_MAX,
        .has_gyro = true,
        .commands = true,
        .objects = true,
    };
}

static void die(const char *why)
{
    fprintf(stderr, "diagnosis: %s\n", why);
    exit(2);
}

static void *zeroed(void *context, size_t n, size_t size)
{
    struct blocks *to = context;
    return to->n < BLOCKS_MAX ? to->list[to->n++] = calloc(n, size) : NULL;
}

static const struct dpl_raycast_index *index_of(struct drive *d, const struct room *room,
                                                const struct dpl_raycast_outline *more)
{
    struct dpl_raycast_memory memory = {zeroed, &d->blocks};
    size_t n = room_outlines(room, d->outlines, sizeof d->outlines / sizeof *d->outlines - 1);
    if (more) {
        d->outlines[n++] = *more;
    }
    const struct dpl_raycast_index *index = dpl_raycast_index_create(&memory, d->outlines, n, 0);
    if (!index) {
        die("out of memory");
    }
    return index;
}

static void make_rooms(struct drive *d)
{
    struct dpl_random rng = dpl_random_seeded(d->config->seed, 1);
    room_load(&d->plan, d->config->world, LASER_Z_M);
    d->changed = d->surveyed = d->plan;
    d->before = d->after = index_of(d, &d->plan, NULL);
    if (d->config->around == DRIVE_OBJECTS_MOVED) {
        room_rearrange(&d->changed, 0.33, d->config->amount, &rng, d->moved);
        d->after = index_of(d, &d->changed, NULL);
    }
    room_survey(&d->surveyed, d->config->survey_m, &rng);
    route_init(&d->route, &d->plan, 0.30, dpl_random_seeded(d->config->seed, 2));
}

static struct dpl_twist2 drive_route(void *context, struct dpl_pose2 at)
{
    return route_drive(context, at);
}

static void make_robot(struct drive *d)
{
    const struct drive_config *config = d->config;
    struct faulty_robot_config robot;
    struct robot_faults laser;
    faulty_robot_config_init(&robot);
    robot.seed = config->seed;
    robot.axle_m = ROBOT_AXLE_M;
    robot.scale[0] = scales[0];
    robot.scale[1] = scales[1];
    robot.axle_scale = 1.02;
    robot.has_gyro = config->has_gyro;
    robot.start = route_start(&d->route);
    robot.fault = config->fault;
    robot.amount = config->amount;
    robot.from_s = config->from_s;
    robot.to_s = config->to_s;
    robot.drive = drive_route;
    robot.context = &d->route;
    faulty_robot_init(&d->robot, &robot);
    robot_faults_init(&laser);
    laser.people = config->people;
    laser.n_beams = config->n_beams;
    robot_init(&d->laser, &laser, d->before, &d->route, dpl_random_seeded(config->seed, 3));
    robot_place(&d->laser, robot.start);
    d->bystanders.random = dpl_random_seeded(config->seed, 5);
    d->seen_from_s = (double)NAN;
}

static void make_localizer(struct drive *d)
{
    struct localizer_config config;
    struct dpl_random rng = dpl_random_seeded(d->config->seed, 4);
    localizer_config_init(&config);
    config.n_outlines =
        room_outlines(&d->surveyed, d->outlines, sizeof d->outlines / sizeof *d->outlines - 1);
    config.outlines = d->outlines;
    config.n_objects = d->plan.n;
    config.axle_m = ROBOT_AXLE_M;
    config.safe_radius_m = 0.5;
    config.judged = false;
    config.diagnose_objects = d->config->objects;
    config.start = d->robot.pose;
    config.start.x += 0.03 * dpl_random_normal(&rng);
    config.start.y += 0.03 * dpl_random_normal(&rng);
    config.start.theta += 0.02 * dpl_random_normal(&rng);
    if (localizer_create(&config, &d->localizer) < 0) {
        die("cannot create a localizer");
    }
}

static bool is_there(const struct drive *d)
{
    return d->robot.now_s >= d->config->from_s && d->robot.now_s < d->config->to_s;
}

static double tick(double way_m)
{
    return TICK_M * floor(way_m / TICK_M);
}

static void give_odometry(struct drive *d)
{
    struct localizer_odometry odometry = {
        .stamp_s = d->robot.now_s,
        .left_m = tick(d->robot.counted_m[0]),
        .right_m = tick(d->robot.counted_m[1]),
        .has_gyro = d->config->has_gyro,
        .gyro_rad = d->robot.gyro_rad,
    };
    localizer_odometry(d->localizer, &odometry);
    if (d->config->commands) {
        localizer_command(d->localizer, d->robot.now_s, d->robot.command);
    }
}

static void add_pillar(struct drive *d)
{
    d->pillar = things_pillar(d->before, d->robot.pose, &d->route);
    d->after = index_of(d, &d->plan, &d->pillar);
}

/* What the truth says of the pillar at this scan. */
static void record_sight(struct drive *d)
{
    if (things_are_in_sight(d->after, d->robot.pose, &d->pillar)) {
        d->seen_from_s = isnan(d->seen_from_s) ? d->robot.now_s : d->seen_from_s;
        d->result->in_sight_s += SCAN_STEPS * FAULTY_ROBOT_STEP_S;
        d->result->in_sight_over_s = d->robot.now_s - d->seen_from_s;
    }
}

static void change_surroundings(struct drive *d)
{
    bool has_pillar = d->config->around == DRIVE_OBJECT_ADDED && is_there(d);
    if (has_pillar && d->after == d->before) {
        add_pillar(d);
    }
    if (has_pillar) {
        record_sight(d);
    }
    if (d->config->bystanders) {
        bystanders_step(&d->bystanders, d->before, d->robot.now_s, d->robot.pose,
                        &d->laser.bystander);
    }
    d->laser.room = is_there(d) ? d->after : d->before;
}

static void give_scan(struct drive *d)
{
    double *value = d->laser.faults.value;
    bool twisted =
        d->robot.now_s >= d->config->twist_from_s && d->robot.now_s < d->config->twist_to_s;
    value[LOCALIZER_MOUNT_YAW] =
        faulty_robot_laser_yaw(&d->robot) + (twisted ? d->config->twist_rad : 0.0);
    value[LOCALIZER_TIME_OFFSET] = OFFSET_S + faulty_robot_laser_delay(&d->robot);
    change_surroundings(d);
    struct localizer_scan scan = robot_scan(&d->laser, d->robot.now_s);
    if (faulty_robot_has_fault(&d->robot, ROBOT_LASER_ABSENT)) {
        return;
    }
    if (faulty_robot_has_fault(&d->robot, ROBOT_LASER_FROZEN)) {
        scan.ranges = d->frozen;
    } else {
        memcpy(d->frozen, scan.ranges, scan.n * sizeof *scan.ranges);
    }
    localizer_scan(d->localizer, &scan);
}

static void trace(const struct drive *d, double error_m)
{
    struct localizer_calibration c;
    struct localizer_estimate e;
    const struct diagnosis *diagnosis = localizer_diagnosis(d->localizer);
    const struct residuals *r = &diagnosis->residuals;
    localizer_calibration(d->localizer, &c);
    localizer_estimate(d->localizer, d->judged_s, &e);
    printf("%7.2f %-14s (%-12s) state %d agree %.2f nis %6.1f error %6.1f mm | turn og %6.2f ol "
           "%6.2f gl "
           "%6.2f (%.2f) shift %5.1f (%.1f) mm weak %.1f | scales %.4f %.4f late %.4f +- %.4f yaw "
           "%.4f | way %5.1f mm turn %6.2f deg/s maybe late %.3f\n",
           d->judged_s, verdict_name(diagnosis_active(diagnosis)->verdict),
           verdict_name(diagnosis->standing.candidate), e.state, e.agreement, e.nis, 1e3 * error_m,
           r->odometry_gyro_rad * DEG, DEG * r->odometry_laser_rad, r->gyro_laser_rad * DEG,
           r->laser_limit_rad * DEG, 1e3 * r->shift_m, 1e3 * r->shift_limit_m, 1e3 * r->weak_m,
           c.value[LOCALIZER_SCALE_LEFT], c.value[LOCALIZER_SCALE_RIGHT],
           c.value[LOCALIZER_TIME_OFFSET], c.sigma[LOCALIZER_TIME_OFFSET],
           DEG * c.value[LOCALIZER_MOUNT_YAW], 1e3 * r->path_m, DEG * diagnosis->turn_rad_s,
           diagnosis->maybe_late_s);
}

/* At each scan that was used. */
static void measure_pose(struct drive *d)
{
    struct localizer_estimate e;
    localizer_estimate(d->localizer, d->robot.now_s, &e);
    if (isnan(e.scan_stamp_s) || e.scan_stamp_s <= d->judged_s) {
        return;
    }
    d->judged_s = e.scan_stamp_s;
    localizer_estimate(d->localizer, e.scan_stamp_s, &e);
    struct dpl_pose2 truth = robot_pose(&d->laser, e.stamp_s);
    double error = dpl_pose2_distance(e.pose, truth);
    d->result->last_m = error;
    d->result->last_rad = dpl_wrap_angle(e.pose.theta - truth.theta);
    if (d->config->trace && d->robot.now_s >= d->config->from_s) {
        trace(d, error);
    }
    if (is_there(d)) {
        double clearance = things_clearance(d->laser.room, truth);
        d->result->clearance_m = fmin(d->result->clearance_m, clearance);
        d->sum2 += error * error;
        d->straight_sum2 += isnan(d->turn_rad_s) ? 0.0 : error * error;
        d->n++;
        d->result->max_m = fmax(d->result->max_m, error);
    } else if (d->robot.now_s >= SETTLED_S && d->robot.now_s < d->config->from_s) {
        d->sound_sum2 += error * error;
        d->sound_n++;
    }
}

static void record_rise(struct drive *d, const struct diagnosis_event *event)
{
    struct drive_result *r = d->result;
    if (d->config->trace) {
        const struct residuals *why = &event->what.residuals;
        printf("%7.2f rises: %s at %.2f %.2f, object %d, off %.4f; shift %.1f (%.1f) mm, turn %.2f "
               "(%.2f) and %.2f deg\n",
               event->stamp_s, verdict_name(event->what.verdict), event->what.x, event->what.y,
               event->what.object, event->what.off, 1e3 * why->shift_m, 1e3 * why->shift_limit_m,
               DEG * why->odometry_laser_rad, DEG * why->laser_limit_rad,
               DEG * why->odometry_gyro_rad);
    }
    if (event->stamp_s < d->config->from_s) {
        r->false_alarms++;
        r->false_one = event->what.verdict;
    } else if (!r->detected) {
        r->detected = event->stamp_s < d->config->to_s + AFTER_S;
        r->first = *event;
    } else if (event->what.verdict != r->first.what.verdict && event->stamp_s < d->config->to_s) {
        r->others++;
        r->other = event->what.verdict;
    }
}

/* A comparison with NAN is false. */
static void update_turn(struct drive *d)
{
    double turn_rad_s = d->robot.command.angular;
    if (!is_there(d)) {
        d->turn_rad_s = turn_rad_s;
    } else if (fabs(turn_rad_s - d->turn_rad_s) > OTHER_RAD_S) {
        d->turn_rad_s = (double)NAN;
    }
}

static void step(struct drive *d)
{
    bool far = d->config->around == DRIVE_AVATAR_FAR && is_there(d);
    faulty_robot_step(&d->robot);
    robot_carry(&d->laser, d->robot.pose);
    update_turn(d);
    if (d->robot.n_steps % ODOMETRY_STEPS == 0) {
        give_odometry(d);
    }
    if (d->robot.n_steps % SCAN_STEPS == 0) {
        give_scan(d);
    }
    if (d->robot.n_steps % ODOMETRY_STEPS == 0) {
        localizer_avatar(d->localizer, far ? d->config->amount : 0.0);
        localizer_step(d->localizer, d->robot.now_s);
        measure_pose(d);
    }
    struct diagnosis_event event;
    while (localizer_take_event(d->localizer, &event)) {
        if (event.rise) {
            record_rise(d, &event);
        }
    }
}

/* Somewhere else, at least 1 m away. */
static void choose_kidnapping(struct drive *d)
{
    struct dpl_pose2 to;
    do {
        to = route_start(&d->route);
    } while (dpl_pose2_distance(d->robot.pose, to) < 1.0);
    d->robot.config.kidnapped_to = to;
    d->route.goal = -1;
}

static void run(struct drive *d)
{
    long n = lround(d->config->seconds / FAULTY_ROBOT_STEP_S);
    bool kidnaps = d->config->fault == ROBOT_KIDNAPPED;
    for (long i = 0; i < n; i++) {
        if (kidnaps && d->robot.now_s >= d->config->from_s) {
            choose_kidnapping(d);
            kidnaps = false;
        }
        step(d);
    }
}

void drive_run(const struct drive_config *config, struct drive_result *ret_result)
{
    struct drive *d = calloc(1, sizeof *d);
    if (!d) {
        die("out of memory");
    }
    memset(ret_result, 0, sizeof *ret_result);
    ret_result->clearance_m = (double)INFINITY;
    d->config = config;
    d->result = ret_result;
    make_rooms(d);
    make_robot(d);
    make_localizer(d);
    run(d);
    ret_result->n_scans = (double)d->n;
    ret_result->rms_m = sqrt(d->sum2 / fmax(1.0, (double)d->n));
    ret_result->straight_rms_m = sqrt(d->straight_sum2 / fmax(1.0, (double)d->n));
    ret_result->sound_rms_m = sqrt(d->sound_sum2 / fmax(1.0, (double)d->sound_n));
    localizer_destroy(d->localizer);
    for (size_t i = 0; i < d->blocks.n; i++) {
        free(d->blocks.list[i]);
    }
    free(d);
}
