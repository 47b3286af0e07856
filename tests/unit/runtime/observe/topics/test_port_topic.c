/* SPDX-License-Identifier: Apache-2.0 */
/* Ports as topics; the executor's cycles turn the taps on and off. race_tap.c does it on threads.
 */
#include <criterion/criterion.h>

#include <doppel/msg/geometry.h>

#include "port_topic.h"
#include "rig.h"
#include "rig_ports.h"

enum { OUT, IN, GO };

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    Doppel__Pose2 *pose = dpl_port_loan(self, OUT);
    cr_assert_not_null(pose);
    pose->x = (double)tick->cycle;
    dpl_port_signal(self, GO, tick->now);
    return dpl_port_publish(self, OUT, pose, tick->now);
}

static const struct dpl_port_desc ports[] = {
    [OUT] = RIG_POSES("out", DPL_PORT_OUT),
    [IN] = RIG_POSES("in", DPL_PORT_IN),
    [GO] = {.name = "go", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
};
static const struct dpl_component_ops calls = {.execute = execute};
static const struct dpl_component_class class_ = {
    .name = "Node", .ops = &calls, .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};

static struct rig rig;
static struct dpl__topics topics;
static struct dpl__topic *out, *go;

static void setup(void)
{
    rig_init(&rig);
    rig.runtime.options.n_gateways = 1; /* gives ports their taps */
    rig_add(&rig, "A", &class_);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(dpl__port_topics_add(&topics, &rig.runtime, &rig.diag), 0, "%s", rig.diag.text);
    out = dpl__topics_find(&topics, "/A/out");
    go = dpl__topics_find(&topics, "/A/go");
}

static void teardown(void)
{
    dpl__port_topics_finish(&topics);
    dpl__topics_finish(&topics);
    rig_finish(&rig);
}

TestSuite(port_topic, .init = setup, .fini = teardown);

static void cycle(void)
{
    dpl__executor_cycle(rig.runtime.executors[0], 10);
}

static int take(struct dpl__topic *topic, double *ret_x)
{
    struct dpl_sample sample;
    if (!topic->ops->take(topic->source, &sample)) {
        return 0;
    }
    Doppel__Pose2 *pose = doppel__pose2__unpack(NULL, sample.n, sample.data);
    *ret_x = pose->x;
    doppel__pose2__free_unpacked(pose, NULL);
    return 1;
}

Test(port_topic, is_named_by_component_and_port_and_has_its_type)
{
    cr_assert_eq(topics.n, 2);
    cr_assert_str_eq(out->self.schema_name, "doppel.Pose2");
    cr_assert_str_eq(out->self.encoding, "protobuf");
    cr_assert_gt(out->self.n_schema, 40);
    cr_assert_str_eq(go->self.schema_name, "doppel.Empty");
}

Test(port_topic, shows_the_cycles_between_its_listeners_coming_and_going)
{
    double x = -1.0;
    cycle(); /* 0 */
    dpl__topic_listen(out, 1);
    cr_assert_eq(take(out, &x), 0);
    cycle(); /* 1 */
    cycle(); /* 2 */
    dpl__topic_listen(out, -1);
    cr_assert_eq(take(out, &x), 1);
    cr_assert_eq(x, 1.0);
    cycle(); /* 3: ends it before it publishes */
    cr_assert_eq(take(out, &x), 1);
    cr_assert_eq(x, 2.0);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(take(out, &x), 0);
        cycle();
    }
    cr_assert(dpl__pool_at(rig_component(&rig, 0)->ports[OUT].pool, 0)->one_thread);
    dpl__topic_listen(out, 1);
    cycle(); /* 8 */
    cr_assert_eq(take(out, &x), 1);
    cr_assert_eq(x, 8.0);
}

Test(port_topic, of_an_event_without_data_has_messages_without_bytes)
{
    struct dpl_sample sample = {.n = 9};
    dpl__topic_listen(go, 1);
    cycle();
    cr_assert(go->ops->take(go->source, &sample));
    cr_assert_eq(sample.n, 0);
    cr_assert_eq(sample.stamp, 10);
}

Test(port_topic, that_is_left_before_it_began_ends_all_the_same)
{
    double x;
    dpl__topic_listen(out, 1);
    dpl__topic_listen(out, -1);
    for (int i = 0; i < 5; i++) {
        cycle();
        take(out, &x);
    }
    cr_assert_eq(rig_component(&rig, 0)->ports[OUT].n_outputs, 0);
    cr_assert_eq(take(out, &x), 0);
}
