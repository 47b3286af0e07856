/* SPDX-License-Identifier: Apache-2.0 */
#include "publish.h"

#include <stdio.h>
#include <string.h>

#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>

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
