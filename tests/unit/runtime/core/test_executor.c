/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle, and threads on the real clock. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <doppel/msg/geometry.h>
#include <doppel/msg/wheel_controller.h>

#include "rig.h"
#include "rig_ports.h"

enum { OUT, IN, PROVIDES, REQUIRES };

static dpl_ns now_seen[8];
static atomic_int n_runs;
static atomic_int is_stuck, release_stuck;
static bool failing;

static int on_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    rig_note(self, 'x');
    return failing ? -ERANGE : 0;
}

static const struct dpl_port_desc ports[] = {
    [OUT] = {.name = "out", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [IN] = {.name = "in", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
};

static const struct dpl_component_ops ops = {
    .execute = on_execute, .update = rig_on_update, .event = rig_on_event};
static const struct dpl_component_class node = {
    .name = "Node", .ops = &ops, .ports = ports, .n_ports = 2, .state_size = 8};

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(executor, .init = setup, .fini = teardown);

static void start(void)
{
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
}

static void cycle(dpl_ns now)
{
    dpl__executor_cycle(rig.runtime.executors[0], now);
}

Test(executor, delivers_events_then_executes_all_then_updates_all)
{
    rig_add(&rig, "A", &node);
    rig_add(&rig, "B", &node);
    rig_connect(&rig, 0, OUT, 1, IN);
    start();
    dpl_port_signal(rig_self(&rig, 0), OUT, 0);
    cycle(0);
    cr_assert_str_eq(rig_calls, "eBxAxBuAuB");
    cr_assert_eq(atomic_load(&rig.runtime.executors[0]->n_cycles), 1);
    cr_assert_neq(atomic_load(&rig.runtime.first_cycle), 0);
}

Test(executor, runs_only_active_components)
{
    rig_add(&rig, "A", &node);
    rig_add(&rig, "B", &node);
    start();
    dpl__component_operate(rig_component(&rig, 0), DPL__STOP, 0, NULL);
    cycle(0);
    cr_assert_str_eq(rig_calls, "xBuB");
}

Test(executor, puts_a_component_whose_execute_fails_into_error)
{
    rig_add(&rig, "A", &node);
    start();
    failing = true;
    cycle(0);
    cycle(DPL_MS);
    cr_assert_str_eq(rig_calls, "xA");
    cr_assert_eq(atomic_load(&rig_component(&rig, 0)->state), DPL__ERROR);
    cr_assert_eq(atomic_load(&rig_component(&rig, 0)->n_errors), 1);
    cr_assert_eq(atomic_load(&rig.runtime.faults), 1);
    cr_assert(strstr(rig_log, "A: execute failed"), "%s", rig_log);
}

Test(executor, runs_a_component_once_all_it_depends_on_have_run_since)
{
    rig_add(&rig, "A", &node);
    rig_add(&rig, "B", &node);
    rig_execution(&rig, 1, DPL_EXECUTION_PERIODIC, 30 * DPL_MS);
    rig_depends(&rig, 1, 0);
    start();
    struct dpl__executor *of_a = rig_component(&rig, 0)->executor;
    struct dpl__executor *of_b = rig_component(&rig, 1)->executor;
    dpl__executor_cycle(of_a, 0);
    dpl__executor_cycle(of_b, 0);
    dpl__executor_cycle(of_a, 1);
    dpl__executor_cycle(of_a, 2);
    cr_assert_str_eq(rig_calls, "uAxBuBxAuAuA");
}

/* ---- what several executors share ---- */

static int publish(struct dpl_component *self, const struct dpl_tick *tick)
{
    return dpl_port_publish(self, 0, dpl_port_loan(self, 0), tick->now);
}

static int take(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct dpl_message *message = dpl_port_take(self, 1);
    if (message) {
        now_seen[tick->cycle % 8] = message->stamp;
    }
    return 0;
}

static const struct dpl_port_desc mixed_ports[] = {
    RIG_POSES("out", DPL_PORT_OUT),
    RIG_POSES("in", DPL_PORT_IN),
    [PROVIDES] = RIG_PROVIDES(NULL),
    [REQUIRES] = RIG_REQUIRES,
};
static const struct dpl_component_ops publisher_ops = {.execute = publish};
static const struct dpl_component_ops taker_ops = {.execute = take};
static const struct dpl_component_class publisher = {
    .name = "Publisher", .ops = &publisher_ops, .ports = mixed_ports, .n_ports = 4};
static const struct dpl_component_class taker = {
    .name = "Taker", .ops = &taker_ops, .ports = mixed_ports, .n_ports = 4};

Test(executor, passes_a_message_on_within_one_cycle_from_a_component_that_others_call)
{
    rig.runtime.options.simulated = false;
    rig_add(&rig, "P", &publisher);
    rig_add(&rig, "T", &taker);
    rig_add(&rig, "Caller", &taker);
    rig_execution(&rig, 2, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_connect(&rig, 0, 0, 1, 1);
    rig_connect(&rig, 2, REQUIRES, 0, PROVIDES);
    start();
    cr_assert(rig_component(&rig, 0)->shared);
    cycle(5);
    cycle(6);
    cr_assert_eq(now_seen[0], 5);
    cr_assert_eq(now_seen[1], 6);
}

/* ---- threads ---- */

static int count_runs(struct dpl_component *self, const struct dpl_tick *tick)
{
    now_seen[tick->cycle % 8] = tick->now;
    atomic_fetch_add(&n_runs, 1);
    return 0;
}

static int hang(struct dpl_component *self, const struct dpl_tick *tick)
{
    atomic_store(&is_stuck, 1);
    while (!atomic_load(&release_stuck)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

static int run_over(struct dpl_component *self, const struct dpl_tick *tick)
{
    if (tick->cycle == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 47 * 1000000}, NULL);
    }
    return count_runs(self, tick);
}

static const struct dpl_component_ops counter_ops = {.execute = count_runs};
static const struct dpl_component_class counter = {.name = "Counter", .ops = &counter_ops};
static const struct dpl_component_ops hanger_ops = {.execute = hang};
static const struct dpl_component_class hanger = {.name = "Hanger", .ops = &hanger_ops};
static const struct dpl_component_ops slow_ops = {.execute = run_over};
static const struct dpl_component_class slow = {.name = "Slow", .ops = &slow_ops};
static const struct dpl_component_class woken = {
    .name = "Woken", .ops = &counter_ops, .ports = ports, .n_ports = 2};

static void start_threads(void)
{
    rig.runtime.options.simulated = false;
    rig.runtime.real_epoch = dpl_monotonic_now();
    start();
    cr_assert_eq(dpl__executors_start(&rig.runtime, &rig.diag), 0, "%s", rig.diag.text);
}

static void wait_for_runs(int n)
{
    while (atomic_load(&n_runs) < n) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

Test(executor, keeps_nominal_instants_on_the_grid_of_its_period, .timeout = 10)
{
    rig_add(&rig, "A", &counter);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 2 * DPL_MS);
    start_threads();
    wait_for_runs(5);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    for (int i = 1; i < 5; i++) {
        cr_assert_eq((now_seen[i] - now_seen[0]) % (2 * DPL_MS), 0);
        cr_assert_gt(now_seen[i], now_seen[i - 1]);
    }
    cr_assert_geq(atomic_load(&rig.runtime.executors[0]->jitter.count), 5);
}

Test(executor, counts_a_missed_deadline_and_what_it_skips, .timeout = 10)
{
    rig_add(&rig, "A", &slow);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    start_threads();
    wait_for_runs(2);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    const struct dpl__executor *executor = rig.runtime.executors[0];
    cr_assert_geq(atomic_load(&executor->n_overruns), 1);
    cr_assert_geq(atomic_load(&executor->n_skipped), 3);
    cr_assert_geq(now_seen[1] - now_seen[0], 40 * DPL_MS);
    cr_assert_eq((now_seen[1] - now_seen[0]) % (10 * DPL_MS), 0);
}

Test(executor, wakes_an_aperiodic_executor_when_an_event_arrives, .timeout = 10)
{
    rig_add(&rig, "A", &woken);
    rig_execution(&rig, 0, DPL_EXECUTION_APERIODIC, 0);
    rig_add(&rig, "B", &woken);
    rig_execution(&rig, 1, DPL_EXECUTION_PASSIVE, 0);
    rig_connect(&rig, 1, OUT, 0, IN);
    start_threads();
    cr_assert_eq(dpl_port_signal(rig_self(&rig, 1), OUT, 0), 0);
    wait_for_runs(1);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    cr_assert_eq(rig_counters(&rig, 0, IN).received, 1);
}

static atomic_int n_tasks;

static void count_task(struct dpl__task *task)
{
    atomic_fetch_add(&n_tasks, 1);
}

Test(executor, does_a_task_for_an_aperiodic_executor_without_a_cycle, .timeout = 10)
{
    struct dpl__task task = {.run = count_task};
    rig_add(&rig, "A", &woken);
    rig_execution(&rig, 0, DPL_EXECUTION_APERIODIC, 0);
    start_threads();
    struct dpl__executor *executor = rig.runtime.executors[0];
    dpl__mailbox_post(&executor->mailbox, &task);
    dpl__executor_nudge(executor);
    while (atomic_load(&n_tasks) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    cr_assert_eq(atomic_load(&executor->n_cycles), 0);
}

Test(executor, leaves_a_stuck_one_behind_by_name_and_stops_the_rest, .timeout = 10)
{
    rig_add(&rig, "Hanger", &hanger);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 5 * DPL_MS);
    rig_add(&rig, "Counter", &counter);
    rig_execution(&rig, 1, DPL_EXECUTION_PERIODIC, 5 * DPL_MS);
    start_threads();
    wait_for_runs(3);
    while (!atomic_load(&is_stuck)) { /* on a busy machine its thread may come later */
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 1);
    cr_assert(strstr(rig_log, "Hanger: execute does not return"), "%s", rig_log);
    cr_assert(strstr(rig_log, "periodic 5 ms Hanger"), "%s", rig_log);
    cr_assert_eq(atomic_load(&rig.runtime.executors[1]->finished), 1);
    atomic_store(&release_stuck, 1); /* so that the memory may go */
    while (!atomic_load(&rig.runtime.executors[0]->finished)) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

Test(executor, takes_the_policy_of_the_run_over_the_profiles, .timeout = 10)
{
    rig_add(&rig, "A", &counter);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 2 * DPL_MS);
    rig.components[0].execution.policy = DPL_POLICY_FIFO;
    rig.runtime.options.policy_given = true;
    rig.runtime.options.policy = DPL_POLICY_OTHER;
    start_threads();
    wait_for_runs(2);
    int policy = -1;
    struct sched_param param;
    cr_assert_eq(pthread_getschedparam(rig.runtime.executors[0]->thread, &policy, &param), 0);
    cr_assert_eq(policy, SCHED_OTHER);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    cr_assert_eq(rig.runtime.executors[0]->policy, DPL_POLICY_OTHER);
}

Test(executor, says_which_policy_it_got, .timeout = 10)
{
    rig_add(&rig, "A", &counter);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 2 * DPL_MS);
    rig.runtime.options.policy_given = true;
    rig.runtime.options.policy = DPL_POLICY_FIFO;
    start_threads();
    wait_for_runs(2);
    int policy = -1;
    struct sched_param param;
    cr_assert_eq(pthread_getschedparam(rig.runtime.executors[0]->thread, &policy, &param), 0);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    bool refused = strstr(rig_log, "SCHED_FIFO with priority 1 refused") != NULL;
    cr_assert_eq(policy, refused ? SCHED_OTHER : SCHED_FIFO);
    cr_assert_eq(rig.runtime.executors[0]->policy, refused ? DPL_POLICY_OTHER : DPL_POLICY_FIFO);
}

Test(executor, reports_a_refused_affinity_and_goes_on, .timeout = 10)
{
    rig_add(&rig, "A", &counter);
    rig_execution(&rig, 0, DPL_EXECUTION_PERIODIC, 2 * DPL_MS);
    rig.components[0].execution.affinity = (uint64_t)1 << 63;
    start_threads();
    wait_for_runs(2);
    cr_assert_eq(dpl__executors_stop(&rig.runtime), 0);
    cr_assert(strstr(rig_log, "periodic 2 ms A: affinity 0x8000000000000000 refused"), "%s",
              rig_log);
}
