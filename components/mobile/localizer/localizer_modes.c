/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer does with a scan: track, doubt, search, choose. */
#include <string.h>

#include "localizer_parts.h"

#define LOST_OPENNESS   0.7
#define LOST_AGREEMENT  0.2
#define WRONG_AGREEMENT 0.55 /* of a wrong place; where much was moved it is more */
#define LOST_SCANS      5
#define ENOUGH_RETURNED 100 /* beams; of a scan of less than 200: half of them */
#define SETTLED         0.7
#define BETTER_START    0.02
#define BETTER_MOST     3
#define SETTLED_SCANS   20 /* that do not speak against the start */
#define START_SIGMAS    3.0
#define NUDGE_OPENNESS  0.75
#define NUDGE_FALL      0.2
#define POOR_AGREEMENT  0.4
#define POOR_S          30.0
#define GOOD_AGREEMENT  0.5
#define REFINE_SLICE    2
#define CHOOSE_SLICE    5 /* hypotheses */

struct loc_observation localizer__observe(struct localizer *l, struct loc_scan *scan, size_t every)
{
    return (struct loc_observation){
        .match = &l->match,
        .scan = scan,
        .history = &l->history,
        .revolution_s = l->config.revolution_s,
        .correlation = l->config.scan_correlation,
        .every = every,
        .looks_alone = every == 1, /* not each of many places that are compared */
    };
}

struct dpl_pose2 localizer__tracked_base(const struct localizer *l, double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->track.filter);
    return dpl_pose2_compose(loc_filter_pose(&l->track.filter),
                             loc_history_move(&l->history, &wheels, l->track.filter.time_s, at_s));
}

/* ---- search ---- */

void localizer__look_around(struct localizer *l)
{
    struct loc_laser laser = loc_filter_laser(
        &l->sure.tried, localizer__tracked_base(l, l->scan.stamp_s), l->scan.mount);
    loc_scan_copy(&l->searched, &l->scan);
    loc_search_begin(&l->search, &l->searched, &laser);
    l->chooses = false;
    l->refined = 0;
    l->turns = 0;
    memset(&l->hypotheses, 0, sizeof l->hypotheses);
    l->hypotheses.born_s = (double)NAN;
}

void localizer__begin_search(struct localizer *l)
{
    localizer__end_look(l);
    localizer__look_around(l);
    loc_sure_lose(&l->sure, &l->sound);
    l->mode = LOCALIZER__SEARCHES;
    l->searched_start = true;
    l->unsettled = 0;
    l->nudge.running = false;
    l->unfit = 0;
}

/* A filter with the parameters of a place that agreed for some time, at the instant of the searched
 * scan. */
static void refine_place(struct localizer *l, const struct loc_place *place)
{
    struct loc_filter like = l->sure.tried;
    struct loc_observation observation =
        localizer__observe(l, &l->searched, loc_scan_every(&l->searched, LOCALIZER_REFINE_EVERY));
    observation.looks_behind = true;
    struct dpl_pose2 mount = loc_filter_mount(&like, l->searched.mount);
    struct dpl_pose2 base =
        dpl_pose2_compose(place->laser, dpl_pose2_relative(mount, (struct dpl_pose2){0}));
    like.time_s = l->searched.stamp_s - like.x[LOC_STATE_OFFSET];
    loc_hypotheses_add(&l->hypotheses, &like, base, &observation);
}

/* There is a pose that was followed, or that the start said. */
bool localizer__is_followed(const struct localizer *l)
{
    return l->settled || !l->config.search_at_start;
}

bool localizer__refine(struct localizer *l)
{
    for (int i = 0; i < REFINE_SLICE && l->refined < l->search.n_places; i++) {
        refine_place(l, &l->search.places[l->refined++]);
    }
    return l->refined == l->search.n_places;
}

static void refine_slice(struct localizer *l)
{
    if (localizer__refine_turns(l) && localizer__refine(l)) {
        if (localizer__is_followed(l)) {
            loc_hypotheses_keep(&l->hypotheses, &l->track);
        }
        l->mode = LOCALIZER__CHOOSES;
    }
}

