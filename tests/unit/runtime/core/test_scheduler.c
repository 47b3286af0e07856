/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated clock: order, lock-step with the world, end, errors. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>

#include "ports.h"
#include "rig.h"

static char order[512]; /* one letter a cycle: the component's name */

static void note(const struct dpl_component *component)
{
    size_t n = strlen(order);
    if (n + 1 < sizeof order) {
        order[n] = component->name[0];
        order[n + 1] = '\0';
    }
}

enum { OUT, IN, WAKE, WOKEN };

static const struct dpl_port_desc ports[] = {
    [OUT] = PORT_DATA("out", OUT, &doppel__scan__descriptor, .capacity = 1081),
    [IN] = PORT_DATA("in", IN, &doppel__scan__descriptor, .policy = DPL_QUEUE_FIFO, .depth = 4),
    [WAKE] = {.name = "wake", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [WOKEN] = {.name = "woken", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
};

struct state {
    unsigned n_sent, n_taken;
    dpl_ns last_stamp, last_tick;
    float last_range;
};

static int send_scan(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    note(self);
    Doppel__Scan *scan = dpl_port_loan(self, OUT);
    if (!scan) {
        return -ENOBUFS;
    }
    scan->n_ranges = 1081;
    scan->ranges[1080] = (float)tick->cycle;
    state->n_sent++;
    return dpl_port_publish(self, OUT, scan, tick->now);
}

static int take_scans(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    note(self);
    state->last_tick = tick->now;
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, IN))) {
        const Doppel__Scan *scan = message->body;
        state->n_taken++;
        state->last_stamp = message->stamp;
        state->last_range = scan->ranges[1080];
    }
    return 0;
}

static int only_note(struct dpl_component *self, const struct dpl_tick *tick)
{
    note(self);
    return 0;
}

static int note_and_wake(struct dpl_component *self, const struct dpl_tick *tick)
{
    note(self);
    return dpl_port_signal(self, WAKE, tick->now);
}

#define CLASS(class_name, execute_function)                                                        \
    static const struct dpl_component_ops class_name##_ops = {.execute = execute_function};        \
    static const struct dpl_component_class class_name = {.name = #class_name,                     \
                                                          .ops = &class_name##_ops,                \
                                                          .ports = ports,                          \
                                                          .n_ports = DPL_COUNT(ports),             \
                                                          .state_size = sizeof(struct state)}
CLASS(sender, send_scan);
CLASS(receiver, take_scans);
CLASS(noter, only_note);
CLASS(waker, note_and_wake);

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
    order[0] = '\0';
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(scheduler, .init = setup, .fini = teardown);

Test(scheduler, passes_a_scan_on_within_one_cycle)
{
    size_t receiver_at = rig_add(&rig, "Receiver", &receiver);
    size_t sender_at = rig_add(&rig, "Sender", &sender);
    rig_connect(&rig, sender_at, OUT, receiver_at, IN);
    rig.runtime.options.duration = 100 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0, "%s", rig.diag.text);
    const struct state *state = rig_self(&rig, receiver_at)->state;
    cr_assert_eq(state->n_taken, 10);
    cr_assert_eq(state->last_stamp, 90 * DPL_MS);
    cr_assert_eq(state->last_tick, 90 * DPL_MS);
    cr_assert_eq(state->last_range, 9.0f);
    cr_assert_eq(rig_counters(&rig, sender_at, OUT).published, 10);
    cr_assert_eq(rig_counters(&rig, receiver_at, IN).taken, 10);
    cr_assert_eq(atomic_load(&rig.runtime.sim_now), 100 * DPL_MS);
}

