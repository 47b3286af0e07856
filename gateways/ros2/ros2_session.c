/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_session.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "ros2_graph.h"

#define DEVICE_DEPTH 64 /* messages that a device of a late thread still gets */

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

uint64_t ros2_session_malformed(void)
{
    return atomic_load(&n_malformed);
}

bool ros2_session_complaint(uint64_t *inout_n, uint64_t *ret_lines, char ret_text[160])
{
    pthread_mutex_lock(&complaints.lock);
    *ret_lines = complaints.n - *inout_n;
    *inout_n = complaints.n;
    memcpy(ret_text, complaints.text, sizeof complaints.text);
    pthread_mutex_unlock(&complaints.lock);
    return *ret_lines > 0;
}

const char *ros2_policy_name(uint32_t id)
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

/* ---- the participant ---- */

struct endpoint {
    struct endpoint *next;
    dds_entity_t entity;
    const struct ros2_type *type;
    bool is_writer, is_device;
    char topic[]; /* "rt/scan" */
};

static struct {
    pthread_mutex_t lock;
    unsigned n_users;
    struct ros2_settings settings;
    dds_entity_t domain, participant, graph; /* 0: none */
    dds_guid_t guid;
    struct endpoint *endpoints;
    bool has_changed;
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the graph ---- */

/* Gids of the endpoints of a kind, one after the other. The number goes to ret_n. */
static char *list_gids(bool writers, size_t bytes, uint32_t *ret_n)
{
    size_t n = 1, at = 0;
    for (const struct endpoint *e = session.endpoints; e; e = e->next) {
        n++;
    }
    char *gids = calloc(n, bytes);
    for (const struct endpoint *e = session.endpoints; e && gids; e = e->next) {
        dds_guid_t guid;
        if (e->is_writer == writers && dds_get_guid(e->entity, &guid) == 0) {
            memcpy(gids + bytes * at++, guid.v, sizeof guid.v);
        }
    }
    *ret_n = (uint32_t)at;
    return gids;
}

/* Both types are the same but for the length of their gids. */
static dds_return_t write_graph(char *readers, uint32_t n_readers, char *writers,
                                uint32_t n_writers)
{
    char name[] = ROS2_NODE, root[] = "/";
    if (session.settings.long_gids) {
        humble_msg_dds__NodeEntitiesInfo_ one = {root,
                                                 name,
                                                 {n_readers, n_readers, (void *)readers, false},
                                                 {n_writers, n_writers, (void *)writers, false}};
        humble_msg_dds__ParticipantEntitiesInfo_ all = {
            .node_entities_info_seq = {1, 1, &one, false}};
        memcpy(all.gid.data, session.guid.v, sizeof session.guid.v);
        return dds_write(session.graph, &all);
    }
    rmw_dds_common_msg_dds__NodeEntitiesInfo_ one = {
        root,
        name,
        {n_readers, n_readers, (void *)readers, false},
        {n_writers, n_writers, (void *)writers, false}};
    rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ all = {
        .node_entities_info_seq = {1, 1, &one, false}};
    memcpy(all.gid.data, session.guid.v, sizeof session.guid.v);
    return dds_write(session.graph, &all);
}

static void tell_graph(void)
{
    size_t bytes = session.settings.long_gids ? sizeof(humble_msg_dds__Gid_)
                                              : sizeof(rmw_dds_common_msg_dds__Gid_);
    uint32_t n_readers, n_writers;
    char *readers = list_gids(false, bytes, &n_readers);
    char *writers = list_gids(true, bytes, &n_writers);
    if (readers && writers &&
        write_graph(readers, n_readers, writers, n_writers) == DDS_RETCODE_OK) {
        session.has_changed = false;
    }
    free(readers);
    free(writers);
}

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

static dds_entity_t create(const dds_topic_descriptor_t *type, const char *topic,
                           const dds_qos_t *qos, bool is_writer)
{
    dds_entity_t made = dds_create_topic(session.participant, type, topic, NULL, NULL);
    if (made > 0) {
        made = is_writer ? dds_create_writer(session.participant, made, qos, NULL)
                         : dds_create_reader(session.participant, made, qos, NULL);
    }
    return made;
}

static dds_entity_t open_graph(void)
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
        create(session.settings.long_gids ? &old : here, "ros_discovery_info", qos, true);
    dds_delete_qos(qos);
    return graph;
}

static dds_return_t join(void)
{
    static const char enclave[] = "enclave=/;";
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, enclave, sizeof enclave - 1);
    session.participant = dds_create_participant(session.settings.domain, qos, NULL);
    dds_delete_qos(qos);
    if (session.participant < 0) {
        return session.participant;
    }
    session.graph = open_graph();
    return session.graph < 0 ? session.graph : dds_get_guid(session.participant, &session.guid);
}

/* ---- life ---- */

