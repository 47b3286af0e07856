/* SPDX-License-Identifier: Apache-2.0 */
/* What the Synchronizer logs. */
#include "tables.h"

#include <stdio.h>

#include <doppel/component.h>

#include "pose_jump.h"

/* A refusal that lasts is told again after this. */
#define REFUSAL_TOLD_S 10.0

static void report_state(struct dpl_component *self, enum dpl_sync_state before,
                         const struct dpl_sync_status *status)
{
    const struct sync_view *now = &((const struct sync_state *)self->state)->view;
    enum dpl_log_level level = status->state > DPL_SYNC_STALE ? DPL_LOG_WARN : DPL_LOG_INFO;
    const char *from = dpl_sync_state_name(before), *to = dpl_sync_state_name(status->state);
    double real_s = status->real.pose_age_s, avatar_s = status->avatar.pose_age_s;
    if (status->astray) {
        dpl_component_log(self, level, "%s -> %s, the avatar's world was restarted", from, to);
    } else if (status->state == DPL_SYNC_UNKNOWN && status->silent) {
        dpl_component_log(self, level,
                          "%s -> %s, the Localizer says nothing that can be used: where the real "
                          "robot is follows from its odometry alone",
                          from, to);
    } else if (status->state == DPL_SYNC_UNKNOWN && now->localizer == SYNC_LOCALIZER_INIT) {
        dpl_component_log(
            self, level,
            "%s -> %s, the Localizer has used no scan: the avatar is held by odometry "
            "alone",
            from, to);
    } else if (status->state == DPL_SYNC_UNKNOWN) {
        dpl_component_log(
            self, level, "%s -> %s, the Localizer does not know where the real robot is", from, to);
    } else if (fmax(real_s, avatar_s) > DPL_SYNC_STALE_S) {
        const char *who = real_s >= avatar_s ? "real robot" : "avatar";
        dpl_component_log(self, level, "%s -> %s, no pose of the %s for %.1f s", from, to, who,
                          fmax(real_s, avatar_s));
    } else if (status->diverged_by_heading) {
        dpl_component_log(self, level, "%s -> %s, heading %.0f deg off, distance %.0f mm", from, to,
                          dpl_rad_to_deg(status->judged_heading), status->judged_error * 1e3);
    } else {
        dpl_component_log(self, level, "%s -> %s, distance %.0f mm", from, to,
                          status->judged_error * 1e3);
    }
}

/* Why the fidelity is low, where the distance does not say it. */
static void describe_cause(const struct dpl_sync_status *status, char *text, size_t size)
{
    text[0] = '\0';
    switch (status->cause) {
    case DPL_SYNC_CAUSE_NONE:
    case DPL_SYNC_CAUSE_DISTANCE: return;
    case DPL_SYNC_CAUSE_HEADING:
        snprintf(text, size, "; the heading is %.1f deg off",
                 dpl_rad_to_deg(status->judged_heading));
        return;
    case DPL_SYNC_CAUSE_UNSURE_POSITION:
        snprintf(text, size, "; the Localizer is not sure of the position");
        return;
    case DPL_SYNC_CAUSE_UNSURE_HEADING:
        snprintf(text, size, "; the Localizer is not sure of the heading");
        return;
    case DPL_SYNC_CAUSE_SCAN:
        snprintf(text, size, "; the scan fits worse at the avatar, %.0f %% of its beams",
                 100.0 * status->fidelity_agreement);
        return;
    }
}

/* How far away the place was that the avatar was to be put at; "" at the start. */
static void describe_place(const struct sync_state *state, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(state->place_mm)) {
        snprintf(text, size, ", %.0f mm away", state->place_mm);
    }
}

static void describe_refusal(const struct sync_state *state, char *text, size_t size)
{
    switch (state->refusal) {
    case SYNC_REFUSAL_HALTED: snprintf(text, size, "nothing is allowed to move now"); return;
    case SYNC_REFUSAL_NO_WORLD: snprintf(text, size, "its base cannot be placed"); return;
    case SYNC_REFUSAL_BLOCKED: snprintf(text, size, "something stands there"); return;
    case SYNC_REFUSAL_ERROR:
        snprintf(text, size, "its base answers with error %d", state->refusal_code);
        return;
    }
}

/* A place that was refused is asked for again until the avatar fits: told only so often. */
static void report_refusal(struct dpl_component *self, const char *away, double now_s)
{
    struct sync_state *state = self->state;
    char why[64] = "";
    if (now_s - state->refusal_told_s < REFUSAL_TOLD_S) {
        return;
    }
    state->refusal_told_s = now_s;
    describe_refusal(state, why, sizeof why);
    dpl_component_log(self, DPL_LOG_WARN,
                      "the avatar was not placed at the real robot's pose%s: %s; the request is "
                      "repeated while it is far away",
                      away, why);
}

