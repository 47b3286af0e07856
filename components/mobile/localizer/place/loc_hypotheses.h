/* SPDX-License-Identifier: Apache-2.0 */
/* Several places that a robot may be at, each with its own filter, until the scans have decided.
 * One scan must not decide: rooms are often copies of each other. (Multi-hypothesis localization:
 * Jensfelt and Kristensen, IEEE Transactions on Robotics and Automation 17(5), 2001.) */
#ifndef LOC_HYPOTHESES_H
#define LOC_HYPOTHESES_H

#include "loc_search.h"
#include "loc_track.h"

#define LOC_HYPOTHESES_MAX 16

struct loc_hypothesis {
    struct loc_track track;
    double log_weight;
    bool tracked; /* the one that was followed before the search */
    bool turned;  /* the robot is where it was expected, and its laser has turned on it */
};

struct loc_hypotheses {
    struct loc_hypothesis list[LOC_HYPOTHESES_MAX]; /* best first */
    size_t n;
    bool doubts;      /* the followed place is not lost, only doubted */
    double by_short;  /* what stopped beams took off its log-weight */
    double born_s;    /* stamp of the first scan that all were judged by */
    double newest_s;  /* that of the newest one */
    unsigned bad;     /* scans in a row that none of them explains */
    size_t next;      /* the first that has not used the newest scan */
    double spread[3]; /* m, m, rad: how far another one was from the best, at most */
};

enum loc_verdict {
    LOC_GOES_ON, /* with the same scan: not all have used it */
    LOC_OPEN,
    LOC_DECIDED,
    LOC_NONE,
};

/* Adds one, refined by the observation's scan, if it explains it and is not there yet. `like` gives
 * the parameters. `base` is at the filter's time. */
void loc_hypotheses_add(struct loc_hypotheses *hypotheses, const struct loc_filter *like,
                        struct dpl_pose2 base, const struct loc_observation *observation);

/* Adds the robot where it is `expected`, with a laser that has turned on it by about `turned_rad`,
 * if that explains the scan. The expected state is at the scan. It begins with a lead: a robot is
 * seldom put down just where it was expected. */
void loc_hypotheses_add_turned(struct loc_hypotheses *hypotheses, const struct loc_filter *expected,
                               double turned_rad, const struct loc_observation *observation);

/* Adds the pose that was followed before the search, or that the start said, whatever scans say of
 * it. It begins with a lead: a robot is seldom carried away or put elsewhere, and scans that do not
 * fit may be moved furniture. */
void loc_hypotheses_keep(struct loc_hypotheses *hypotheses, const struct loc_track *track);

/* The one that was followed, or NULL: it was dropped. */
const struct loc_track *loc_hypotheses_tracked(const struct loc_hypotheses *hypotheses);

/* How much more the scans say for the best of the others than for the one that was followed:
 * log-likelihood without the lead, and without beams that something has stopped; negative infinity:
 * there are no others. */
double loc_hypotheses_against(const struct loc_hypotheses *hypotheses);

/* One slice: uses a scan in at most `most` of them; when all have used it, drops and merges. */
enum loc_verdict loc_hypotheses_scan(struct loc_hypotheses *hypotheses,
                                     const struct loc_observation *observation,
                                     const struct loc_motion *motion, size_t most);

/* The best one's pose. Its deviation holds all that there were since the search, also those that
 * were dropped: the last one that is left may be wrong as well. There is at least one. */
void loc_hypotheses_moment(const struct loc_hypotheses *hypotheses, struct loc_moment *ret_moment);

#endif
