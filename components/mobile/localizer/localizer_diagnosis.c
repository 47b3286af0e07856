/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer tells its diagnosis after a scan. */
#include "localizer_parts.h"

#include <stdlib.h>

#define LOOKED_AT_ONCE 512
#define MOVED_BELOW    0.5
#define BACK_ABOVE     0.6
#define LOOKED_FOR     8   /* each of so many beams */
#define SEEN_AT_ALL    100 /* of so many beams one returns */
#define IN_SIGHT       4   /* of so many beams one ought to return */
#define DELAY_S        0.005
#define DELAY_RAD      0.017

/* Calibration that is given this well is a reference; less well, it is a first guess. */
static const double known_sigma[LOCALIZER_N_PARAMETERS] = {
    [LOCALIZER_SCALE_LEFT] = 0.004, [LOCALIZER_SCALE_RIGHT] = 0.004,
    [LOCALIZER_AXLE_SCALE] = 0.006, [LOCALIZER_TIME_OFFSET] = 0.007,
    [LOCALIZER_MOUNT_X] = 0.006,    [LOCALIZER_MOUNT_Y] = 0.006,
    [LOCALIZER_MOUNT_YAW] = 0.004,
};

bool localizer__diagnosis_create(struct localizer *l)
{
    const struct localizer_config *config = &l->config;
    struct diagnosis_config diagnosis;
    diagnosis_config_init(&diagnosis);
    diagnosis.axle_m = config->axle_m;
    diagnosis.speed_max = config->speed_max;
    diagnosis.safe_radius_m = config->safe_radius_m;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        diagnosis.given[i] = config->initial_sigma[i] <= known_sigma[i];
        diagnosis.reference[i] = config->initial[i];
    }
    diagnosis_init(&l->diagnosis, &diagnosis);
    l->diagnosed_s = l->lag_stamp_s = l->lag_from_s = (double)NAN;
    l->newest_moved = -1;
    l->moved = calloc(config->n_objects + 1, sizeof *l->moved);
    return l->moved != NULL;
}

void localizer__diagnosis_destroy(struct localizer *l)
{
    free(l->moved);
}

/* Looks at some objects in each scan, at all of them within some scans. */
static int moved_object(struct localizer *l)
{
    size_t n = l->match.n_objects;
    for (size_t i = 0; i < n && i < LOOKED_AT_ONCE; i++) {
        size_t object = l->looked_at;
        double reliability = l->match.reliability[object];
        bool was = l->moved[object];
        l->moved[object] = reliability < (was ? BACK_ABOVE : MOVED_BELOW);
        bool none = l->newest_moved < 0;
        if (l->moved[object] && (!was || none)) {
            l->newest_moved = (int)object;
        }
        l->looked_at = (object + 1) % n;
    }
    if (l->newest_moved >= 0 && !l->moved[l->newest_moved]) {
        l->newest_moved = -1;
    }
    return l->newest_moved;
}

/* Wheels and gyro since the scan before. */
static void add_odometry(struct localizer *l, struct diagnosis_scan *scan)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->track.filter);
    if (isfinite(l->diagnosed_s) && scan->stamp_s > l->diagnosed_s) {
        struct loc_travel travel = loc_history_travel(&l->history, l->diagnosed_s, scan->stamp_s);
        scan->left_m = wheels.left * travel.left_m;
        scan->right_m = wheels.right * travel.right_m;
        scan->has_gyro = travel.has_gyro;
        scan->gyro_rad = travel.turn_rad;
        scan->moved = loc_history_move(&l->history, &wheels, l->diagnosed_s, scan->stamp_s);
    }
    l->diagnosed_s = scan->stamp_s;
}

/* Tells of the heading of the scan before: by now all odometry around it is there. */
static void add_heading(struct localizer *l, struct diagnosis_scan *scan)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->track.filter);
    scan->has_heading = isfinite(l->lag_stamp_s);
    scan->heading_stamp_s = l->lag_stamp_s;
    scan->heading_rad = l->lag_heading_rad;
    for (int i = 0; i < SCAN_LAGS && scan->has_heading && isfinite(l->lag_from_s); i++) {
        double back_s = i * SCAN_LAG_STEP_S;
        struct loc_travel travel =
            loc_history_travel(&l->history, l->lag_from_s - back_s, l->lag_stamp_s - back_s);
        double turn = (wheels.right * travel.right_m - wheels.left * travel.left_m) / wheels.axle_m;
        scan->turned_rad[i] = travel.has_gyro ? travel.turn_rad : turn;
    }
    l->lag_from_s = l->lag_stamp_s;
    l->lag_stamp_s = scan->usable ? l->scan.stamp_s : (double)NAN;
    l->lag_heading_rad = l->track.update.alone.pose.theta;
}

