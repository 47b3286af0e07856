/* SPDX-License-Identifier: Apache-2.0 */
#include "verdicts.h"

#include <math.h>

#define HALF      0.6
#define FALL      0.2
#define STILL_M   0.020
#define SIGMAS    4.0
#define LASER_RAD (1.0 * DPL_PI / 180.0)
#define LASER_M   0.020
#define LATENCY_S 0.015
#define LATE_S    0.08 /* that is thought of */
#define RADIUS    0.012
#define SHORT_S   0.2 /* three scans of a laser with 10 Hz */
#define LONG_S    0.9 /* ten */
#define SHARED    0.5 /* of the worse wheel's part: the other one is accused, too */

static bool is_beyond(double value, double limit)
{
    return fabs(value) > limit;
}

static bool command_missed(const struct residuals *r)
{
    return r->has_command && (is_beyond(r->command_m[0], r->command_limit_m[0]) ||
                              is_beyond(r->command_m[1], r->command_limit_m[1]));
}

static bool command_may_be_missed(const struct residuals *r)
{
    return r->has_command && (is_beyond(r->command_m[0], r->command_early_m[0]) ||
                              is_beyond(r->command_m[1], r->command_early_m[1]));
}

static bool gyro_contradicts_wheels(const struct residuals *r, double share)
{
    return r->has_gyro && is_beyond(r->odometry_gyro_rad, share * r->gyro_limit_rad);
}

static bool laser_contradicts_wheels(const struct residuals *r, double share)
{
    return is_beyond(r->odometry_laser_rad, share * r->laser_limit_rad);
}

static bool laser_contradicts_gyro(const struct residuals *r, double share)
{
    return r->has_gyro && is_beyond(r->gyro_laser_rad, share * r->laser_limit_rad);
}

/* Two of three decide on the turn: the wheels are wrong when laser and gyro say so. */
static bool turn_contradicts(const struct residuals *r, double share)
{
    return laser_contradicts_wheels(r, share) &&
           (!r->has_gyro || gyro_contradicts_wheels(r, 0.5 * share));
}

static bool motion_contradicts(const struct residuals *r, double share)
{
    return turn_contradicts(r, share) || r->shift_m > share * r->shift_limit_m;
}

static bool only_laser_turned(const struct residuals *r)
{
    return laser_contradicts_wheels(r, 1.0) && laser_contradicts_gyro(r, 1.0) &&
           !gyro_contradicts_wheels(r, 0.5);
}

/* Wheels that have hardly turned explain only less than they did. */
static bool moved_more_than_wheels(const struct residuals *r)
{
    double laser = (fabs(r->laser_wheel_m[0]) + fabs(r->laser_wheel_m[1])) / 2.0;
    return r->path_m < STILL_M && laser > r->path_m;
}

/* By how much the robot went beyond what its wheels say, at the worse wheel. */
static double excess(const struct residuals *r)
{
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        double beyond =
            fmax(r->laser_wheel_m[i] - r->ahead_m[i], -r->back_m[i] - r->laser_wheel_m[i]);
        most = fmax(most, beyond);
    }
    return most;
}

/* By how much it went less. */
static double deficit(const struct residuals *r)
{
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        most =
            fmax(most, (r->wheel_m[i] - r->laser_wheel_m[i]) * (r->wheel_m[i] < 0.0 ? -1.0 : 1.0));
    }
    return most;
}

/* A wheel that slips takes the robot along by a part of its way, never by more, nor sideways. */
static bool wheels_explain(const struct residuals *r)
{
    for (int i = 0; i < 2; i++) {
        double low = -r->back_m[i] - r->wheel_limit_m[i];
        double high = r->ahead_m[i] + r->wheel_limit_m[i];
        if (r->laser_wheel_m[i] < low || r->laser_wheel_m[i] > high) {
            return false;
        }
    }
    return fabs(r->across_m) <= r->across_limit_m && excess(r) <= deficit(r) &&
           !moved_more_than_wheels(r);
}

static bool no_laser(const struct verdict_case *now)
{
    return now->no_laser;
}

static bool frozen(const struct verdict_case *now)
{
    return now->frozen;
}

static bool kidnap(const struct verdict_case *now)
{
    return now->lost;
}

