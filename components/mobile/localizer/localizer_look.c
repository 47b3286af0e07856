/* SPDX-License-Identifier: Apache-2.0 */
/* A second look at a place that is followed: a search of the whole plan beside it, and a comparison
 * of the places by the scans that follow. As long as no other place is better the pose and its
 * calibration are what they would be without it. */
#include "localizer_parts.h"

#define COMPARE_S 10.0 /* then a place that is not clearly better is none */
#define BETTER    2.0  /* log-likelihood: worth to be told */

bool localizer__is_doubted(const struct localizer *l)
{
    return l->look != LOCALIZER__NO_LOOK && loc_doubt_is_strong(&l->doubt);
}

void localizer__end_look(struct localizer *l)
{
    l->look = LOCALIZER__NO_LOOK;
    l->chooses = false;
}

static void find_nothing(struct localizer *l)
{
    localizer__end_look(l);
    loc_doubt_allay(&l->doubt);
}

void localizer__look_again(struct localizer *l)
{
    if (!l->settled || l->resumed || !l->track.update.used) {
        return;
    }
    bool due = loc_doubt_scan(&l->doubt, &l->track.update.judgement, l->scan.stamp_s);
    if (l->look == LOCALIZER__LOOK_COMPARES) {
        l->chooses = true;
    } else if (l->look == LOCALIZER__NO_LOOK && due) {
        localizer__look_around(l);
        l->look = LOCALIZER__LOOK_SEARCHES;
    }
}

static void search(struct localizer *l)
{
    if (loc_search_step(&l->search)) {
        l->look = LOCALIZER__LOOK_REFINES;
    } else if (!l->search.running) {
        find_nothing(l);
    }
}

static void refine(struct localizer *l)
{
    if (localizer__refine(l)) {
        loc_hypotheses_keep(&l->hypotheses, &l->track);
        l->hypotheses.doubts = true;
        l->look = LOCALIZER__LOOK_COMPARES;
    }
}

/* One scan must not decide, nor must it raise an alarm. */
static void compare(struct localizer *l, size_t most)
{
    struct loc_motion motion = localizer__motion(l);
    struct loc_observation observation =
        localizer__observe(l, &l->scan, loc_scan_every(&l->scan, LOCALIZER_CHOOSE_EVERY));
    observation.looks_behind = true;
    if (loc_hypotheses_scan(&l->hypotheses, &observation, &motion, most) == LOC_GOES_ON) {
        return;
    }
    l->chooses = false;
    double against = loc_hypotheses_against(&l->hypotheses);
    if (against > BETTER) {
        localizer__choose_openly(l);
    } else if (l->hypotheses.n <= 1 || l->scan.stamp_s - l->hypotheses.born_s > COMPARE_S) {
        find_nothing(l);
    }
}

void localizer__look_slice(struct localizer *l, size_t most)
{
    if (l->look == LOCALIZER__LOOK_SEARCHES) {
        search(l);
    } else if (l->look == LOCALIZER__LOOK_REFINES) {
        refine(l);
    } else if (l->look == LOCALIZER__LOOK_COMPARES && l->chooses) {
        compare(l, most);
    }
}
