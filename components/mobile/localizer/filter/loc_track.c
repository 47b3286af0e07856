/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_track.h"

#include <string.h>

#define NIS_DOUBT         12.0
#define NIS_KNOWN         5.0  /* the same where the calibration is known and scans come often */
#define OFTEN_S           0.25 /* from scan to scan, at most */
#define DOUBT_M           0.3
#define DOUBT_RAD         0.157
#define AGREEMENT_LOSS    0.02
#define TURN_RAD          0.0122 /* 0.7 deg */
#define TURN_M            0.060
#define GAP_SHARE         0.4
#define TURN_STEP_RAD     0.14 /* 8 deg: of turns of the laser that are tried, */
#define TURNS             4    /* to each side */
#define TURN_EVERY        4    /* by one of so many beams */
#define TURN_FALL         0.2  /* of the agreement, at least, for which they are tried, */
#define TURN_LOSS         0.1  /* and at most with the right one */
#define GYRO_FALL         0.05
#define GUESS_GAIN        0.15 /* of agreement, at least, for a guess without a gyro */
#define LATEST_S          0.08 /* that a scan may come later than before */
#define SLOWEST_RAD_S     0.01
#define FREE_M            0.100 /* at most, of the robot while wheels are not believed */
#define PUSHED_M          0.020 /* by somebody, from scan to scan */
#define FREE_RAD          0.026
#define UNSAID_SHARE      0.4   /* of a new scan in the velocity that wheels do not tell */
#define UNSAID_TURN_SHARE 0.7   /* the same of the turn rate: scans show headings well */
#define STEADY_SCANS      3     /* that teach it before it is relied on */
#define STEADY_M          0.004 /* deviation of a prediction with it */
#define UNSAID_GAPS       2.0   /* between scans: a velocity that no scan confirms is forgotten */
#define PUSH_M_S          0.3   /* that somebody pushes with, at most */
#define MEAN_S            1.0
#define KNOWN_RAD         0.02 /* deviation of a heading that is known */
#define LEARN_OPENNESS    0.7
#define LEARN_FALL        0.2

void loc_track_init(struct loc_track *track, const struct loc_start *start)
{
    memset(track, 0, sizeof *track);
    loc_filter_init(&track->filter, start);
    track->update.judgement.openness = track->update.judgement.trusted_openness = 1.0;
    track->used_stamp_s = (double)NAN;
}

/* The pose may be off by what surprised. */
static void doubt(struct loc_filter *filter, const double surprise[3])
{
    for (int i = 0; i < LOC_STATE_PARAMETERS; i++) {
        filter->p[i][i] += surprise[i] * surprise[i];
    }
}

/* A robot whose calibration is known and whose scans come often is hardly ever surprised. The
 * calibration counts as known when the time offset does (`may_be_late`). */
static bool is_doubtful(const struct loc_track *track)
{
    const struct loc_update *update = &track->update;
    const double *y = update->surprise;
    bool knows = track->may_be_late && track->scan_gap_s < OFTEN_S;
    return update->used && update->usual_nis > (knows ? NIS_KNOWN : NIS_DOUBT) &&
           hypot(y[0], y[1]) < DOUBT_M && fabs(y[2]) < DOUBT_RAD;
}

/* Wheels and gyro have agreed for a while that the robot did not turn so, and it has not moved much
 * either: the laser has turned on the robot. */
static bool has_laser_turned(const struct loc_track *track)
{
    const double *y = track->update.surprise;
    return track->has_gyro && fabs(track->gap_rad) < GAP_SHARE * fabs(y[2]) &&
           fabs(y[2]) > TURN_RAD && hypot(y[0], y[1]) < TURN_M;
}

/* While the robot turns, a scan that comes late looks the same: both the mount and the time offset
 * become uncertain, and later turn rates tell which of them it is. */
static void doubt_laser(struct loc_filter *filter, double turned_rad, double turn_rad_s,
                        bool may_be_late)
{
    double late_s = fmin(fabs(turned_rad) / fmax(fabs(turn_rad_s), SLOWEST_RAD_S), LATEST_S);
    filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] += turned_rad * turned_rad;
    if (may_be_late && filter->p[LOC_STATE_OFFSET][LOC_STATE_OFFSET] > 0.0) {
        filter->p[LOC_STATE_OFFSET][LOC_STATE_OFFSET] += late_s * late_s;
    }
}

/* The update once more, from a prior that says less. It counts unless the scan fits worse; what the
 * scan contradicted stays what it was. */
static void update_again(struct loc_track *track, struct loc_filter *prior,
                         const struct loc_observation *observation)
{
    struct loc_update again;
    double least = track->update.judgement.agreement - AGREEMENT_LOSS;
    loc_filter_update(prior, observation, &again);
    if (again.used && again.judgement.agreement >= least) {
        again.nis = track->update.nis;
        again.usual_nis = track->update.usual_nis;
        memcpy(again.surprise, track->update.surprise, sizeof again.surprise);
        track->filter = *prior;
        track->update = again;
    }
}

