/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of other nodes, for input ports with which nothing of the application is connected. The
 * run checks them, lets one publish at a time, and stops what falls silent for 0.5 s; here they are
 * taken, refused if they are no numbers, and counted. All on the observer's thread. */
#ifndef DPL_GATEWAYS_ROS2_INPUTS_H
#define DPL_GATEWAYS_ROS2_INPUTS_H

#include "ros2_node.h"

#define ROS2_INPUTS_MAX 16

struct ros2_input {
    char port[ROS2_NAME_MAX]; /* "/Teleop/velocity" */
    const struct ros2_row *row;
    struct ros2_endpoint *reader;
};

struct ros2_inputs {
    struct ros2_node *node;
    void *gateway; /* as `gateway` of requests */
    bool may_control;
    struct ros2_input items[ROS2_INPUTS_MAX];
    size_t n;
    const struct dpl_topic *connected[ROS2_INPUTS_MAX]; /* topics that feed such ports */
    size_t n_connected;
    uint64_t n_taken, n_refused;
    dpl_ns told_at; /* CLOCK_MONOTONIC; 0: no refusal was told yet */
};

/* A topic of the run is there: what it feeds is not for others. */
void ros2_inputs_see(struct ros2_inputs *inputs, const struct dpl_topic *topic);
/* The list of /run/inputs. */
void ros2_inputs_set(struct ros2_inputs *inputs, const void *json, size_t n);
/* Called often. */
void ros2_inputs_turn(struct ros2_inputs *inputs);
void ros2_inputs_answer(struct ros2_inputs *inputs, const struct dpl_answer *answer);

#endif
