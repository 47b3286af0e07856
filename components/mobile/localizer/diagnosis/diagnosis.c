/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnosis.h"

#include <math.h>
#include <string.h>

#define REFERENCE_S    60.0
#define ABSENT_S       0.35 /* at least; and this many periods of the laser */
#define ABSENT_PERIODS 3.5
#define FIRST_SCAN_S   5.0
#define SLOWEST_S      2.0 /* laser that is expected */
#define GAP_PERIODS    5.0 /* scans so far apart tell no motion between */
#define FROZEN_SCANS   3
#define FROZEN_M       0.002 /* a robot that stands may see the same twice */
#define TRACKED_S      3.0
#define AVATAR_S       0.5
#define START_LATE_S   0.05 /* less the filter finds by itself */

void diagnosis_config_init(struct diagnosis_config *ret_config)
{
    *ret_config = (struct diagnosis_config){
        .speed_max = (double)INFINITY,
        .safe_radius_m = (double)INFINITY,
        .reference_s = REFERENCE_S,
    };
}

void diagnosis_init(struct diagnosis *diagnosis, const struct diagnosis_config *config)
{
    memset(diagnosis, 0, sizeof *diagnosis);
    diagnosis->config = *config;
    diagnosis_standing_init(&diagnosis->standing);
    diagnosis->period_s = SLOWEST_S;
    diagnosis->avatar_m = (double)NAN;
    diagnosis->avatar_since_s = (double)NAN;
    command_model_init(&diagnosis->command, config->axle_m, config->speed_max);
    residuals_init(&diagnosis->window, config->axle_m);
    strangers_init(&diagnosis->strangers);
    scan_lag_init(&diagnosis->lag);
    suspicion_init(&diagnosis->suspicion);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        diagnosis->has_reference[i] = config->given[i];
        diagnosis->reference[i] = config->reference[i];
        diagnosis->referred_s[i] = (double)NAN;
    }
}

void diagnosis_command(struct diagnosis *diagnosis, double stamp_s, struct dpl_twist2 twist)
{
    command_model_command(&diagnosis->command, stamp_s, twist);
}

/* ---- what a scan says ---- */

static void forget_motion(struct diagnosis *d)
{
    residuals_clear(&d->window);
    scan_lag_clear(&d->lag);
    suspicion_clear(&d->suspicion);
    d->pending = (struct residuals_step){0};
}

static void add_pending(struct diagnosis *d, const struct diagnosis_scan *scan)
{
    struct residuals_step *step = &d->pending;
    bool first = step->stamp_s == 0.0;
    step->stamp_s = scan->stamp_s;
    step->left_m += scan->left_m;
    step->right_m += scan->right_m;
    step->moved = dpl_pose2_compose(step->moved, scan->moved);
    step->gyro_rad += scan->has_gyro ? scan->gyro_rad : 0.0;
    step->has_gyro = scan->has_gyro && (first || step->has_gyro);
}

/* The window's residuals with this scan; false: no motion is known. */
static bool add_motion(struct diagnosis *d, const struct diagnosis_scan *scan)
{
    struct residuals_step *step = &d->pending;
    step->scale[0] = scan->calibration.value[LOCALIZER_SCALE_LEFT];
    step->scale[1] = scan->calibration.value[LOCALIZER_SCALE_RIGHT];
    step->laser = scan->pose;
    step->unobservable = scan->unobservable;
    step->unobservable_rad = scan->unobservable_rad;
    memcpy(step->spread, scan->spread, sizeof step->spread);
    step->agreement = scan->agreement;
    residuals_add(&d->window, step);
    d->pending = (struct residuals_step){0};
    if (!residuals_compute(&d->window, &scan->calibration, &d->residuals)) {
        return false;
    }
    bool sound = !verdict_is_of_motion(d->standing.active.verdict);
    residuals_add_command(&d->window, &d->command, sound, &d->residuals);
    return d->residuals.full;
}

static void compare_calibration(struct diagnosis *d, const struct localizer_calibration *now,
                                struct verdict_case *c)
{
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        if (!d->has_reference[i] && now->identified[i] && d->sure_s >= d->config.reference_s) {
            d->has_reference[i] = true;
            d->reference[i] = now->value[i];
            d->reference_sigma[i] = now->sigma[i];
            d->referred_s[i] = d->now_s;
        }
        if (d->has_reference[i]) {
            double sigma = hypot(now->sigma[i], d->reference_sigma[i]);
            c->off[i] = now->value[i] - d->reference[i];
            c->off_sigmas[i] = sigma > 0.0 ? fabs(c->off[i]) / sigma : 0.0;
        }
    }
}

