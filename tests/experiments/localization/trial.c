/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "diagnosis.h"
#include "told.h"

#define LASER_Z_M       0.17
#define ODOMETRY_STEPS  4 /* 50 Hz */
#define CORRIDOR_LONG_M 40.0
#define CORRIDOR_WIDE_M 2.0
#define RIGHT_M         0.3 /* a pose nearer to the truth is the right place */

static const double limits[LOCALIZER_N_PARAMETERS] = {
    0.002, 0.002, 0.003, 0.005, 0.005, 0.005, 0.2 * DPL_PI / 180.0, 0.02, 0.02,
};

/* A drive while it runs; large, so not on the stack. */
struct drive {
    const struct trial *trial;
    struct room room, plan;
    struct route route;
    struct robot robot;
    bool moved[ROOM_OBJECTS_MAX], glass[ROOM_OBJECTS_MAX];
    struct dpl_raycast_outline outlines[4 * ROOM_OBJECTS_MAX];
    struct localizer *localizer;
    struct bound bound;
    const struct dpl_raycast_index *index;
    struct trial_result *result;
    double sum2, sum2_rad, sum_nees, sum_lateral2, sum_half2;
    double next_scan_s, kidnapped_s;
    struct localizer_scan last;
    float last_ranges[ROBOT_BEAMS_MAX];
    double cpu_s, judged_s;
    size_t n_scans;
    enum localizer_state state;
};

void trial_init(struct trial *ret_trial)
{
    *ret_trial = (struct trial){
        .seconds = 120.0,
        .from_s = 10.0,
        .speed = 0.3,
        .calibrate = LOCALIZER_CALIBRATE_ON,
    };
    robot_faults_init(&ret_trial->faults);
}

struct blocks {
    void *list[64];
    size_t n;
};

static struct blocks blocks;

static void *zeroed(void *context, size_t n, size_t size)
{
    struct blocks *to = context;
    return to->n < 64 ? to->list[to->n++] = calloc(n, size) : NULL;
}

static void choose_walls(struct drive *d, uint64_t seed)
{
    struct dpl_random rng = dpl_random_seeded(seed, 5);
    bool unknown[ROOM_OBJECTS_MAX];
    room_choose_walls(&d->room, d->trial->glass_share, &rng, d->glass);
    room_choose_walls(&d->room, d->trial->unknown_share, &rng, unknown);
    room_remove(&d->plan, unknown);
}

static void make_rooms(struct drive *d, uint64_t seed)
{
    struct dpl_random rng = dpl_random_seeded(seed, 1);
    if (d->trial->world) {
        room_load(&d->room, d->trial->world, LASER_Z_M);
    } else {
        room_corridor(&d->room, CORRIDOR_LONG_M, CORRIDOR_WIDE_M);
    }
    d->plan = d->room;
    room_survey(&d->plan, d->trial->map_sigma_m, &rng);
    if (d->trial->moved_share > 0.0) {
        room_rearrange(&d->room, d->trial->moved_share, d->trial->moved_m, &rng, d->moved);
    }
    choose_walls(d, seed);
    room_stretch(&d->room, 1.0 + d->trial->room_scale);
    struct dpl_raycast_memory memory = {zeroed, &blocks};
    size_t n = room_outlines(&d->room, d->outlines, sizeof d->outlines / sizeof *d->outlines);
    d->index = dpl_raycast_index_create(&memory, d->outlines, n, 0);
}

static void make_localizer(struct drive *d, uint64_t seed)
{
    const struct trial *trial = d->trial;
    struct localizer_config config;
    struct dpl_random rng = dpl_random_seeded(seed, 4);
    struct dpl_pose2 start = robot_pose(&d->robot, 0.0);
    localizer_config_init(&config);
    config.outlines = d->outlines;
    config.n_outlines =
        room_outlines(&d->plan, d->outlines, sizeof d->outlines / sizeof *d->outlines);
    config.n_objects = d->plan.n;
    config.axle_m = ROBOT_AXLE_M;
    config.revolution_s = trial->known_revolution_s;
    config.calibrate = trial->calibrate;
    config.search_at_start = trial->search_at_start;
    config.diagnose = !trial->no_diagnosis;
    config.judged = trial->judged;
    double angle = dpl_random_uniform(&rng, -DPL_PI, DPL_PI);
    bool wrong = trial->start_off_m > 0.0;
    double off = wrong ? trial->start_off_m : 0.05 * dpl_random_normal(&rng);
    config.start = (struct dpl_pose2){start.x + off * cos(angle), start.y + off * sin(angle),
                                      start.theta + dpl_deg_to_rad(2.0) * dpl_random_normal(&rng)};
    if (trial->knows_noise) {
        config.odometry_noise = trial->faults.slip_m;
        config.map_error_m = 0.0;
        config.scan_correlation = 1.0;
    }
    if (trial->known_mount) {
        config.initial_sigma[LOCALIZER_MOUNT_X] = config.initial_sigma[LOCALIZER_MOUNT_Y] = 0.0;
    }
    bound_init(&d->bound, &config);
    if (localizer_create(&config, &d->localizer) < 0) {
        fprintf(stderr, "localization: cannot create a localizer\n");
        exit(2);
    }
}

