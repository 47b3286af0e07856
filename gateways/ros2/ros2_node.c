/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/system_clock.h>

#define PEERS_MOST 32 /* of others' endpoints in a turn */

/* ---- telling ---- */

static void tell(const struct ros2_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(const struct ros2_node *node, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    node->ops->tell(node->observer, DPL_LOG_WARN, text);
}

static void tell_complaints(struct ros2_node *node)
{
    char text[160];
    uint64_t n;
    dpl_ns now = dpl_monotonic_now();
    if (now - node->told_at < DPL_S) {
        return;
    }
    node->told_at = now;
    if (ros2_session_complaint(&node->n_complaints_told, &n, text)) {
        tell(node, "DDS says (%" PRIu64 " lines): %s", n, text);
    }
}

static void look_at_qos(const struct ros2_node *node, const struct ros2_endpoint *endpoint)
{
    dds_offered_incompatible_qos_status_t offered;
    dds_requested_incompatible_qos_status_t requested;
    if (endpoint->is_writer &&
        dds_get_offered_incompatible_qos_status(endpoint->entity, &offered) == 0 &&
        offered.total_count_change > 0) {
        tell(node, "%s: a subscriber gets nothing, its quality of service does not fit: %s",
             endpoint->name, ros2_policy_name(offered.last_policy_id));
    } else if (!endpoint->is_writer &&
               dds_get_requested_incompatible_qos_status(endpoint->entity, &requested) == 0 &&
               requested.total_count_change > 0) {
        tell(node, "%s: nothing is taken of a publisher, its quality of service does not fit: %s",
             endpoint->name, ros2_policy_name(requested.last_policy_id));
    }
}

/* A topic that we have, too, with another type than any of ours. */
static void look_at_peer(const struct ros2_node *node, const dds_builtintopic_endpoint_t *peer)
{
    const struct ros2_endpoint *other = NULL;
    if (strncmp(peer->topic_name, "rt/", 3) != 0) {
        return;
    }
    for (const struct ros2_endpoint *e = node->endpoints; e; e = e->next) {
        if (strcmp(e->name, peer->topic_name + 2) != 0) {
            continue;
        }
        if (strcmp(e->type->type->m_typename, peer->type_name) == 0) {
            return;
        }
        other = e;
    }
    if (other) {
        tell(node, "%s: another node has type %.128s there, this one %s", other->name,
             peer->type_name, other->type->type->m_typename);
    }
}

static void look_at_peers(const struct ros2_node *node, dds_entity_t reader)
{
    void *samples[PEERS_MOST] = {NULL};
    dds_sample_info_t infos[PEERS_MOST];
    int n = dds_take(reader, samples, infos, PEERS_MOST, PEERS_MOST);
    for (int i = 0; i < n; i++) {
        if (infos[i].valid_data && infos[i].instance_state == DDS_IST_ALIVE) {
            look_at_peer(node, samples[i]);
        }
    }
    if (n > 0) {
        dds_return_loan(reader, samples, n);
    }
}

void ros2_node_turn(struct ros2_node *node)
{
    ros2_session_turn();
    for (const struct ros2_endpoint *e = node->endpoints; e; e = e->next) {
        look_at_qos(node, e);
    }
    for (size_t i = 0; i < 2; i++) {
        look_at_peers(node, node->peers[i]);
    }
    tell_complaints(node);
}

/* ---- endpoints ---- */

struct ros2_endpoint *ros2_node_add(struct ros2_node *node, const char *name,
                                    const struct ros2_type *type, bool is_writer)
{
    struct ros2_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (!endpoint) {
        return NULL;
    }
    snprintf(endpoint->name, sizeof endpoint->name, "%s", name);
    endpoint->type = type;
    endpoint->is_writer = is_writer;
    endpoint->entity = ros2_session_add(name, type, is_writer, false);
    if (endpoint->entity < 0) {
        tell(node, "%s: DDS refuses it: %s", name, dds_strretcode(endpoint->entity));
        free(endpoint);
        return NULL;
    }
    endpoint->next = node->endpoints;
    node->endpoints = endpoint;
    return endpoint;
}

bool ros2_node_has(const struct ros2_node *node, const char *name)
{
    const struct ros2_endpoint *endpoint = node->endpoints;
    while (endpoint && strcmp(endpoint->name, name) != 0) {
        endpoint = endpoint->next;
    }
    return endpoint != NULL;
}

bool ros2_endpoint_is_read(const struct ros2_endpoint *endpoint)
{
    dds_publication_matched_status_t status;
    return dds_get_publication_matched_status(endpoint->entity, &status) == 0 &&
           status.current_count > 0;
}

void ros2_endpoint_write(struct ros2_endpoint *endpoint, const void *ros)
{
    dds_return_t r = dds_write(endpoint->entity, ros);
    endpoint->n += r == DDS_RETCODE_OK;
    endpoint->dropped += r != DDS_RETCODE_OK;
}

/* ---- life ---- */

int ros2_node_open(struct ros2_node *node, const struct dpl_gateway_setup *setup,
                   struct dpl_diag *reterr)
{
    *node = (struct ros2_node){.ops = setup->ops, .observer = setup->observer};
    dds_entity_t participant;
    int r = ros2_session_begin(&node->settings, &participant, reterr);
    if (r < 0) {
        return r;
    }
    node->peers[0] = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
    node->peers[1] = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
    if (node->peers[0] < 0 || node->peers[1] < 0) {
        ros2_node_close(node);
        return dpl_fail(reterr, -EIO, (struct dpl_place){0}, "DDS cannot begin, its readers");
    }
    return 0;
}

void ros2_node_close(struct ros2_node *node)
{
    for (struct ros2_endpoint *e = node->endpoints, *next; e; e = next) {
        next = e->next;
        ros2_session_remove(e->entity);
        free(e);
    }
    for (size_t i = 0; i < 2; i++) {
        if (node->peers[i] > 0) {
            dds_delete(node->peers[i]);
        }
    }
    ros2_session_end();
    *node = (struct ros2_node){0};
}
