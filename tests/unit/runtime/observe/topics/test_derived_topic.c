/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/msg/geometry.pb-c.h>

#include "bytes.h"
#include "derived_topic.h"

static unsigned n_given, n_on;

static void on_listen(void *source, bool on)
{
    n_on += on ? 1u : -1u;
}

static bool take_none(void *source, struct dpl_sample *ret_sample)
{
    return false;
}

static uint64_t none_dropped(void *source)
{
    return 0;
}

static const struct dpl__source_ops ops = {on_listen, take_none, none_dropped};

/* The x of a pose as the angular part of a twist; none from a pose without x. */
static bool convert(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    const Doppel__Pose2 *pose = message;
    Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    cr_assert_eq(stamp, 7);
    twist.angular = pose->x;
    doppel__twist2__pack(&twist, dpl_bytes_extend(out, doppel__twist2__get_packed_size(&twist)));
    return pose->x != 0.0;
}

static bool is_out(const char *port)
{
    return strcmp(port, "out") == 0;
}

static const struct dpl_converter converters[] = {
    {&doppel__pose2__descriptor, &doppel__twist2__descriptor, "Twist", NULL, convert},
    {&doppel__pose2__descriptor, &doppel__twist2__descriptor, "/all", is_out, convert},
};

static void give(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    Doppel__Twist2 *twist = doppel__twist2__unpack(NULL, sample->n, sample->data);
    cr_assert_eq(twist->angular, 2.0);
    doppel__twist2__free_unpacked(twist, NULL);
    n_given++;
}

static void send_pose(const struct dpl__topic *topic, double x)
{
    uint8_t bytes[64];
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    pose.x = x;
    struct dpl_sample sample = {.stamp = 7, .data = bytes};
    sample.n = doppel__pose2__pack(&pose, bytes);
    dpl__derived_topics_give(topic, &sample, give, NULL);
}

Test(derived_topic, is_made_from_what_it_is_of_while_somebody_listens)
{
    struct dpl__topics topics = {0};
    struct dpl_topic described = {
        .name = "/A/out", .encoding = "protobuf", .schema_name = "doppel.Pose2"};
    struct dpl__topic *from = dpl__topics_add(&topics, &described, &ops, NULL, NULL);
    described.name = "/B/out";
    struct dpl__topic *other = dpl__topics_add(&topics, &described, &ops, NULL, NULL);
    described.name = "/B/other";
    const struct dpl__topic *last = dpl__topics_add(&topics, &described, &ops, NULL, NULL);
    cr_assert_eq(dpl__derived_topics_add(&topics, converters, 2, NULL), 0);
    cr_assert_eq(topics.n, 7, "three of their own, one that two of them share");
    send_pose(from, 2.0);
    cr_assert_eq(n_given, 0);
    dpl__topic_listen(dpl__topics_find(&topics, "/A/out/Twist"), 1);
    cr_assert_eq(n_on, 1);
    dpl__topic_listen(dpl__topics_find(&topics, "/all"), 1);
    cr_assert_eq(n_on, 2, "the other one is needed, too");
    send_pose(from, 2.0);
    send_pose(from, 0.0);
    send_pose(other, 2.0);
    cr_assert_eq(n_given, 3);
    send_pose(last, 2.0);
    cr_assert_eq(n_given, 3, "its port does not fit");
    dpl__topic_listen(dpl__topics_find(&topics, "/A/out/Twist"), -1);
    dpl__topic_listen(dpl__topics_find(&topics, "/all"), -1);
    cr_assert_eq(n_on, 0);
    dpl__topics_finish(&topics);
}
