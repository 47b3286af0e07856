/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_node.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "ros2_graph.h"

#define PEERS_MOST 32 /* of others' endpoints in a turn */

static const struct dpl_place nowhere;

/* ---- what DDS says, on its threads ---- */

static struct {
    pthread_mutex_t lock;
    char text[160];
    uint64_t n;
} complaints = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_ullong n_malformed;

static void take_line(void *user, const dds_log_data_t *line)
{
    (void)user;
    bool is_bad = strstr(line->message, "deserialization") || strstr(line->message, "malformed");
    atomic_fetch_add(&n_malformed, is_bad);
    pthread_mutex_lock(&complaints.lock);
    snprintf(complaints.text, sizeof complaints.text, "%.*s", (int)strcspn(line->message, "\n"),
             line->message);
    complaints.n++;
    pthread_mutex_unlock(&complaints.lock);
}

uint64_t ros2_node_malformed(void)
{
    return atomic_load(&n_malformed);
}

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
    char text[sizeof complaints.text];
    dpl_ns now = dpl_monotonic_now();
    if (now - node->told_at < DPL_S) {
        return;
    }
    pthread_mutex_lock(&complaints.lock);
    uint64_t n = complaints.n - node->n_complaints_told;
    node->n_complaints_told = complaints.n;
    memcpy(text, complaints.text, sizeof text);
    pthread_mutex_unlock(&complaints.lock);
    node->told_at = now;
    if (n > 0) {
        tell(node, "DDS says (%" PRIu64 " lines): %s", n, text);
    }
}

static const char *policy_name(uint32_t id)
{
    static const char *const names[] = {
        [DDS_DURABILITY_QOS_POLICY_ID] = "durability",
        [DDS_PRESENTATION_QOS_POLICY_ID] = "presentation",
        [DDS_DEADLINE_QOS_POLICY_ID] = "deadline",
        [DDS_LATENCYBUDGET_QOS_POLICY_ID] = "latency budget",
        [DDS_OWNERSHIP_QOS_POLICY_ID] = "ownership",
        [DDS_LIVELINESS_QOS_POLICY_ID] = "liveliness",
        [DDS_PARTITION_QOS_POLICY_ID] = "partition",
        [DDS_RELIABILITY_QOS_POLICY_ID] = "reliability",
        [DDS_DESTINATIONORDER_QOS_POLICY_ID] = "destination order",
        [DDS_DATA_REPRESENTATION_QOS_POLICY_ID] = "data representation",
    };
    return id < DPL_COUNT(names) && names[id] ? names[id] : "another policy";
}