Test(scheduler, passes_a_scan_between_executors_at_the_same_instant)
{
    size_t receiver_at = rig_add(&rig, "Receiver", &receiver);
    size_t sender_at = rig_add(&rig, "Sender", &sender);
    rig_execution(&rig, receiver_at, DPL_EXECUTION_PERIODIC, 20 * DPL_MS);
    rig_connect(&rig, sender_at, OUT, receiver_at, IN);
    rig.runtime.options.duration = 90 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    const struct state *state = rig_self(&rig, receiver_at)->state;
    cr_assert_eq(state->n_taken, 9);
    cr_assert_eq(state->last_stamp, 80 * DPL_MS);
}

Test(scheduler, runs_by_due_time_then_executor_order)
{
    static const dpl_ns periods_ms[] = {30, 20, 10};
    static const char *const names[] = {"A", "B", "C"};
    for (size_t i = 0; i < 3; i++) {
        size_t at = rig_add(&rig, names[i], &noter);
        rig_execution(&rig, at, DPL_EXECUTION_PERIODIC, periods_ms[i] * DPL_MS);
    }
    rig.runtime.options.duration = 41 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_str_eq(order, "ABC" /* 0 */
                            "C"   /* 10 */
                            "BC"  /* 20 */
                            "AC"  /* 30 */
                            "BC" /* 40 */);
}

Test(scheduler, runs_an_aperiodic_executor_right_after_who_woke_it)
{
    size_t woken = rig_add(&rig, "X", &noter);
    rig_execution(&rig, woken, DPL_EXECUTION_APERIODIC, 0);
    size_t a = rig_add(&rig, "A", &waker);
    rig_execution(&rig, a, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    size_t b = rig_add(&rig, "B", &noter);
    rig_execution(&rig, b, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_connect(&rig, a, WAKE, woken, WOKEN);
    rig.runtime.options.duration = 20 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_str_eq(order, "AXBAXB");
}

Test(scheduler, names_aperiodic_executors_that_never_rest)
{
    size_t a = rig_add(&rig, "A", &waker);
    rig_execution(&rig, a, DPL_EXECUTION_APERIODIC, 0);
    rig_connect(&rig, a, WAKE, a, WOKEN);
    rig.runtime.options.duration = 20 * DPL_MS;
    cr_assert_eq(rig_start(&rig), 0);
    dpl__executor_notify(rig.runtime.executors[0]);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), -ELOOP);
    cr_assert(strstr(rig.diag.text, "aperiodic A"), "%s", rig.diag.text);
}

/* ---- the world ---- */

static char world_calls[256];

static int advance(void *self, dpl_ns to, struct dpl_diag *reterr)
{
    size_t n = strlen(world_calls);
    snprintf(world_calls + n, sizeof world_calls - n, "%d%.9s ", (int)(to / DPL_MS), order);
    order[0] = '\0';
    const dpl_ns *limit = self;
    static const struct dpl_place nowhere;
    return to > *limit ? dpl_fail(reterr, -ETIMEDOUT, nowhere, "world W does not follow") : 0;
}

static const struct dpl_world_host_ops world_ops = {.advance = advance};

Test(scheduler, advances_the_world_before_executors_that_are_due_then)
{
    dpl_ns limit = DPL_S;
    rig.runtime.options.world = (struct dpl_world_host){&world_ops, &limit};
    rig_add(&rig, "A", &noter);
    rig.runtime.options.duration = 25 * DPL_MS;
    world_calls[0] = '\0';
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_str_eq(world_calls, "10A 20A 25A ");
}

Test(scheduler, stops_when_the_world_does_not_follow)
{
    dpl_ns limit = 15 * DPL_MS;
    rig.runtime.options.world = (struct dpl_world_host){&world_ops, &limit};
    rig_add(&rig, "A", &noter);
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), -ETIMEDOUT);
    cr_assert_str_eq(rig.diag.text, "world W does not follow");
    cr_assert_eq(atomic_load(&rig.runtime.sim_now), 10 * DPL_MS);
}

static int request_stop(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl__component *component = self->runtime;
    if (tick->cycle == 3) {
        atomic_store(&component->runtime->stop_requested, 1);
    }
    note(self);
    return 0;
}

CLASS(stopper, request_stop);

