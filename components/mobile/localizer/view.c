/* SPDX-License-Identifier: Apache-2.0 */
/* What the trace and the summary show of the Localizer. */
#include <math.h>

#include "tables.h"

const char *loc_state_name(enum localizer_state state)
{
    static const char *const names[] = {"INIT",      "TRACKING", "DEGRADED", "COASTING",
                                        "AMBIGUOUS", "LOST",     "MAP_WRONG"};
    return names[state];
}

const char *loc_name_of(const struct dpl_floor_plan *plan, size_t object)
{
    return plan->names && plan->names[object] ? plan->names[object] : "?";
}

double loc_time_of_run(const struct loc_state *state, double stamp_s)
{
    return stamp_s - dpl_ns_to_s(state->started_at);
}

void loc_view_init(struct loc_view *view)
{
    const double none = (double)NAN;
    *view = (struct loc_view){
        .x = none,
        .y = none,
        .theta = none,
        .sigma_mm = none,
        .sigma_deg = none,
        .doubt_mm = none,
        .protection_mm = none,
        .agreement = none,
        .short_share = none,
        .long_share = none,
        .nis = none,
        .map_error_mm = none,
        .avatar_agreement = none,
        .scan_distance_mm = none,
        .true_mm = none,
        .true_heading_deg = none,
        .true_rms_mm = none,
        .true_max_mm = none,
        .true_heading_rms_deg = none,
        .nees = none,
        .inside = none,
        .forgot_from_s = none,
        .forgot_until_s = none,
    };
    for (size_t i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        view->value[i] = view->sigma[i] = none;
    }
}

static void fill_truth(struct loc_view *view, const struct truth_error *error)
{
    if (error->n == 0) {
        return;
    }
    view->true_mm = 1e3 * error->now_m;
    view->true_heading_deg = dpl_rad_to_deg(error->now_rad);
    view->true_rms_mm = 1e3 * truth_error_rms_m(error);
    view->true_max_mm = 1e3 * error->max_m;
    view->true_heading_rms_deg = dpl_rad_to_deg(truth_error_rms_rad(error));
    view->nees = truth_error_nees(error);
    view->inside = truth_error_inside(error);
}

void loc_view_fill(struct loc_state *state)
{
    const struct localizer_estimate *estimate = &state->estimate;
    struct loc_view *view = &state->view;
    loc_view_init(view);
    view->state = (int)estimate->state;
    view->held_by = estimate->state == LOCALIZER_TRACKING || estimate->state == LOCALIZER_DEGRADED;
    view->x = estimate->pose.x;
    view->y = estimate->pose.y;
    view->theta = estimate->pose.theta;
    view->sigma_mm =
        1e3 * hypot(sqrt(estimate->covariance[0] + estimate->covariance[2]), estimate->doubt_m);
    view->doubt_mm = 1e3 * estimate->doubt_m;
    view->sigma_deg = dpl_rad_to_deg(sqrt(estimate->covariance[5]));
    view->protection_mm =
        isfinite(state->integrity.level_m) ? 1e3 * state->integrity.level_m : (double)NAN;
    view->basis = (int)state->integrity.basis;
    view->reason = (int)state->integrity.reason;
    view->map_error_mm = 1e3 * estimate->map_error_m;
    view->unobservable = estimate->unobservable;
    view->hypotheses = (int64_t)estimate->hypotheses;
    view->relocations = (int64_t)estimate->relocations;
    if (state->has_fresh_scan) { /* what an old scan said is not true of now */
        view->agreement = estimate->agreement;
        view->short_share = estimate->too_short;
        view->long_share = estimate->too_long;
        view->nis = estimate->nis;
    }
    if (state->seen.valid) {
        view->avatar_agreement = state->seen.agreement;
        view->scan_distance_mm = 1e3 * state->seen.scan_distance_m;
    }
    for (size_t i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        view->value[i] = state->calibration.value[i];
        view->sigma[i] = state->calibration.sigma[i];
    }
    view->forgot_from_s = loc_time_of_run(state, state->forgetting.from_s);
    view->forgot_until_s = loc_time_of_run(state, state->forgetting.until_s);
    fill_truth(view, &state->error);
}