static void report_places(struct dpl_component *self, const struct sync_view *before,
                          const struct dpl_sync_status *status)
{
    struct sync_state *state = self->state;
    char away[32];
    describe_place(state, away, sizeof away);
    if (status->teleports > before->teleports) {
        state->refusal_told_s = (double)NAN;
        dpl_component_log(self, DPL_LOG_WARN, "the avatar was placed at the real robot's pose%s",
                          away);
    }
    if (status->rejoins > before->rejoins) {
        state->refusal_told_s = (double)NAN;
        dpl_component_log(
            self, DPL_LOG_WARN,
            "the avatar's world was restarted: the avatar was placed at the real robot's pose");
    }
    if (status->refused_places > before->refused_places) {
        report_refusal(self, away, status->time_s);
    }
}

/* What lasts this long is no transient of a contact. */
#define CLAMPED_AFTER (5 * DPL_S)

static void report_clamped(struct dpl_component *self, int side,
                           const struct dpl_sync_robot_status *robot)
{
    struct sync_state *state = self->state;
    bool clamped = robot->certainty.clamped || robot->lag_at_end;
    int64_t *ticks = &state->clamped_ticks[side];
    *ticks = clamped && !robot->blocked ? *ticks + 1 : 0;
    if (*ticks != CLAMPED_AFTER / state->period) {
        return;
    }
    dpl_component_log(
        self, DPL_LOG_WARN,
        "the drive of the %s differs more from its profile than the search covers (linear gain "
        "%.2f, turn gain %.2f, latency and lag %.0f ms): the true values may be outside",
        side == 0 ? "real robot" : "avatar", robot->map.m11, robot->map.m22,
        (robot->latency_s + robot->lag_s) * 1e3);
}

/* A robot that is blocked may twitch. */
#define BLOCKED_AFTER DPL_S

static void report_blocked(struct dpl_component *self, const struct dpl_sync_robot_status *real)
{
    struct sync_state *state = self->state;
    state->blocked_ticks = real->blocked != state->blocked_told ? state->blocked_ticks + 1 : 0;
    if (state->blocked_ticks * state->period < BLOCKED_AFTER) {
        return;
    }
    state->blocked_told = real->blocked;
    state->blocked_ticks = 0;
    if (!real->blocked) {
        dpl_component_log(self, DPL_LOG_INFO, "the real robot is not blocked any more");
        return;
    }
    double does = fabs(real->velocity.linear);
    double told = fabs(real->velocity.linear - real->bias.linear);
    dpl_component_log(
        self, DPL_LOG_WARN,
        "the real robot is blocked: it drives %.2f of %.2f m/s; the avatar stays with it", does,
        told);
}

/* A message that cannot be one is a mistake of its sender: told only so often. */
static void report_flaw(struct dpl_component *self, const struct dpl_sync_status *status)
{
    struct sync_state *state = self->state;
    if (!status->flaw || status->time_s - state->flaw_told_s < REFUSAL_TOLD_S) {
        return;
    }
    state->flaw_told_s = status->time_s;
    dpl_component_log(self, DPL_LOG_WARN,
                      "a message of the Localizer is refused (%u so far): %s; the avatar follows "
                      "the odometry",
                      status->refused_localizations, status->flaw);
}

/* The Localizer itself tells its states. */
static void report_localizer(struct dpl_component *self, const struct sync_view *before,
                             const struct dpl_sync_status *status)
{
    char where[POSE_JUMP_BYTES];
    const struct sync_state *state = self->state;
    const struct sync_view *now = &state->view;
    if (now->relocations > before->relocations) {
        dpl_component_log(self, DPL_LOG_WARN, "the Localizer found the real robot %s",
                          pose_jump_text(status->jump, where));
    }
    if (now->strayed > before->strayed) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the real robot's odometry is too far from the Localizer's pose to be "
                          "corrected smoothly");
    }
    if (now->localized && !before->localized) {
        dpl_component_log(self, DPL_LOG_INFO, "the avatar follows the Localizer's pose");
    } else if (!now->localized && before->localized && !status->flaw) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "no message from the Localizer: the avatar follows the odometry");
    }
}

void sync_report(struct dpl_component *self, const struct sync_view *before,
                 const struct dpl_sync_status *status)
{
    if ((int)status->state != before->state) {
        report_state(self, (enum dpl_sync_state)before->state, status);
    }
    report_places(self, before, status);
    report_clamped(self, 0, &status->real);
    report_clamped(self, 1, &status->avatar);
    report_flaw(self, status);
    report_localizer(self, before, status);
    report_blocked(self, &status->real);
    if (status->warn && !before->warn && status->seen && status->state != DPL_SYNC_UNKNOWN) {
        bool known = isfinite(status->fidelity);
        char cause[96];
        describe_cause(status, cause, sizeof cause);
        dpl_component_log(
            self, DPL_LOG_WARN, "%s %.2f, distance %.0f mm%s", known ? "fidelity" : "tracking",
            known ? status->fidelity : status->tracking, status->judged_error * 1e3, cause);
    }
}

/* ---- view ---- */

static double known(bool is_known, double value)
{
    return is_known ? value : (double)NAN;
}

