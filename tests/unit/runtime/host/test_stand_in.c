/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the life cycle that take long, in whole runs on the real clock: who stands in for
 * the control thread serves wires, prints the log, and ends the process when it is asked to. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "component.h"
#include "device.h"
#include "runtime.h"
#include "stand_in.h"

enum when {
    NEVER,
    INITIALIZE,
    START,
    STOP,
    DESTROY,
};

static struct dpl_runtime *runtime;
static struct dpl_device *base;
static enum when slow, commands; /* Robot takes its time; Base is commanded, in START only */
static double slow_s;
static int asks;               /* requests to stop, as Robot becomes slow */
static void (*ends)(void);     /* more than its callback; NULL: it returns */
static int n_served, n_cycles; /* turns of Base's wire without a commander; cycles of Robot */
static int n_early;            /* turns of that wire with one, while Robot was slow */
static bool is_slow;
static bool was_commanded; /* Base, when Robot was slow for long */
static char log_text[8192];

/* ---- a device whose wire the control thread owns ---- */

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    bool commanded = dpl_device_is_commanded(user);
    n_served += !commanded;
    n_early += commanded && is_slow;
}

static const struct dpl_stream_ops stream_ops = {.timer = on_timer};

struct wire {
    struct dpl_stream *stream;
};

static int wire_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct wire *wire = device->state;
    struct dpl_stream_config config = {
        .address = "timer:",
        .timer_ms = 20,
        .ops = &stream_ops,
        .user = device,
    };
    base = device;
    return dpl_device_open_stream(device, &config, &wire->stream, reterr);
}

static void wire_close(struct dpl_device *device)
{
    struct wire *wire = device->state;
    dpl_stream_close(wire->stream);
}

static const struct dpl_driver driver = {
    .name = "fake",
    .backend = DPL_BACKEND_MOCK,
    .state_size = sizeof(struct wire),
    .open = wire_open,
    .close = wire_close,
};

/* ---- the components ---- */

static void pass(enum when when)
{
    if (when != slow) {
        return;
    }
    for (int i = 0; i < asks; i++) {
        dpl_runtime_request_stop(dpl_runtime_calling());
    }
    is_slow = true;
    usleep((useconds_t)(slow_s * 1e6));
    is_slow = false;
    was_commanded = dpl_device_is_commanded(base);
    if (ends) {
        ends();
    }
}

static int robot_initialize(struct dpl_component *c, struct dpl_diag *reterr)
{
    pass(INITIALIZE);
    return 0;
}

static int robot_start(struct dpl_component *c, struct dpl_diag *reterr)
{
    pass(START);
    return 0;
}

static int robot_execute(struct dpl_component *c, const struct dpl_tick *tick)
{
    n_cycles++;
    return 0;
}

static int robot_stop(struct dpl_component *c)
{
    pass(STOP);
    return 0;
}

static void robot_destroy(struct dpl_component *c)
{
    pass(DESTROY);
}

static int base_start(struct dpl_component *c, struct dpl_diag *reterr)
{
    if (commands == START) {
        dpl_component_take_command(c);
    }
    return 0;
}

static const struct dpl_component_ops robot_ops = {
    .initialize = robot_initialize,
    .start = robot_start,
    .execute = robot_execute,
    .stop = robot_stop,
    .destroy = robot_destroy,
};
static const struct dpl_component_ops base_ops = {.start = base_start};
static const struct dpl_component_class robot_class = {.name = "Robot", .ops = &robot_ops};
static const struct dpl_component_class base_class = {.name = "Base", .ops = &base_ops};
static char no_properties[1];
static const struct dpl_app_device base_model = {.name = "Base", .driver = &driver};
static const struct dpl_app_component components[] = {
    {.name = "Base",
     .class_ = &base_class,
     .properties = no_properties,
     .device = &base_model,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED,
                   .period = 10 * DPL_MS,
                   .late_limit = 300 * DPL_MS}},
    {.name = "Robot",
     .class_ = &robot_class,
     .properties = no_properties,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = 10 * DPL_MS}},
};
static const struct dpl_app app = {
    .name = "test",
    .file = "test.xml",
    .components = components,
    .n_components = 2,
};
static struct dpl_runtime_options options = {
    .duration = 50 * DPL_MS,
    .seed = 1,
    .log_level = DPL_LOG_INFO,
};

