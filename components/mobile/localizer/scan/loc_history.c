/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_history.h"

#include <string.h>

#define JUMP_M_S     10.0
#define JUMP_RAD_S   60.0
#define LEAST_S      0.004
#define GAP_PERIODS  3.0
#define PERIOD_SHARE 0.1 /* of a new one in the mean */
#define TWIST_S      0.05

void loc_history_init(struct loc_history *history)
{
    memset(history, 0, sizeof *history);
}

/* Sample number i, 0 is the oldest. */
static const struct localizer_odometry *sample(const struct loc_history *history, size_t i)
{
    size_t first = history->next + LOC_HISTORY_SAMPLES - history->n;
    return &history->samples[(first + i) % LOC_HISTORY_SAMPLES];
}

double loc_history_newest(const struct loc_history *history)
{
    return history->n > 0 ? sample(history, history->n - 1)->stamp_s : (double)NAN;
}

double loc_history_oldest(const struct loc_history *history)
{
    return history->n > 0 ? sample(history, 0)->stamp_s : (double)NAN;
}

static bool is_finite(const struct localizer_odometry *s)
{
    return isfinite(s->stamp_s) && isfinite(s->left_m) && isfinite(s->right_m) &&
           (!s->has_gyro || isfinite(s->gyro_rad));
}

static void take_off_jumps(struct loc_history *history, const struct localizer_odometry *to)
{
    const struct localizer_odometry *from = &history->last;
    double h = to->stamp_s - from->stamp_s;
    double left = to->left_m - from->left_m, right = to->right_m - from->right_m;
    if (fabs(left) > JUMP_M_S * h || fabs(right) > JUMP_M_S * h) {
        history->left_m += left;
        history->right_m += right;
    }
    double turn = to->gyro_rad - from->gyro_rad;
    if (to->has_gyro && from->has_gyro && fabs(turn) > JUMP_RAD_S * h) {
        history->gyro_rad += turn;
    }
}

/* A gap counts as a few periods at most. */
static void note_period(struct loc_history *history, double period_s)
{
    double mean_s = history->period_s;
    history->period_s =
        mean_s > 0.0 ? mean_s + PERIOD_SHARE * (fmin(period_s, GAP_PERIODS * mean_s) - mean_s)
                     : period_s;
}

bool loc_history_add(struct loc_history *history, const struct localizer_odometry *came)
{
    if (!is_finite(came) || (history->n > 0 && came->stamp_s <= history->last.stamp_s)) {
        return false;
    }
    if (history->n > 0) {
        take_off_jumps(history, came);
        note_period(history, came->stamp_s - history->last.stamp_s);
    }
    history->last = *came;
    if (history->n > 1 && came->stamp_s - sample(history, history->n - 2)->stamp_s < LEAST_S) {
        history->next = (history->next + LOC_HISTORY_SAMPLES - 1) % LOC_HISTORY_SAMPLES;
        history->n--;
    }
    struct localizer_odometry *kept = &history->samples[history->next];
    *kept = *came;
    kept->left_m -= history->left_m;
    kept->right_m -= history->right_m;
    kept->gyro_rad = came->has_gyro ? came->gyro_rad - history->gyro_rad : 0.0;
    history->next = (history->next + 1) % LOC_HISTORY_SAMPLES;
    history->n += history->n < LOC_HISTORY_SAMPLES;
    return true;
}

/* Number of the first sample after the instant, n: none. From the newest on: that is near. */
static size_t number_after(const struct loc_history *history, double stamp_s)
{
    size_t i = history->n;
    while (i > 0 && sample(history, i - 1)->stamp_s > stamp_s) {
        i--;
    }
    return i;
}

double loc_history_after(const struct loc_history *history, double stamp_s)
{
    size_t i = number_after(history, stamp_s);
    return i < history->n ? sample(history, i)->stamp_s : loc_history_newest(history);
}

bool loc_history_is_in_gap(const struct loc_history *history, double at_s)
{
    size_t i = number_after(history, at_s);
    double most_s = fmax(LOC_HISTORY_GAP_S, GAP_PERIODS * history->period_s);
    return i > 0 && i < history->n &&
           sample(history, i)->stamp_s - sample(history, i - 1)->stamp_s > most_s;
}

