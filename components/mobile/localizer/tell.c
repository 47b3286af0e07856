/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer logs. */
#include "tell.h"

#include <stdio.h>

#include <doppel/component.h>
#include <doppel/msg/laser_scanner.h>

#include "pose_jump.h"

#define BLIND_S       3.0
#define PLACE_BYTES   128
/* An object is moved below this reliability. It is told of again only after it was there again. */
#define MOVED         0.5
#define TRUSTED_AGAIN 0.7

void loc_tell_start(struct dpl_component *self, struct dpl_pose2 from)
{
    const struct loc_properties *props = self->properties;
    const struct loc_state *state = self->state;
    dpl_component_log(self, DPL_LOG_INFO,
                      "the plan has %zu objects with %zu outlines; start at x %.2f m, y %.2f m, "
                      "%.0f deg",
                      state->plan.n_objects, state->plan.n_outlines, from.x, from.y,
                      dpl_rad_to_deg(from.theta));
    bool given =
        props->start_x_m != 0.0 || props->start_y_m != 0.0 || props->start_theta_rad != 0.0;
    if (given && dpl_port_is_connected(self, LOC_PORT_AVATAR)) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "StartX, StartY and StartTheta (%.2f m, %.2f m, %.0f deg) are not used: "
                          "beside an avatar the start is where the avatar stands in its world; "
                          "place the avatar there",
                          props->start_x_m, props->start_y_m,
                          dpl_rad_to_deg(props->start_theta_rad));
    }
}

void loc_tell_empty_plan(struct dpl_component *self)
{
    const struct loc_state *state = self->state;
    if (state->plan.n_outlines == 0) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the plan has no surface at its height of %.2f m above the ground: scans "
                          "fit nothing",
                          state->plan.height_m);
    }
}

static bool has_return(const Doppel__Scan *scan)
{
    for (size_t i = 0; i < scan->n_ranges; i++) {
        double range = (double)scan->ranges[i];
        if (range > 0.0 && range >= scan->range_min && range <= scan->range_max) {
            return true;
        }
    }
    return false;
}

void loc_tell_beams(struct dpl_component *self, const Doppel__Scan *scan, double stamp_s)
{
    struct loc_state *state = self->state;
    bool returned = has_return(scan);
    if (returned || isnan(state->returned_stamp_s)) {
        state->returned_stamp_s = stamp_s;
    }
    if (returned && state->is_blind) {
        state->is_blind = false;
        dpl_component_log(self, DPL_LOG_INFO, "the laser's beams return again");
    }
    double blind_s = stamp_s - state->returned_stamp_s;
    if (blind_s >= BLIND_S && !state->is_blind) {
        state->is_blind = true;
        dpl_component_log(self, DPL_LOG_WARN,
                          "no beam of the laser has returned for %.1f s: none of %zu ended between "
                          "%g and %g m",
                          blind_s, scan->n_ranges, scan->range_min, scan->range_max);
    }
}

/* The middle of what encloses the outlines of an object. */
static bool find_middle(const struct dpl_floor_plan *plan, size_t object, double ret_middle[2])
{
    double low[2] = {(double)INFINITY, (double)INFINITY};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < plan->n_outlines; i++) {
        const struct dpl_floor_plan_outline *outline = &plan->outlines[i];
        const double from[2] = {outline->x, outline->y}, way[2] = {outline->dx, outline->dy};
        for (int k = 0; k < 2 && (size_t)outline->object == object; k++) {
            low[k] = fmin(low[k], fmin(from[k], from[k] + way[k]));
            high[k] = fmax(high[k], fmax(from[k], from[k] + way[k]));
        }
    }
    ret_middle[0] = (low[0] + high[0]) / 2.0;
    ret_middle[1] = (low[1] + high[1]) / 2.0;
    return low[0] <= high[0];
}

/* Names of objects may be alike, places are not. */
static const char *describe_object(const struct dpl_floor_plan *plan, size_t object,
                                   char ret_text[PLACE_BYTES])
{
    double middle[2];
    const char *name = loc_name_of(plan, object);
    if (find_middle(plan, object, middle)) {
        snprintf(ret_text, PLACE_BYTES, "%.64s at x %.2f m, y %.2f m", name, middle[0], middle[1]);
    } else {
        snprintf(ret_text, PLACE_BYTES, "%.64s", name);
    }
    return ret_text;
}

void loc_tell_objects(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    char text[PLACE_BYTES];
    for (size_t i = 0; i < state->plan.n_objects; i++) {
        struct localizer_object object;
        localizer_object(state->localizer, i, &object);
        bool is_moved = object.reliability < (state->moved[i] ? TRUSTED_AGAIN : MOVED);
        if (is_moved && !state->moved[i]) {
            state->n_moved++;
            dpl_component_log(
                self, DPL_LOG_WARN,
                "beams pass through %s: it is not where the world has it; it is not used any more",
                describe_object(&state->plan, i, text));
        }
        state->moved[i] = is_moved;
    }
}

static bool is_known(enum localizer_state state)
{
    return state == LOCALIZER_TRACKING || state == LOCALIZER_DEGRADED ||
           state == LOCALIZER_COASTING;
}