static void nudge_slice(struct localizer *l)
{
    struct dpl_pose2 shift;
    struct loc_observation observation =
        localizer__observe(l, &l->scan, loc_scan_every(&l->scan, LOCALIZER_REFINE_EVERY));
    if (loc_nudge_step(&l->nudge, &l->track, &observation, &shift) != LOC_NUDGE_FOUND) {
        return;
    }
    localizer__end_look(l);
    bool far = localizer__is_far(shift);
    if (l->settled && !l->resumed && !far) { /* else it is known later where the robot is */
        localizer__know(l, false);
        l->relocations++;
        l->jump = shift;
    }
    if (l->settled && (far || !loc_sure_holds(&l->sure))) {
        localizer__forget_place(l);
    }
    if (l->settled && far) {
        localizer__begin_search(l);
    }
}

/* ---- a scan ---- */

void localizer__search_step(struct localizer *l)
{
    if (l->mode == LOCALIZER__SEARCHES) {
        if (loc_search_step(&l->search)) {
            l->mode = LOCALIZER__REFINES;
        } else if (!l->search.running) {
            localizer__begin_search(l);
        }
    } else if (l->mode == LOCALIZER__REFINES) {
        refine_slice(l);
    } else if (l->mode == LOCALIZER__CHOOSES && l->chooses) {
        localizer__choose(l, CHOOSE_SLICE);
    } else if (l->mode == LOCALIZER__TRACKS && l->nudge.running && !l->scan_waits) {
        nudge_slice(l);
    } else if (l->look != LOCALIZER__NO_LOOK) {
        localizer__look_slice(l, CHOOSE_SLICE);
    }
}

/* An update that is not used for want of fitting beams has agreement 0. */
static bool speaks_against(const struct localizer *l)
{
    const struct loc_judgement *judged = &l->track.update.judgement;
    bool many = l->scan.n_returned > ENOUGH_RETURNED || 2 * l->scan.n_returned > l->scan.n;
    bool enough = l->track.update.used || many;
    bool open =
        judged->trusted_openness < LOST_OPENNESS && judged->trusted_agreement < WRONG_AGREEMENT;
    return enough && (open || judged->agreement < LOST_AGREEMENT);
}

/* As a start: one scan fits, or many do not speak against it. */
static void confirm(struct localizer *l)
{
    if (!l->resumed || !l->track.update.used) {
        return;
    }
    l->unsettled = speaks_against(l) ? 0 : l->unsettled + 1;
    l->resumed = l->track.update.judgement.agreement < SETTLED && l->unsettled < SETTLED_SCANS;
    if (!l->resumed) {
        localizer__know(l, true);
        localizer__resume_calibration(l);
    }
}

/* Before the first explained scan the pose may be anywhere around the start: what is learnt of the
 * parameters there is wrong. */
static void settle(struct localizer *l, const struct loc_filter *before)
{
    if (l->settled || !l->track.update.used) {
        return;
    }
    l->unsettled = speaks_against(l) ? 0 : l->unsettled + 1;
    bool fits = l->track.update.judgement.agreement >= SETTLED;
    l->settled = fits || (l->searched_start && l->unsettled >= SETTLED_SCANS);
    if (!l->settled && !l->resumed) { /* else the calibration of before the search comes back */
        loc_filter_forget(&l->track.filter, before, l->config.start_sigma_m,
                          l->config.start_sigma_rad);
    }
}

/* At the start the first scans bring the pose nearer: what they still say against it does not count
 * while they say less and less. Some scans only: a wrong start is to be found within 1 s. */
static bool is_improving(struct localizer *l)
{
    double agreement = l->track.update.judgement.agreement;
    bool better =
        !l->settled && l->improvements < BETTER_MOST && agreement > l->best_start + BETTER_START;
    l->best_start = better ? agreement : l->best_start;
    l->improvements += better;
    return better;
}

static void count_unfit(struct localizer *l)
{
    if (!speaks_against(l)) {
        l->unfit = 0;
        l->sound = l->track.filter;
        localizer__expect(l);
    } else if (!is_improving(l)) {
        l->unfit++;
    }
}

/* Nothing speaks against the start, and nothing for it: people may stand around, much may have been
 * moved, or the robot is elsewhere. Once, the other places are asked too. */
