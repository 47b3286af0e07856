/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_nudge.h"

#define SIDE_M     0.2
#define SIDE_RAD   0.105
#define N_SIDES    3
#define N_TURNS    5
#define SLICE      3
#define SIGMA_M    0.10
#define SIGMA_RAD  0.06
#define LEAST_GAIN 0.15

void loc_nudge_begin(struct loc_nudge *nudge, double most_m, double most_rad)
{
    *nudge = (struct loc_nudge){.running = true, .most_m = most_m, .most_rad = most_rad};
}

static struct dpl_pose2 offset_of(int i)
{
    return (struct dpl_pose2){SIDE_M * (i % N_SIDES - N_SIDES / 2),
                              SIDE_M * (i / N_SIDES % N_SIDES - N_SIDES / 2),
                              SIDE_RAD * (i / (N_SIDES * N_SIDES) - N_TURNS / 2)};
}

/* The filter as it would be from a place beside the tracked pose; its agreement with the scan. */
static double try_place(const struct loc_track *track, struct dpl_pose2 offset,
                        const struct loc_observation *observation, struct loc_filter *ret)
{
    struct loc_update update;
    *ret = track->filter;
    struct dpl_pose2 to = dpl_pose2_compose(loc_filter_pose(ret), offset);
    loc_filter_place(ret, to, SIGMA_M, SIGMA_RAD);
    loc_filter_update(ret, observation, &update);
    loc_filter_forget(ret, &track->filter, SIGMA_M, SIGMA_RAD);
    return update.used ? update.judgement.agreement : 0.0;
}

static struct dpl_pose2 shift_to(const struct loc_track *track, const struct loc_filter *filter)
{
    return dpl_pose2_relative(loc_filter_pose(&track->filter), loc_filter_pose(filter));
}

static bool is_within(const struct loc_nudge *nudge, struct dpl_pose2 shift)
{
    return hypot(shift.x, shift.y) <= nudge->most_m && fabs(shift.theta) <= nudge->most_rad;
}

enum loc_nudge_end loc_nudge_step(struct loc_nudge *nudge, struct loc_track *track,
                                  const struct loc_observation *observation,
                                  struct dpl_pose2 *ret_shift)
{
    struct loc_filter filter;
    double own = track->update.judgement.agreement;
    for (int i = 0; i < SLICE && nudge->next < N_SIDES * N_SIDES * N_TURNS; i++) {
        double agreement = try_place(track, offset_of(nudge->next++), observation, &filter);
        struct dpl_pose2 shift = shift_to(track, &filter);
        if (is_within(nudge, shift) && agreement - own > nudge->gain) {
            nudge->gain = agreement - own;
            nudge->best = shift;
        }
    }
    if (nudge->next < N_SIDES * N_SIDES * N_TURNS) {
        return LOC_NUDGE_GOES_ON;
    }
    nudge->running = false;
    if (nudge->gain < LEAST_GAIN) {
        return LOC_NUDGE_NOTHING;
    }
    /* Scans have come meanwhile: the newest must say the same. */
    double agreement = try_place(track, nudge->best, observation, &filter);
    *ret_shift = shift_to(track, &filter);
    if (agreement - own < LEAST_GAIN || !is_within(nudge, *ret_shift)) {
        return LOC_NUDGE_NOTHING;
    }
    track->filter = filter;
    return LOC_NUDGE_FOUND;
}
