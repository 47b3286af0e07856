/* SPDX-License-Identifier: Apache-2.0 */
/* One run, and many on threads: runs share no data, so their order does not matter. */
#include "run.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_S     0.010
#define MAX_THREADS  64
#define NOISE_STRIDE UINT64_C(1000003) /* larger than any first seed */

const char *const method_names[N_METHODS] = {
    [METHOD_NONE] = "none",
    [METHOD_FIG12_ACCUMULATE] = "fig12",
    [METHOD_FIG12_RESET] = "fig12-reset",
    [METHOD_KANAYAMA] = "kanayama",
    [METHOD_ADAPTIVE] = "adaptive",
};

struct pair {
    const struct run_spec *spec;
    struct mismatch mismatch;
    struct dpl_mock_plant real, avatar;
    struct scenario_script script;
    struct dpl_random jitter, outliers;
    double stamp_s;       /* of the last pose of the real robot */
    struct dpl_pose2 off; /* and how far it is off */
    struct dpl_sync *sync;
    int64_t sample;
    double square, sum, heading_square, steady;
    int64_t n, n_steady;
    double seen_s, seen_square; /* stamp of the last pose, and of the distances that poses show */
    int64_t n_seen;
    double small_since;
};

static struct dpl_sync_config sync_config(const struct pair *pair)
{
    static const enum dpl_sync_strategy strategy[N_METHODS] = {
        [METHOD_NONE] = DPL_SYNC_NONE,         [METHOD_FIG12_ACCUMULATE] = DPL_SYNC_FIG12,
        [METHOD_FIG12_RESET] = DPL_SYNC_FIG12, [METHOD_KANAYAMA] = DPL_SYNC_KANAYAMA,
        [METHOD_ADAPTIVE] = DPL_SYNC_ADAPTIVE,
    };
    struct dpl_sync_config config = dpl_sync_config_default();
    config.strategy = strategy[pair->spec->method];
    config.fig12_accumulate = pair->spec->method != METHOD_FIG12_RESET;
    config.period_s = pair->spec->period_s;
    config.align = DPL_SYNC_ALIGN_NONE;
    config.teleport = pair->spec->teleport;
    if (pair->mismatch.brisk.linear > 1.0) { /* the robot's data sheet is known */
        config.max_velocity = pair->mismatch.real.maximum_velocity;
        config.max_angular = pair->mismatch.real.maximum_angular;
        config.acceleration = pair->mismatch.real.acceleration;
    }
    config.real_noise_m = pair->mismatch.real.pose_noise_m;
    config.real_noise_rad = pair->mismatch.real.pose_noise_rad;
    return config;
}

/* What differs between two runs of the same robots: noise, slip, jitter, and which poses are lost
 * or wrong. */
static void seed_noise(struct pair *pair)
{
    uint64_t seed = pair->spec->seed, noise = pair->spec->noise;
    pair->mismatch.real.seed += noise * NOISE_STRIDE;
    pair->mismatch.avatar.seed += noise * NOISE_STRIDE;
    pair->jitter = dpl_random_seeded(seed + noise * NOISE_STRIDE, 78);
    pair->outliers = dpl_random_seeded(seed + noise * NOISE_STRIDE, 79);
}

static void start(struct pair *pair, const struct run_spec *spec, struct dpl_sync *sync)
{
    memset(pair, 0, sizeof *pair);
    pair->spec = spec;
    pair->sync = sync;
    mismatch_draw(&pair->mismatch, spec->mismatch, spec->seed);
    scenario_events(spec->scenario, &pair->mismatch.real, &pair->mismatch.avatar);
    scenario_script_init(&pair->script, spec->scenario, spec->seed);
    seed_noise(pair);
    pair->stamp_s = pair->seen_s = (double)NAN;
    struct dpl_sync_config config = sync_config(pair);
    if (dpl_mock_plant_init(&pair->real, &pair->mismatch.real) != 0 ||
        dpl_mock_plant_init(&pair->avatar, &pair->mismatch.avatar) != 0 ||
        dpl_sync_init(sync, &config) != 0) {
        abort(); /* an error in our own tables */
    }
}

