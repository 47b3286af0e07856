/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer publishes. */
#include "publish.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>

#define CALIBRATION_EVERY DPL_S

/* Of the odometry's frame in the world. */
static struct dpl_pose2 correction_of(const struct loc_state *state)
{
    struct dpl_pose2 back = dpl_pose2_relative(state->odometry.pose, (struct dpl_pose2){0});
    return dpl_pose2_compose(state->estimate.pose, back);
}

static void fill_rivals(const struct loc_state *state, Doppel__LocalizedPose *message)
{
    const struct integrity_verdict *verdict = &state->integrity;
    for (size_t i = 0; i < verdict->n_rivals; i++) {
        struct dpl_pose2 rival = dpl_pose2_compose(verdict->rivals[i], state->estimate.pose);
        message->rival_x[i] = rival.x;
        message->rival_y[i] = rival.y;
        message->rival_theta[i] = rival.theta;
    }
    message->n_rival_x = message->n_rival_y = message->n_rival_theta = verdict->n_rivals;
}

void loc_publish_pose(struct dpl_component *self)
{
    const struct loc_state *state = self->state;
    const struct localizer_estimate *estimate = &state->estimate;
    Doppel__LocalizedPose *message = dpl_port_loan(self, LOC_PORT_POSE);
    if (!message) {
        return;
    }
    dpl_pose2_set(message->pose, estimate->pose);
    memcpy(message->covariance, estimate->covariance, sizeof estimate->covariance);
    message->n_covariance = DPL_COUNT(estimate->covariance);
    message->doubt = estimate->doubt_m;
    message->state = (Doppel__LocalizerState)estimate->state;
    message->protection_level = state->integrity.level_m;
    message->basis = (Doppel__LocalizerBasis)state->integrity.basis;
    message->reason = (Doppel__LocalizerReason)state->integrity.reason;
    fill_rivals(state, message);
    dpl_pose2_set(message->correction, correction_of(state));
    message->relocations = estimate->relocations;
    message->scan_stamp_ns =
        isnan(estimate->scan_stamp_s) ? 0 : dpl_ns_from_s(estimate->scan_stamp_s);
    message->agreement = estimate->agreement;
    message->short_share = estimate->too_short;
    message->long_share = estimate->too_long;
    message->nis = estimate->nis;
    message->map_error = estimate->map_error_m;
    message->unobservable = estimate->unobservable;
    message->unobservable_direction = estimate->unobservable_rad;
    message->hypotheses = estimate->hypotheses;
    message->has_avatar = state->seen.valid;
    message->avatar_agreement = state->seen.agreement;
    message->scan_distance = state->seen.scan_distance_m;
    dpl_port_publish(self, LOC_PORT_POSE, message, state->odometry.stamp);
}

void loc_publish_calibration(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct loc_state *state = self->state;
    if (tick->now < state->calibration_at) {
        return;
    }
    state->calibration_at = tick->now + CALIBRATION_EVERY;
    Doppel__LocalizerCalibration *message = dpl_port_loan(self, LOC_PORT_CALIBRATION);
    if (!message) {
        return;
    }
    for (size_t i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        message->value[i] = state->calibration.value[i];
        message->sigma[i] = state->calibration.sigma[i];
        message->identified[i] = state->calibration.identified[i];
    }
    message->n_value = message->n_sigma = message->n_identified = LOCALIZER_N_PARAMETERS;
    dpl_port_publish(self, LOC_PORT_CALIBRATION, message, tick->now);
}

void loc_publish_event(struct dpl_component *self, const struct diagnosis_event *event)
{
    const struct loc_state *state = self->state;
    const struct diagnosis_verdict *what = &event->what;
    const struct residuals *r = &what->residuals;
    Doppel__Diagnosis *message = dpl_port_loan(self, LOC_PORT_DIAGNOSIS);
    if (!message) {
        return;
    }
    message->verdict = (Doppel__RobotVerdict)what->verdict;
    message->rise = event->rise;
    message->wheel = (Doppel__VerdictWheel)what->wheel;
    if (what->object >= 0) {
        const char *name = loc_name_of(&state->plan, (size_t)what->object);
        snprintf(message->object, LOC_NAME_MAX_BYTES + 1, "%s", name);
    }
    message->x = what->x;
    message->y = what->y;
    message->start_stamp_ns = dpl_ns_from_s(what->start_s);
    message->off = what->off;
    message->parameter = what->parameter >= 0 ? (uint32_t)what->parameter : 0;
    message->path = r->path_m;
    message->command_left = r->command_m[0];
    message->command_right = r->command_m[1];
    message->shift = r->shift_m;
    message->across = r->across_m;
    message->odometry_gyro = r->odometry_gyro_rad;
    message->odometry_laser = r->odometry_laser_rad;
    message->gyro_laser = r->gyro_laser_rad;
    dpl_port_publish(self, LOC_PORT_DIAGNOSIS, message, dpl_ns_from_s(event->stamp_s));
}
