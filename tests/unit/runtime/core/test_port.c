/* SPDX-License-Identifier: Apache-2.0 */
/* Data and event ports: policies, borrowing, counters, fan-out. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/geometry.h>

#include "rig.h"
#include "rig_ports.h"

enum { OUT, FIFO, LIFO, LAST, UFIFO, PING, PONG, GO, GONE };

static char events[64];

static int on_event(struct dpl_component *self, unsigned port, const struct dpl_message *message)
{
    char text[8];
    snprintf(text, sizeof text, "%u@%d ", port, (int)message->stamp);
    strcat(events, text);
    return message->stamp == 99 ? -EIO : 0;
}

#define INPUT(port_name, port_policy, port_depth)                                                  \
    {                                                                                              \
        .name = port_name, .kind = DPL_PORT_DATA, .dir = DPL_PORT_IN,                              \
        .message = &doppel__pose2__descriptor, .policy = port_policy, .depth = port_depth          \
    }

static const struct dpl_port_desc ports[] = {
    [OUT] = RIG_POSES("out", DPL_PORT_OUT),
    [FIFO] = INPUT("fifo", DPL_QUEUE_FIFO, 3),
    [LIFO] = INPUT("lifo", DPL_QUEUE_LIFO, 3),
    [LAST] = INPUT("last", DPL_QUEUE_LAST, 0),
    [UFIFO] = INPUT("ufifo", DPL_QUEUE_UFIFO, 1),
    [PING] = {.name = "ping", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [PONG] = {.name = "pong", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
    [GO] = {.name = "go", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [GONE] = {.name = "gone", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN, .depth = 2},
};

static const struct dpl_component_ops ops = {.event = on_event};
static const struct dpl_component_class class_ = {
    .name = "Node", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};

static struct rig rig;
static struct dpl_component *a, *b;

/* A sends from OUT to the given input of B, over threads or not. */
static void connect(unsigned input, bool same_executor)
{
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    rig_add(&rig, "B", &class_);
    if (!same_executor) {
        rig_execution(&rig, 1, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    }
    rig_connect(&rig, 0, OUT, 1, input);
    rig_connect(&rig, 0, PING, 1, PONG);
    rig_connect(&rig, 0, GO, 1, GONE);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    a = rig_self(&rig, 0);
    b = rig_self(&rig, 1);
}

static void publish(double x)
{
    Doppel__Pose2 *pose = dpl_port_loan(a, OUT);
    cr_assert_not_null(pose);
    pose->x = x;
    cr_assert_eq(dpl_port_publish(a, OUT, pose, (dpl_ns)x), 0);
}

static double x_of(const struct dpl_message *message)
{
    const Doppel__Pose2 *pose = message ? message->body : NULL;
    return pose ? pose->x : -1.0;
}

static double take(unsigned port)
{
    return x_of(dpl_port_take(b, port));
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(port, .fini = teardown);

Test(port, takes_the_oldest_first_and_drops_the_oldest_when_full)
{
    connect(FIFO, true);
    for (int i = 1; i <= 4; i++) {
        publish(i);
    }
    cr_assert_eq(take(FIFO), 2.0);
    cr_assert_eq(take(FIFO), 3.0);
    cr_assert_eq(take(FIFO), 4.0);
    cr_assert_null(dpl_port_take(b, FIFO));
    struct dpl__port_counters counters = rig_counters(&rig, 1, FIFO);
    cr_assert_eq(counters.received, 4);
    cr_assert_eq(counters.taken, 3);
    cr_assert_eq(counters.dropped_queue, 1);
}

Test(port, takes_the_newest_first_from_lifo)
{
    connect(LIFO, true);
    publish(1);
    publish(2);
    cr_assert_eq(take(LIFO), 2.0);
    cr_assert_eq(take(LIFO), 1.0);
}

Test(port, keeps_only_the_newest_in_last)
{
    connect(LAST, true);
    publish(1);
    publish(2);
    cr_assert_eq(take(LAST), 2.0);
    cr_assert_null(dpl_port_take(b, LAST));
    cr_assert_eq(x_of(dpl_port_latest(b, LAST)), 2.0);
}

static void look_at_last(struct dpl_component *self)
{
    dpl_port_latest(self, LAST);
    dpl_port_latest(self, LAST);
}

/* Who only ever looks at the newest loses nothing by the next; who did not look does. */
Test(port, takes_what_last_was_looked_at)
{
    connect(LAST, true);
    publish(1);
    rig_within(&rig, 1, look_at_last);
    publish(2);
    publish(3);
    rig_within(&rig, 1, look_at_last);
    struct dpl__port_counters counters = rig_counters(&rig, 1, LAST);
    cr_assert_eq(counters.received, 3);
    cr_assert_eq(counters.taken, 2);
    cr_assert_eq(counters.dropped_queue, 1);
    cr_assert_eq(take(LAST), 3.0);
    cr_assert_eq(rig_counters(&rig, 1, LAST).taken, 2, "once is enough");
}

Test(port, bounds_ufifo_and_says_so_once)
{
    connect(UFIFO, true);
    for (int i = 0; i < 1030; i++) {
        publish(i);
    }
    cr_assert_eq(take(UFIFO), 6.0);
    cr_assert_eq(rig_counters(&rig, 1, UFIFO).dropped_queue, 6);
    const char *notice = strstr(rig_log, "B.ufifo: UFIFO queue is full");
    cr_assert_not_null(notice);
    cr_assert_null(strstr(notice + 1, "B.ufifo"));
}

Test(port, drops_the_oldest_between_executors_and_counts_it)
{
    connect(FIFO, false);
    for (int i = 1; i <= 5; i++) {
        publish(i);
    }
    cr_assert_null(dpl_port_take(b, FIFO));
    dpl__component_take_inputs(rig_component(&rig, 1));
    cr_assert_eq(take(FIFO), 3.0);
    cr_assert_eq(take(FIFO), 4.0);
    cr_assert_eq(take(FIFO), 5.0);
    cr_assert_eq(rig_counters(&rig, 1, FIFO).dropped_ring, 2);
    cr_assert_eq(rig_counters(&rig, 1, FIFO).received, 3);
    cr_assert_eq(rig_counters(&rig, 0, OUT).published, 5);
}

static const struct dpl__port *out(void)
{
    return &rig_component(&rig, 0)->ports[OUT];
}

Test(port, keeps_blocks_on_one_thread_when_no_ring_carries_them)
{
    connect(FIFO, true);
    cr_assert(dpl__pool_at(out()->pool, 0)->one_thread);
    cr_assert_eq(out()->direct, &rig_component(&rig, 1)->ports[FIFO]);
    rig_finish(&rig);
    connect(FIFO, false);
    cr_assert_not(dpl__pool_at(out()->pool, 0)->one_thread);
    cr_assert_null(out()->direct);
}

Test(port, shares_blocks_as_soon_as_one_receiver_of_many_is_elsewhere)
{
    rig_init(&rig);
    for (size_t i = 0; i < 3; i++) {
        rig_add(&rig, (const char *[]){"A", "B", "C"}[i], &class_);
    }
    rig_execution(&rig, 2, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_connect(&rig, 0, OUT, 1, FIFO);
    rig_connect(&rig, 0, OUT, 2, FIFO);
    rig_connect(&rig, 1, OUT, 0, FIFO);
    rig_connect(&rig, 1, OUT, 0, LAST);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_not(dpl__pool_at(out()->pool, 0)->one_thread);
    cr_assert_null(out()->direct);
    const struct dpl__port *back = &rig_component(&rig, 1)->ports[OUT];
    cr_assert(dpl__pool_at(back->pool, 0)->one_thread);
    cr_assert_null(back->direct, "one of two receivers would get nothing");
}

Test(port, numbers_and_stamps_messages)
{
    connect(FIFO, true);
    publish(7);
    publish(8);
    const struct dpl_message *message = dpl_port_take(b, FIFO);
    cr_assert_eq(message->stamp, 7);
    cr_assert_eq(message->sequence, 0);
    cr_assert_eq(message->type, &doppel__pose2__descriptor);
    cr_assert_eq(dpl_port_take(b, FIFO)->sequence, 1);
}

Test(port, refuses_what_was_not_loaned_from_it)
{
    connect(FIFO, true);
    Doppel__Pose2 mine = DOPPEL__POSE2__INIT;
    cr_assert_eq(dpl_port_publish(a, OUT, &mine, 0), -EINVAL);
    cr_assert_eq(dpl_port_publish(a, OUT, NULL, 0), -EINVAL);
    cr_assert_eq(dpl_port_publish(b, OUT, dpl_port_loan(a, OUT), 0), -EINVAL);
    void *body = dpl_port_loan(a, OUT);
    cr_assert_eq(dpl_port_publish(a, OUT, body, 0), 0);
    cr_assert_eq(dpl_port_publish(a, OUT, body, 0), -EINVAL);
    cr_assert_null(dpl_port_loan(a, FIFO));
    cr_assert_null(dpl_port_loan(a, 77));
    cr_assert_null(dpl_port_take(b, OUT));
    cr_assert_eq(dpl_port_signal(a, OUT, 0), -EINVAL);
}

static void loan_all(struct dpl_component *self)
{
    while (dpl_port_loan(self, OUT)) {
    }
}

Test(port, counts_an_empty_pool_and_gets_unpublished_loans_back)
{
    connect(FIFO, true);
    rig_within(&rig, 0, loan_all);
    cr_assert_eq(rig_counters(&rig, 0, OUT).dropped_pool, 1);
    cr_assert_not_null(dpl_port_loan(a, OUT));
}

static const struct dpl_message *borrowed;

static void borrow_while_messages_arrive(struct dpl_component *self)
{
    borrowed = dpl_port_latest(self, FIFO);
    for (int i = 2; i < 40; i++) {
        publish(i);
    }
    cr_assert_eq(x_of(borrowed), 1.0);
    cr_assert_eq(dpl_port_latest(self, FIFO), borrowed);
}

Test(port, leaves_what_a_callback_borrowed_alone_until_its_end)
{
    connect(FIFO, true);
    cr_assert_null(dpl_port_latest(b, FIFO));
    publish(1);
    rig_within(&rig, 1, borrow_while_messages_arrive);
    cr_assert_eq(x_of(dpl_port_latest(b, FIFO)), 39.0);
    cr_assert_eq(rig_counters(&rig, 0, OUT).dropped_pool, 0);
}

Test(port, never_runs_dry_when_every_queue_is_full)
{
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    for (size_t i = 1; i < 4; i++) {
        rig_add(&rig, i == 1 ? "B" : i == 2 ? "C" : "D", &class_);
        rig_connect(&rig, 0, OUT, i, FIFO);
    }
    rig_execution(&rig, 3, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    a = rig_self(&rig, 0);
    for (int i = 0; i < 50; i++) {
        publish(i);
        if (i == 20) {
            dpl__component_take_inputs(rig_component(&rig, 3));
        }
    }
    b = rig_self(&rig, 2);
    cr_assert_eq(take(FIFO), 47.0);
    cr_assert_eq(rig_counters(&rig, 0, OUT).dropped_pool, 0);
}

Test(port, knows_whether_it_is_connected)
{
    connect(FIFO, true);
    cr_assert(dpl_port_is_connected(a, OUT));
    cr_assert(dpl_port_is_connected(b, FIFO));
    cr_assert_not(dpl_port_is_connected(b, LIFO));
    cr_assert_not(dpl_port_is_connected(b, 77));
}

/* ---- events ---- */

static void cycle(dpl_ns now)
{
    for (size_t i = 0; i < rig.runtime.n_executors; i++) {
        dpl__executor_cycle(rig.runtime.executors[i], now);
    }
}

Test(port, delivers_events_of_several_ports_in_the_order_of_their_arrival)
{
    connect(FIFO, true);
    cr_assert_eq(dpl_port_signal(a, GO, 1), 0);
    cr_assert_eq(dpl_port_signal(a, PING, 2), 0);
    cr_assert_eq(dpl_port_signal(a, GO, 3), 0);
    cr_assert_str_eq(events, "");
    cycle(0);
    cr_assert_str_eq(events, "8@1 6@2 8@3 ");
}

Test(port, drops_the_oldest_event_when_the_queue_is_full)
{
    connect(FIFO, true);
    for (int i = 1; i <= 4; i++) {
        dpl_port_signal(a, GO, i);
    }
    cycle(0);
    cr_assert_str_eq(events, "8@3 8@4 ");
    cr_assert_eq(rig_counters(&rig, 1, GONE).dropped_queue, 2);
}

Test(port, counts_a_failed_event_and_goes_on)
{
    connect(FIFO, true);
    dpl_port_signal(a, PING, 99);
    dpl_port_signal(a, PING, 5);
    cycle(0);
    cr_assert_str_eq(events, "6@99 6@5 ");
    cr_assert_eq(atomic_load(&rig.runtime.faults), 1);
    cr_assert(strstr(rig_log, "B: event failed"), "%s", rig_log);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->state), DPL__ACTIVE);
}

Test(port, takes_a_message_from_outside_and_gives_its_block_back)
{
    connect(LAST, true);
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    struct dpl__block blocks[2] = {{.index = DPL__OUTSIDE}, {.index = DPL__OUTSIDE}};
    struct dpl__port *port = &rig_component(&rig, 1)->ports[LAST];
    pose.x = 7.0;
    for (size_t i = 0; i < 2; i++) {
        blocks[i].message.body = &pose;
        atomic_store(&blocks[i].references, 1);
        dpl__port_receive(port, &blocks[i]);
    }
    cr_assert_eq(atomic_load(&blocks[0].references), 0, "replaced by the second one");
    cr_assert_gt(atomic_load(&blocks[1].references), 0);
    cr_assert_eq(x_of(dpl_port_latest(b, LAST)), 7.0);
    dpl__port_release(port);
    dpl__port_clear(port);
    cr_assert_eq(atomic_load(&blocks[1].references), 0);
    cr_assert_null(dpl_port_latest(b, LAST));
    cr_assert_eq(rig_counters(&rig, 1, LAST).received, 2);
}