/* Something begins, and what it is cannot be seen yet. */
static bool not_yet(const struct verdict_case *now)
{
    const struct residuals *r = &now->residuals;
    if (!now->has_motion || now->impatient) {
        return false;
    }
    bool missed = command_missed(r), early = command_may_be_missed(r);
    bool unsure = motion_contradicts(r, HALF) && !motion_contradicts(r, 1.0);
    return r->agreement_fall > FALL || (early && !missed) || (missed && unsure);
}

static bool gyro(const struct verdict_case *now)
{
    const struct residuals *r = &now->residuals;
    return now->has_motion && gyro_contradicts_wheels(r, 1.0) && laser_contradicts_gyro(r, 1.0) &&
           !laser_contradicts_wheels(r, 0.5) && !command_missed(r);
}

static bool blocked(const struct verdict_case *now)
{
    return now->has_motion && command_missed(&now->residuals) &&
           !motion_contradicts(&now->residuals, 1.0) && !only_laser_turned(&now->residuals);
}

static bool encoder(const struct verdict_case *now)
{
    return now->has_motion && command_missed(&now->residuals) &&
           motion_contradicts(&now->residuals, 1.0);
}

/* The same before it is certain: the robot moves beyond what a wheel says, which is less than was
 * commanded. */
static bool encoder_early(const struct verdict_case *now)
{
    const struct residuals *r = &now->residuals;
    return now->has_motion && command_may_be_missed(r) && motion_contradicts(r, 1.0) &&
           excess(r) > deficit(r) && fabs(r->across_m) <= r->across_limit_m;
}

static bool moved_otherwise(const struct verdict_case *now)
{
    return now->has_motion && !command_missed(&now->residuals) &&
           motion_contradicts(&now->residuals, 1.0) && !only_laser_turned(&now->residuals);
}

static bool slip(const struct verdict_case *now)
{
    return moved_otherwise(now) && wheels_explain(&now->residuals);
}

static bool push(const struct verdict_case *now)
{
    return moved_otherwise(now) && !wheels_explain(&now->residuals);
}

static bool has_gone_off(const struct verdict_case *now, int parameter, double by)
{
    return fabs(now->off[parameter]) > by && now->off_sigmas[parameter] > SIGMAS;
}

static bool late(const struct verdict_case *now)
{
    return now->late && fabs(now->late_s) > LATENCY_S;
}

/* While the robot turns, a scan that comes late looks like a laser that has turned. */
static bool laser_or_late(const struct verdict_case *now)
{
    bool turns = fabs(now->turn_rad_s) * LATE_S > fabs(now->off[LOCALIZER_MOUNT_YAW]);
    return has_gone_off(now, LOCALIZER_MOUNT_YAW, LASER_RAD) &&
           (now->maybe_late || (turns && !now->impatient));
}

static bool laser(const struct verdict_case *now)
{
    return has_gone_off(now, LOCALIZER_MOUNT_YAW, LASER_RAD) ||
           has_gone_off(now, LOCALIZER_MOUNT_X, LASER_M) ||
           has_gone_off(now, LOCALIZER_MOUNT_Y, LASER_M);
}

static bool latency(const struct verdict_case *now)
{
    return has_gone_off(now, LOCALIZER_TIME_OFFSET, LATENCY_S);
}

static bool radius(const struct verdict_case *now)
{
    return has_gone_off(now, LOCALIZER_SCALE_LEFT, RADIUS) ||
           has_gone_off(now, LOCALIZER_SCALE_RIGHT, RADIUS);
}

static bool avatar(const struct verdict_case *now)
{
    return now->no_avatar;
}

static bool map_changed(const struct verdict_case *now)
{
    return now->moved_object >= 0;
}

static bool unknown_object(const struct verdict_case *now)
{
    return now->stranger != NULL;
}

struct rule {
    enum verdict verdict; /* NONE: nothing is judged in this scan */
    bool (*fits)(const struct verdict_case *now);
    double holds_s;
    bool of_motion;
};

