/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between the places that a search has found, and what it means for the calibration. */
#include "localizer_parts.h"

#define FAR_M   0.15
#define FAR_RAD 0.14

/* The place was wrong, nobody knows since when. */
void localizer__forget_place(struct localizer *l)
{
    loc_sure_forget(&l->sure, l->scan.stamp_s, &l->track.filter);
    diagnosis_forget(&l->diagnosis, l->sure.forgot_from_s);
    l->sound = l->track.filter;
}

/* What the scans of the loss taught was of no place that was known. */
void localizer__resume_calibration(struct localizer *l)
{
    loc_sure_resume(&l->sure, &l->track.filter);
    l->sound = l->track.filter;
}

bool localizer__is_far(struct dpl_pose2 shift)
{
    return hypot(shift.x, shift.y) > FAR_M || fabs(shift.theta) > FAR_RAD;
}

void localizer__know(struct localizer *l, bool jumped)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->expected);
    double at_s = l->track.filter.time_s;
    struct dpl_pose2 way = loc_history_move(&l->history, &wheels, l->known_s, at_s);
    struct dpl_pose2 pose = loc_filter_pose(&l->track.filter);
    struct dpl_pose2 jump = dpl_pose2_relative(dpl_pose2_compose(l->known, way), pose);
    if (jumped && localizer__is_far(jump)) {
        l->relocations++;
        l->jump = jump;
    }
    l->known = pose;
    l->known_s = at_s;
}

static void decide(struct localizer *l)
{
    struct dpl_pose2 from = localizer__tracked_base(l, l->scan.stamp_s);
    const struct loc_hypothesis *best = &l->hypotheses.list[0];
    l->track = best->track;
    bool turned = best->turned || localizer__take_turned_laser(l, &l->track.filter);
    struct dpl_pose2 to = loc_filter_pose(&l->track.filter);
    bool moved = localizer__is_far(dpl_pose2_relative(from, to));
    localizer__know(l, true);
    if (!localizer__is_followed(l) || turned) { /* the chosen place alone has taught this filter */
        loc_sure_settle(&l->sure);
    } else if (moved || !best->tracked) {
        localizer__forget_place(l);
    } else {
        localizer__resume_calibration(l);
    }
    localizer__expect(l);
    l->mode = LOCALIZER__TRACKS;
    l->settled = true;
    l->resumed = false;
    l->unfit = 0;
    l->poor_from_s = (double)NAN;
    if (moved) {
        loc_doubt_init(&l->doubt);
    } else {
        loc_doubt_allay(&l->doubt);
    }
}

/* No place explains the scans: the one that was followed is as good as any, until the next search.
 * It is a claim again until scans explain it. */
static void resume(struct localizer *l)
{
    const struct loc_track *tracked = loc_hypotheses_tracked(&l->hypotheses);
    if (!tracked) {
        localizer__begin_search(l);
        return;
    }
    l->track = *tracked;
    l->mode = LOCALIZER__TRACKS;
    l->resumed = true;
    l->unsettled = l->unfit = 0;
}

void localizer__choose(struct localizer *l, size_t most)
{
    struct loc_motion motion = localizer__motion(l);
    struct loc_observation observation =
        localizer__observe(l, &l->scan, loc_scan_every(&l->scan, LOCALIZER_CHOOSE_EVERY));
    observation.looks_behind = true;
    enum loc_verdict verdict = loc_hypotheses_scan(&l->hypotheses, &observation, &motion, most);
    l->chooses = verdict == LOC_GOES_ON;
    if (verdict == LOC_DECIDED) {
        decide(l);
    } else if (verdict == LOC_NONE) {
        resume(l);
    }
}

void localizer__choose_openly(struct localizer *l)
{
    localizer__end_look(l);
    loc_sure_lose(&l->sure, &l->sound);
    l->nudge.running = false;
    l->mode = LOCALIZER__CHOOSES;
}

void localizer__finish_choice(struct localizer *l)
{
    if (l->mode == LOCALIZER__CHOOSES && l->chooses) {
        localizer__choose(l, LOC_HYPOTHESES_MAX);
    } else if (l->look == LOCALIZER__LOOK_COMPARES && l->chooses) {
        localizer__look_slice(l, LOC_HYPOTHESES_MAX);
    }
}
