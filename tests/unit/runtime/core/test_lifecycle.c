/* SPDX-License-Identifier: Apache-2.0 */
/* The OPRoS life cycle: the whole table of transitions, callbacks, failures, devices. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/geometry.h>

#include "rig.h"
#include "rig_ports.h"

static char calls[256];
static const char *failing; /* the callback that fails with -EIO */
static int cause_seen, n_at_initialize, n_at_reset;
static dpl_ns period_seen;

static int note(const char *callback)
{
    strcat(calls, callback);
    strcat(calls, " ");
    return failing && strcmp(failing, callback) == 0 ? -EIO : 0;
}

struct state {
    int n;
};

static int on_initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    struct state *state = self->state;
    n_at_initialize = state->n++;
    int r = note("initialize");
    return r < 0 ? dpl_fail(reterr, r, nowhere, "the map is missing") : 0;
}

static int on_start(struct dpl_component *self, struct dpl_diag *reterr)
{
    return note("start");
}

static int on_stop(struct dpl_component *self)
{
    return note("stop");
}

static int on_error(struct dpl_component *self, int cause)
{
    cause_seen = cause;
    return note("error");
}

static int on_recover(struct dpl_component *self)
{
    return note("recover");
}

static int on_reset(struct dpl_component *self)
{
    const struct state *state = self->state;
    n_at_reset = state->n;
    return note("reset");
}

static void on_destroy(struct dpl_component *self)
{
    note("destroy");
}

static int on_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    return note("execute");
}

static int on_period(struct dpl_component *self, dpl_ns period)
{
    period_seen = period;
    return note("period_changed");
}

static const struct dpl_component_ops ops = {
    .initialize = on_initialize,
    .start = on_start,
    .execute = on_execute,
    .period_changed = on_period,
    .stop = on_stop,
    .error = on_error,
    .recover = on_recover,
    .reset = on_reset,
    .destroy = on_destroy,
};

static const struct dpl_port_desc ports[] = {
    RIG_POSES("out", DPL_PORT_OUT),
    RIG_POSES("in", DPL_PORT_IN),
};

static const struct dpl_component_class full = {
    .name = "Full", .ops = &ops, .ports = ports, .n_ports = 2, .state_size = sizeof(struct state)};

static struct rig rig;
static struct dpl__component *component;
static struct rig_device device = {.opened = true};

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "Arm", &full);
    rig_connect(&rig, 0, 0, 0, 1);
    cr_assert_eq(rig_wire(&rig), 0, "%s", rig.diag.text);
    component = rig_component(&rig, 0);
    device.self.runtime = &device;
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(lifecycle, .init = setup, .fini = teardown);

static int operate(enum dpl__operation operation)
{
    return dpl__component_operate(component, operation, -ETIMEDOUT, &rig.diag);
}

static enum dpl__state state_now(void)
{
    return atomic_load(&component->state);
}

Test(lifecycle, allows_what_opros_allows_and_nothing_else)
{
    /* rows: CREATED READY ACTIVE INACTIVE ERROR DESTROYED; columns: the operations; '.': refused */
    static const char *const table[] = {"R....A.", ".A...AD", "..IE.AD",
                                        ".A...AD", "....RAD", ".....A."};
    static const char letters[] = "CRAIED";
    for (int state = DPL__CREATED; state <= DPL__DESTROYED; state++) {
        for (int operation = DPL__INITIALIZE; operation <= DPL__DESTROY; operation++) {
            enum dpl__state next = DPL__CREATED;
            bool allowed = dpl__lifecycle_allows(state, operation, &next);
            char found = allowed ? letters[next] : '.';
            cr_assert_eq(found, table[state][operation], "%s in %s: %c",
                         dpl__operation_name(operation), dpl__state_name(state), found);
        }
    }
}

Test(lifecycle, calls_back_in_order_through_a_whole_life)
{
    static const enum dpl__operation life[] = {DPL__INITIALIZE, DPL__START,  DPL__STOP,
                                               DPL__START,      DPL__FAULT,  DPL__RECOVER,
                                               DPL__START,      DPL__DESTROY};
    for (size_t i = 0; i < DPL_COUNT(life); i++) {
        cr_assert_eq(operate(life[i]), 0, "%s", rig.diag.text);
    }
    cr_assert_str_eq(calls,
                     "initialize period_changed start stop start error recover start destroy ");
    cr_assert_eq(state_now(), DPL__DESTROYED);
    cr_assert_eq(cause_seen, -ETIMEDOUT);
}

Test(lifecycle, resets_with_the_state_as_it_was_and_initialises_with_a_zeroed_one)
{
    operate(DPL__INITIALIZE);
    cr_assert_eq(operate(DPL__RESET), 0);
    cr_assert_str_eq(calls, "initialize reset initialize period_changed start ");
    cr_assert_eq(n_at_reset, 1);
    cr_assert_eq(n_at_initialize, 0);
    cr_assert_eq(state_now(), DPL__ACTIVE);
}

Test(lifecycle, destroys_what_a_component_without_reset_holds_before_it_begins_anew)
{
    struct dpl_component_ops releasing = ops;
    releasing.reset = NULL;
    struct dpl_component_class class = full;
    class.ops = &releasing;
    component->self.class_ = &class;
    cr_assert_eq(operate(DPL__RESET), 0);
    cr_assert_str_eq(calls, "initialize period_changed start ", "nothing is held before");
    calls[0] = '\0';
    cr_assert_eq(operate(DPL__RESET), 0);
    cr_assert_str_eq(calls, "destroy initialize period_changed start ");
    operate(DPL__DESTROY);
    calls[0] = '\0';
    cr_assert_eq(operate(DPL__RESET), 0);
    cr_assert_str_eq(calls, "initialize period_changed start ", "nothing is held any more");
    component->self.class_ = &full;
}

