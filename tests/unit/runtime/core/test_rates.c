/* SPDX-License-Identifier: Apache-2.0 */
/* Rate groups: components of several periods off one time base. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <doppel/msg/geometry.h>

#include "rig.h"
#include "rig_ports.h"

#define FAST (625 * DPL_US)
#define SLOW (2500 * DPL_US)

enum { OUT, IN, SIGNAL, WOKEN };

struct run {
    struct dpl_tick tick;
    unsigned n_taken;
};

static struct run runs[64];
static atomic_int n_runs;
static dpl_ns told_period;

static int on_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    rig_note(self, 'x');
    return 0;
}

static int on_period(struct dpl_component *self, dpl_ns period)
{
    told_period = period;
    return 0;
}

static int keep(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct run run = {.tick = *tick};
    while (dpl_port_take(self, IN)) {
        run.n_taken++;
    }
    int n = atomic_load(&n_runs);
    runs[n % 64] = run;
    atomic_store(&n_runs, n + 1);
    return 0;
}

static int publish(struct dpl_component *self, const struct dpl_tick *tick)
{
    void *body = dpl_port_loan(self, OUT);
    return body ? dpl_port_publish(self, OUT, body, tick->now) : -ENOBUFS;
}

/* The third cycle takes so long that one of the slow component's is over meanwhile. */
static int run_over(struct dpl_component *self, const struct dpl_tick *tick)
{
    if (tick->cycle == 2) {
        dpl_ns until = tick->now + 8 * tick->period + tick->period / 2;
        const struct dpl__component *component = self->runtime;
        while (dpl__runtime_now(component->runtime) < until) {
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        }
    }
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [OUT] = RIG_POSES("out", DPL_PORT_OUT),
    [IN] = RIG_POSES("in", DPL_PORT_IN, .policy = DPL_QUEUE_FIFO, .depth = 16),
    [SIGNAL] = {.name = "signal", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [WOKEN] = {.name = "woken", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
};

#define CLASS(identifier, table)                                                                   \
    static const struct dpl_component_class identifier = {                                         \
        .name = "Node", .ops = &table, .ports = ports, .n_ports = 4, .state_size = 8}

static const struct dpl_component_ops node_ops = {.execute = on_execute,
                                                  .update = rig_on_update,
                                                  .event = rig_on_event,
                                                  .period_changed = on_period};
static const struct dpl_component_ops keeper_ops = {.execute = keep};
static const struct dpl_component_ops publisher_ops = {.execute = publish};
static const struct dpl_component_ops long_ops = {.execute = run_over};
CLASS(node, node_ops);
CLASS(keeper, keeper_ops);
CLASS(publisher, publisher_ops);
CLASS(long_runner, long_ops);

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(rates, .init = setup, .fini = teardown);

static size_t add(const char *name, const struct dpl_component_class *class_, dpl_ns period)
{
    size_t index = rig_add(&rig, name, class_);
    rig.components[index].execution.period = period;
    rig.components[index].execution.rate_group = "motion";
    return index;
}

static void start(void)
{
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
}

static void cycle(void)
{
    struct dpl__executor *executor = rig.runtime.executors[0];
    dpl__executor_cycle(executor, (dpl_ns)executor->index * executor->execution.period);
}

/* As the real clock does after an overrun. */
static void skip(uint64_t n)
{
    rig.runtime.executors[0]->index += n;
}

/* ---- grouping ---- */

Test(rates, one_executor_runs_a_group_at_the_shortest_period)
{
    add("Slow", &node, SLOW);
    add("Fast", &node, FAST);
    size_t other = rig_add(&rig, "Other", &node);
    rig.components[other].execution.period = FAST;
    cr_assert_eq(rig_wire(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(rig.runtime.n_executors, 2);
    const struct dpl__executor *executor = rig.runtime.executors[0];
    cr_assert_str_eq(executor->name, "rate group motion 0.625 ms");
    cr_assert_eq(executor->execution.period, 625000);
    cr_assert_eq(executor->n_components, 2);
    cr_assert_eq(rig_component(&rig, 0)->divisor, 4);
    cr_assert_eq(rig_component(&rig, 1)->divisor, 1);
    cr_assert_str_eq(rig.runtime.executors[1]->name, "periodic 0.625 ms");
}

Test(rates, groups_of_different_names_are_apart)
{
    add("A", &node, FAST);
    rig.components[add("B", &node, FAST)].execution.rate_group = "sensing";
    cr_assert_eq(rig_wire(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(rig.runtime.n_executors, 2);
    cr_assert_neq(rig_component(&rig, 0)->executor, rig_component(&rig, 1)->executor);
}

Test(rates, names_a_period_by_each_of_its_nanoseconds)
{
    add("A", &node, 3333333333);
    cr_assert_eq(rig_wire(&rig), 0, "%s", rig.diag.text);
    cr_assert_str_eq(rig.runtime.executors[0]->name, "rate group motion 3333.333333 ms");
}

Test(rates, refuses_a_period_that_is_no_whole_multiple)
{
    add("A", &node, FAST);
    add("B", &node, DPL_MS);
    cr_assert_eq(rig_wire(&rig), -EINVAL);
    cr_assert(strstr(rig.diag.text, "B does not fit into the rate group motion"), "%s",
              rig.diag.text);
    cr_assert_eq(rig.diag.place.line, 2);
}

Test(rates, refuses_another_priority)
{
    add("A", &node, FAST);
    rig.components[add("B", &node, FAST)].execution.priority = 7;
    cr_assert_eq(rig_wire(&rig), -EINVAL);
}

Test(rates, refuses_a_component_that_is_not_shared)
{
    rig.components[add("A", &node, FAST)].execution.type = DPL_EXECUTION_PERIODIC;
    cr_assert_eq(rig_wire(&rig), -EINVAL);
    cr_assert_str_eq(rig.diag.text, "A: only a periodic-shared component runs in a rate group");
}

/* ---- cycles ---- */

Test(rates, calls_nothing_of_a_component_that_is_not_due)
{
    add("Fast", &node, FAST);
    add("Slow", &node, SLOW);
    rig_connect(&rig, 0, SIGNAL, 1, WOKEN);
    start();
    cycle();
    cr_assert_str_eq(rig_calls, "xFxSuFuS");
    rig_calls[0] = '\0';
    dpl_port_signal(rig_self(&rig, 0), SIGNAL, 0);
    for (int i = 1; i < 4; i++) {
        cycle();
    }
    cr_assert_str_eq(rig_calls, "xFuFxFuFxFuF");
    rig_calls[0] = '\0';
    cycle();
    cr_assert_str_eq(rig_calls, "eSxFxSuFuS");
}

Test(rates, gives_each_component_its_own_period_and_count)
{
    add("Fast", &node, FAST);
    add("Slow", &keeper, SLOW);
    start();
    cr_assert_eq(told_period, FAST);
    for (int i = 0; i < 9; i++) {
        cycle();
    }
    cr_assert_eq(atomic_load(&n_runs), 3);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(runs[i].tick.now, i * SLOW);
        cr_assert_eq(runs[i].tick.period, SLOW);
        cr_assert_eq(runs[i].tick.cycle, (uint64_t)i);
    }
    cr_assert_eq(atomic_load(&rig.runtime.executors[0]->n_cycles), 9);
}

Test(rates, tells_a_slow_component_its_own_period)
{
    add("Fast", &keeper, FAST);
    add("Slow", &node, SLOW);
    start();
    cr_assert_eq(told_period, SLOW);
}

Test(rates, keeps_what_a_fast_component_sends_until_the_slow_one_is_due)
{
    add("Fast", &publisher, FAST);
    add("Slow", &keeper, SLOW);
    rig_connect(&rig, 0, OUT, 1, IN);
    start();
    for (int i = 0; i < 5; i++) {
        cycle();
    }
    cr_assert_eq(runs[0].n_taken, 1);
    cr_assert_eq(runs[1].n_taken, 4);
}

/* ---- after an overrun ---- */

Test(rates, runs_a_component_whose_cycle_was_skipped_at_the_next_one_and_then_on_its_grid)
{
    add("Fast", &node, FAST);
    add("Slow", &keeper, SLOW);
    start();
    cycle(); /* 0 */
    skip(4);
    cycle(); /* 5: late for 4 */
    cycle();
    cycle();
    cycle(); /* 8 */
    cr_assert_eq(atomic_load(&n_runs), 3);
    cr_assert_eq(runs[1].tick.now, 5 * FAST);
    cr_assert_eq(runs[1].tick.cycle, 1);
    cr_assert_eq(runs[2].tick.now, 8 * FAST);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_late), 1);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_skipped), 0);
}

Test(rates, runs_a_component_once_however_many_of_its_cycles_were_skipped)
{
    add("Fast", &node, FAST);
    add("Slow", &keeper, SLOW);
    start();
    cycle(); /* 0 */
    skip(13);
    cycle(); /* 14: late for 12; 4 and 8 are lost */
    cycle();
    cr_assert_eq(atomic_load(&n_runs), 2);
    cycle(); /* 16 */
    cr_assert_eq(runs[2].tick.now, 16 * FAST);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_late), 1);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_skipped), 2);
    cr_assert_eq(atomic_load(&rig_component(&rig, 0)->n_skipped), 13);
    cr_assert_eq(atomic_load(&rig_component(&rig, 0)->n_late), 0);
}