static enum dpl_exit run(enum when when, double seconds)
{
    struct dpl_diag diag = {0};
    slow = when;
    slow_s = seconds;
    options.log = fmemopen(log_text, sizeof log_text, "w");
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), 0, "%s", diag.text);
    enum dpl_exit code = dpl_runtime_run(runtime, NULL);
    dpl_runtime_destroy(runtime);
    fclose(options.log);
    return code;
}

TestSuite(stand_in, .timeout = 20);

Test(stand_in, serves_the_wires_of_devices_while_a_stop_takes_long)
{
    cr_assert_eq(run(STOP, 1.2), DPL_EXIT_DONE);
    cr_assert_not(was_commanded, "the executors have ended");
    cr_assert_gt(n_served, 10);
    cr_assert_gt(n_early, 0, "a wire that nobody reads looks like a dead one");
    cr_assert_not_null(strstr(log_text, "Base: stopped: executor \"periodic 10 ms\" that commands "
                                        "it has ended, and the run has not within 300 ms"),
                       "%s", log_text);
    cr_assert_not_null(strstr(log_text, "Robot: stop has not returned for 1."), "%s", log_text);
    cr_assert_not_null(strstr(log_text, "Robot: stop has returned after 1.2 s"), "%s", log_text);
}

Test(stand_in, stops_what_a_start_has_commanded_while_a_start_takes_long)
{
    commands = START;
    options.duration = DPL_S;
    cr_assert_eq(run(START, 0.8), DPL_EXIT_DONE);
    cr_assert_not(was_commanded);
    cr_assert_gt(n_served, 5);
    cr_assert_gt(n_cycles, 0);
    cr_assert_not_null(strstr(log_text, "Base: stopped: its newest command came from a callback of "
                                        "the life cycle, more than 300 ms ago"),
                       "%s", log_text);
    cr_assert_not_null(strstr(log_text, "Base: is commanded again"), "%s", log_text);
}

Test(stand_in, leaves_devices_alone_that_nobody_has_commanded)
{
    cr_assert_eq(run(START, 0.8), DPL_EXIT_DONE);
    cr_assert(was_commanded);
    cr_assert_eq(n_served + n_early, 0);
    cr_assert_null(strstr(log_text, "Base:"), "%s", log_text);
    cr_assert_eq(run(INITIALIZE, 0.8), DPL_EXIT_DONE);
    cr_assert(was_commanded);
    cr_assert_null(strstr(log_text, "Base:"), "%s", log_text);
}

Test(stand_in, is_told_at_once_of_a_callback_that_a_request_waits_for)
{
    asks = 1;
    cr_assert_eq(run(INITIALIZE, 0.8), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(log_text, "Robot: initialize has not returned for 0."), "%s",
                       log_text);
}

Test(stand_in, ends_an_initialize_at_the_second_request, .exit_code = DPL_EXIT_FAULT)
{
    asks = 2;
    run(INITIALIZE, 10);
}

Test(stand_in, ends_a_start_at_the_second_request, .exit_code = DPL_EXIT_FAULT)
{
    asks = 2;
    run(START, 10);
}

Test(stand_in, ends_a_stop_at_the_second_request, .exit_code = DPL_EXIT_FAULT)
{
    asks = 2;
    run(STOP, 10);
}

Test(stand_in, ends_a_destroy_at_the_second_request_on_the_simulated_clock,
     .exit_code = DPL_EXIT_FAULT)
{
    asks = 2;
    options.simulated = true;
    run(DESTROY, 10);
}

static void end_process(void)
{
    exit(0);
}

Test(stand_in, gives_the_duty_back_to_a_callback_that_ends_the_process, .exit_code = DPL_EXIT_FAULT)
{
    ends = end_process;
    run(STOP, 0.5);
}

static void end_thread(void)
{
    pthread_exit(NULL);
}

Test(stand_in, gives_the_duty_back_to_a_callback_that_ends_its_thread, .exit_code = DPL_EXIT_FAULT)
{
    ends = end_thread;
    run(START, 0.5);
}

Test(stand_in, tells_devices_of_a_callback_that_crashes, .signal = SIGABRT)
{
    ends = abort;
    run(STOP, 0.5);
}

Test(stand_in, lets_a_callback_return_soon_after_the_second_request)
{
    asks = 2;
    cr_assert_eq(run(STOP, 0.2), DPL_EXIT_DONE);
}