static void measure_corridor(struct drive *d, const struct localizer_estimate *e, const double y[3])
{
    double sigma = sqrt(e->covariance[0]);
    d->result->n_flagged += e->unobservable;
    d->sum_lateral2 += y[1] * y[1];
    d->result->along_max_m = fmax(d->result->along_max_m, fabs(y[0]));
    d->result->along_sigmas = fmax(d->result->along_sigmas, fabs(y[0]) / sigma);
    d->result->along_end_m = fabs(y[0]);
}

static void measure_parameters(struct drive *d, double now)
{
    struct trial_result *r = d->result;
    localizer_calibration(d->localizer, &r->calibration);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        r->parameter_error[i] = r->calibration.value[i] - d->robot.faults.value[i];
        if (fabs(r->parameter_error[i]) > limits[i]) {
            r->reached_s[i] = now;
        }
    }
}

static bool is_decided(enum localizer_state state)
{
    return state == LOCALIZER_TRACKING || state == LOCALIZER_DEGRADED;
}

static bool is_searching(enum localizer_state state)
{
    return state == LOCALIZER_LOST || state == LOCALIZER_AMBIGUOUS;
}

/* Search at the start, wrong start, kidnapping: from the event to the state that says so, and to
 * the pose that is right again. */
static void measure_search(struct drive *d, const struct localizer_estimate *e, double error_m)
{
    struct trial_result *r = d->result;
    double since = robot_time(&d->robot) - d->kidnapped_s;
    bool decided = is_decided(e->state), right = error_m <= RIGHT_M;
    if (is_searching(e->state) && since > 0.0) {
        r->found_s = fmin(r->found_s, since);
    }
    r->wrong += is_searching(d->state) && decided && !right;
    if (decided && right && !isfinite(r->resolved_s)) {
        r->resolved_s = since;
        r->found_s = fmin(r->found_s, since);
    }
    d->state = e->state;
}

static void measure_blind(struct drive *d, const struct localizer_estimate *e, double error_m)
{
    const struct trial *t = d->trial;
    double now = robot_time(&d->robot);
    if (now < t->blind_from_s) {
        return;
    }
    if (now <= t->blind_until_s) {
        if (e->state == LOCALIZER_COASTING && !isfinite(d->result->blind_state_s)) {
            d->result->blind_state_s = now - t->blind_from_s;
        }
        d->result->blind_end_m = error_m;
        d->result->blind_max_m = fmax(d->result->blind_max_m, error_m);
    } else if (now >= t->blind_until_s + 1.0) {
        d->result->return_m = fmax(d->result->return_m, error_m);
    }
}

static void measure_interval(struct drive *d, const struct localizer_estimate *e, double error_m)
{
    double half2 = told_half2(e);
    d->result->n_held += error_m * error_m <= half2;
    d->sum_half2 += half2;
}

static void measure(struct drive *d, double at_s)
{
    struct localizer_estimate e;
    double now = robot_time(&d->robot);
    localizer_estimate(d->localizer, at_s, &e);
    struct dpl_pose2 truth = robot_pose(&d->robot, e.stamp_s);
    double y[3] = {e.pose.x - truth.x, e.pose.y - truth.y,
                   dpl_wrap_angle(e.pose.theta - truth.theta)};
    double error = hypot(y[0], y[1]);
    measure_search(d, &e, error);
    measure_blind(d, &e, error);
    measure_parameters(d, now);
    if (now < d->trial->from_s) {
        return;
    }
    struct trial_result *r = d->result;
    double nees = told_nees(&e, y);
    r->n++;
    r->n_off += !is_decided(e.state) || error > RIGHT_M;
    d->sum2 += error * error;
    d->sum2_rad += y[2] * y[2];
    d->sum_nees += nees / 3.0;
    r->n_inside += nees <= 9.0;
    measure_interval(d, &e, error);
    r->max_m = fmax(r->max_m, error);
    r->nis += e.nis;
    r->agreement += e.agreement;
    r->map_error_m = e.map_error_m;
    measure_corridor(d, &e, y);
}

/* The localized pose against the truth: at each used scan, and while there is none, 10 times a s.
 */
static void watch(struct drive *d)
{
    struct localizer_estimate e;
    double now = robot_time(&d->robot);
    localizer_estimate(d->localizer, now, &e);
    if (e.scan_stamp_s > d->judged_s) {
        d->judged_s = e.scan_stamp_s;
        measure(d, e.scan_stamp_s);
    } else if (now > d->judged_s + d->trial->faults.scan_period_s + 0.1) {
        d->judged_s = now;
        measure(d, now);
    }
}

static double cpu_now(const struct drive *d)
{
    return d->trial->cpu_now ? d->trial->cpu_now() : 0.0;
}