static const struct rule rules[] = {
    {VERDICT_NO_LASER, no_laser, 0.0, false},
    {VERDICT_FROZEN_LASER, frozen, 0.0, false},
    {VERDICT_KIDNAP, kidnap, 0.0, false},
    {VERDICT_ENCODER, encoder_early, SHORT_S, true},
    {VERDICT_NONE, not_yet, 0.0, false},
    {VERDICT_GYRO, gyro, SHORT_S, true},
    {VERDICT_BLOCKED, blocked, SHORT_S, true},
    {VERDICT_ENCODER, encoder, SHORT_S, true},
    {VERDICT_SLIP, slip, SHORT_S, true},
    {VERDICT_PUSH, push, SHORT_S, true},
    {VERDICT_LATENCY, late, SHORT_S, false},
    {VERDICT_NONE, laser_or_late, 0.0, false},
    {VERDICT_LASER, laser, LONG_S, false},
    {VERDICT_LATENCY, latency, LONG_S, false},
    {VERDICT_RADIUS, radius, LONG_S, false},
    {VERDICT_AVATAR, avatar, 0.0, false},
    {VERDICT_MAP_CHANGED, map_changed, SHORT_S, false},
    {VERDICT_UNKNOWN_OBJECT, unknown_object, SHORT_S, false},
};

#define RULES (sizeof rules / sizeof rules[0])

static const struct rule *rule_of(enum verdict verdict)
{
    for (size_t i = 0; i < RULES; i++) {
        if (verdict != VERDICT_NONE && rules[i].verdict == verdict) {
            return &rules[i];
        }
    }
    return NULL;
}

enum verdict verdict_judge(const struct verdict_case *now, bool *ret_hold)
{
    *ret_hold = false;
    for (size_t i = 0; i < RULES; i++) {
        if (rules[i].fits(now)) {
            *ret_hold = rules[i].verdict == VERDICT_NONE;
            return rules[i].verdict;
        }
    }
    return VERDICT_NONE;
}

double verdict_holds(enum verdict verdict)
{
    const struct rule *rule = rule_of(verdict);
    return rule ? rule->holds_s : 0.0;
}

unsigned verdict_rank(enum verdict verdict)
{
    const struct rule *rule = rule_of(verdict);
    return rule ? (unsigned)(rule - rules) : (unsigned)RULES;
}

bool verdict_is_of_motion(enum verdict verdict)
{
    const struct rule *rule = rule_of(verdict);
    return rule && rule->of_motion;
}

/* The wheel with the larger part, or both when they share it. */
static enum verdict_wheel worse(double left, double right)
{
    left = fabs(left);
    right = fabs(right);
    if (fmin(left, right) > SHARED * fmax(left, right)) {
        return VERDICT_BOTH;
    }
    return left > right ? VERDICT_LEFT : VERDICT_RIGHT;
}

enum verdict_wheel verdict_wheel(enum verdict verdict, const struct verdict_case *now)
{
    const struct residuals *r = &now->residuals;
    switch (verdict) {
    case VERDICT_BLOCKED:
    case VERDICT_ENCODER: return worse(r->command_m[0], r->command_m[1]);
    case VERDICT_SLIP:
        return worse(r->wheel_m[0] - r->laser_wheel_m[0], r->wheel_m[1] - r->laser_wheel_m[1]);
    case VERDICT_RADIUS:
        return worse(now->off[LOCALIZER_SCALE_LEFT], now->off[LOCALIZER_SCALE_RIGHT]);
    default: return VERDICT_NO_WHEEL;
    }
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICTS] = {
        [VERDICT_NONE] = "NONE",
        [VERDICT_SLIP] = "SLIP",
        [VERDICT_BLOCKED] = "BLOCKED",
        [VERDICT_ENCODER] = "ENCODER",
        [VERDICT_RADIUS] = "RADIUS",
        [VERDICT_LASER] = "LASER",
        [VERDICT_LATENCY] = "LATENCY",
        [VERDICT_PUSH] = "PUSH",
        [VERDICT_KIDNAP] = "KIDNAP",
        [VERDICT_GYRO] = "GYRO",
        [VERDICT_NO_LASER] = "NO_LASER",
        [VERDICT_FROZEN_LASER] = "FROZEN_LASER",
        [VERDICT_MAP_CHANGED] = "MAP_CHANGED",
        [VERDICT_UNKNOWN_OBJECT] = "UNKNOWN_OBJECT",
        [VERDICT_AVATAR] = "AVATAR",
    };
    return (unsigned)verdict < VERDICTS ? names[verdict] : "NONE";
}

const char *verdict_wheel_name(enum verdict_wheel wheel)
{
    static const char *const names[] = {"", "left", "right", "both"};
    return (unsigned)wheel < sizeof names / sizeof names[0] ? names[wheel] : "";
}
