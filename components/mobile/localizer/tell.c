/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer logs. */
#include "tell.h"

#include <stdio.h>

#include <doppel/component.h>
#include <doppel/msg/laser_scanner.h>

#define BLIND_S 3.0

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

void loc_tell_objects(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    for (size_t i = 0; i < state->plan.n_objects; i++) {
        struct localizer_object object;
        localizer_object(state->localizer, i, &object);
        bool is_moved = object.reliability < 0.5;
        if (is_moved && !state->moved[i]) {
            state->n_moved++;
            dpl_component_log(
                self, DPL_LOG_WARN,
                "beams pass through %s: it is not where the world has it; it is not used any more",
                loc_name_of(&state->plan, i));
        }
        state->moved[i] = is_moved;
    }
}

void loc_tell_forgetting(struct dpl_component *self)
{
    struct loc_state *state = self->state;
    uint64_t before = state->forgetting.times;
    localizer_forgetting(state->localizer, &state->forgetting);
    double from_s = loc_time_of_run(state, state->forgetting.from_s);
    if (state->forgetting.times == before) {
        return;
    }
    if (isnan(from_s)) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the robot is in another place: the calibration that was estimated since "
                          "the start is dropped");
    } else {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the robot is in another place: the calibration that was estimated since "
                          "%.1f s is dropped",
                          from_s);
    }
}

void loc_tell_state(struct dpl_component *self, enum localizer_state before)
{
    struct loc_state *state = self->state;
    const struct localizer_estimate *now = &state->estimate;
    state->n_lost += now->state == LOCALIZER_LOST || now->state == LOCALIZER_AMBIGUOUS;
    state->n_coasting += now->state == LOCALIZER_COASTING || now->state == LOCALIZER_MAP_WRONG;
    if (now->state == before) {
        return;
    }
    bool is_good = now->state == LOCALIZER_TRACKING;
    dpl_component_log(self, is_good ? DPL_LOG_INFO : DPL_LOG_WARN,
                      "%s -> %s, agreement of the scan %.2f, sigma %.0f mm", loc_state_name(before),
                      loc_state_name(now->state), now->agreement,
                      1e3 * sqrt(now->covariance[0] + now->covariance[2]));
}

/* What of the residuals explains the verdict. */
static void explain(const struct loc_state *state, const struct diagnosis_verdict *what,
                    char *ret_text, size_t size)
{
    const struct residuals *r = &what->residuals;
    if (what->verdict == VERDICT_NO_LASER) {
        bool blind = localizer_sees_nothing(state->localizer);
        snprintf(ret_text, size, "no %s for %.1f s%s",
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
    char why[192];
    explain(state, what, why, sizeof why);
    dpl_component_log(self, DPL_LOG_WARN, "%s%s%s%s%s: %s", verdict_name(what->verdict),
                      *wheel ? ", wheel " : "", wheel, what->object >= 0 ? ", " : "",
                      what->object >= 0 ? loc_name_of(&state->plan, (size_t)what->object) : "",
                      why);
}