static void look_at_qos(const struct ros2_node *node, const struct ros2_endpoint *endpoint)
{
    dds_offered_incompatible_qos_status_t offered;
    dds_requested_incompatible_qos_status_t requested;
    if (endpoint->is_writer &&
        dds_get_offered_incompatible_qos_status(endpoint->entity, &offered) == 0 &&
        offered.total_count_change > 0) {
        tell(node, "%s: a subscriber gets nothing, its quality of service does not fit: %s",
             endpoint->name, policy_name(offered.last_policy_id));
    } else if (!endpoint->is_writer &&
               dds_get_requested_incompatible_qos_status(endpoint->entity, &requested) == 0 &&
               requested.total_count_change > 0) {
        tell(node, "%s: nothing is taken of a publisher, its quality of service does not fit: %s",
             endpoint->name, policy_name(requested.last_policy_id));
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

/* ---- the graph ---- */

/* Gids of the endpoints of a kind, one after the other. The number goes to ret_n. */
static char *list_gids(const struct ros2_node *node, bool writers, size_t bytes, uint32_t *ret_n)
{
    size_t n = 1, at = 0;
    for (const struct ros2_endpoint *e = node->endpoints; e; e = e->next) {
        n++;
    }
    char *gids = calloc(n, bytes);
    for (const struct ros2_endpoint *e = node->endpoints; e && gids; e = e->next) {
        dds_guid_t guid;
        if (e->is_writer == writers && dds_get_guid(e->entity, &guid) == 0) {
            memcpy(gids + bytes * at++, guid.v, sizeof guid.v);
        }
    }
    *ret_n = (uint32_t)at;
    return gids;
}

/* Both types are the same but for the length of their gids. */
static dds_return_t write_graph(const struct ros2_node *node, char *readers, uint32_t n_readers,
                                char *writers, uint32_t n_writers)
{
    char *name = (char *)(uintptr_t)node->name, root[] = "/";
    if (node->settings.long_gids) {
        humble_msg_dds__NodeEntitiesInfo_ one = {root,
                                                 name,
                                                 {n_readers, n_readers, (void *)readers, false},
                                                 {n_writers, n_writers, (void *)writers, false}};
        humble_msg_dds__ParticipantEntitiesInfo_ all = {
            .node_entities_info_seq = {1, 1, &one, false}};
        memcpy(all.gid.data, node->guid.v, sizeof node->guid.v);
        return dds_write(node->graph, &all);
    }
    rmw_dds_common_msg_dds__NodeEntitiesInfo_ one = {
        root,
        name,
        {n_readers, n_readers, (void *)readers, false},
        {n_writers, n_writers, (void *)writers, false}};
    rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ all = {
        .node_entities_info_seq = {1, 1, &one, false}};
    memcpy(all.gid.data, node->guid.v, sizeof node->guid.v);
    return dds_write(node->graph, &all);
}

static void tell_graph(struct ros2_node *node)
{
    size_t bytes = node->settings.long_gids ? sizeof(humble_msg_dds__Gid_)
                                            : sizeof(rmw_dds_common_msg_dds__Gid_);
    uint32_t n_readers, n_writers;
    char *readers = list_gids(node, false, bytes, &n_readers);
    char *writers = list_gids(node, true, bytes, &n_writers);
    if (readers && writers &&
        write_graph(node, readers, n_readers, writers, n_writers) == DDS_RETCODE_OK) {
        node->has_changed = false;
    }
    free(readers);
    free(writers);
}

void ros2_node_turn(struct ros2_node *node)
{
    if (node->has_changed) {
        tell_graph(node);
    }
    for (const struct ros2_endpoint *e = node->endpoints; e; e = e->next) {
        look_at_qos(node, e);
    }
    for (size_t i = 0; i < 2; i++) {
        look_at_peers(node, node->peers[i]);
    }
    tell_complaints(node);
}

/* ---- endpoints ---- */

/* Writers never wait: what a reader makes no room for is dropped. */
static dds_qos_t *make_qos(enum ros2_qos kind)
{
    static const struct {
        bool reliable, holds;
        int32_t depth;
    } profiles[] = {
        [ROS2_SENSOR] = {false, false, 5}, [ROS2_TRANSFORM] = {true, false, 100},
        [ROS2_HOLDS] = {true, true, 1},    [ROS2_CLOCK] = {false, false, 1},
        [ROS2_LINES] = {true, true, 100},  [ROS2_PLAIN] = {true, false, 10},
    };
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(
        qos, profiles[kind].reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, 0);
    dds_qset_durability(qos, profiles[kind].holds ? DDS_DURABILITY_TRANSIENT_LOCAL
                                                  : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, profiles[kind].depth);
    dds_qset_writer_data_lifecycle(qos, false);
    return qos;
}

static dds_entity_t create(const struct ros2_node *node, const dds_topic_descriptor_t *type,
                           const char *topic, const dds_qos_t *qos, bool is_writer)
{
    dds_entity_t made = dds_create_topic(node->participant, type, topic, NULL, NULL);
    if (made > 0) {
        made = is_writer ? dds_create_writer(node->participant, made, qos, NULL)
                         : dds_create_reader(node->participant, made, qos, NULL);
    }
    return made;
}

struct ros2_endpoint *ros2_node_add(struct ros2_node *node, const char *name,
                                    const struct ros2_type *type, bool is_writer)
{
    char topic[ROS2_NAME_MAX + 2], hash[128];
    struct ros2_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (!endpoint) {
        return NULL;
    }
    snprintf(topic, sizeof topic, "rt%s", name);
    int n = snprintf(hash, sizeof hash, "typehash=%s;", type->hash);
    dds_qos_t *qos = make_qos(type->qos);
    dds_qset_userdata(qos, hash, (size_t)n);
    snprintf(endpoint->name, sizeof endpoint->name, "%s", name);
    endpoint->type = type;
    endpoint->is_writer = is_writer;
    endpoint->entity = create(node, type->type, topic, qos, is_writer);
    dds_delete_qos(qos);
    if (endpoint->entity < 0) {
        tell(node, "%s: DDS refuses it: %s", name, dds_strretcode(endpoint->entity));
        free(endpoint);
        return NULL;
    }
    endpoint->next = node->endpoints;
    node->endpoints = endpoint;
    node->has_changed = true;
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

static int fail(struct ros2_node *node, dds_return_t code, const char *what,
                struct dpl_diag *reterr)
{
    ros2_node_close(node);
    return dpl_fail(reterr, -EIO, nowhere, "%s: %s", what, dds_strretcode(code));
}

static dds_entity_t open_graph(const struct ros2_node *node)
{
    const dds_topic_descriptor_t *here = &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc,
                                 *from = &humble_msg_dds__ParticipantEntitiesInfo__desc;
    const dds_topic_descriptor_t old = {.m_size = from->m_size,
                                        .m_align = from->m_align,
                                        .m_flagset = from->m_flagset,
                                        .m_typename = here->m_typename,
                                        .m_nops = from->m_nops,
                                        .m_ops = from->m_ops,
                                        .m_meta = from->m_meta};
    dds_qos_t *qos = make_qos(ROS2_HOLDS);
    dds_entity_t graph =
        create(node, node->settings.long_gids ? &old : here, "ros_discovery_info", qos, true);
    dds_delete_qos(qos);
    return graph;
}

static dds_return_t join(struct ros2_node *node)
{
    static const char enclave[] = "enclave=/;";
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, enclave, sizeof enclave - 1);
    node->participant = dds_create_participant(node->settings.domain, qos, NULL);
    dds_delete_qos(qos);
    if (node->participant < 0) {
        return node->participant;
    }
    node->graph = open_graph(node);
    node->peers[0] =
        dds_create_reader(node->participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
    node->peers[1] =
        dds_create_reader(node->participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
    return node->graph < 0      ? node->graph
           : node->peers[0] < 0 ? node->peers[0]
           : node->peers[1] < 0 ? node->peers[1]
                                : dds_get_guid(node->participant, &node->guid);
}

int ros2_node_open(struct ros2_node *node, const struct dpl_gateway_setup *setup,
                   struct dpl_diag *reterr)
{
    *node = (struct ros2_node){.ops = setup->ops, .observer = setup->observer, .name = "doppel"};
    int r = ros2_settings_read(getenv, &node->settings, reterr);
    if (r < 0) {
        return r;
    }
    dds_set_log_sink(take_line, NULL);
    const char *config = ros2_settings_config(&node->settings);
    node->domain = config ? dds_create_domain(node->settings.domain, config) : 0;
    if (node->domain < 0) {
        return fail(node, node->domain, "DDS cannot begin, its domain", reterr);
    }
    r = ros2_settings_confine(&node->settings);
    if (r < 0) {
        ros2_node_close(node);
        return dpl_fail(reterr, r, nowhere, "DDS cannot be confined to this machine: %s",
                        strerror(-r));
    }
    dds_return_t code = join(node);
    node->has_changed = true;
    return code < 0 ? fail(node, code, "DDS cannot begin", reterr) : 0;
}

void ros2_node_close(struct ros2_node *node)
{
    if (node->participant > 0) {
        dds_delete(node->participant);
    }
    if (node->domain > 0) {
        dds_delete(node->domain);
    }
    dds_set_log_sink(NULL, NULL);
    for (struct ros2_endpoint *e = node->endpoints, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    *node = (struct ros2_node){0};
}
