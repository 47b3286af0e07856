/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway and another participant of this process, in a domain of its own. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uv.h>

#include <doppel/msg/laser_scanner.pb-c.h>

#include "ros2_convert.h"
#include "ros2_gateway.h"
#include "ros2_graph.h"

#define PATIENCE_MS 5000

static const struct dpl_topic topics[] = {
    {.id = 1, .name = "/LaserScanner/scan", .encoding = "protobuf", .schema_name = "doppel.Scan"},
    {.id = 2, .name = "/run/inputs", .encoding = "json", .schema_name = "/run/inputs"},
    {.id = 3,
     .name = "/Base/command",
     .encoding = "protobuf",
     .schema_name = "doppel.VelocityCommand",
     .subscribers = (const char *const[]){"Localizer"},
     .n_subscribers = 1},
};

static int listeners[4];
static unsigned n_asked, n_told;
static char asked_port[64], told[512];
static uv_loop_t loop;
static void *gateway;
static dds_entity_t participant;

static void listen_to(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    listeners[topic->id] += by;
}

static void ask(void *observer, void *self, const struct dpl_asked *asked)
{
    (void)observer;
    cr_assert_eq(self, gateway);
    cr_assert_eq(asked->what, DPL_ASK_PUBLISH);
    cr_assert_eq(asked->role, DPL_ROLE_CONTROL);
    n_asked++;
    snprintf(asked_port, sizeof asked_port, "%s", asked->name);
}

static dpl_ns now(void *observer)
{
    (void)observer;
    return 7 * DPL_S;
}

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    (void)observer;
    (void)level;
    n_told++;
    snprintf(told, sizeof told, "%s", text);
}

static const struct dpl_observer_ops ops = {listen_to, ask, now, tell};

static void start(bool control)
{
    static struct dpl_ros2_options options;
    static const char inputs[] = "[{\"name\":\"/Localizer/command\",\"type\":\"doppel."
                                 "VelocityCommand\"},{\"name\":\"/Teleop/velocity\",\"type\":"
                                 "\"doppel.VelocityCommand\"}]";
    const struct dpl_gateway_setup setup = {&ops, NULL, &loop, &options, "Test"};
    struct dpl_diag why = {0};
    char domain[8];
    snprintf(domain, sizeof domain, "%d", 100 + (int)(getpid() % 100));
    setenv("ROS_DOMAIN_ID", domain, 1);
    options = (struct dpl_ros2_options){.control = control, .simulated = true};
    cr_assert_eq(uv_loop_init(&loop), 0);
    cr_assert_eq(dpl_ros2_gateway.open(&setup, &gateway, &why), 0, "%s", why.text);
    for (size_t i = 0; i < DPL_COUNT(topics); i++) {
        dpl_ros2_gateway.advertise(gateway, &topics[i]);
    }
    const struct dpl_sample sample = {.data = inputs, .n = sizeof inputs - 1};
    dpl_ros2_gateway.message(gateway, &topics[1], &sample);
    participant = dds_create_participant((dds_domainid_t)atoi(domain), NULL, NULL);
    cr_assert_gt(participant, 0);
}

static void stop(void)
{
    dds_delete(participant);
    cr_assert_eq(dpl_ros2_gateway.close(gateway, NULL), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_assert_eq(uv_loop_close(&loop), 0);
}

static dds_entity_t reader_of(const dds_topic_descriptor_t *type, const char *name)
{
    dds_entity_t topic = dds_create_topic(participant, type, name, NULL, NULL);
    return dds_create_reader(participant, topic, NULL, NULL);
}

/* Runs the loop until a message is there, which the caller returns. */
static void *wait_for(dds_entity_t reader)
{
    void *sample[1] = {NULL};
    dds_sample_info_t info;
    uint64_t end = uv_now(&loop) + PATIENCE_MS;
    while (uv_now(&loop) < end) {
        uv_run(&loop, UV_RUN_ONCE);
        if (dds_take(reader, sample, &info, 1, 1) == 1 && info.valid_data) {
            return sample[0];
        }
    }
    return NULL;
}

static void send_scan(void)
{
    float ranges[] = {1.0F, 2.0F};
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    Doppel__Pose2 mount = DOPPEL__POSE2__INIT;
    uint8_t bytes[256];
    mount.x = 0.1;
    scan.mount = &mount;
    scan.ranges = ranges;
    scan.n_ranges = 2;
    const struct dpl_sample sample = {
        .stamp = 3 * DPL_S, .data = bytes, .n = doppel__scan__pack(&scan, bytes)};
    cr_assert_lt(sample.n, sizeof bytes);
    dpl_ros2_gateway.message(gateway, &topics[0], &sample);
}

Test(ros2_gateway, listens_while_somebody_reads_and_until_it_knows_where_the_sensor_is)
{
    start(false);
    uv_run(&loop, UV_RUN_ONCE);
    cr_assert_eq(listeners[1], 1);
    send_scan();
    uint64_t end = uv_now(&loop) + PATIENCE_MS;
    while (listeners[1] == 1 && uv_now(&loop) < end) {
        uv_run(&loop, UV_RUN_ONCE);
    }
    cr_assert_eq(listeners[1], 0, "nobody reads");
    dds_entity_t reader = reader_of(&sensor_msgs_msg_dds__LaserScan__desc, "rt/scan");
    while (listeners[1] == 0 && uv_now(&loop) < end) {
        uv_run(&loop, UV_RUN_ONCE);
    }
    send_scan();
    void *sample = wait_for(reader);
    const sensor_msgs_msg_dds__LaserScan_ *scan = sample;
    cr_assert_not_null(scan);
    cr_assert_eq(scan->header.stamp.sec, 3);
    cr_assert_str_eq(scan->header.frame_id, "laser_scanner");
    dds_return_loan(reader, &sample, 1);
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, 0);
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_entity_t late =
        dds_create_reader(participant,
                          dds_create_topic(participant, &tf2_msgs_msg_dds__TFMessage__desc,
                                           "rt/tf_static", NULL, NULL),
                          qos, NULL);
    dds_delete_qos(qos);
    sample = wait_for(late);
    const tf2_msgs_msg_dds__TFMessage_ *statics = sample;
    cr_assert_not_null(statics);
    cr_assert_eq(statics->transforms._length, 1);
    cr_assert_eq(statics->transforms._buffer[0].transform.translation.x, 0.1);
    dds_return_loan(late, &sample, 1);
    stop();
}