static struct dpl_pose2 base_of_laser(const struct localizer *l, struct dpl_pose2 laser)
{
    struct dpl_pose2 mount = loc_filter_mount(&l->track.filter, l->scan.mount);
    struct dpl_pose2 base_in_laser = dpl_pose2_relative(mount, (struct dpl_pose2){0});
    return dpl_pose2_compose(laser, base_in_laser);
}

static bool tracks(const struct localizer *l)
{
    return l->mode == LOCALIZER__TRACKS && l->settled && !l->map_wrong;
}

bool localizer__goes_by_gyro(const struct localizer *l)
{
    return l->coasts || diagnosis_doubts_wheels(&l->diagnosis) ||
           diagnosis_suspects_wheels(&l->diagnosis);
}

struct loc_motion localizer__motion(const struct localizer *l)
{
    const struct diagnosis_verdict *active = diagnosis_active(&l->diagnosis);
    bool one = active->verdict == VERDICT_ENCODER;
    int lying = active->wheel == VERDICT_LEFT ? -1 : active->wheel == VERDICT_RIGHT ? 1 : 0;
    return (struct loc_motion){&l->history, localizer__goes_by_gyro(l), one ? lying : 0};
}

void localizer__diagnosis_step(struct localizer *l, double now_s)
{
    if (l->config.diagnose) {
        diagnosis_step(&l->diagnosis, now_s);
    }
}

/* Covariance of the position by the scan; a direction without information has 1 m. */
static void spread_of(const struct loc_information *information, double ret_spread[3])
{
    const double(*a)[LOC_DIMS] = (const double(*)[LOC_DIMS])information->a;
    double tt = fmax(a[LOC_YAW][LOC_YAW], 1e-9);
    double xx = 1.0 + a[LOC_X][LOC_X] - a[LOC_X][LOC_YAW] * a[LOC_X][LOC_YAW] / tt;
    double yy = 1.0 + a[LOC_Y][LOC_Y] - a[LOC_Y][LOC_YAW] * a[LOC_Y][LOC_YAW] / tt;
    double xy = a[LOC_X][LOC_Y] - a[LOC_X][LOC_YAW] * a[LOC_Y][LOC_YAW] / tt;
    double determinant = fmax(xx * yy - xy * xy, 1e-9);
    ret_spread[0] = yy / determinant;
    ret_spread[1] = -xy / determinant;
    ret_spread[2] = xx / determinant;
}

/* The filter takes most of a sudden delay for slip and for a laser that has turned. */
static void take_delay(struct localizer *l)
{
    const struct diagnosis_verdict *active = diagnosis_active(&l->diagnosis);
    bool late = active->verdict == VERDICT_LATENCY;
    struct loc_filter *filter = &l->track.filter;
    if (late && !l->was_late && filter->p[LOC_STATE_OFFSET][LOC_STATE_OFFSET] > 0.0) {
        filter->x[LOC_STATE_OFFSET] = l->diagnosis.reference[LOCALIZER_TIME_OFFSET] + active->off;
        filter->p[LOC_STATE_OFFSET][LOC_STATE_OFFSET] += DELAY_S * DELAY_S;
        filter->p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] += DELAY_RAD * DELAY_RAD;
    }
    l->was_late = late;
}

/* A delay that was there from the start. What was learnt until now is wrong with it: the filter
 * begins again, at the place where this scan has the laser. */
static void take_start_delay(struct localizer *l)
{
    struct loc_filter *filter = &l->track.filter, fresh;
    double late_s = l->diagnosis.start_late_s;
    if (!l->diagnosis.starts_late || !(filter->p[LOC_STATE_OFFSET][LOC_STATE_OFFSET] > 0.0)) {
        return;
    }
    struct loc_start start = localizer__start(&l->config);
    loc_filter_init(&fresh, &start);
    fresh.x[LOC_STATE_OFFSET] = late_s;
    fresh.time_s = filter->time_s;
    struct loc_wheels wheels = loc_filter_wheels(&fresh);
    struct dpl_pose2 mount = loc_filter_mount(&fresh, l->scan.mount);
    struct dpl_pose2 base_in_laser = dpl_pose2_relative(mount, (struct dpl_pose2){0});
    struct dpl_pose2 seen = dpl_pose2_compose(l->track.update.alone.pose, base_in_laser);
    struct dpl_pose2 since =
        loc_history_move(&l->history, &wheels, l->scan.stamp_s - late_s, fresh.time_s);
    loc_filter_place(&fresh, dpl_pose2_compose(seen, since), start.sigma_m, start.sigma_rad);
    *filter = fresh;
}