static bool is_often(const struct loc_track *track)
{
    return track->scan_gap_s > 0.0 && track->scan_gap_s < OFTEN_S;
}

/* Scans come often, wheels and gyro know of no turn, and the scan fits much worse than those before
 * it, or shows one that is too large for a robot that is still followed. */
static bool may_have_turned_far(const struct loc_track *track, const struct loc_filter *prior,
                                const struct loc_observation *observation)
{
    bool falls = track->update.judgement.agreement + TURN_FALL < track->agreement_mean;
    return observation->looks_alone && is_often(track) && track->has_gyro &&
           fabs(track->gap_rad) < TURN_RAD &&
           prior->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] > 0.0 &&
           (falls || fabs(track->update.surprise[2]) > DOUBT_RAD);
}

/* A laser that has turned by many degrees since the scan before: beams do not find their surfaces
 * again from the prediction, and pull the pose anywhere. Some turns are tried. */
static bool find_turned_laser(struct loc_track *track, const struct loc_filter *prior,
                              const struct loc_observation *observation)
{
    double least = track->agreement_mean - TURN_LOSS;
    struct loc_observation coarse = *observation;
    struct loc_filter best;
    bool found = false;
    coarse.every *= loc_scan_every(observation->scan, TURN_EVERY);
    coarse.looks_alone = false;
    track->has_tried = true;
    for (int i = -TURNS; i <= TURNS; i++) {
        struct loc_filter turned = *prior;
        struct loc_update update;
        turned.x[LOC_STATE_MOUNT_YAW] += i * TURN_STEP_RAD;
        turned.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] += TURN_STEP_RAD * TURN_STEP_RAD;
        struct loc_filter filter = turned;
        loc_filter_update(&filter, &coarse, &update);
        if (update.used && update.judgement.agreement >= least) {
            least = update.judgement.agreement;
            best = turned;
            found = true;
        }
    }
    if (found) {
        loc_filter_update(&best, observation, &track->update);
        track->filter = best;
    }
    return found;
}

/* What the wheels did not do must not teach the wheels: the update once more, of the pose alone. */
static void update(struct loc_track *track, const struct loc_observation *observation)
{
    struct loc_filter prior = track->filter;
    loc_filter_update(&track->filter, observation, &track->update);
    bool far = may_have_turned_far(track, &prior, observation);
    if ((far && find_turned_laser(track, &prior, observation)) || !is_doubtful(track)) {
        return;
    }
    const double *y = track->update.surprise;
    struct loc_observation again = *observation;
    if (has_laser_turned(track)) {
        doubt_laser(&prior, y[2], track->turn_rad_s, track->may_be_late);
    } else {
        doubt(&prior, y);
        again.pose_alone = true;
    }
    update_again(track, &prior, &again);
}

/* The update once more, with a pose that may be off by as much as makes the scan usual: along a
 * direction that the scan hardly shows, the prediction is then still believed. */
static void update_suspicious(struct loc_track *track, const struct loc_observation *observation)
{
    struct loc_filter prior = track->filter;
    loc_filter_update(&track->filter, observation, &track->update);
    double off = track->update.unsaid_m;
    if (!track->update.used || !(off > 0.0)) {
        return;
    }
    doubt(&prior, (double[3]){off, off, off * LOC_UNSAID_RAD_M});
    update_again(track, &prior, observation);
}

/* What the scan moved the pose by is the wheels' error since the scan before: as a velocity it
 * moves the prediction of the next scan, and what is published until then (alpha-beta filter). */
static void learn_unsaid(struct loc_track *track, struct dpl_pose2 predicted, double stamp_s)
{
    struct loc_filter *filter = &track->filter;
    double gap_s = stamp_s - track->used_stamp_s;
    if (!track->update.used || !(gap_s > 0.0)) {
        return;
    }
    double dx = filter->x[LOC_STATE_X] - predicted.x, dy = filter->x[LOC_STATE_Y] - predicted.y;
    double c = cos(predicted.theta), s = sin(predicted.theta);
    double most = track->way_m / gap_s + PUSH_M_S;
    filter->unsaid_m_s[0] += UNSAID_SHARE * (c * dx + s * dy) / gap_s;
    filter->unsaid_m_s[1] += UNSAID_SHARE * (c * dy - s * dx) / gap_s;
    if (!track->has_gyro) {
        double turned_rad = dpl_wrap_angle(filter->x[LOC_STATE_THETA] - predicted.theta);
        filter->unsaid_rad_s += UNSAID_TURN_SHARE * turned_rad / gap_s;
    }
    for (int i = 0; i < 2; i++) {
        filter->unsaid_m_s[i] = dpl_clamp(filter->unsaid_m_s[i], -most, most);
    }
    filter->unsaid_until_s = filter->time_s + UNSAID_GAPS * gap_s;
}

