/* SPDX-License-Identifier: Apache-2.0 */
/* The Localizer over a recorded run: see replay.h. */
#include "replay.h"

#include <math.h>

#include "world_fit.h"

#define CYCLE_S 0.01 /* of a search for the start */
/* A scan waits for odometry that is later than its stamp, since the true time may be later. */
#define WAIT_S  0.05

struct player {
    const struct recorded_run *run;
    struct localizer *localizer;
    double range_min_m, range_max_m;
    size_t next; /* scan */
    struct world_fit fit;
    bool is_known; /* the pose, now */
};

static void give_scans(struct player *player, double until_s)
{
    const struct recording *scans = &player->run->scans;
    for (; player->next < scans->n && scans->scans[player->next].time_s <= until_s;
         player->next++) {
        const struct recorded_scan *scan = &scans->scans[player->next];
        localizer_scan(player->localizer, &(struct localizer_scan){
                                              .stamp_s = scan->time_s,
                                              .n = scan->n,
                                              .ranges = scans->ranges + scan->first,
                                              .start_angle = scan->start_angle,
                                              .step_angle = scan->step_angle,
                                              .range_min = player->range_min_m,
                                              .range_max = player->range_max_m,
                                              .mount = scan->mount,
                                          });
    }
}

static void give_sample(struct player *player, const struct drive_sample *sample)
{
    localizer_odometry(player->localizer, &(struct localizer_odometry){
                                              .stamp_s = sample->measured_s,
                                              .left_m = sample->left_m,
                                              .right_m = sample->right_m,
                                          });
    if (player->run->has_trace) {
        struct dpl_twist2 command = {sample->linear, sample->angular};
        localizer_command(player->localizer, sample->time_s, command);
    }
}

static void update_fit(struct player *player, double from_s, double to_s)
{
    struct localizer_estimate estimate;
    localizer_estimate(player->localizer, to_s, &estimate);
    player->is_known = estimate.state == LOCALIZER_TRACKING ||
                       estimate.state == LOCALIZER_DEGRADED || estimate.state == LOCALIZER_COASTING;
    world_fit_add(&player->fit, from_s, to_s, estimate.agreement);
    world_fit_know(&player->fit, to_s, player->is_known);
}

static void step_until(struct player *player, double from_s, double to_s)
{
    int n = (int)fmin(ceil((to_s - from_s) / CYCLE_S), 1.0 / CYCLE_S);
    for (int i = 1; i < n; i++) {
        localizer_step(player->localizer, from_s + i * CYCLE_S);
    }
    localizer_step(player->localizer, to_s);
    update_fit(player, from_s, to_s);
}

static void play(struct player *player, struct replay_result *result)
{
    const struct recorded_run *run = player->run;
    player->fit = world_fit_begin(run->samples[0].time_s, run->samples[run->n - 1].time_s);
    for (size_t i = 0; i < run->n; i++) {
        const struct drive_sample *sample = &run->samples[i];
        const struct drive_sample *before = i > 0 ? sample - 1 : sample;
        give_sample(player, sample);
        give_scans(player, sample->measured_s - WAIT_S);
        step_until(player, before->time_s, sample->time_s);
        result->distance_m +=
            0.5 * fabs(sample->left_m - before->left_m + sample->right_m - before->right_m);
    }
    double end_s = run->samples[run->n - 1].time_s;
    give_scans(player, end_s);
    localizer_step(player->localizer, end_s);
    result->duration_s = end_s - run->samples[0].time_s;
}

static void fill_result(const struct player *player, struct replay_result *result)
{
    struct localizer_forgetting forgetting;
    double start_s = player->run->samples[0].time_s;
    localizer_forgetting(player->localizer, &forgetting);
    result->unknown_s = player->fit.unknown_s - start_s;
    result->agreement = world_fit_agreement(&player->fit);
    result->forgot_from_s = forgetting.from_s - start_s;
    result->forgot_until_s = forgetting.until_s - start_s;
}

int replay(const struct recorded_run *run, const struct localizer_config *config,
           double range_min_m, double range_max_m, struct replay_result *ret_result)
{
    struct player player = {.run = run, .range_min_m = range_min_m, .range_max_m = range_max_m};
    struct localizer_config with = *config;
    with.judged = false;
    for (size_t i = 0; i < run->scans.n; i++) {
        with.beams_max =
            run->scans.scans[i].n > with.beams_max ? run->scans.scans[i].n : with.beams_max;
    }
    int err = localizer_create(&with, &player.localizer);
    if (err < 0) {
        return err;
    }
    struct replay_result result = {0};
    play(&player, &result);
    localizer_calibration(player.localizer, &result.calibration);
    result.fits = world_fit_holds(&player.fit, player.is_known);
    fill_result(&player, &result);
    localizer_destroy(player.localizer);
    *ret_result = result;
    return 0;
}