Test(rates, is_not_late_when_the_cycle_after_a_gap_is_its_own)
{
    add("Fast", &node, FAST);
    add("Slow", &keeper, SLOW);
    start();
    cycle();
    skip(7);
    cycle(); /* 8 */
    cr_assert_eq(runs[1].tick.now, 8 * FAST);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_late), 0);
    cr_assert_eq(atomic_load(&rig_component(&rig, 1)->n_skipped), 1);
}

/* ---- depends ---- */

Test(rates, a_source_that_is_not_due_holds_nobody_back)
{
    add("Fast", &node, FAST);
    add("Slow", &node, SLOW);
    rig_depends(&rig, 1, 0);
    start();
    for (int i = 0; i < 5; i++) {
        cycle();
    }
    cr_assert_str_eq(rig_calls, "xSxFuSuFxFuFxFuFxFuFxSxFuSuF");
}

Test(rates, a_source_that_was_due_and_did_not_run_holds_back)
{
    add("Fast", &node, FAST);
    add("Slow", &node, SLOW);
    rig_depends(&rig, 1, 0);
    start();
    cycle();
    cr_assert_eq(dpl__component_operate(rig_component(&rig, 1), DPL__STOP, 0, NULL), 0);
    rig_calls[0] = '\0';
    for (int i = 1; i < 6; i++) {
        cycle();
    }
    cr_assert_str_eq(rig_calls, "xFuFxFuFxFuFuFuF");
}