/* Before it is known how late scans are: a delay beyond what the filter was told to expect. It
 * would take it for a mount that turns, and for wheels that lie. Wheels that are not believed tell
 * no turn that headings could be late against. */
static void find_start_lag(struct diagnosis *d, double used_s, bool has_gyro)
{
    double off_s;
    bool sure, off = scan_lag_has_changed(&d->lag, used_s, &off_s, &sure);
    bool turns = has_gyro || !diagnosis_doubts_wheels(d);
    off = off && turns && fabs(off_s) > START_LATE_S;
    d->maybe_late_s = off ? off_s : 0.0;
    d->starts_late = off && sure;
    d->start_late_s = used_s + off_s;
}

/* Whether scans come later or earlier than they did. */
static void compare_lag(struct diagnosis *d, const struct diagnosis_scan *scan,
                        struct verdict_case *c)
{
    if (!scan->has_heading) {
        return;
    }
    double used_s = scan->calibration.value[LOCALIZER_TIME_OFFSET];
    scan_lag_add(&d->lag, scan->heading_stamp_s, scan->heading_rad, scan->turned_rad,
                 !scan->has_gyro);
    if (!d->has_reference[LOCALIZER_TIME_OFFSET]) {
        find_start_lag(d, used_s, scan->has_gyro);
        return;
    }
    double reference_s = d->reference[LOCALIZER_TIME_OFFSET];
    c->maybe_late = scan_lag_has_changed(&d->lag, reference_s, &c->late_s, &c->late);
    d->maybe_late_s = c->maybe_late ? reference_s + c->late_s - used_s : 0.0;
}

static bool is_frozen(struct diagnosis *d, const struct diagnosis_scan *scan)
{
    d->equal_scans = scan->equal ? d->equal_scans + 1 : 0;
    d->equal_m = scan->equal ? d->equal_m + fabs(scan->left_m) + fabs(scan->right_m) : 0.0;
    return d->equal_scans >= FROZEN_SCANS && d->equal_m >= FROZEN_M;
}

static void arrive(struct diagnosis *d, const struct diagnosis_scan *scan, double since_s)
{
    d->now_s = fmax(d->now_s, scan->stamp_s);
    if (since_s > 0.0 && since_s < SLOWEST_S) {
        d->period_s += (d->has_period ? 0.1 : 1.0) * (since_s - d->period_s);
        d->has_period = true;
    }
    d->arrival_s = d->now_s;
    d->starts_late = false;
    d->stamp_s = scan->stamp_s;
    d->has_scan = true;
    d->no_laser = false;
}

static bool is_elsewhere(const struct diagnosis *d)
{
    return d->now_s - d->avatar_since_s >= AVATAR_S;
}

/* Lost after it was known. A small jump is a correction of the pose, no kidnapping. */
static bool is_lost(struct diagnosis *d, const struct diagnosis_scan *scan, double since_s)
{
    bool relocated = scan->relocations != d->relocations;
    bool was_known = d->tracked_s >= TRACKED_S;
    d->relocations = scan->relocations;
    if (relocated || scan->lost) {
        forget_motion(d);
    }
    if (scan->tracks) {
        d->tracked_s += since_s;
        d->sure_s += since_s;
    }
    return was_known && scan->lost;
}

static void judge_usable(struct diagnosis *d, const struct diagnosis_scan *scan, double since_s,
                         struct verdict_case *c)
{
    if (scan->tracks) {
        d->turn_rad_s = since_s > 0.0 ? scan->moved.theta / since_s : 0.0;
        c->has_motion = add_motion(d, scan);
        compare_calibration(d, &scan->calibration, c);
        compare_lag(d, scan, c);
        c->turn_rad_s = d->turn_rad_s;
        suspicion_add(&d->suspicion,
                      &(struct suspicion_scan){
                          .stamp_s = scan->stamp_s,
                          .nis = scan->nis,
                          .surprise = {scan->surprise[0], scan->surprise[1], scan->surprise[2]},
                          .has_gyro = scan->has_gyro,
                          .wheels_gyro_rad =
                              (scan->right_m - scan->left_m) / d->config.axle_m - scan->gyro_rad});
    }
    strangers_add(&d->strangers, scan->stamp_s, &scan->strange);
    c->stranger = strangers_oldest(&d->strangers);
    c->moved_object = scan->moved_object;
    c->no_avatar = is_elsewhere(d);
    c->residuals = d->residuals;
}

