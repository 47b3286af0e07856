/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs: the order of the life cycle, how a run ends, and what it says of faults. */
#include "runtime_rig.h"

TestSuite(runtime, .init = runtime_begin, .fini = runtime_end, .timeout = 20);

Test(runtime, takes_down_in_the_reverse_order_of_building_up)
{
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_str_eq(events, "open:Base init:Base init:Robot start:Base start:Robot stop:Robot "
                             "stop:Base destroy:Robot destroy:Base close:Base ");
}

Test(runtime, does_the_same_under_the_real_clock)
{
    options.simulated = false;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_str_eq(events, "open:Base init:Base init:Robot start:Base start:Robot stop:Robot "
                             "stop:Base destroy:Robot destroy:Base close:Base ");
}

Test(runtime, goes_on_until_what_moves_is_at_rest)
{
    options.simulated = false;
    moves_for = 50;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_geq(n_endings, 50);
    cr_assert_lt(n_endings, 1000); /* far less than the patience */
    cr_assert_eq(n_other_halts, 0);
    fflush(options.log);
    cr_assert_null(strstr(log_text, "not at rest"));
}

Test(runtime, lasts_from_the_first_cycle_on_however_long_a_start_takes)
{
    options.simulated = false;
    start_takes = 2 * options.duration;
    fault_at = 3;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_FAULT, "it has cycles");
}

Test(runtime, does_not_wait_for_ever_for_what_moves)
{
    options.simulated = false;
    moves_for = 1000000;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_gt(n_endings, 100);
    fflush(options.log);
    cr_assert_not_null(strstr(log_text, "although the application is not at rest"), "%s", log_text);
}

Test(runtime, does_not_wait_after_a_second_stop_request)
{
    options.simulated = false;
    moves_for = 1000000;
    stop_at = 5;
    n_stops = 2;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_leq(n_endings, 5);
}

Test(runtime, ends_a_simulated_run_where_it_is)
{
    moves_for = 1000000;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_eq(n_endings, 0);
}

Test(runtime, closes_what_is_open_when_a_device_does_not_open)
{
    struct dpl_diag diag = {0};
    app.n_components = 3;
    failing = "open:Extra";
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), -EIO);
    cr_assert_not_null(strstr(diag.text, "Extra: driver 'fake' cannot be opened"));
    cr_assert_null(runtime);
    cr_assert_not_null(strstr(events, "open:Base open:Extra "));
    cr_assert_not_null(strstr(events, "close:Base "));
    cr_assert_null(strstr(events, "close:Extra "));
    cr_assert_null(strstr(events, "init:"));
}

Test(runtime, closes_everything_when_a_component_does_not_initialize)
{
    struct dpl_diag diag = {0};
    failing = "init:Robot";
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), -EIO);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(diag.text, "no luck"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "init:Base init:Robot "));
    cr_assert_not_null(strstr(events, "destroy:Base close:Base "));
    cr_assert_null(strstr(events, "start:"));
}

Test(runtime, stops_what_has_started_when_a_component_does_not_start)
{
    struct dpl_diag diag = {0};
    failing = "start:Robot";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "start:Base start:Robot stop:Base "), "%s", events);
    cr_assert_null(strstr(events, "stop:Robot"));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_with_a_fault_when_a_callback_failed_and_nothing_recovered_it)
{
    struct dpl_diag diag = {0};
    failing = "execute:Base";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Base was in ERROR when the run ended"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "error:Base "));
    cr_assert_not_null(strstr(events, "close:Base "));
}

static char beats[256];

/* Each change: what it is, and the lost devices. */
static void on_beat(void *user, enum dpl_beat beat, const char *text)
{
    static const char *const names[] = {"waits", "executes", "stops"};
    char entry[64];
    (void)user;
    int n = snprintf(entry, sizeof entry, "%s(%s) ", names[beat], text);
    size_t used = strlen(beats);
    if (used < (size_t)n || strcmp(beats + used - n, entry) != 0) {
        snprintf(beats + used, sizeof beats - used, "%s", entry);
    }
}

Test(runtime, tells_who_watches_that_it_executes_what_is_lost_and_that_it_stops)
{
    options.simulated = false;
    options.beat = on_beat;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_str_eq(beats, "executes() stops() ");
    beats[0] = '\0';
    lose_at = 3;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DEVICE);
    cr_assert_not_null(strstr(beats, "executes(Base lost) stops() "), "%s", beats);
    beats[0] = '\0';
    lose_at = 0;
    failing = "execute:Base";
    cr_assert_eq(run_whole(NULL), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(beats, "executes(Base failed) stops() "), "%s", beats);
}

Test(runtime, ends_with_an_exit_code_of_its_own_while_a_device_is_lost)
{
    struct dpl_diag diag = {0};
    lose_at = 3;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_DEVICE);
    cr_assert_not_null(strstr(diag.text, "its device is lost"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "error:Base "));
    fflush(options.log);
    cr_assert_not_null(strstr(log_text, "error Base: lost: unplugged"));
}

Test(runtime, ends_with_a_fault_while_a_component_says_so)
{
    struct dpl_diag diag = {0};
    fault_at = 3;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_str_eq(diag.text, "Base was in FAULT when the run ended: stuck in the mud");
}

Test(runtime, ends_well_when_the_fault_is_gone)
{
    fault_at = 3;
    good_at = 6;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
}

Test(runtime, lets_a_verdict_judge_a_fault)
{
    fault_at = 3;
    judged = true;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
}

Test(runtime, reports_a_component_that_does_not_stop_and_stops_the_rest)
{
    struct dpl_diag diag = {0};
    failing = "stop:Robot";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_in_order_when_a_stop_is_requested_from_an_executor)
{
    options.simulated = false;
    options.duration = 0;
    stop_at = 3;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
}

Test(runtime, stops_devices_first_after_a_second_request)
{
    options.simulated = false;
    options.duration = 0;
    stop_at = 3;
    n_stops = 2;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "stop:Base stop:Robot "), "%s", events);
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, does_not_run_when_a_stop_was_requested_before)
{
    create();
    dpl_runtime_request_stop(runtime);
    cr_assert_eq(dpl_runtime_run(runtime, NULL), DPL_EXIT_DONE);
    cr_assert_leq(runtime->ended, 1 * DPL_MS);
    dpl_runtime_destroy(runtime);
}

Test(runtime, leaves_a_stuck_callback_behind_and_stops_and_closes_the_rest)
{
    struct dpl_app_component apart[2] = {components[0], components[1]};
    struct dpl_diag diag = {0};
    apart[0].execution.type = DPL_EXECUTION_PERIODIC;
    apart[1].execution.type = DPL_EXECUTION_PERIODIC;
    app.components = apart;
    options.simulated = false;
    stuck = true;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "a callback is stuck"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot destroy:Robot close:Base "), "%s", events);
    cr_assert_null(strstr(events, "stop:Base"));
}

Test(runtime, has_no_time_before_it_runs)
{
    options.simulated = false;
    create();
    cr_assert_eq(dpl__runtime_now(runtime), 0);
    cr_assert_eq(dpl_device_now(base_device), 0);
    dpl_runtime_destroy(runtime);
}

Test(runtime, destroys_nothing_for_null)
{
    dpl_runtime_destroy(NULL);
    cr_assert_str_eq(events, "");
}