/* Recovered: the first time after the event from which on the error stays small for a second. */
static void update_recovery(struct pair *pair, struct run_result *result, double t, double distance)
{
    double released = scenarios[pair->spec->scenario].released_s;
    if (t < released || result->recovered) {
        return;
    }
    if (distance >= 0.020) {
        pair->small_since = t + SAMPLE_S;
    }
    pair->small_since = fmax(pair->small_since, released);
    result->recovery_s = pair->small_since - released;
    result->recovered = t >= pair->small_since + 1.0;
}

static void sample_error(struct pair *pair, struct run_result *result, double t)
{
    struct dpl_pose2 real = dpl_mock_plant_pose_at(&pair->real, t);
    struct dpl_pose2 avatar = dpl_mock_plant_pose_at(&pair->avatar, t);
    double distance = dpl_pose2_distance(real, avatar);
    double heading = dpl_wrap_angle(real.theta - avatar.theta);
    double duration = scenarios[pair->spec->scenario].duration_s;

    if (t < scenarios[pair->spec->scenario].measured_from) {
        return;
    }
    pair->n++;
    pair->sum += distance;
    pair->square += distance * distance;
    pair->heading_square += heading * heading;
    result->max = fmax(result->max, distance);
    result->final = distance;
    update_recovery(pair, result, t, distance);
    result->block_max =
        t >= 3.0 && t <= 8.0 ? fmax(result->block_max, distance) : result->block_max;
    result->heading_at_2s = t <= 2.0 + 1e-9 ? heading : result->heading_at_2s;
    if (t >= 10.0 && t < duration) {
        pair->steady += heading;
        pair->n_steady++;
    }
}

static void sample_until(struct pair *pair, struct run_result *result, double to_s)
{
    for (double t = (double)pair->sample * SAMPLE_S; t <= to_s;
         t = (double)++pair->sample * SAMPLE_S) {
        sample_error(pair, result, t);
    }
}

static void record_map(const struct pair *pair, struct run_result *result, double t)
{
    const struct dpl_mock_plant_config *c = &pair->mismatch.avatar;
    const struct dpl_sync_map *map = &pair->sync->avatar.estimator.map;
    double scale = (c->wheel_scale_left + c->wheel_scale_right) / 2.0;
    if (t <= 3.0) {
        result->m11_before = map->m11;
    } else if (t <= 6.0) {
        result->m11_moved = fmax(result->m11_moved, fabs(map->m11 - result->m11_before));
    }
    if (t <= 20.0) {
        result->m11_error = fabs(map->m11 - scale);
        result->m22_error = fabs(map->m22 - scale / c->axle_scale);
    }
}

/* A pose that is read again is as far off as before. */
static void read_real(struct pair *pair, double t, struct dpl_sync_pose_input *ret_pose)
{
    const struct mismatch *m = &pair->mismatch;
    ret_pose->valid = dpl_mock_plant_read(&pair->real, t, &ret_pose->pose, &ret_pose->stamp_s);
    if (!ret_pose->valid || m->outlier_rate <= 0.0) {
        return;
    }
    if (!(ret_pose->stamp_s <= pair->stamp_s)) {
        bool off = dpl_random_uniform(&pair->outliers, 0.0, 1.0) < m->outlier_rate;
        double far = off ? dpl_random_uniform(&pair->outliers, 0.0, m->outlier_m) : 0.0;
        double where = dpl_random_uniform(&pair->outliers, -DPL_PI, DPL_PI);
        pair->off = (struct dpl_pose2){far * cos(where), far * sin(where), 0.0};
        pair->stamp_s = ret_pose->stamp_s;
    }
    ret_pose->pose.x += pair->off.x;
    ret_pose->pose.y += pair->off.y;
}

/* What a perfect model of the avatar could know of the distance: each pose of the real robot that
 * is not wrong, and where the avatar was at the time that it says. */
