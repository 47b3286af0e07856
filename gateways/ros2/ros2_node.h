/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway's part of a node of ROS 2: its readers and writers, and what others have. No call
 * waits for another participant. All on the observer's thread. */
#ifndef DPL_GATEWAYS_ROS2_NODE_H
#define DPL_GATEWAYS_ROS2_NODE_H

#include <doppel/host/gateway.h>

#include "ros2_session.h"

#define ROS2_NAME_MAX 256

/* A reader or a writer. */
struct ros2_endpoint {
    struct ros2_endpoint *next;
    char name[ROS2_NAME_MAX]; /* "/scan" */
    const struct ros2_type *type;
    dds_entity_t entity;
    bool is_writer;
    uint64_t n, dropped; /* messages written; that a slow reader did not make room for */
};

struct ros2_node {
    struct ros2_settings settings;
    const struct dpl_observer_ops *ops;
    void *observer;
    dds_entity_t peers[2]; /* readers of what there is of others' endpoints */
    struct ros2_endpoint *endpoints;
    dpl_ns told_at; /* CLOCK_MONOTONIC, what DDS complained of */
    uint64_t n_complaints_told;
};

/* 0, or -errno with reterr. After a failure there is nothing to close. */
int ros2_node_open(struct ros2_node *node, const struct dpl_gateway_setup *setup,
                   struct dpl_diag *reterr);
void ros2_node_close(struct ros2_node *node);

/* NULL: no memory, or DDS refuses, which is told. Other nodes learn of it with the next turn. */
struct ros2_endpoint *ros2_node_add(struct ros2_node *node, const char *name,
                                    const struct ros2_type *type, bool is_writer);
bool ros2_node_has(const struct ros2_node *node, const char *name);

/* Whether somebody reads what it writes. */
bool ros2_endpoint_is_read(const struct ros2_endpoint *endpoint);
/* A message of its type. What a slow reader makes no room for is dropped, and counted. */
void ros2_endpoint_write(struct ros2_endpoint *endpoint, const void *ros);

/* Called often: tells other nodes of changes, and the run's log what does not fit together. */
void ros2_node_turn(struct ros2_node *node);

#endif