Test(ros2_gateway, has_the_runs_clock)
{
    start(false);
    dds_entity_t reader = reader_of(&rosgraph_msgs_msg_dds__Clock__desc, "rt/clock");
    void *sample = wait_for(reader);
    cr_assert_not_null(sample);
    cr_assert_eq(((const rosgraph_msgs_msg_dds__Clock_ *)sample)->clock.sec, 7);
    dds_return_loan(reader, &sample, 1);
    stop();
}

static dds_entity_t graph_of(const dds_topic_descriptor_t *type)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, 0);
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_entity_t topic = dds_create_topic(participant, type, "ros_discovery_info", NULL, NULL);
    dds_entity_t reader = dds_create_reader(participant, topic, qos, NULL);
    dds_delete_qos(qos);
    return reader;
}

Test(ros2_gateway, is_a_node)
{
    start(false);
    dds_entity_t reader = graph_of(&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc);
    void *sample = wait_for(reader);
    const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *all = sample;
    cr_assert_not_null(all);
    cr_assert_eq(all->node_entities_info_seq._length, 1);
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node = all->node_entities_info_seq._buffer;
    cr_assert_str_eq(node->node_name, "doppel");
    cr_assert_eq(node->reader_gid_seq._length, 2);
    cr_assert_eq(node->writer_gid_seq._length, 5);
    cr_assert_eq(memcmp(all->gid.data, node->writer_gid_seq._buffer[0].data, 12), 0,
                 "its writers are of its participant");
    dds_return_loan(reader, &sample, 1);
    stop();
}

Test(ros2_gateway, is_a_node_of_humble)
{
    const dds_topic_descriptor_t *from = &humble_msg_dds__ParticipantEntitiesInfo__desc;
    const dds_topic_descriptor_t type = {
        .m_size = from->m_size,
        .m_align = from->m_align,
        .m_flagset = from->m_flagset,
        .m_typename = rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc.m_typename,
        .m_nops = from->m_nops,
        .m_ops = from->m_ops,
        .m_meta = from->m_meta};
    setenv("ROS_DISTRO", "humble", 1);
    start(false);
    dds_entity_t reader = graph_of(&type);
    void *sample = wait_for(reader);
    const humble_msg_dds__ParticipantEntitiesInfo_ *all = sample;
    cr_assert_not_null(all);
    const humble_msg_dds__NodeEntitiesInfo_ *node = all->node_entities_info_seq._buffer;
    cr_assert_str_eq(node->node_name, "doppel");
    cr_assert_eq(node->writer_gid_seq._length, 5);
    cr_assert_eq(memcmp(all->gid.data, node->writer_gid_seq._buffer[4].data, 12), 0);
    dds_return_loan(reader, &sample, 1);
    stop();
}

/* Publishes until something is done with it. */
static void command(const dds_topic_descriptor_t *type, const void *message)
{
    uint64_t end = uv_now(&loop) + PATIENCE_MS;
    unsigned before = n_asked + n_told;
    dds_entity_t topic = dds_create_topic(participant, type, "rt/cmd_vel", NULL, NULL);
    dds_entity_t writer = dds_create_writer(participant, topic, NULL, NULL);
    while (n_asked + n_told == before && uv_now(&loop) < end) {
        dds_write(writer, message);
        uv_run(&loop, UV_RUN_ONCE);
    }
}

Test(ros2_gateway, gives_commands_to_the_port_that_nothing_feeds)
{
    const geometry_msgs_msg_dds__Twist_ twist = {.linear.x = 0.5};
    const geometry_msgs_msg_dds__TwistStamped_ stamped = {.header.frame_id = ros2_text("")};
    start(true);
    command(&geometry_msgs_msg_dds__Twist__desc, &twist);
    cr_assert_gt(n_asked, 0);
    cr_assert_str_eq(asked_port, "/Teleop/velocity");
    n_asked = 0;
    command(&geometry_msgs_msg_dds__TwistStamped__desc, &stamped);
    cr_assert_gt(n_asked, 0);
    stop();
}

Test(ros2_gateway, refuses_commands_of_a_run_that_allows_none)
{
    const geometry_msgs_msg_dds__Twist_ twist = {.linear.x = 0.5};
    start(false);
    command(&geometry_msgs_msg_dds__Twist__desc, &twist);
    cr_assert_eq(n_asked, 0);
    cr_assert_not_null(strstr(told, "is refused, 1 until now: the run has no --allow-control"),
                       "%s", told);
    stop();
}

Test(ros2_gateway, tells_what_the_run_refuses)
{
    start(true);
    dpl_ros2_gateway.answer(gateway, &(struct dpl_answer){.err = -1, .why = "another publishes"});
    cr_assert_str_eq(told, "a command is refused, 1 until now: another publishes");
    stop();
}
