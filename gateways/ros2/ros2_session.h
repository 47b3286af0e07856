/* SPDX-License-Identifier: Apache-2.0 */
/* The participant of this process: one node for its gateway and all its devices, and what it tells
 * other nodes of itself. Any thread. No call waits for another participant. */
#ifndef DPL_GATEWAYS_ROS2_SESSION_H
#define DPL_GATEWAYS_ROS2_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <dds/dds.h>

#include <doppel/diag.h>

#include "ros2_settings.h"
#include "ros2_types.h"

#define ROS2_NODE "doppel"

/* Joins the domain, if nobody of this process has: 0, or -errno with reterr. Then ros2_session_end
 * is called as often. */
int ros2_session_begin(struct ros2_settings *ret_settings, dds_entity_t *ret_participant,
                       struct dpl_diag *reterr);
void ros2_session_end(void);

/* A reader or a writer of a topic of ROS ("/scan"): > 0, or what DDS says. `is_device`: it takes
 * nothing of this process, as reader what all publish, reliably or not. Other nodes learn of it
 * with the next turn. ros2_session_remove deletes it. */
dds_entity_t ros2_session_add(const char *name, const struct ros2_type *type, bool is_writer,
                              bool is_device);
void ros2_session_remove(dds_entity_t endpoint);

/* Whether a device of this process takes the topic of another node, or any of the type, if the name
 * is NULL. */
bool ros2_session_takes(const char *name, const struct ros2_type *type);

/* Tells other nodes of changes. */
void ros2_session_turn(void);

/* What DDS has said since `inout_n`, which begins at 0; false: nothing. */
bool ros2_session_complaint(uint64_t *inout_n, uint64_t *ret_lines, char ret_text[160]);
/* Messages that could not be read because their bytes make no sense, of all topics. */
uint64_t ros2_session_malformed(void);

const char *ros2_policy_name(uint32_t id);

#endif