static void forget_unsaid(struct loc_track *track)
{
    track->filter.unsaid_m_s[0] = track->filter.unsaid_m_s[1] = track->filter.unsaid_rad_s = 0.0;
    track->n_free = 0;
}

/* The pose follows the scan, and the parameters stay as they are. A wheel that is known to lie
 * takes no part in the motion: the prediction is worth as much as ever. */
static void update_pose_alone(struct loc_track *track, const struct loc_observation *observation,
                              const struct loc_motion *motion)
{
    struct loc_observation pose = *observation;
    bool knows_way = motion->by_gyro && motion->lying != 0 && track->has_gyro;
    pose.pose_alone = true;
    if (track->doubts_wheels && !knows_way) {
        struct dpl_pose2 predicted = loc_filter_pose(&track->filter);
        bool steady = ++track->n_free > STEADY_SCANS;
        double free_m = steady ? STEADY_M : fmin(hypot(PUSHED_M, track->way_m), FREE_M);
        doubt(&track->filter, (double[3]){free_m, free_m, FREE_RAD});
        if (steady) {
            update_suspicious(track, &pose);
        } else {
            update(track, &pose);
        }
        learn_unsaid(track, predicted, observation->scan->stamp_s);
    } else {
        forget_unsaid(track);
        update_suspicious(track, &pose);
    }
}

static bool may_learn_objects(const struct loc_track *track)
{
    const struct loc_judgement *judged = &track->update.judgement;
    return judged->trusted_openness >= LEARN_OPENNESS &&
           judged->agreement >= track->agreement_mean - LEARN_FALL;
}

static void take_mean(struct loc_track *track)
{
    double share = dpl_clamp(track->scan_gap_s / MEAN_S, 0.0, 1.0);
    track->agreement_mean += share * (track->update.judgement.agreement - track->agreement_mean);
}

/* Turn by the wheels minus turn by the gyro since the last used scan. */
static void compare_gyro(struct loc_track *track, const struct loc_motion *motion, double from_s,
                         double to_s)
{
    struct loc_wheels wheels = loc_filter_wheels(&track->filter);
    struct loc_travel travel = loc_history_travel(motion->history, from_s, to_s);
    double turn = (wheels.right * travel.right_m - wheels.left * travel.left_m) / wheels.axle_m;
    track->has_gyro = travel.has_gyro;
    track->ahead_m = 0.5 * (wheels.left * travel.left_m + wheels.right * travel.right_m);
    track->turned_rad = turn;
    track->turn_rad_s = to_s > from_s ? turn / (to_s - from_s) : 0.0;
    track->way_m = fmax(fabs(wheels.left * travel.left_m), fabs(wheels.right * travel.right_m));
    track->wheels_gyro_rad = travel.has_gyro ? turn - travel.turn_rad : 0.0;
    track->gap_rad = exp(-(to_s - from_s) / MEAN_S) * track->gap_rad + track->wheels_gyro_rad;
}

/* Of the laser's direction, not of the base's, which may be known less; and of when it was. */
static double laser_sigma_rad(const struct loc_filter *filter, double turn_rad_s)
{
    const double(*p)[LOC_STATES] = filter->p;
    double late2 = turn_rad_s * turn_rad_s * p[LOC_STATE_OFFSET][LOC_STATE_OFFSET];
    return sqrt(fmax(0.0, p[LOC_STATE_THETA][LOC_STATE_THETA] +
                              p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] +
                              2.0 * p[LOC_STATE_THETA][LOC_STATE_MOUNT_YAW] + late2));
}

/* What the scan says of the heading: how far it moved and turned the pose beyond wheels and gyro.
 */
