/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

const struct dpl_port_desc look_ports[LOOK_N_PORTS] = {
    [LOOK_PORT_LOOK] =
        {
            .name = "look",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__look__descriptor,
            .capacity = LOOK_NAME_BYTES,
            .summary = "what comes if the present command is held",
        },
    [LOOK_PORT_SAFETY] =
        {
            .name = "SafetyService",
            .aliases = "Safety",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__safety_service__descriptor,
            .methods = look_safety,
            .summary = "how fast a command may be",
        },
    [LOOK_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary =
                "what the base is commanded; not connected: only what SafetyService is asked",
        },
    [LOOK_PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "the base's motion, and its bumper, by which predictions are judged",
        },
    [LOOK_PORT_POSE] =
        {
            .name = "pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__localized_pose__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "where the real robot is in the world; not connected: where the avatar is",
        },
    [LOOK_PORT_CALIBRATION] =
        {
            .name = "calibration",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__localizer_calibration__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "how well the wheels are known; not connected: WheelSigma",
        },
    [LOOK_PORT_PLAN] =
        {
            .name = "PlanService",
            .aliases = "Plan",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__plan_service__descriptor,
            .summary = "the commander's plan; not connected: only the present command is looked at",
        },
};

#define P struct look_properties

const struct dpl_field look_properties[LOOK_N_PROPERTIES] = {
    DPL_CHOICE(P, mode, "Mode", "veto", "veto|record",
               "record: vetoes nothing, and judges predictions by what comes"),
    DPL_NUMBER(P, horizon_s, "Horizon", "s", "3", 0.2, 20, "how far is looked ahead"),
    DPL_INT(P, rollouts, "Rollouts", "8", 1, SPREAD_MAX - 1,
            "of the present command, and as many of a plan"),
    DPL_INT(P, seed, "Seed", "1", 0, 4294967295, "of the draws, together with the run's seed"),
    DPL_NUMBER(P, least_probability, "MinimumProbability", NULL, "0.1", 0, 1,
               "of a contact, for a veto"),
    DPL_NUMBER(P, margin_m, "Margin", "m", "0.05", 0, 1, "way to keep before a contact"),
    DPL_NUMBER(P, deceleration_m_s2, "Deceleration", "m/s^2", "0.5", 0.01, 100,
               "that the base surely has"),
    DPL_NUMBER(P, deceleration_deg_s2, "AngularDeceleration", "deg/s^2", "115", 0.1, 10000,
               "the same when it turns"),
    DPL_NUMBER(P, latency_ms, "Latency", "ms", "200", 0, 2000, "from a command to its effect"),
    DPL_NUMBER(P, oldest_ms, "MaximumAge", "ms", "500", 50, 5000, "an older look vetoes nothing"),
    DPL_NUMBER(P, position_sigma_m, "PositionSigma", "m", "0.01", 0, 1,
               "of the pose where no Localizer tells it"),
    DPL_NUMBER(P, heading_sigma_deg, "HeadingSigma", "deg", "1", 0, 45, "the same"),
    DPL_NUMBER(P, wheel_sigma, "WheelSigma", NULL, "0.01", 0, 0.2,
               "of a wheel's scale where no Localizer tells it"),
};

#define R     struct look_run
#define TRACE DPL_FIELD_TRACE
#define SUM   DPL_FIELD_SUMMARY

const struct dpl_field look_exports[LOOK_N_EXPORTS] = {
    DPL_EXPORT_CHOICE(R, state, "state", DPL_LOOK_STATE_WORDS,
                      DPL_FIELD_TRACE | DPL_FIELD_STATUS | DPL_FIELD_SUMMARY,
                      "whether looks can be used"),
    DPL_EXPORT_NUMBER(R, contact_s, "contact_s", "s", TRACE | DPL_FIELD_STATUS,
                      "until the earliest predicted contact; -1: none"),
    DPL_EXPORT_NUMBER(R, probability, "probability", NULL, TRACE | DPL_FIELD_STATUS,
                      "of a contact, if the present command is held"),
    DPL_EXPORT_NUMBER(R, clearance_m, "clearance_m", "m", TRACE, "least, in all rollouts"),
    DPL_EXPORT_NUMBER(R, age_s, "age_s", "s", TRACE, "of the newest look"),
    DPL_EXPORT_NUMBER(R, took_ms, "took_ms", "ms", TRACE,
                      "real time of the newest look; 0 on the simulated clock"),
    DPL_EXPORT_BOOL(R, vetoing, "vetoing", TRACE, "the newest command was slowed down"),
    DPL_EXPORT_INT(R, looks, "looks", NULL, SUM, "looks that were answered"),
    DPL_EXPORT_INT(R, vetoes, "vetoes", NULL, SUM | DPL_FIELD_STATUS,
                   "commands that were slowed down"),
    DPL_EXPORT_INT(R, score.predicted, "predicted", NULL, SUM,
                   "contacts that were predicted, each once"),
    DPL_EXPORT_INT(R, score.right, "right", NULL, SUM, "contacts that came as predicted"),
    DPL_EXPORT_INT(R, score.missed, "missed", NULL, SUM, "contacts that were not predicted"),
    DPL_EXPORT_INT(R, score.false_alarms, "false_alarms", NULL, SUM,
                   "predicted contacts that did not come although the command was held"),
    DPL_EXPORT_INT(R, score.unjudged, "unjudged", NULL, SUM,
                   "predicted contacts whose command was changed before, and contacts within 0.3 s "
                   "of a change"),
    DPL_EXPORT_INT(R, lost, "lost", NULL, SUM, "times that the worker fell silent or ended"),
    DPL_EXPORT_INT(R, refused, "refused", NULL, SUM, "looks that were not answered"),
};

static void fill_contact(const struct outlook *outlook, Doppel__Look *message)
{
    message->contact = outlook->contact;
    message->contact_time = outlook->contact_s;
    message->contact_x = outlook->x;
    message->contact_y = outlook->y;
    message->contact_way = outlook->way_m;
    snprintf(message->contact_object, LOOK_NAME_BYTES, "%s", outlook->object);
}

static void fill_look(const struct look_run *run, Doppel__Look *message)
{
    const struct outlook *outlook = &run->seen.command;
    fill_contact(outlook, message);
    message->probability = outlook->probability;
    message->clearance = outlook->clearance_m;
    message->predicted_time = outlook->predicted_s;
    dpl_pose2_set(message->predicted, outlook->predicted);
    memcpy(message->covariance, outlook->covariance, sizeof outlook->covariance);
    message->n_covariance = DPL_COUNT(outlook->covariance);
    message->rollouts = (uint32_t)outlook->n;
    message->rest_contact = run->seen.rest_contact;
    message->plan_known = run->seen.plan_known;
    message->plan_contact = run->seen.plan.contact;
    message->plan_contact_time = run->seen.plan.contact_s;
}

void look_publish(struct dpl_component *self)
{
    const struct look_run *run = self->state;
    Doppel__Look *message = dpl_port_loan(self, LOOK_PORT_LOOK);
    if (!message) {
        return;
    }
    message->state = (Doppel__LookState)run->state;
    message->age = run->age_s;
    message->vetoes = (uint64_t)run->vetoes;
    if (run->seen.valid) {
        fill_look(run, message);
    }
    dpl_port_publish(self, LOOK_PORT_LOOK, message, run->seen.stamp);
}