static void record_seen(struct pair *pair, const struct dpl_sync_pose_input *real, double t)
{
    bool off = pair->off.x != 0.0 || pair->off.y != 0.0;
    if (!real->valid || real->stamp_s <= pair->seen_s || off ||
        t < scenarios[pair->spec->scenario].measured_from) {
        return;
    }
    struct dpl_pose2 avatar = dpl_mock_plant_pose_at(&pair->avatar, fmin(real->stamp_s, t));
    double distance = dpl_pose2_distance(real->pose, avatar);
    pair->seen_s = real->stamp_s;
    pair->seen_square += distance * distance;
    pair->n_seen++;
}

static void tick(struct pair *pair, struct run_result *result, double t)
{
    struct dpl_sync_input input = {.now_s = t, .has_command = true};
    struct dpl_sync_output output;
    input.command = scenario_command(&pair->script, t);
    input.command.linear *= pair->mismatch.brisk.linear;
    input.command.angular *= pair->mismatch.brisk.angular;
    read_real(pair, t, &input.real);
    input.avatar.valid =
        dpl_mock_plant_read(&pair->avatar, t, &input.avatar.pose, &input.avatar.stamp_s);
    record_seen(pair, &input.real, t);
    dpl_mock_plant_command(&pair->real, t, input.command.linear, input.command.angular);
    if (pair->mismatch.untold) {
        input.has_command = false;
        input.command = (struct dpl_twist2){0.0, 0.0};
    }
    dpl_sync_step(pair->sync, &input, &output);
    if (output.has_set_pose) {
        dpl_mock_plant_set_pose(&pair->avatar, t, output.set_pose);
        result->set_poses++;
    }
    for (int i = 0; i < output.n_drive; i++) {
        dpl_mock_plant_command(&pair->avatar, t, output.drive[i].linear, output.drive[i].angular);
    }
    result->fallback_ticks = output.status.fallback_ticks;
    result->ticks++;
    record_map(pair, result, t);
}

void run_once(const struct run_spec *spec, struct dpl_sync *sync, struct run_result *ret_result)
{
    struct pair *pair = malloc(sizeof *pair);
    struct run_result result = {0};
    if (!pair) {
        abort();
    }
    start(pair, spec, sync);
    double end = scenarios[spec->scenario].duration_s + SCENARIO_TAIL_S;
    for (int64_t k = 0; (double)k * spec->period_s <= end; k++) {
        double shift = pair->mismatch.tick_jitter * dpl_random_uniform(&pair->jitter, -1.0, 1.0);
        double t = ((double)k + (k == 0 ? 0.0 : shift)) * spec->period_s;
        sample_until(pair, &result, fmin(t, end));
        tick(pair, &result, t);
    }
    sample_until(pair, &result, end);
    result.rms = sqrt(pair->square / (double)pair->n);
    result.seen_rms = pair->n_seen > 0 ? sqrt(pair->seen_square / (double)pair->n_seen) : 0.0;
    result.mean = pair->sum / (double)pair->n;
    result.heading_rms = sqrt(pair->heading_square / (double)pair->n);
    result.steady_heading = pair->n_steady > 0 ? pair->steady / (double)pair->n_steady : 0.0;
    *ret_result = result;
    free(pair);
}

struct work {
    const struct run_spec *specs;
    size_t n_specs;
    struct run_result *results;
    atomic_size_t next;
    atomic_bool failed;
};

static void *work_thread(void *argument)
{
    struct work *work = argument;
    struct dpl_sync *sync = malloc(sizeof *sync);
    if (!sync) {
        atomic_store(&work->failed, true);
        return NULL;
    }
    for (size_t i = atomic_fetch_add(&work->next, 1); i < work->n_specs;
         i = atomic_fetch_add(&work->next, 1)) {
        run_once(&work->specs[i], sync, &work->results[i]);
    }
    free(sync);
    return NULL;
}

int run_all(const struct run_spec *specs, size_t n_specs, int n_threads,
            struct run_result *ret_results)
{
    struct work work = {.specs = specs, .n_specs = n_specs, .results = ret_results};
    pthread_t threads[MAX_THREADS];
    int started = 0;
    for (; started < n_threads - 1 && started < MAX_THREADS; started++) {
        if (pthread_create(&threads[started], NULL, work_thread, &work) != 0) {
            break;
        }
    }
    work_thread(&work);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return atomic_load(&work.failed) ? -ENOMEM : 0;
}