void diagnosis_scan(struct diagnosis *diagnosis, const struct diagnosis_scan *scan)
{
    struct diagnosis *d = diagnosis;
    if (!isfinite(scan->stamp_s) || (d->has_scan && scan->stamp_s <= d->stamp_s)) {
        return;
    }
    double since_s = d->has_scan ? scan->stamp_s - d->stamp_s : 0.0;
    if (since_s > GAP_PERIODS * d->period_s) {
        forget_motion(d);
    }
    arrive(d, scan, since_s);
    struct verdict_case c = {.moved_object = -1, .residuals = d->residuals};
    c.frozen = is_frozen(d, scan);
    c.lost = is_lost(d, scan, since_s);
    add_pending(d, scan);
    if (!scan->equal && scan->usable) {
        judge_usable(d, scan, since_s, &c);
    }
    diagnosis_standing_judge(&d->standing, &c, d->now_s, since_s);
}

void diagnosis_unused_scan(struct diagnosis *diagnosis, bool forget)
{
    struct diagnosis *d = diagnosis;
    d->arrival_s = d->now_s;
    if (forget) {
        forget_motion(d);
    }
}

void diagnosis_forget(struct diagnosis *diagnosis, double since_s)
{
    struct diagnosis *d = diagnosis;
    d->sure_s = 0.0;
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        bool kept = d->config.given[i] || d->referred_s[i] <= since_s;
        d->has_reference[i] = d->has_reference[i] && kept;
    }
}

/* ---- time ---- */

void diagnosis_avatar(struct diagnosis *diagnosis, double distance_m)
{
    struct diagnosis *d = diagnosis;
    bool beyond = distance_m > d->config.safe_radius_m;
    d->avatar_m = distance_m;
    if (!beyond) {
        d->avatar_since_s = (double)NAN;
    } else if (!isfinite(d->avatar_since_s)) {
        d->avatar_since_s = d->now_s;
    }
}

/* Since the newest scan came, or since the start. */
static double silence_s(const struct diagnosis *d)
{
    return d->now_s - fmax(d->arrival_s, d->started_s);
}

static bool is_absent(const struct diagnosis *d)
{
    double most = fmax(ABSENT_S, ABSENT_PERIODS * d->period_s);
    return silence_s(d) > (d->has_scan ? most : FIRST_SCAN_S);
}

void diagnosis_step(struct diagnosis *diagnosis, double now_s)
{
    struct diagnosis *d = diagnosis;
    if (!isfinite(now_s)) {
        return;
    }
    if (!d->started) {
        d->started = true;
        d->started_s = now_s;
    }
    d->now_s = fmax(d->now_s, now_s);
    d->no_laser = is_absent(d);
    if (d->no_laser) {
        struct verdict_case c = {.no_laser = true, .moved_object = -1, .residuals = d->residuals};
        c.residuals.span_s = silence_s(d);
        diagnosis_standing_judge(&d->standing, &c, d->now_s, 0.0);
    }
    diagnosis_standing_step(&d->standing, d->now_s);
}

bool diagnosis_take_event(struct diagnosis *diagnosis, struct diagnosis_event *ret_event)
{
    return diagnosis_standing_take_event(&diagnosis->standing, ret_event);
}

const struct diagnosis_verdict *diagnosis_active(const struct diagnosis *diagnosis)
{
    return &diagnosis->standing.active;
}

uint64_t diagnosis_rises(const struct diagnosis *diagnosis, enum verdict verdict)
{
    return (unsigned)verdict < VERDICTS ? diagnosis->standing.rises[verdict] : 0;
}

static bool is_of_wheels(enum verdict verdict)
{
    return verdict == VERDICT_SLIP || verdict == VERDICT_ENCODER || verdict == VERDICT_PUSH;
}

bool diagnosis_doubts_wheels(const struct diagnosis *diagnosis)
{
    const struct diagnosis *d = diagnosis;
    return is_of_wheels(d->standing.active.verdict) || is_of_wheels(d->standing.candidate);
}

bool diagnosis_suspects_wheels(const struct diagnosis *diagnosis)
{
    return suspicion_holds(&diagnosis->suspicion, diagnosis->stamp_s, diagnosis->period_s);
}
