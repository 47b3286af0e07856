/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnosis_verdict.h"

#include <math.h>
#include <string.h>

#define CLEAR_S    1.0
#define PATIENCE_S 1.0
#define ROUNDING_S 0.01

static const struct diagnosis_verdict all_is_well = {.object = -1, .parameter = -1};

void diagnosis_standing_init(struct diagnosis_standing *standing)
{
    memset(standing, 0, sizeof *standing);
    standing->active = all_is_well;
}

/* ---- events ---- */

static void add_event(struct diagnosis_standing *s, double now_s, bool rise)
{
    if (s->n_events == DIAGNOSIS_EVENTS) {
        s->first_event = (s->first_event + 1) % DIAGNOSIS_EVENTS;
        s->n_events--;
    }
    s->events[(s->first_event + s->n_events) % DIAGNOSIS_EVENTS] =
        (struct diagnosis_event){now_s, rise, s->active};
    s->n_events++;
}

static void fall(struct diagnosis_standing *s, double now_s)
{
    if (s->active.verdict != VERDICT_NONE) {
        add_event(s, now_s, false);
        s->active = all_is_well;
    }
}

bool diagnosis_standing_take_event(struct diagnosis_standing *standing,
                                   struct diagnosis_event *ret_event)
{
    if (standing->n_events == 0) {
        return false;
    }
    *ret_event = standing->events[standing->first_event];
    standing->first_event = (standing->first_event + 1) % DIAGNOSIS_EVENTS;
    standing->n_events--;
    return true;
}

/* Which parameter of the calibration a verdict is about. */
static int parameter_of(enum verdict verdict, const struct verdict_case *now)
{
    static const int of_laser[] = {LOCALIZER_MOUNT_YAW, LOCALIZER_MOUNT_X, LOCALIZER_MOUNT_Y};
    if (verdict == VERDICT_RADIUS) {
        return fabs(now->off[LOCALIZER_SCALE_LEFT]) > fabs(now->off[LOCALIZER_SCALE_RIGHT])
                   ? LOCALIZER_SCALE_LEFT
                   : LOCALIZER_SCALE_RIGHT;
    }
    if (verdict == VERDICT_LATENCY) {
        return LOCALIZER_TIME_OFFSET;
    }
    if (verdict != VERDICT_LASER) {
        return -1;
    }
    int most = of_laser[0];
    for (int i = 1; i < 3; i++) {
        most = now->off_sigmas[of_laser[i]] > now->off_sigmas[most] ? of_laser[i] : most;
    }
    return most;
}

static void rise(struct diagnosis_standing *s, enum verdict verdict, const struct verdict_case *now,
                 double now_s)
{
    fall(s, now_s);
    s->active = all_is_well;
    s->active.verdict = verdict;
    s->active.wheel = verdict_wheel(verdict, now);
    s->active.start_s = s->candidate_s;
    s->active.residuals = now->residuals;
    s->active.parameter = parameter_of(verdict, now);
    if (s->active.parameter >= 0) {
        s->active.off = now->off[s->active.parameter];
    }
    if (verdict == VERDICT_LATENCY && now->late_s != 0.0) {
        s->active.off = now->late_s;
    }
    if (verdict == VERDICT_MAP_CHANGED) {
        s->active.object = now->moved_object;
    }
    if (verdict == VERDICT_UNKNOWN_OBJECT && now->stranger) {
        s->active.x = now->stranger->x;
        s->active.y = now->stranger->y;
    }
    s->clear_s = now_s;
    s->rises[verdict]++;
    s->rises[VERDICT_NONE]++;
    add_event(s, now_s, true);
}

/* ---- from a scan's judgement to a verdict ---- */

/* The verdicts on the motion do not replace each other: as a fault goes, the window still holds a
 * part of it, which looks like another one. */
static bool may_replace(const struct diagnosis_standing *s, enum verdict verdict)
{
    enum verdict active = s->active.verdict;
    return active == VERDICT_NONE ||
           (verdict_rank(verdict) < verdict_rank(active) &&
            !(verdict_is_of_motion(verdict) && verdict_is_of_motion(active)));
}

static bool is_the_active_one(const struct diagnosis_standing *s, enum verdict verdict,
                              const struct verdict_case *now)
{
    return verdict == s->active.verdict &&
           (verdict != VERDICT_MAP_CHANGED || now->moved_object == s->active.object);
}

static bool has_held(const struct diagnosis_standing *s, enum verdict verdict, double now_s)
{
    double holds_s = verdict_holds(verdict);
    return holds_s <= 0.0 || (s->fitted >= 2 && now_s - s->candidate_s >= holds_s - ROUNDING_S);
}

static void note(struct diagnosis_standing *s, enum verdict verdict, const struct verdict_case *now,
                 double now_s)
{
    if (verdict != s->candidate) {
        s->candidate = verdict;
        s->fitted = 0;
        s->candidate_s = now_s;
    }
    s->fitted++;
    if (verdict == VERDICT_NONE) {
        return;
    }
    if (is_the_active_one(s, verdict, now)) {
        s->clear_s = now_s;
    } else if (has_held(s, verdict, now_s) &&
               (may_replace(s, verdict) || verdict == s->active.verdict)) {
        rise(s, verdict, now, now_s);
    }
}

void diagnosis_standing_judge(struct diagnosis_standing *standing, struct verdict_case *now,
                              double now_s, double since_s)
{
    struct diagnosis_standing *s = standing;
    bool hold;
    now->impatient = s->held_s >= PATIENCE_S;
    enum verdict verdict = verdict_judge(now, &hold);
    if (hold) {
        s->held_s += since_s;
        s->clear_s += since_s;
        return;
    }
    if (!now->impatient || verdict == VERDICT_NONE) {
        s->held_s = 0.0;
    }
    note(s, verdict, now, now_s);
}

void diagnosis_standing_step(struct diagnosis_standing *standing, double now_s)
{
    if (standing->active.verdict != VERDICT_NONE && now_s - standing->clear_s > CLEAR_S) {
        fall(standing, now_s);
    }
}