/* ---- clocks ---- */

Test(rates, the_simulated_clock_runs_a_group_on_its_grid)
{
    add("Fast", &publisher, FAST);
    add("Slow", &keeper, SLOW);
    rig_connect(&rig, 0, OUT, 1, IN);
    start();
    rig.runtime.options.duration = 20 * DPL_MS;
    cr_assert_eq(dpl__scheduler_run(&rig.runtime, &rig.diag), 0);
    cr_assert_eq(atomic_load(&n_runs), 8);
    cr_assert_eq(atomic_load(&rig.runtime.executors[0]->n_cycles), 32);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(runs[i].tick.now, i * SLOW);
        cr_assert_eq(runs[i].n_taken, i == 0 ? 1u : 4u);
    }
}

Test(rates, the_real_clock_keeps_the_grid_of_a_group_through_an_overrun, .timeout = 10)
{
    add("Long", &long_runner, 5 * DPL_MS);
    add("Slow", &keeper, 20 * DPL_MS);
    rig.runtime.options.simulated = false;
    rig.runtime.real_epoch = dpl_monotonic_now();
    start();
    cr_assert_eq(dpl__executors_start(&rig.runtime, &rig.diag), 0, "%s", rig.diag.text);
    while (atomic_load(&n_runs) < 4) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    const struct dpl__executor *executor = rig.runtime.executors[0];
    cr_assert_geq(atomic_load(&executor->n_skipped), 7);
    cr_assert_eq(executor->index, atomic_load(&executor->n_cycles) + executor->n_skipped);
    const struct dpl__component *component = rig_component(&rig, 1);
    cr_assert_geq(atomic_load(&component->n_late) + atomic_load(&component->n_skipped), 1);
    /* A run is on the grid of 20 ms, or a few cycles late: never two for one instant of it. */
    dpl_ns first = runs[0].tick.now;
    for (int i = 1; i < 4; i++) {
        cr_assert_eq((runs[i].tick.now - first) % (5 * DPL_MS), 0);
        cr_assert_gt((runs[i].tick.now - first) / (20 * DPL_MS),
                     (runs[i - 1].tick.now - first) / (20 * DPL_MS));
    }
}