static struct localizer_odometry between(const struct localizer_odometry *a,
                                         const struct localizer_odometry *b, double stamp_s)
{
    double share = (stamp_s - a->stamp_s) / (b->stamp_s - a->stamp_s);
    return (struct localizer_odometry){
        .stamp_s = stamp_s,
        .left_m = a->left_m + share * (b->left_m - a->left_m),
        .right_m = a->right_m + share * (b->right_m - a->right_m),
        .has_gyro = a->has_gyro && b->has_gyro,
        .gyro_rad = a->gyro_rad + share * (b->gyro_rad - a->gyro_rad),
    };
}

/* The sample of an instant; `after` is number_after of it. There is at least one sample. */
static struct localizer_odometry sample_at(const struct loc_history *history, size_t after,
                                           double stamp_s)
{
    if (after == 0) {
        return *sample(history, 0);
    }
    if (after < history->n) {
        return between(sample(history, after - 1), sample(history, after), stamp_s);
    }
    const struct localizer_odometry *newest = sample(history, history->n - 1);
    if (history->n < 2 || stamp_s <= newest->stamp_s) {
        return *newest;
    }
    double until = fmin(stamp_s, newest->stamp_s + LOC_HISTORY_EXTRAPOLATE_S);
    return between(sample(history, history->n - 2), newest, until);
}

struct loc_travel loc_history_travel(const struct loc_history *history, double from_s, double to_s)
{
    if (history->n == 0 || !(isfinite(from_s) && isfinite(to_s))) {
        return (struct loc_travel){0};
    }
    struct localizer_odometry a = sample_at(history, number_after(history, from_s), from_s);
    struct localizer_odometry b = sample_at(history, number_after(history, to_s), to_s);
    return (struct loc_travel){b.left_m - a.left_m, b.right_m - a.right_m, b.gyro_rad - a.gyro_rad,
                               a.has_gyro && b.has_gyro};
}

struct dpl_pose2 loc_wheels_move(const struct loc_wheels *wheels, double left_m, double right_m)
{
    double left = wheels->left * left_m, right = wheels->right * right_m;
    double way = 0.5 * (left + right), turn = (right - left) / wheels->axle_m;
    return (struct dpl_pose2){way * cos(0.5 * turn), way * sin(0.5 * turn), turn};
}

static struct dpl_pose2 move_forward(const struct loc_history *history,
                                     const struct loc_wheels *wheels, double from_s, double to_s)
{
    size_t i = number_after(history, from_s), end = number_after(history, to_s);
    struct localizer_odometry at = sample_at(history, i, from_s);
    struct dpl_pose2 pose = {0};
    for (; i <= end; i++) {
        struct localizer_odometry to =
            i < end ? *sample(history, i) : sample_at(history, end, to_s);
        pose = dpl_pose2_compose(
            pose, loc_wheels_move(wheels, to.left_m - at.left_m, to.right_m - at.right_m));
        at = to;
    }
    return pose;
}

struct dpl_pose2 loc_history_move(const struct loc_history *history,
                                  const struct loc_wheels *wheels, double from_s, double to_s)
{
    if (history->n == 0 || !(isfinite(from_s) && isfinite(to_s))) {
        return (struct dpl_pose2){0};
    }
    if (from_s <= to_s) {
        return move_forward(history, wheels, from_s, to_s);
    }
    return dpl_pose2_relative(move_forward(history, wheels, to_s, from_s), (struct dpl_pose2){0});
}

struct dpl_twist2 loc_history_twist(const struct loc_history *history,
                                    const struct loc_wheels *wheels, double at_s)
{
    double from_s = at_s - TWIST_S, to_s = fmin(at_s + TWIST_S, loc_history_newest(history));
    struct loc_travel t = loc_history_travel(history, from_s, to_s);
    if (!(to_s > from_s)) {
        return (struct dpl_twist2){0};
    }
    double left = wheels->left * t.left_m, right = wheels->right * t.right_m;
    double turn = (right - left) / wheels->axle_m;
    return (struct dpl_twist2){0.5 * (left + right) / (to_s - from_s), turn / (to_s - from_s)};
}
