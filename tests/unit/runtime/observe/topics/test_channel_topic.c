/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "channel_topic.h"
#include "row_topic.h"

static const struct dpl_channel_desc channels[] = {
    {.path = "robot/x",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_OUT,
     .unit = "m",
     .size = 1,
     .min = -3.0,
     .max = 3.0,
     .summary = "of its frame"},
    {.path = "robot/speed",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_IN,
     .unit = "",
     .size = 1},
    {.path = "robot/on",
     .type = &dpl_channel_flag,
     .dir = DPL_CHANNEL_OUT,
     .unit = "",
     .size = 1,
     .summary = ""},
    {.path = "robot/n",
     .type = &dpl_channel_integer,
     .dir = DPL_CHANNEL_OUT,
     .unit = "",
     .size = 1,
     .summary = ""},
    {.path = "robot/wheel",
     .type = &dpl_channel_vector,
     .dir = DPL_CHANNEL_CONSTANT,
     .unit = "m",
     .size = 2,
     .summary = "its radius, and where it is"},
    {.path = "robot/pose",
     .type = &dpl_channel_pose,
     .dir = DPL_CHANNEL_OUT,
     .unit = "",
     .size = 7,
     .summary = ""},
    {.path = "robot/ranges",
     .type = &dpl_channel_block,
     .dir = DPL_CHANNEL_OUT,
     .unit = "m",
     .size = 3,
     .summary = ""},
};

static struct dpl_scene_tap taps[DPL_COUNT(channels)];

static void watch_channel(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap)
{
    if (scene->is_own) {
        taps[i] = *tap;
    }
}

static const struct dpl_scene_ops ops = {.watch_channel = watch_channel};
static struct dpl_scene own = {.ops = &ops,
                               .world = "office",
                               .is_own = true,
                               .channels = channels,
                               .n_channels = DPL_COUNT(channels)};
static struct dpl_scene other = {
    .ops = &ops, .world = "hall", .channels = channels, .n_channels = 1};
static struct dpl_scene same_name = {
    .ops = &ops, .world = "hall", .channels = channels, .n_channels = 1};
static struct dpl__topics topics;

static void make(void)
{
    struct dpl_scene *const all[] = {&other, &own, &same_name};
    cr_assert_eq(dpl__channel_topics_add(&topics, all, 3, NULL, NULL), 0, "none is left out");
}

static void end(void)
{
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
}

TestSuite(channel_topic, .init = make, .fini = end);

static char text[512];

static void take_text(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    snprintf(text, sizeof text, "%.*s", (int)sample->n, (const char *)sample->data);
}

/* What a listener gets of a channel with this value. */
static const char *message_of(size_t i, const void *value)
{
    char name[64];
    snprintf(name, sizeof name, "/world/%s", channels[i].path);
    struct dpl__topic *topic = dpl__topics_find(&topics, name);
    dpl__topic_listen(topic, 1);
    void *row = taps[i].open(taps[i].self);
    cr_assert(row, "%s", name);
    memcpy(row, value, dpl_channel_bytes(&channels[i]));
    taps[i].send(taps[i].self, DPL_S);
    dpl__topics_drain(&topics, 8, take_text, NULL);
    return text;
}

Test(channel_topic, names_channels_of_the_own_world_by_their_path_and_others_by_the_world_too)
{
    cr_assert(dpl__topics_find(&topics, "/world/robot/x"));
    cr_assert(dpl__topics_find(&topics, "/world/hall/robot/x"));
    cr_assert(dpl__topics_find(&topics, "/world/hall-2/robot/x"));
    cr_assert_null(dpl__topics_find(&topics, "/world/robot/speed"), "an input has no value");
    cr_assert(dpl__topics_find(&topics, "/world/robot/wheel")->self.latched);
}

Test(channel_topic, tells_unit_range_and_meaning_in_the_schema)
{
    const struct dpl_topic *topic = &dpl__topics_find(&topics, "/world/robot/x")->self;
    cr_assert_str_eq(topic->unit, "m");
    snprintf(text, sizeof text, "%.*s", (int)topic->n_schema, (const char *)topic->schema);
    cr_assert_str_eq(text,
                     "{\"type\":\"object\",\"title\":\"/world/robot/x\",\"properties\":{\"value\":{"
                     "\"type\":[\"number\",\"null\"],\"description\":\"[m] of its frame\","
                     "\"minimum\":-3,\"maximum\":3}}}");
}

Test(channel_topic, writes_each_type)
{
    cr_assert_str_eq(message_of(0, &(double){0.1}), "{\"value\":0.10000000000000001}");
    cr_assert_str_eq(message_of(0, &(double){(double)NAN}), "{\"value\":null}");
    cr_assert_str_eq(message_of(2, &(bool){true}), "{\"value\":true}");
    cr_assert_str_eq(message_of(3, &(int64_t){-7}), "{\"value\":-7}");
    cr_assert_str_eq(message_of(4, (double[]){0.5, 2}), "{\"value\":[0.5,2]}");
    cr_assert_str_eq(message_of(5, (double[]){1, 2, 3, 1, 0, 0, 0}),
                     "{\"value\":{\"x\":1,\"y\":2,\"z\":3,\"qw\":1,\"qx\":0,\"qy\":0,\"qz\":0}}");
    cr_assert_str_eq(message_of(6, (float[]){0.1f, INFINITY, 2}),
                     "{\"value\":[0.100000001,null,2]}");
}

Test(channel_topic, wants_nothing_while_nobody_listens)
{
    cr_assert_not(taps[0].wants(taps[0].self));
    cr_assert(taps[4].wants(taps[4].self), "a constant holds for those who come later");
    dpl__topic_listen(dpl__topics_find(&topics, "/world/robot/x"), 1);
    cr_assert(taps[0].wants(taps[0].self));
}