Test(scheduler, ends_at_a_stop_request)
{
    rig_add(&rig, "A", &stopper);
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_str_eq(order, "AAAA");
}

Test(scheduler, keeps_the_asked_rate_of_real_time)
{
    rig_add(&rig, "A", &noter);
    rig.runtime.options.duration = 40 * DPL_MS;
    rig.runtime.options.rate = 2.0;
    cr_assert_eq(rig_start(&rig), 0);
    dpl_ns begun = dpl_monotonic_now();
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_geq(dpl_monotonic_now() - begun, 20 * DPL_MS);
    cr_assert_str_eq(order, "AAAA");
}

/* ---- a pause ---- */

struct at_nap {
    struct dpl__task task;
    int naps;
};

static struct at_nap outside;
static struct dpl_runtime *steered;
static dpl_ns paused_at[4];

/* What somebody outside asks for, one after the other, each when the run pauses. */
static void steer(struct dpl__task *task)
{
    struct dpl__pacing *pacing = &steered->pacing;
    dpl_ns now = atomic_load(&steered->sim_now);
    static const dpl_ns ahead[] = {0, 20 * DPL_MS, 7 * DPL_MS};
    if (outside.naps > 0 && !atomic_load(&pacing->paused)) {
        dpl__mailbox_post(&steered->executors[0]->mailbox, task);
    } else if (outside.naps < 3) {
        paused_at[outside.naps] = now;
        dpl__pacing_hold(pacing, now + ahead[outside.naps++]);
        dpl__mailbox_post(&steered->executors[0]->mailbox, task);
    } else {
        paused_at[3] = now;
        dpl__pacing_hold(pacing, DPL__NO_HOLD);
    }
}

static int note_and_ask(struct dpl_component *self, const struct dpl_tick *tick)
{
    note(self);
    if (tick->now == 30 * DPL_MS) {
        outside.task.run = steer;
        dpl__mailbox_post(&steered->executors[0]->mailbox, &outside.task);
    }
    return 0;
}

CLASS(asker, note_and_ask);

Test(scheduler, pauses_and_goes_on_at_exactly_the_asked_times)
{
    size_t slow = rig_add(&rig, "S", &noter);
    rig_add(&rig, "A", &asker);
    rig_execution(&rig, slow, DPL_EXECUTION_PERIODIC, 30 * DPL_MS);
    rig.runtime.options.duration = 100 * DPL_MS;
    steered = &rig.runtime;
    cr_assert_eq(rig_start(&rig), 0);
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0, "%s", rig.diag.text);
    static const dpl_ns wanted_ms[] = {30, 30, 50, 57};
    for (size_t i = 0; i < DPL_COUNT(wanted_ms); i++) {
        cr_assert_eq(paused_at[i], wanted_ms[i] * DPL_MS, "%zu: %lld", i, (long long)paused_at[i]);
    }
    cr_assert_str_eq(order, "SAAASAAASAAASA", "as without a pause");
    cr_assert_eq(atomic_load(&rig.runtime.sim_now), 100 * DPL_MS);
}

Test(scheduler, a_pause_after_the_end_is_the_end)
{
    rig_add(&rig, "A", &noter);
    rig.runtime.options.duration = 40 * DPL_MS;
    dpl__pacing_begin(&rig.runtime.pacing, 0.0, 40 * DPL_MS);
    dpl__pacing_hold(&rig.runtime.pacing, 40 * DPL_MS);
    cr_assert_eq(dpl__pacing_limit(&rig.runtime.pacing), 40 * DPL_MS);
    cr_assert_eq(rig.runtime.pacing.until, 40 * DPL_MS);
    dpl__pacing_hold(&rig.runtime.pacing, 39 * DPL_MS);
    cr_assert_eq(dpl__pacing_limit(&rig.runtime.pacing), 39 * DPL_MS);
    cr_assert_eq(rig.runtime.pacing.until, 39 * DPL_MS + 1);
}