/* Once it is known where the robot is. */
void loc_tell_forgetting(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    const struct localizer_estimate *now = &state->estimate;
    char where[POSE_JUMP_BYTES] = "where it was followed", since[32] = "the start";
    localizer_forgetting(state->localizer, &state->forgetting);
    if (!is_known(now->state)) {
        return;
    }
    bool forgot = state->forgetting.times != state->told_forgetting;
    bool jumped = now->relocations != state->told_relocations;
    state->told_forgetting = state->forgetting.times;
    state->told_relocations = now->relocations;
    if (!forgot) {
        return;
    }
    if (jumped) {
        pose_jump_text(now->jump, where);
    }
    double from_s = loc_time_of_run(state, state->forgetting.from_s);
    if (isfinite(from_s)) {
        snprintf(since, sizeof since, "%.1f s", from_s);
    }
    dpl_component_log(self, DPL_LOG_WARN,
                      "the robot is %s: the calibration that was estimated since %s is dropped",
                      where, since);
}

/* On what a known place rests, or why it is withheld. */
static const char *describe_place(const struct dpl_component *self)
{
    const struct loc_state *state = self->state;
    static const char *const bases[] = {"", ", as told", ", proven", ", followed"};
    static const char *const reasons[INTEGRITY_REASONS] = {
        [INTEGRITY_NO_REASON] = "",
        [INTEGRITY_START] = ", the start is not proven",
        [INTEGRITY_MOVED] = ", the scan before does not foretell this one",
        [INTEGRITY_RELOCATED] = ", the pose jumped",
        [INTEGRITY_OUTRANKED] = ", another place explains the scans better",
        [INTEGRITY_RETURNED] = ", the laser is back",
        [INTEGRITY_NO_PLACE] = "",
        [INTEGRITY_NO_SCANS] = ", no scans",
        [INTEGRITY_UNTESTED] = ", scans that show no wrong place",
        [INTEGRITY_UNFIT] = ", beams go through the plan",
        [INTEGRITY_DRIFTED] = ", scans pull the pose from odometry",
        [INTEGRITY_RIVAL] = ", another place explains the scans nearly as well",
        [INTEGRITY_INACCURATE] = ", the protection level is too high",
    };
    const struct integrity_verdict *now = &state->integrity;
    return now->state == INTEGRITY_OK ? bases[now->basis] : reasons[now->reason];
}

void loc_tell_state(struct dpl_component *self, enum localizer_state before)
{
    struct loc_state *state = self->state;
    const struct localizer_estimate *now = &state->estimate;
    state->n_lost += now->state == LOCALIZER_LOST || now->state == LOCALIZER_AMBIGUOUS;
    state->n_coasting += now->state == LOCALIZER_COASTING || now->state == LOCALIZER_MAP_WRONG;
    if (now->state == before) {
        bool proven =
            state->view.basis == INTEGRITY_TOLD && state->integrity.basis == INTEGRITY_PROVEN;
        if (proven) {
            dpl_component_log(self, DPL_LOG_INFO, "the place is proven");
        }
        return;
    }
    bool is_good = now->state == LOCALIZER_TRACKING;
    dpl_component_log(self, is_good ? DPL_LOG_INFO : DPL_LOG_WARN,
                      "%s -> %s%s, agreement of the scan %.2f, sigma %.0f mm",
                      loc_state_name(before), loc_state_name(now->state), describe_place(self),
                      now->agreement, 1e3 * sqrt(now->covariance[0] + now->covariance[2]));
}

/* What of the residuals explains the verdict. */
static void explain(const struct loc_state *state, const struct diagnosis_verdict *what,
                    char *ret_text, size_t size)
{
    const struct residuals *r = &what->residuals;
    if (what->verdict == VERDICT_NO_LASER) {
        bool blind = localizer_sees_nothing(state->localizer);
        snprintf(ret_text, size, "no %s for %.1f s%s: odometry alone holds the pose",
                 blind ? "beam, or hardly one, has returned" : "scan", r->span_s,
                 state->n_scans > 0 ? "" : ", since the start");
    } else if (what->verdict == VERDICT_GYRO) {
        snprintf(ret_text, size,
                 "differences of the turn in the last %.1f s: wheels and gyro %.1f deg, gyro and "
                 "laser %.1f deg, wheels and laser %.1f deg",
                 r->span_s, dpl_rad_to_deg(r->odometry_gyro_rad), dpl_rad_to_deg(r->gyro_laser_rad),
                 dpl_rad_to_deg(r->odometry_laser_rad));
    } else {
        snprintf(ret_text, size,
                 "differences: wheels and command %.0f and %.0f mm, odometry and laser %.0f mm and "
                 "%.1f deg",
                 1e3 * r->command_m[0], 1e3 * r->command_m[1], 1e3 * r->shift_m,
                 dpl_rad_to_deg(r->odometry_laser_rad));
    }
}

void loc_tell_event(struct dpl_component *self, const struct diagnosis_event *event)
{
    const struct loc_state *state = self->state;
    const struct diagnosis_verdict *what = &event->what;
    if (!event->rise) {
        dpl_component_log(self, DPL_LOG_INFO, "%s is over", verdict_name(what->verdict));
        return;
    }
    const char *wheel = verdict_wheel_name(what->wheel);
    bool has_object = what->object >= 0;
    char why[192], object[PLACE_BYTES] = "";
    explain(state, what, why, sizeof why);
    if (has_object) {
        describe_object(&state->plan, (size_t)what->object, object);
    }
    dpl_component_log(self, DPL_LOG_WARN, "%s%s%s%s%s: %s", verdict_name(what->verdict),
                      *wheel ? ", wheel " : "", wheel, has_object ? ", " : "", object, why);
}