Test(lifecycle, is_left_where_a_failing_reset_came_and_halts_when_it_has_a_device)
{
    static const struct {
        const char *callback;
        enum dpl__state left;
        int halting;
    } cases[] = {
        {"reset", DPL__ACTIVE, 0}, {"initialize", DPL__CREATED, 1}, {"start", DPL__READY, 1}};
    component->device = &device.self;
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        failing = NULL;
        cr_assert_eq(operate(DPL__RESET), 0);
        failing = cases[i].callback;
        cr_assert_eq(operate(DPL__RESET), -EIO);
        cr_assert_eq(state_now(), cases[i].left, "%s: %s", failing, dpl__state_name(state_now()));
        cr_assert_eq(atomic_load(&rig.runtime.lost_devices), cases[i].halting, "%s", failing);
    }
}

Test(lifecycle, tells_the_period_before_the_first_start_and_does_not_start_when_it_is_refused)
{
    operate(DPL__INITIALIZE);
    failing = "period_changed";
    cr_assert_eq(operate(DPL__START), -EIO);
    cr_assert_str_eq(rig.diag.text, "Arm: period_changed failed: Input/output error");
    cr_assert_eq(state_now(), DPL__READY);
    failing = NULL;
    cr_assert_eq(operate(DPL__START), 0);
    cr_assert_eq(period_seen, 10 * DPL_MS);
}

Test(lifecycle, says_precondition_not_met_for_an_illegal_operation)
{
    cr_assert_eq(operate(DPL__START), -EPROTO);
    cr_assert_str_eq(rig.diag.text, "Arm: cannot start in state CREATED: precondition not met");
    cr_assert_eq(rig.diag.place.line, 1);
    cr_assert_str_eq(calls, "");
}

Test(lifecycle, keeps_the_state_and_says_who_what_why_when_a_callback_fails)
{
    failing = "initialize";
    cr_assert_eq(operate(DPL__INITIALIZE), -EIO);
    cr_assert_eq(state_now(), DPL__CREATED);
    cr_assert_str_eq(rig.diag.text, "Arm: initialize failed: the map is missing");
    failing = "stop";
    operate(DPL__INITIALIZE);
    operate(DPL__START);
    cr_assert_eq(operate(DPL__STOP), -EIO);
    cr_assert_eq(state_now(), DPL__ACTIVE);
    cr_assert_str_eq(rig.diag.text, "Arm: stop failed: Input/output error");
    cr_assert_eq(atomic_load(&component->n_errors), 2);
}

Test(lifecycle, reaches_error_even_when_the_error_callback_fails)
{
    failing = "error";
    operate(DPL__INITIALIZE);
    operate(DPL__START);
    cr_assert_eq(operate(DPL__FAULT), 0);
    cr_assert_eq(state_now(), DPL__ERROR);
}

static void publish_one(struct dpl_component *self)
{
    dpl_port_publish(self, 0, dpl_port_loan(self, 0), 0);
}

Test(lifecycle, clears_the_ports_on_stop)
{
    operate(DPL__INITIALIZE);
    operate(DPL__START);
    rig_within(&rig, 0, publish_one);
    cr_assert_eq(rig_counters(&rig, 0, 1).received, 1);
    operate(DPL__STOP);
    cr_assert_null(dpl_port_take(rig_self(&rig, 0), 1));
    cr_assert_null(dpl_port_latest(rig_self(&rig, 0), 1));
}

/* ---- devices ---- */

static void cycle(dpl_ns now)
{
    dpl__executor_cycle(rig.runtime.executors[0], now);
}

static void start_with_device(void)
{
    component->device = &device.self;
    operate(DPL__INITIALIZE);
    operate(DPL__START);
    calls[0] = '\0';
}

Test(lifecycle, goes_to_error_when_its_device_is_lost_and_back_when_it_is_found)
{
    start_with_device();
    atomic_store(&device.lost, 1);
    cycle(0);
    cr_assert_eq(state_now(), DPL__ERROR);
    cr_assert_eq(cause_seen, -ENODEV);
    cr_assert_eq(atomic_load(&rig.runtime.lost_devices), 1);
    cycle(10 * DPL_MS);
    atomic_store(&device.lost, 0);
    cycle(20 * DPL_MS);
    cr_assert_eq(state_now(), DPL__ACTIVE);
    cr_assert_eq(atomic_load(&rig.runtime.lost_devices), 0);
    cr_assert_str_eq(calls, "error recover start execute ");
}

Test(lifecycle, tries_again_after_a_second_when_it_cannot_start_with_the_found_device)
{
    start_with_device();
    atomic_store(&device.lost, 1);
    cycle(0);
    atomic_store(&device.lost, 0);
    failing = "start";
    cycle(20 * DPL_MS);
    cr_assert_eq(state_now(), DPL__READY);
    failing = NULL;
    cycle(DPL_S);
    cr_assert_eq(state_now(), DPL__READY);
    cycle(DPL_S + 20 * DPL_MS);
    cr_assert_eq(state_now(), DPL__ACTIVE);
    cr_assert_str_eq(calls, "error recover start start execute ");
}

Test(lifecycle, halts_the_application_while_a_device_component_that_failed_is_in_error)
{
    start_with_device();
    failing = "execute";
    cycle(0);
    cr_assert_eq(state_now(), DPL__ERROR);
    cr_assert_eq(atomic_load(&rig.runtime.lost_devices), 1);
    cycle(10 * DPL_MS);
    cr_assert_eq(rig.runtime.executors[0]->tick.halt, 1);
    cr_assert_eq(state_now(), DPL__ERROR);
    operate(DPL__RESET);
    cr_assert_eq(atomic_load(&rig.runtime.lost_devices), 0);
}
