/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_devices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/system_clock.h>

#include "ros2_orders.h"
#include "ros2_readings.h"
#include "ros2_session.h"

#define TAKEN_MOST  64  /* in a call */
#define OTHERS_MOST 512 /* endpoints in one reading */
#define LOOK        (10 * DPL_MS)
#define LOOK_EVERY  16 /* calls, at what others have */
#define LAST_WORD   (100 * DPL_MS)
#define COMPLAIN    DPL_S

static const struct dpl_place nowhere;

struct ros2_peer {
    struct ros2_peer_config config; /* its texts are copies */
    unsigned domain, n_looks;
    dds_entity_t publications, subscriptions; /* of others */
    dds_entity_t reader, writer;              /* 0: none yet */
    const struct ros2_type *order_type;       /* of the writer */
    dds_instance_handle_t publisher;          /* 0: not known yet */
    struct ros2_counts counts;
    char lack[ROS2_TEXT_SIZE], complaint[ROS2_TEXT_SIZE], told[ROS2_TEXT_SIZE];
    dpl_ns told_at;
    uint64_t n_lines;
    bool told_of_dds; /* last: others have their turn */
};

static void complain(struct ros2_peer *peer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first one is told, until it has been. */
static void complain(struct ros2_peer *peer, const char *format, ...)
{
    va_list arguments;
    if (*peer->complaint) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(peer->complaint, sizeof peer->complaint, format, arguments);
    va_end(arguments);
}

/* ---- who is there ---- */

/* The type of an endpoint that others have on the topic: `wanted`, if one has it; "": none. */
static void find_type(dds_entity_t endpoints, const char *topic, const char *const *wanted,
                      char ret_type[128])
{
    void *samples[OTHERS_MOST] = {NULL};
    dds_sample_info_t infos[OTHERS_MOST];
    bool is_found = false;
    int n = dds_read(endpoints, samples, infos, OTHERS_MOST, OTHERS_MOST);
    *ret_type = '\0';
    for (int i = 0; i < n && !is_found; i++) {
        const dds_builtintopic_endpoint_t *other = samples[i];
        if (!infos[i].valid_data || infos[i].instance_state != DDS_IST_ALIVE ||
            strncmp(other->topic_name, "rt", 2) != 0 || strcmp(other->topic_name + 2, topic) != 0) {
            continue;
        }
        snprintf(ret_type, 128, "%s", other->type_name);
        for (size_t k = 0; wanted[k] && !is_found; k++) {
            is_found = strcmp(other->type_name, wanted[k]) == 0;
        }
    }
    if (n > 0) {
        dds_return_loan(endpoints, samples, n);
    }
}

static void say_lack(struct ros2_peer *peer, const char *verb, const char *topic,
                     const char *wanted, const char *other)
{
    int n = snprintf(peer->lack, sizeof peer->lack, "nobody %s %s (%s) in domain %u", verb, topic,
                     wanted, peer->domain);
    if (*other && n > 0 && (size_t)n < sizeof peer->lack) {
        snprintf(peer->lack + n, sizeof peer->lack - (size_t)n, "; a node has type %s there",
                 other);
    }
}

static bool is_published(struct ros2_peer *peer, bool looks)
{
    const struct ros2_type *type = ros2_readings[peer->config.kind].type;
    const char *wanted[] = {type->type->m_typename, NULL};
    dds_subscription_matched_status_t status;
    if (dds_get_subscription_matched_status(peer->reader, &status) == 0 &&
        status.current_count > 0) {
        return true;
    }
    if (looks) {
        char other[128];
        find_type(peer->publications, peer->config.topic, wanted, other);
        say_lack(peer, "publishes", peer->config.topic, *wanted,
                 strcmp(other, *wanted) == 0 ? "" : other);
    }
    return false;
}

static void write_as(struct ros2_peer *peer, const struct ros2_type *type)
{
    if (peer->order_type == type) {
        return;
    }
    if (peer->writer > 0) {
        ros2_session_remove(peer->writer);
    }
    peer->writer = ros2_session_add(peer->config.order_topic, type, true, true);
    peer->order_type = peer->writer > 0 ? type : NULL;
    if (peer->writer < 0) {
        complain(peer, "%s: DDS refuses it: %s", peer->config.order_topic,
                 dds_strretcode(peer->writer));
    }
}

/* Of two types, it is published as that which is read. */
static bool is_obeyed(struct ros2_peer *peer, bool looks)
{
    const char *wanted[ROS2_ORDER_TYPES + 1] = {NULL};
    dds_publication_matched_status_t status;
    if (peer->config.order == ROS2_NO_ORDER ||
        (peer->writer > 0 && dds_get_publication_matched_status(peer->writer, &status) == 0 &&
         status.current_count > 0)) {
        return true;
    }
    if (!looks) {
        return false;
    }
    char type[128];
    for (size_t i = 0; i < ROS2_ORDER_TYPES && ros2_order_type(peer->config.order, i); i++) {
        wanted[i] = ros2_order_type(peer->config.order, i)->type->m_typename;
    }
    find_type(peer->subscriptions, peer->config.order_topic, wanted, type);
    say_lack(peer, "takes", peer->config.order_topic, *wanted, type);
    for (size_t i = 0; wanted[i]; i++) {
        if (strcmp(type, wanted[i]) == 0) {
            say_lack(peer, "takes", peer->config.order_topic, wanted[i], "");
            write_as(peer, ros2_order_type(peer->config.order, i));
        }
    }
    return false;
}

static const char *lack(struct ros2_peer *peer)
{
    bool looks = peer->n_looks++ % LOOK_EVERY == 0 || !*peer->lack;
    if (looks) {
        ros2_session_turn();
    }
    if (!is_published(peer, looks) || !is_obeyed(peer, looks)) {
        return peer->lack;
    }
    *peer->lack = '\0';
    return NULL;
}

/* ---- messages ---- */

/* Whether the message is taken; only of the first who publishes. */
static bool read_sample(struct ros2_peer *peer, const void *sample, const dds_sample_info_t *info,
                        void *ret_message)
{
    const struct ros2_reading *reading = &ros2_readings[peer->config.kind];
    const char *topic = peer->config.topic, *why;
    if (!info->valid_data) {
        return false;
    }
    if (peer->publisher != 0 && info->publication_handle != peer->publisher) {
        peer->counts.strangers++;
        complain(peer, "%s: another node publishes it, too: its messages are refused", topic);
        return false;
    }
    why = reading->read(&peer->config, sample, ret_message);
    if (why && *why) {
        peer->counts.refused++;
        complain(peer, "%s: a %s is refused: %s", topic, reading->type->type->m_typename, why);
    }
    if (why) {
        return false;
    }
    peer->publisher = info->publication_handle;
    peer->counts.messages++;
    return true;
}

static bool take(struct ros2_peer *peer, void *ret_message)
{
    bool is_taken = false;
    for (int i = 0; i < TAKEN_MOST && !is_taken; i++) {
        void *sample = NULL;
        dds_sample_info_t info;
        if (dds_take(peer->reader, &sample, &info, 1, 1) <= 0) {
            return false;
        }
        is_taken = read_sample(peer, sample, &info, ret_message);
        dds_return_loan(peer->reader, &sample, 1);
    }
    return is_taken;
}

static void forget(struct ros2_peer *peer)
{
    peer->publisher = 0;
}

static void send_order(struct ros2_peer *peer, const void *order)
{
    if (peer->writer > 0) {
        ros2_order_write(peer->writer, peer->order_type, &peer->config, order, dpl_calendar_now());
    }
}

static void count(const struct ros2_peer *peer, struct ros2_counts *ret_counts)
{
    *ret_counts = peer->counts;
    ret_counts->malformed = (int64_t)ros2_session_malformed();
}

static bool tell_of_dds(struct ros2_peer *peer)
{
    dds_offered_incompatible_qos_status_t status;
    char line[160];
    uint64_t n;
    if (peer->writer > 0 && dds_get_offered_incompatible_qos_status(peer->writer, &status) == 0 &&
        status.total_count_change > 0) {
        snprintf(peer->told, sizeof peer->told,
                 "%s: a reader's quality of service does not fit: %s", peer->config.order_topic,
                 ros2_policy_name(status.last_policy_id));
        return true;
    }
    if (!ros2_session_complaint(&peer->n_lines, &n, line)) {
        return false;
    }
    snprintf(peer->told, sizeof peer->told, "DDS says (%" PRIu64 " lines): %s", n, line);
    return true;
}

static bool tell_of_messages(struct ros2_peer *peer)
{
    bool is_told = *peer->complaint != '\0';
    if (is_told) {
        memcpy(peer->told, peer->complaint, sizeof peer->told);
    }
    *peer->complaint = '\0';
    return is_told;
}

static const char *tell_complaint(struct ros2_peer *peer, dpl_ns now)
{
    if (now - peer->told_at < COMPLAIN && peer->told_at != 0) {
        return NULL;
    }
    bool is_of_dds = !peer->told_of_dds && tell_of_dds(peer);
    bool is_told = is_of_dds || tell_of_messages(peer);
    peer->told_of_dds = is_of_dds;
    peer->told_at = is_told ? now : peer->told_at;
    return is_told ? peer->told : NULL;
}

/* ---- life ---- */

static void free_peer(struct ros2_peer *peer)
{
    free((char *)(uintptr_t)peer->config.topic);
    free((char *)(uintptr_t)peer->config.order_topic);
    free(peer->config.joints);
    free(peer);
}

static struct ros2_peer *make_peer(const struct ros2_peer_config *config)
{
    struct ros2_peer *peer = calloc(1, sizeof *peer);
    if (!peer) {
        return NULL;
    }
    peer->config = *config;
    peer->config.topic = strdup(config->topic);
    peer->config.order_topic = strdup(config->order ? config->order_topic : "");
    peer->config.joints = calloc(config->n_joints + 1, sizeof *config->joints);
    if (!peer->config.topic || !peer->config.order_topic || !peer->config.joints) {
        free_peer(peer);
        return NULL;
    }
    if (config->n_joints > 0) {
        memcpy(peer->config.joints, config->joints, config->n_joints * sizeof *config->joints);
    }
    return peer;
}

static void close_peer(struct ros2_peer *peer)
{
    if (peer->writer > 0) {
        dds_wait_for_acks(peer->writer, LAST_WORD);
        ros2_session_remove(peer->writer);
    }
    if (peer->reader > 0) {
        ros2_session_remove(peer->reader);
    }
    if (peer->publications > 0) {
        dds_delete(peer->publications);
    }
    if (peer->subscriptions > 0) {
        dds_delete(peer->subscriptions);
    }
    ros2_session_turn();
    ros2_session_end();
    free_peer(peer);
}

static int begin(struct ros2_peer *peer, dds_entity_t participant, struct dpl_diag *reterr)
{
    const struct ros2_type *type = ros2_readings[peer->config.kind].type;
    peer->publications =
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
    peer->subscriptions =
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
    peer->reader = ros2_session_add(peer->config.topic, type, false, true);
    return peer->publications < 0 || peer->subscriptions < 0 || peer->reader < 0
               ? dpl_fail(reterr, -EIO, nowhere, "%s: DDS refuses it", peer->config.topic)
               : 0;
}

static int await(struct ros2_peer *peer, double wait_s, struct dpl_diag *reterr)
{
    dpl_ns until = dpl_monotonic_now() + dpl_ns_from_s(wait_s);
    const char *why;
    while ((why = lack(peer)) && dpl_monotonic_now() < until) {
        nanosleep(&(struct timespec){.tv_nsec = (long)LOOK}, NULL);
    }
    return why ? dpl_fail(reterr, -ENODEV, nowhere, "%s", why) : 0;
}

static int open_peer(const struct ros2_peer_config *config, double wait_s,
                     struct ros2_peer **ret_peer, struct dpl_diag *reterr)
{
    struct ros2_settings settings;
    dds_entity_t participant;
    struct ros2_peer *peer = make_peer(config);
    if (!peer) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    int r = ros2_session_begin(&settings, &participant, reterr);
    if (r < 0) {
        free_peer(peer);
        return r;
    }
    peer->domain = settings.domain;
    r = begin(peer, participant, reterr);
    r = r < 0 ? r : await(peer, wait_s, reterr);
    if (r < 0) {
        close_peer(peer);
        return r;
    }
    *ret_peer = peer;
    return 0;
}

const struct ros2_devices ros2_devices = {
    .open = open_peer,
    .close = close_peer,
    .lack = lack,
    .take = take,
    .forget = forget,
    .send = send_order,
    .count = count,
    .complaint = tell_complaint,
};