/* Hardly a beam returned, though the plan has surfaces in sight: a covered or broken laser tells as
 * little as an absent one, until beams return again, wherever odometry has the robot. */
static bool sees_nothing(struct localizer *l)
{
    struct loc_scan *scan = &l->scan;
    size_t expected = 0;
    if (SEEN_AT_ALL * scan->n_returned >= scan->n || l->mode != LOCALIZER__TRACKS) {
        return false;
    }
    if (l->sees_nothing) {
        return true;
    }
    struct loc_laser laser =
        loc_filter_laser(&l->track.filter, loc_filter_pose(&l->track.filter), scan->mount);
    loc_scan_cast(scan, l->match.plan, &laser.pose, LOOKED_FOR);
    for (size_t i = 0; i < scan->n; i += LOOKED_FOR) {
        expected += scan->first[i].range <= scan->range_max;
    }
    return expected * LOOKED_FOR >= scan->n / IN_SIGHT;
}

void localizer__diagnose_scan(struct localizer *l)
{
    l->sees_nothing = l->config.diagnose && sees_nothing(l);
    if (!l->config.diagnose || l->sees_nothing) {
        return;
    }
    const struct loc_update *update = &l->track.update;
    bool usable = tracks(l) && update->used;
    struct diagnosis_scan scan = {
        .stamp_s = l->scan.stamp_s - l->track.filter.x[LOC_STATE_OFFSET],
        .usable = usable,
        .pose = base_of_laser(l, update->alone.pose),
        .unobservable = update->alone.unobservable,
        .unobservable_rad = update->alone.unobservable_rad,
        .agreement = update->judgement.agreement,
        .nis = update->usual_nis,
        .surprise = {update->surprise[0], update->surprise[1], update->surprise[2]},
        .tracks = tracks(l),
        .lost = l->mode != LOCALIZER__TRACKS,
        .relocations = l->relocations,
        .moved_object = l->config.diagnose_objects ? moved_object(l) : -1,
    };
    if (usable && l->config.diagnose_objects) {
        localizer__strange_view(l, &scan.strange);
    }
    spread_of(&update->alone.information, scan.spread);
    localizer_calibration(l, &scan.calibration);
    add_odometry(l, &scan);
    add_heading(l, &scan);
    diagnosis_scan(&l->diagnosis, &scan);
    take_delay(l);
    take_start_delay(l);
}

void localizer__diagnose_equal(struct localizer *l, double stamp_s)
{
    if (!l->config.diagnose) {
        return;
    }
    struct diagnosis_scan scan = {
        .stamp_s = stamp_s - l->track.filter.x[LOC_STATE_OFFSET],
        .equal = true,
        .tracks = tracks(l),
        .lost = l->mode != LOCALIZER__TRACKS,
        .relocations = l->relocations,
        .moved_object = -1,
    };
    add_odometry(l, &scan);
    diagnosis_scan(&l->diagnosis, &scan);
}

void localizer__diagnose_unused(struct localizer *l, bool forget)
{
    if (l->config.diagnose) {
        diagnosis_unused_scan(&l->diagnosis, forget);
    }
}

void localizer_command(struct localizer *localizer, double stamp_s, struct dpl_twist2 twist)
{
    if (localizer->config.diagnose) {
        diagnosis_command(&localizer->diagnosis, stamp_s, twist);
    }
}

void localizer_avatar(struct localizer *localizer, double distance_m)
{
    diagnosis_avatar(&localizer->diagnosis, distance_m);
}

bool localizer_sees_nothing(const struct localizer *localizer)
{
    return localizer->sees_nothing;
}

const struct diagnosis *localizer_diagnosis(const struct localizer *localizer)
{
    return &localizer->diagnosis;
}

bool localizer_take_event(struct localizer *localizer, struct diagnosis_event *ret_event)
{
    return diagnosis_take_event(&localizer->diagnosis, ret_event);
}