static void leave(void)
{
    if (session.participant > 0) {
        dds_delete(session.participant);
    }
    if (session.domain > 0) {
        dds_delete(session.domain);
    }
    dds_set_log_sink(NULL, NULL);
    session.participant = session.domain = session.graph = 0;
}

static int fail(dds_return_t code, const char *what, struct dpl_diag *reterr)
{
    leave();
    return dpl_fail(reterr, -EIO, nowhere, "%s: %s", what, dds_strretcode(code));
}

static int begin(struct dpl_diag *reterr)
{
    int r = ros2_settings_read(getenv, &session.settings, reterr);
    if (r < 0) {
        return r;
    }
    dds_set_log_sink(take_line, NULL);
    const char *config = ros2_settings_config(&session.settings);
    session.domain = config ? dds_create_domain(session.settings.domain, config) : 0;
    if (session.domain < 0) {
        return fail(session.domain, "DDS cannot begin, its domain", reterr);
    }
    r = ros2_settings_confine(&session.settings);
    if (r < 0) {
        leave();
        return dpl_fail(reterr, r, nowhere, "DDS cannot be confined to this machine: %s",
                        strerror(-r));
    }
    dds_return_t code = join();
    session.has_changed = true;
    return code < 0 ? fail(code, "DDS cannot begin", reterr) : 0;
}

int ros2_session_begin(struct ros2_settings *ret_settings, dds_entity_t *ret_participant,
                       struct dpl_diag *reterr)
{
    pthread_mutex_lock(&session.lock);
    int r = session.n_users > 0 ? 0 : begin(reterr);
    if (r == 0) {
        session.n_users++;
        *ret_settings = session.settings;
        *ret_participant = session.participant;
    }
    pthread_mutex_unlock(&session.lock);
    return r;
}

void ros2_session_end(void)
{
    pthread_mutex_lock(&session.lock);
    if (--session.n_users == 0) {
        leave();
    }
    pthread_mutex_unlock(&session.lock);
}

void ros2_session_turn(void)
{
    pthread_mutex_lock(&session.lock);
    if (session.has_changed) {
        tell_graph();
    }
    pthread_mutex_unlock(&session.lock);
}

/* ---- endpoints ---- */

static dds_qos_t *make_endpoint_qos(const struct ros2_type *type, bool is_writer, bool is_device)
{
    char hash[128];
    dds_qos_t *qos = make_qos(type->qos);
    int n = snprintf(hash, sizeof hash, "typehash=%s;", type->hash);
    dds_qset_userdata(qos, hash, (size_t)n);
    if (is_device) {
        dds_qset_ignorelocal(qos, DDS_IGNORELOCAL_PARTICIPANT);
        dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, is_writer ? 1 : DEVICE_DEPTH);
    }
    if (is_device && !is_writer) {
        dds_qset_reliability(qos, DDS_RELIABILITY_BEST_EFFORT, 0);
        dds_qset_durability(qos, DDS_DURABILITY_VOLATILE);
    }
    return qos;
}

dds_entity_t ros2_session_add(const char *name, const struct ros2_type *type, bool is_writer,
                              bool is_device)
{
    size_t n = strlen(name) + sizeof "rt";
    struct endpoint *endpoint = calloc(1, sizeof *endpoint + n);
    if (!endpoint) {
        return DDS_RETCODE_OUT_OF_RESOURCES;
    }
    snprintf(endpoint->topic, n, "rt%s", name);
    dds_qos_t *qos = make_endpoint_qos(type, is_writer, is_device);
    pthread_mutex_lock(&session.lock);
    dds_entity_t entity = create(type->type, endpoint->topic, qos, is_writer);
    if (entity > 0) {
        endpoint->entity = entity;
        endpoint->type = type;
        endpoint->is_writer = is_writer;
        endpoint->is_device = is_device;
        endpoint->next = session.endpoints;
        session.endpoints = endpoint;
        session.has_changed = true;
    } else {
        free(endpoint);
    }
    pthread_mutex_unlock(&session.lock);
    dds_delete_qos(qos);
    return entity;
}

void ros2_session_remove(dds_entity_t entity)
{
    pthread_mutex_lock(&session.lock);
    struct endpoint **at = &session.endpoints;
    while (*at && (*at)->entity != entity) {
        at = &(*at)->next;
    }
    if (*at) {
        struct endpoint *gone = *at;
        *at = gone->next;
        free(gone);
        dds_delete(entity);
        session.has_changed = true;
    }
    pthread_mutex_unlock(&session.lock);
}

bool ros2_session_takes(const char *name, const struct ros2_type *type)
{
    bool takes = false;
    pthread_mutex_lock(&session.lock);
    for (const struct endpoint *e = session.endpoints; e && !takes; e = e->next) {
        takes = e->is_device && !e->is_writer && e->type->type == type->type &&
                (!name || strcmp(e->topic + 2, name) == 0);
    }
    pthread_mutex_unlock(&session.lock);
    return takes;
}