static void give_scan(struct drive *d, double stamp_s)
{
    struct localizer_scan scan = robot_scan(&d->robot, stamp_s);
    bool blind = stamp_s >= d->trial->blind_from_s && stamp_s < d->trial->blind_until_s;
    if (blind && !d->trial->frozen) {
        return;
    }
    if (blind) {
        scan = d->last;
        scan.stamp_s = stamp_s;
        scan.ranges = d->last_ranges;
    } else {
        d->last = scan;
        memcpy(d->last_ranges, scan.ranges, scan.n * sizeof *scan.ranges);
    }
    localizer_scan(d->localizer, &scan);
    if (d->trial->bounds) {
        bound_scan(&d->bound, &d->robot, stamp_s);
    }
    d->n_scans++;
}

static void kidnap(struct drive *d)
{
    struct dpl_pose2 from = robot_pose(&d->robot, robot_time(&d->robot)), to;
    do {
        to = route_start(&d->route);
    } while (dpl_pose2_distance(from, to) < 1.0);
    d->route.goal = -1;
    robot_place(&d->robot, to);
    d->kidnapped_s = robot_time(&d->robot);
    d->result->found_s = d->result->resolved_s = (double)INFINITY;
}

static bool is_silent(const struct trial *t, double now)
{
    return t->silent_s > 0.0 && now >= t->from_s && fmod(now, t->silent_every_s) < t->silent_s;
}

static void run(struct drive *d)
{
    const struct trial *t = d->trial;
    long n = lround(t->seconds / ROBOT_STEP_S);
    double half_sweep = t->faults.revolution_s / 3.0;
    d->next_scan_s = 0.2;
    for (long i = 0; i < n; i++) {
        robot_step(&d->robot);
        if (t->bounds) {
            bound_step(&d->bound, &d->robot);
        }
        double now = robot_time(&d->robot);
        if (t->kidnap_at_s > 0.0 && d->kidnapped_s == 0.0 && now >= t->kidnap_at_s) {
            kidnap(d);
        }
        if (i % ODOMETRY_STEPS == 0 && !is_silent(t, now)) {
            struct localizer_odometry odometry = robot_odometry(&d->robot);
            localizer_odometry(d->localizer, &odometry);
        }
        bool scan = now + 1e-9 >= d->next_scan_s + half_sweep;
        if (scan) {
            give_scan(d, d->next_scan_s);
            d->next_scan_s += t->faults.scan_period_s;
        }
        if (i % ODOMETRY_STEPS == 0) {
            double begun = cpu_now(d);
            if (t->commands) {
                localizer_command(d->localizer, now, d->robot.twist);
            }
            localizer_step(d->localizer, now);
            double took = cpu_now(d) - begun;
            d->cpu_s += took;
            d->result->worst_us = fmax(d->result->worst_us, 1e6 * took);
        }
        if (i % ODOMETRY_STEPS == 0) {
            watch(d);
        }
    }
}

static void measure_objects(struct drive *d)
{
    for (size_t i = 0; i < d->plan.n; i++) {
        struct localizer_object object;
        localizer_object(d->localizer, i, &object);
        bool named = object.reliability < 0.5;
        d->result->n_moved += d->moved[i];
        d->result->n_moved_named += named && d->moved[i];
        d->result->n_wrongly_named += named && !d->moved[i];
    }
}

static void finish(struct drive *d)
{
    struct trial_result *r = d->result;
    double n = fmax(1.0, (double)r->n);
    r->rms_m = sqrt(d->sum2 / n);
    r->rms_rad = sqrt(d->sum2_rad / n);
    r->lateral_rms_m = sqrt(d->sum_lateral2 / n);
    r->nees = d->sum_nees / n;
    r->rms_interval_m = sqrt(d->sum_half2 / n);
    r->nis /= n;
    r->agreement /= n;
    r->scan_us = 1e6 * d->cpu_s / fmax(1.0, (double)d->n_scans);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        r->bound_sigma[i] = bound_sigma(&d->bound, i);
    }
    measure_objects(d);
    struct localizer_estimate end;
    localizer_estimate(d->localizer, robot_time(&d->robot), &end);
    r->relocations = end.relocations;
    r->verdicts = diagnosis_rises(localizer_diagnosis(d->localizer), VERDICT_NONE);
    localizer_destroy(d->localizer);
    for (size_t i = 0; i < blocks.n; i++) {
        free(blocks.list[i]);
    }
    blocks.n = 0;
}

void trial_run(const struct trial *trial, uint64_t seed, struct trial_result *ret_result)
{
    struct drive *d = calloc(1, sizeof *d);
    if (!d) {
        fprintf(stderr, "localization: out of memory\n");
        exit(2);
    }
    memset(ret_result, 0, sizeof *ret_result);
    ret_result->blind_state_s = ret_result->found_s = ret_result->resolved_s = (double)INFINITY;
    d->trial = trial;
    d->result = ret_result;
    make_rooms(d, seed);
    route_init(&d->route, &d->room, 0.30, dpl_random_seeded(seed, 2));
    d->route.speed = trial->speed;
    d->route.back_and_forth = !trial->world;
    d->route.look_first = trial->looks_first;
    robot_init(&d->robot, &trial->faults, d->index, &d->route, dpl_random_seeded(seed, 3));
    d->robot.glass = d->glass;
    make_localizer(d, seed);
    run(d);
    finish(d);
    free(d);
}