static bool is_start_unexplained(const struct localizer *l)
{
    return !l->settled && !l->searched_start && l->unsettled >= SETTLED_SCANS;
}

static bool wants_nudge(const struct localizer *l)
{
    const struct loc_judgement *judged = &l->track.update.judgement;
    bool fell = judged->trusted_openness < NUDGE_OPENNESS &&
                judged->agreement < l->track.agreement_mean - NUDGE_FALL;
    return !l->nudge.running && (!l->settled || (l->track.update.used && fell));
}

/* What one scan likes better counts at the start only within what the start is uncertain by: with
 * moved furniture a scan can like a place that is wrong. */
static void begin_nudge(struct localizer *l)
{
    const struct localizer_config *config = &l->config;
    double most_m = l->settled ? (double)INFINITY : START_SIGMAS * config->start_sigma_m;
    double most_rad = l->settled ? (double)INFINITY : START_SIGMAS * config->start_sigma_rad;
    loc_nudge_begin(&l->nudge, most_m, most_rad);
}

static void judge_plan(struct localizer *l)
{
    const struct loc_update *update = &l->track.update;
    if (!update->used) {
        return;
    }
    double agreement = update->judgement.agreement;
    if (agreement >= (l->map_wrong ? GOOD_AGREEMENT : POOR_AGREEMENT)) {
        l->poor_from_s = (double)NAN;
        l->map_wrong = false;
    } else if (isnan(l->poor_from_s)) {
        l->poor_from_s = l->scan.stamp_s;
    } else if (l->scan.stamp_s - l->poor_from_s > POOR_S) {
        l->map_wrong = true;
    }
}

static void track(struct localizer *l, const struct loc_motion *motion)
{
    struct loc_observation observation = localizer__observe(l, &l->scan, 1);
    struct loc_track before = l->track;
    bool learns = l->settled && !l->resumed && !l->map_wrong && !localizer__is_doubted(l);
    loc_track_scan(&l->track, &observation, motion, learns);
    settle(l, &before.filter);
    confirm(l);
    judge_plan(l);
    if (l->map_wrong) { /* the numbers are the scan's, the pose is odometry's */
        l->track.filter = before.filter;
        loc_filter_advance(&l->track.filter, motion, l->scan.stamp_s);
        return;
    }
    if (l->track.update.used && l->track.filter.has_way && !l->track.has_tried) {
        loc_influence_scan(&l->influence, &l->match, &l->track.update, &l->track.filter);
    }
    count_unfit(l);
    if (l->unfit >= LOST_SCANS || is_start_unexplained(l)) {
        localizer__begin_search(l);
    } else if (wants_nudge(l)) {
        begin_nudge(l);
    }
    if (l->mode == LOCALIZER__TRACKS) {
        localizer__look_again(l);
    }
}

static void note_place(struct localizer *l)
{
    bool known = l->mode == LOCALIZER__TRACKS && l->settled && !l->resumed && !l->map_wrong;
    if (known && l->unfit == 0) {
        localizer__know(l, false);
    }
    if (known && !localizer__is_doubted(l)) {
        loc_sure_scan(&l->sure, l->scan.stamp_s, l->track.update.judgement.agreement, &l->sound);
    }
}

void localizer__use_scan(struct localizer *l)
{
    struct loc_motion motion = localizer__motion(l);
    l->scan_waits = false;
    l->track.doubts_wheels = diagnosis_doubts_wheels(&l->diagnosis);
    l->track.suspects_wheels = diagnosis_suspects_wheels(&l->diagnosis);
    l->track.may_be_late = l->diagnosis.has_reference[LOCALIZER_TIME_OFFSET];
    if (l->mode == LOCALIZER__CHOOSES) {
        localizer__choose(l, CHOOSE_SLICE);
    } else if (l->mode == LOCALIZER__TRACKS) {
        track(l, &motion);
        note_place(l);
    } else if (localizer__is_followed(l)) { /* until the search is done */
        struct loc_observation observation = localizer__observe(l, &l->scan, 1);
        struct loc_filter before = l->track.filter;
        loc_track_scan(&l->track, &observation, &motion, false);
        settle(l, &before);
    }
    l->coasts = false;
    localizer__diagnose_scan(l);
    localizer__integrity_scan(l);
}
