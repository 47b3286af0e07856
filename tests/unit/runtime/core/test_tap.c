/* SPDX-License-Identifier: Apache-2.0 */
/* Observers of an output port: what they see, and that the application does not notice. */
#include <criterion/criterion.h>

#include "rig.h"
#include "rig_ports.h"
#include "tap.h"

enum { OUT, IN };

static const struct dpl_port_desc ports[] = {
    [OUT] = RIG_POSES("out", DPL_PORT_OUT),
    [IN] = RIG_POSES("in", DPL_PORT_IN, .policy = DPL_QUEUE_FIFO, .depth = 2),
};
static const struct dpl_component_class class_ = {
    .name = "Node", .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};

static struct rig rig;
static struct dpl__port *out;

static void build(bool observed, bool connected)
{
    rig_init(&rig);
    rig.runtime.options.n_gateways = observed; /* gives ports their taps */
    rig_add(&rig, "A", &class_);
    rig_add(&rig, "B", &class_);
    if (connected) {
        rig_connect(&rig, 0, OUT, 1, IN);
    }
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    out = &rig_component(&rig, 0)->ports[OUT];
}

static void publish(int x)
{
    Doppel__Pose2 *pose = dpl_port_loan(rig_self(&rig, 0), OUT);
    cr_assert_not_null(pose, "no block for message %d", x);
    pose->x = x;
    dpl_port_publish(rig_self(&rig, 0), OUT, pose, x);
}

static int observe(void)
{
    const struct dpl_message *message = dpl__tap_take(out->tap);
    if (!message) {
        return -1;
    }
    int x = (int)((const Doppel__Pose2 *)message->body)->x;
    cr_assert_eq(message->stamp, x);
    dpl__tap_release(message);
    return x;
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(tap, .fini = teardown);

Test(tap, is_not_there_when_the_run_is_not_observed)
{
    build(false, true);
    cr_assert_null(out->tap);
    cr_assert_eq(out->pool->n_used, out->pool->n_blocks);
}

Test(tap, changes_nothing_while_nobody_listens)
{
    build(true, true);
    cr_assert_not_null(out->tap);
    cr_assert_eq(out->n_outputs, 1);
    cr_assert_eq(out->direct, &rig_component(&rig, 1)->ports[IN]);
    cr_assert(dpl__pool_at(out->pool, 0)->one_thread);
    cr_assert_eq(out->pool->n_used, DPL__OPEN_LOANS + 2 + DPL__HELD_BLOCKS);
    publish(1);
    cr_assert_eq(observe(), -1);
}

Test(tap, shows_each_message_between_listen_and_ignore_in_order)
{
    build(true, true);
    publish(1);
    dpl__tap_listen(out);
    publish(2);
    publish(3);
    dpl__tap_ignore(out);
    publish(4);
    cr_assert_eq(observe(), 2);
    cr_assert_eq(observe(), 3);
    cr_assert_eq(observe(), -1);
    cr_assert_eq(rig_counters(&rig, 1, IN).received, 4);
}

Test(tap, is_as_before_after_it_has_settled)
{
    build(true, true);
    for (int round = 0; round < 3; round++) {
        dpl__tap_listen(out);
        cr_assert_null(out->direct);
        cr_assert_not(dpl__pool_at(out->pool, 0)->one_thread);
        publish(round);
        dpl__tap_ignore(out);
        cr_assert_eq(observe(), round);
        dpl__tap_settle(out);
        cr_assert_eq(out->direct, &rig_component(&rig, 1)->ports[IN]);
        cr_assert(dpl__pool_at(out->pool, 0)->one_thread);
        cr_assert_lt(out->pool->n_used, out->pool->n_blocks);
    }
}

Test(tap, drops_the_oldest_for_an_observer_that_does_not_take_and_never_starves_the_port)
{
    build(true, true);
    dpl__tap_listen(out);
    int n = (int)out->tap->ring->n_slots;
    publish(0);
    const struct dpl_message *held = dpl__tap_take(out->tap);
    cr_assert_not_null(held);
    for (int i = 1; i <= 3 * n; i++) {
        publish(i);
    }
    cr_assert_eq(rig_counters(&rig, 0, OUT).dropped_pool, 0);
    cr_assert_eq(dpl__tap_dropped(out->tap), (uint64_t)(2 * n));
    dpl__tap_release(held);
    cr_assert_eq(observe(), 2 * n + 1);
    for (int i = 2; i <= n; i++) {
        cr_assert_eq(observe(), 2 * n + i);
    }
    cr_assert_eq(observe(), -1);
}

Test(tap, shows_what_nobody_in_the_application_takes)
{
    build(true, false);
    publish(1);
    dpl__tap_listen(out);
    publish(2);
    cr_assert_eq(observe(), 2);
    cr_assert_not(dpl_port_is_connected(rig_self(&rig, 0), OUT));
}

static void hop(int x)
{
    publish(x);
    cr_assert_not_null(dpl_port_take(rig_self(&rig, 1), IN));
    dpl__port_release(&rig_component(&rig, 1)->ports[IN]);
}

Test(tap, leaves_the_application_its_blocks_until_it_has_settled_and_after)
{
    build(true, true);
    dpl__tap_listen(out);
    for (int i = 0; i < 20; i++) {
        hop(i);
    }
    dpl__tap_ignore(out);
    for (int i = 20; i < 60; i++) {
        hop(i);
    }
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(observe(), i);
    }
    dpl__tap_settle(out);
    for (int i = 60; i < 100; i++) {
        hop(i);
    }
}