static void judge_heading(struct loc_track *track, const struct loc_observation *observation,
                          const struct loc_filter *predicted, bool by_gyro)
{
    struct loc_filter *filter = &track->filter;
    double gap_s = observation->scan->stamp_s - track->used_stamp_s;
    double dx = filter->x[LOC_STATE_X] - predicted->x[LOC_STATE_X];
    double dy = filter->x[LOC_STATE_Y] - predicted->x[LOC_STATE_Y];
    double theta = predicted->x[LOC_STATE_THETA], c = cos(theta), s = sin(theta);
    double base_rad = dpl_wrap_angle(filter->x[LOC_STATE_THETA] - theta);
    double laser_rad =
        base_rad + filter->x[LOC_STATE_MOUNT_YAW] - predicted->x[LOC_STATE_MOUNT_YAW];
    double wheels_rad = track->wheels_gyro_rad; /* beyond the gyro */
    gap_s = isfinite(gap_s) ? gap_s : 0.0;
    struct loc_heading_step step = {
        .gap_s = gap_s,
        .ahead_m = track->ahead_m,
        .turned_rad = track->turned_rad,
        .beyond_m = {c * dx + s * dy + gap_s * predicted->unsaid_m_s[0],
                     c * dy - s * dx + gap_s * predicted->unsaid_m_s[1]},
        .beyond_wheels_rad = laser_rad - (by_gyro ? wheels_rad : 0.0),
        .beyond_gyro_rad = laser_rad + (by_gyro ? 0.0 : wheels_rad),
        .base_rad = base_rad + (by_gyro ? 0.0 : wheels_rad),
        .has_gyro = track->has_gyro,
        .knew_heading = laser_sigma_rad(predicted, track->turn_rad_s) < KNOWN_RAD,
        /* without a gyro the course is all there is */
        .doubts_wheels = track->doubts_wheels || (track->suspects_wheels && track->has_gyro),
    };
    double known_m = sqrt(filter->p[0][0] + filter->p[1][1]) + observation->match->told_error_m;
    loc_heading_step(&track->heading, &step, filter,
                     loc_filter_mount(filter, observation->scan->mount), known_m);
}

static void advance_and_update(struct loc_track *track, const struct loc_observation *observation,
                               const struct loc_motion *motion, double instant_s)
{
    loc_filter_advance(&track->filter, motion, instant_s);
    struct loc_filter predicted = track->filter;
    if (track->doubts_wheels || track->suspects_wheels) {
        update_pose_alone(track, observation, motion);
    } else {
        forget_unsaid(track);
        update(track, observation);
    }
    if (track->update.used) {
        judge_heading(track, observation, &predicted, motion->by_gyro && track->has_gyro);
    }
}

static bool fits(const struct loc_track *track)
{
    double fall = track->agreement_mean - track->update.judgement.agreement;
    return track->update.used && fall <= GYRO_FALL && track->update.usual_nis <= NIS_DOUBT;
}

/* A wheel that slips turns the robot by degrees from one scan to the next: too far for the beams to
 * find their surfaces again. Then the gyro's turn may be the better guess, and without a gyro that
 * the robot turns on as the scans before have seen it. */
static bool has_guess(const struct loc_track *track, const struct loc_motion *motion, double gap_s)
{
    double off_rad =
        track->has_gyro ? track->wheels_gyro_rad : gap_s * (track->seen_rad_s - track->turn_rad_s);
    return !(track->has_gyro && motion->by_gyro) && fabs(off_rad) > TURN_RAD && !fits(track);
}

static void guess(struct loc_track *track, const struct loc_observation *observation,
                  const struct loc_motion *motion, double instant_s)
{
    struct loc_motion by_gyro = {motion->history, true, motion->lying};
    track->doubts_wheels = true;
    if (!track->has_gyro) {
        track->filter.unsaid_rad_s = track->seen_rad_s - track->turn_rad_s;
        track->filter.unsaid_until_s = (double)INFINITY;
    }
    advance_and_update(track, observation, &by_gyro, instant_s);
}

void loc_track_scan(struct loc_track *track, const struct loc_observation *observation,
                    const struct loc_motion *motion, bool learn)
{
    double stamp = observation->scan->stamp_s, late_s = track->filter.x[LOC_STATE_OFFSET];
    bool first = !isfinite(track->used_stamp_s);
    compare_gyro(track, motion, (first ? stamp : track->used_stamp_s) - late_s, stamp - late_s);
    track->has_tried = false;
    struct loc_track other = *track;
    advance_and_update(track, observation, motion, stamp - late_s);
    double gap_s = first ? 0.0 : stamp - track->used_stamp_s;
    if (has_guess(track, motion, gap_s)) {
        guess(&other, observation, motion, stamp - late_s);
        double gain = other.update.judgement.agreement - track->update.judgement.agreement;
        if (gain > (track->has_gyro ? 0.0 : GUESS_GAIN)) {
            other.filter.unsaid_rad_s = track->doubts_wheels ? other.filter.unsaid_rad_s : 0.0;
            *track = other;
        } else {
            track->has_tried = true;
        }
    }
    if (!track->update.used) {
        return;
    }
    double turned_rad = dpl_wrap_angle(track->filter.x[LOC_STATE_THETA] - track->used_rad);
    track->seen_rad_s = first ? 0.0 : turned_rad / gap_s;
    track->used_rad = track->filter.x[LOC_STATE_THETA];
    track->scan_gap_s = first ? MEAN_S : gap_s;
    track->used_stamp_s = stamp;
    if (learn && !track->has_tried) {
        loc_match_learn(observation->match, observation->scan, &track->update.laser,
                        may_learn_objects(track));
    }
    take_mean(track);
}