static void view_robot(struct sync_robot_view *view, struct dpl_pose2 pose,
                       const struct dpl_sync_robot_status *status)
{
    const struct dpl_sync_map_certainty *c = &status->certainty;
    *view = (struct sync_robot_view){
        .x = pose.x,
        .y = pose.y,
        .theta = pose.theta,
        .pose_age_s = status->pose_age_s,
        .latency_s = status->latency_s,
        .lag_s = status->lag_s,
        .m11 = known(c->m11, status->map.m11),
        .m12 = known(c->m12, status->map.m12),
        .m21 = known(c->m21, status->map.m21),
        .m22 = known(c->m22, status->map.m22),
        .scale_left = known(c->m11 && c->m21, status->wheels.scale_left),
        .scale_right = known(c->m11 && c->m21, status->wheels.scale_right),
        .axle_m = known(c->m11 && c->m22, status->wheels.axle_m),
        .m11_sigma = known(!c->clamped, c->sigma.m11),
        .m12_sigma = known(!c->clamped, c->sigma.m12),
        .m21_sigma = known(!c->clamped, c->sigma.m21),
        .m22_sigma = known(!c->clamped, c->sigma.m22),
        .clamped = c->clamped || status->lag_at_end,
        .dv = status->bias.linear,
        .dw = status->bias.angular,
        .slip = status->slip,
        .nis = status->nis_average,
        .blocked = status->blocked,
        .pressed = status->pressed,
        .rejected = status->rejected,
        .outliers = status->outliers,
        .jumps = status->jumps,
    };
}

void sync_view_init(struct sync_view *view)
{
    const double none = (double)NAN;
    *view = (struct sync_view){
        .ex = none,
        .ey = none,
        .et_deg = none,
        .distance_mm = none,
        .heading_deg = none,
        .fidelity = none,
        .rms_5s_mm = none,
        .rms_mm = none,
        .max_mm = none,
        .heading_max_deg = none,
        .tracking = none,
        .min_tracking = none,
        .min_fidelity = none,
        .fidelity_covariance = none,
        .fidelity_agreement = none,
        .scan_age_s = none,
        .error_sigma_mm = none,
        .error_limit_mm = none,
        .real = {.x = none, .y = none, .theta = none},
        .avatar = {.x = none, .y = none, .theta = none},
    };
}

/* A lowest value is NaN before the first. */
static void fill_fidelity(struct sync_view *view, const struct dpl_sync_status *status)
{
    view->tracking = known(status->seen, status->tracking);
    view->fidelity = known(status->seen, status->fidelity);
    if (status->measured || status->state != DPL_SYNC_INIT) {
        view->min_tracking = fmin(view->min_tracking, status->tracking);
    }
    if (status->fidelity_begun) {
        view->min_fidelity = fmin(view->min_fidelity, status->fidelity);
    }
    view->fidelity_covariance = status->fidelity_covariance;
    view->fidelity_agreement = status->fidelity_agreement;
    view->scan_age_s = status->scan_age_s;
    view->error_sigma_mm = known(status->seen, status->error_sigma * 1e3);
    view->error_limit_mm = known(status->seen, status->error_limit * 1e3);
    view->contact_mismatch = status->contact_mismatch;
    view->contact_mismatch_ticks += view->contact_mismatch;
}

void sync_view_localizer(struct sync_view *view, const struct dpl_sync_localization *localization)
{
    view->localized = localization->valid;
    view->pose_source = localization->valid ? SYNC_POSE_LOCALIZER : SYNC_POSE_ODOMETRY;
    view->localizer = localization->valid ? 1 + (int)localization->state : SYNC_LOCALIZER_NONE;
}

void sync_view_fill(struct sync_view *view, const struct dpl_sync_status *status)
{
    view->state = (int)status->state;
    view->ex = known(status->seen, status->ex);
    view->ey = known(status->seen, status->ey);
    view->et_deg = known(status->seen, dpl_rad_to_deg(status->et));
    view->distance_mm = known(status->seen, status->position_error * 1e3);
    view->heading_deg = view->et_deg;
    view->rms_5s_mm = status->rms_5s * 1e3;
    view->rms_mm = status->rms * 1e3;
    view->max_mm = status->max_position_error * 1e3;
    view->heading_max_deg = dpl_rad_to_deg(status->max_heading_error);
    view->fidelity_cause = (int)status->cause;
    fill_fidelity(view, status);
    view->warn = status->warn;
    view->saturated = status->saturated;
    view->fallback = status->fallback;
    view->astray = status->astray;
    view->teleports = status->teleports;
    view->rejoins = status->rejoins;
    view->relocations = status->relocations;
    view->strayed = status->strayed;
    view->localizer_refused = status->refused_localizations;
    view->refused_places = status->refused_places;
    view->overruns = status->overruns;
    view->fallback_ticks = status->fallback_ticks;
    view->ticks++;
    view->warn_ticks += status->warn;
    view->diverged_ticks += status->state == DPL_SYNC_DIVERGED;
    view->diverged_heading_ticks += status->diverged_by_heading;
    view->lost_ticks += status->state == DPL_SYNC_LOST;
    view->unknown_ticks += status->state == DPL_SYNC_UNKNOWN;
    view->placing_ticks += status->placing;
    view_robot(&view->real, status->real_pose, &status->real);
    view_robot(&view->avatar, status->avatar_pose, &status->avatar);
}
