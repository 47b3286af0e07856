/* SPDX-License-Identifier: Apache-2.0 */
/* The system controller: what each command does to the time of a world. */
#include <errno.h>

#include "loop_rig.h"

TestSuite(loop, .timeout = 60);

static struct snapshot_view view_of(const struct rig *rig)
{
    struct snapshot_view view;
    snapshot_see(rig->world, &view);
    return view;
}

static bool same(const struct snapshot_view *a, const struct snapshot_view *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Turns of 1 ms from the clock's time of now on. */
static void let_pass(struct rig *rig, int ms)
{
    for (int i = 0; i < ms; i++) {
        rig_turn(rig, rig->time + DPL_MS);
    }
}

static void start_motors(struct rig *rig)
{
    for (int i = 0; i < SNAPSHOT_ROBOTS; i++) {
        snapshot_command_robot(rig->world, i, 10 * i);
    }
}

Test(loop, without_controls_steps_its_world_as_the_world_does_alone)
{
    struct rig *by_loop = rig_create(DPL_MS, false), *alone = rig_create(DPL_MS, false);
    start_motors(by_loop);
    start_motors(alone);
    cr_assert(dpl_sim_loop_run_until(by_loop->loop, 500 * DPL_MS));
    dpl_world_run_until(alone->world, 500 * DPL_MS);
    struct snapshot_view a = view_of(by_loop), b = view_of(alone);
    cr_assert(same(&a, &b));
    rig_destroy(by_loop);
    rig_destroy(alone);
}

Test(loop, follows_the_clock_by_whole_steps_that_are_over)
{
    struct rig *rig = rig_create(4 * DPL_MS, true);
    dpl_sim_loop_begin(rig->loop, 1000 * DPL_S);
    rig_turn(rig, 1000 * DPL_S + 3 * DPL_MS);
    cr_assert_eq(rig_step(rig), 0);
    rig_turn(rig, 1000 * DPL_S + 4 * DPL_MS);
    cr_assert_eq(rig_step(rig), 1);
    rig_turn(rig, 1000 * DPL_S + 19 * DPL_MS);
    cr_assert_eq(rig_step(rig), 4);
    cr_assert_eq(dpl_sim_loop_stamp(rig->loop, rig->time), 1000 * DPL_S + 16 * DPL_MS);
    cr_assert_eq(dpl_sim_loop_wake(rig->loop, rig->time), 1000 * DPL_S + 20 * DPL_MS);
    rig_destroy(rig);
}

Test(loop, pauses_and_goes_on_where_it_was)
{
    struct rig *rig = rig_create(DPL_MS, true);
    let_pass(rig, 11);
    uint64_t before = rig_step(rig);
    rig_control(rig, "pause");
    let_pass(rig, 5000);
    cr_assert_eq(rig_step(rig), before);
    rig_control(rig, "run");
    let_pass(rig, 21);
    cr_assert_eq(rig_step(rig), before + 20);
    struct dpl_sim_loop_status status = dpl_sim_loop_status(rig->loop);
    cr_assert_eq(status.skips, 0);
    cr_assert_eq(status.late_steps, 0, "a pause makes nothing late");
    rig_destroy(rig);
}

Test(loop, steps_n_times_and_pauses_and_then_answers)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_control(rig, "pause");
    let_pass(rig, 3);
    rig_command(rig, "step 25");
    let_pass(rig, 20);
    cr_assert_eq(rig->n_answers, 0, "it is under way");
    cr_assert(dpl_sim_loop_status(rig->loop).has_goal);
    let_pass(rig, 30);
    cr_assert_eq(rig_step(rig), 25);
    cr_assert_eq(rig->n_answers, 1);
    cr_assert_eq(rig->answers[0].result, DPL_SIM_EVENT_DONE);
    cr_assert_eq(rig->answers[0].step, 25, "of the boundary at which it is over");
    cr_assert(dpl_sim_loop_status(rig->loop).paused);
    rig_destroy(rig);
}

Test(loop, runs_for_a_time_by_as_many_steps_as_it_takes)
{
    struct rig *rig = rig_create(3 * DPL_MS, true);
    rig_control(rig, "for 0.1");
    let_pass(rig, 200);
    cr_assert_eq(rig_step(rig), 34);
    rig_control(rig, "for 0");
    let_pass(rig, 50);
    cr_assert_eq(rig_step(rig), 34);
    rig_destroy(rig);
}

Test(loop, runs_until_a_channel_is_beyond_a_number)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_command(rig, "until time >= 0.0425");
    let_pass(rig, 100);
    cr_assert_eq(rig_step(rig), 43);
    cr_assert_eq(rig->n_answers, 1);
    rig_command(rig, "until time > 0.01"); /* it holds already */
    let_pass(rig, 10);
    cr_assert_eq(rig_step(rig), 43);
    cr_assert_eq(rig->n_answers, 2);
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(rig->channels, &n);
    char command[300] = "";
    for (size_t i = 0; i < n && !command[0]; i++) {
        if (strcmp(descs[i].unit, "rad/s") == 0 && strstr(descs[i].path, "/velocity")) {
            snprintf(command, sizeof command, "until %s<-1.5", descs[i].path);
        }
    }
    cr_assert_str_not_empty(command);
    struct rig_push push = {0, -3.0};
    rig_send(rig, RIG_PUSH, DPL_SIM_EVENT_EVERY, 0, &push, sizeof push);
    rig_command(rig, command);
    let_pass(rig, 2000);
    struct dpl_world_encoder encoder;
    dpl_world_get_encoder(rig->world, 0, &encoder);
    cr_assert(dpl_sim_loop_status(rig->loop).paused, "%s", command);
    cr_assert_lt(encoder.velocity_rad_s, -1.5);
    rig_destroy(rig);
}

Test(loop, that_is_told_something_else_answers_the_first_one_as_cancelled)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_command(rig, "for 10");
    let_pass(rig, 5);
    rig_command(rig, "pause");
    let_pass(rig, 5);
    cr_assert_eq(rig->n_answers, 2);
    cr_assert_eq(rig->answers[0].result, DPL_SIM_EVENT_CANCELLED);
    cr_assert_eq(rig->answers[1].result, DPL_SIM_EVENT_DONE);
    rig_destroy(rig);
}

/* ---- rates ---- */

Test(loop, runs_at_any_rate_from_a_hundredth_to_a_thousand)
{
    const struct {
        const char *command;
        uint64_t steps;
    } cases[] = {{"rate 0.01", 10},
                 {"rate 0.3", 300},
                 {"rate 1", 1000},
                 {"rate 2.5", 2500},
                 {"rate 100", 100000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_create(10 * DPL_MS, true);
        rig_control(rig, cases[i].command);
        rig_turn(rig, 0);
        for (int ms = 0; ms < 10000; ms++) { /* 10 s of the clock */
            rig_turn(rig, rig->time + DPL_MS);
        }
        uint64_t step = rig_step(rig);
        cr_assert(step == cases[i].steps || step + 1 == cases[i].steps, "%s: %d", cases[i].command,
                  (int)step);
        struct dpl_sim_loop_status status = dpl_sim_loop_status(rig->loop);
        cr_assert_eq(status.skips, 0);
        cr_assert_eq(status.late_steps > 0, i == 4, "ten steps a turn: only then some are late");
        rig_destroy(rig);
    }
}

Test(loop, as_fast_as_possible_does_not_look_at_the_clock_for_when_to_step)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_control(rig, "rate max");
    for (int i = 0; i < 100; i++) {
        rig_turn(rig, 0);
        cr_assert_eq(dpl_sim_loop_wake(rig->loop, 5), 5, "there is no time to sleep");
    }
    cr_assert_geq(rig_step(rig), 100);
    cr_assert_eq(dpl_sim_loop_status(rig->loop).late_steps, 0);
    rig_destroy(rig);
}

Test(loop, changes_its_rate_without_a_jump_in_time)
{
    struct rig *rig = rig_create(DPL_MS, true);
    let_pass(rig, 101);
    uint64_t before = rig_step(rig);
    rig_control(rig, "rate 0.5");
    let_pass(rig, 101);
    cr_assert_eq(rig_step(rig), before + 50);
    rig_control(rig, "rate 4");
    let_pass(rig, 101);
    cr_assert_eq(rig_step(rig), before + 450);
    rig_destroy(rig);
}

Test(loop, that_stalls_says_how_much_it_has_skipped)
{
    struct rig *rig = rig_create(DPL_MS, true);
    let_pass(rig, 11);
    rig_turn(rig, rig->time + 3 * DPL_S);
    let_pass(rig, 10);
    struct dpl_sim_loop_status status = dpl_sim_loop_status(rig->loop);
    cr_assert_eq(status.step, 20);
    cr_assert_eq(status.skips, 1);
    cr_assert_eq(status.skipped, 3 * DPL_S);
    rig_destroy(rig);
}

/* ---- going back ---- */

Test(loop, that_is_reset_is_as_it_was_after_it_was_built)
{
    struct rig *rig = rig_create(DPL_MS, true);
    struct snapshot_view start = view_of(rig), first, again;
    rig_turn(rig, 0);
    start_motors(rig);
    let_pass(rig, 300);
    first = view_of(rig);
    for (int i = 0; i < 100; i++) {
        struct rig_push push = {0, 1.0};
        struct dpl_sim_event event = {.kind = RIG_PUSH,
                                      .has_due = true,
                                      .due = 100000,
                                      .payload = &push,
                                      .size = sizeof push,
                                      .answer = rig_answer,
                                      .user = rig};
        cr_assert_eq(dpl_sim_events_send(dpl_sim_loop_events(rig->loop), &event, NULL), 0);
    }
    rig_control(rig, "pause");
    rig_command(rig, "reset");
    let_pass(rig, 2);
    cr_assert_eq(rig->n_answers, 101);
    cr_assert_eq(rig->n_jumps, 1);
    again = view_of(rig);
    cr_assert(same(&again, &start));
    cr_assert_eq(rig_step(rig), 0);
    start_motors(rig);
    rig_control(rig, "run");
    rig_turn(rig, rig->time);
    let_pass(rig, 300);
    again = view_of(rig);
    cr_assert_eq(again.now, first.now);
    cr_assert(same(&again, &first), "and goes on as it did");
    rig_destroy(rig);
}

Test(loop, that_is_restored_goes_on_bit_for_bit_with_the_events_that_waited)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_turn(rig, 0);
    start_motors(rig);
    let_pass(rig, 100);
    for (int i = 0; i < 50; i++) {
        struct rig_push push = {i % 8, 0.5 * i - 10.0};
        struct dpl_sim_event event = {.kind = RIG_PUSH,
                                      .class_ = DPL_SIM_EVENT_N,
                                      .n = 3,
                                      .phase = (uint32_t)i % 3,
                                      .has_due = true,
                                      .due = 110 + 4 * (uint64_t)i,
                                      .payload = &push,
                                      .size = sizeof push};
        cr_assert_eq(dpl_sim_events_send(dpl_sim_loop_events(rig->loop), &event, NULL), 0);
    }
    rig_command(rig, "snapshot here");
    rig_command(rig, "step 400");
    let_pass(rig, 500);
    struct snapshot_view first = view_of(rig);
    cr_assert_eq(dpl_sim_loop_status(rig->loop).snapshots, 1);
    for (int i = 0; i < 3; i++) {
        rig_command(rig, "restore here");
        let_pass(rig, 2);
        cr_assert_eq(rig_step(rig), 101);
        rig_command(rig, "step 400");
        let_pass(rig, 500);
        struct snapshot_view again = view_of(rig);
        cr_assert_eq(again.now, first.now);
        cr_assert(same(&again, &first));
    }
    rig_destroy(rig);
}

Test(loop, restored_while_it_runs_for_a_time_pauses_and_cancels_that)
{
    struct rig *rig = rig_create(DPL_MS, true);
    let_pass(rig, 10);
    rig_control(rig, "snapshot a");
    rig_command(rig, "for 100");
    let_pass(rig, 10);
    rig_control(rig, "restore a");
    cr_assert(dpl_sim_loop_status(rig->loop).paused);
    cr_assert_eq(rig->n_answers, 1);
    cr_assert_eq(rig->answers[0].result, DPL_SIM_EVENT_CANCELLED);
    rig_destroy(rig);
}

Test(loop, snapshot_that_is_not_there_or_one_too_many_is_refused_with_a_reason)
{
    struct rig *rig = rig_create(DPL_MS, true);
    struct dpl_diag error;
    cr_assert_eq(dpl_sim_loop_control(rig->loop, "restore nowhere", &error), -ENOENT);
    cr_assert_str_not_empty(error.text);
    for (int i = 0; i < DPL_SIM_SNAPSHOTS; i++) {
        char command[40];
        snprintf(command, sizeof command, "snapshot s%d", i);
        rig_control(rig, command);
    }
    rig_control(rig, "snapshot s3"); /* once more under its name */
    cr_assert_eq(dpl_sim_loop_control(rig->loop, "snapshot more", &error), -ENOSPC);
    rig_command(rig, "restore nowhere");
    rig_turn(rig, rig->time);
    cr_assert_eq(rig->answers[0].result, DPL_SIM_EVENT_FAILED);
    cr_assert_eq(rig->answers[0].code, -ENOENT);
    rig_destroy(rig);
}

/* ---- commands ---- */

Test(loop, refuses_what_is_not_a_command_with_a_reason)
{
    static const struct {
        const char *command, *part;
    } bad[] = {
        {"", "unknown command"},
        {"puase", "did you mean 'pause'"},
        {"run fast", "nothing more"},
        {"step 0", "number of steps"},
        {"step 1.5", "whole steps"},
        {"step nan", "number of steps"},
        {"for", "seconds"},
        {"for -1", "seconds"},
        {"for 1s", "seconds"},
        {"until", "condition"},
        {"until time", "expected > >="},
        {"until time > ", "expected a number"},
        {"until time > 3 m", "expected a number"},
        {"until tme > 3", "time"},
        {"until time[1] > 3", "elements"},
        {"until time[ > 3", "'time['"},
        {"until time[99999] > 3", "'time[99999]'"},
        {"until obstacles > 3", "say which"},
        {"rate 0", "rate"},
        {"rate 0.001", "rate"},
        {"rate 1e4", "rate"},
        {"snapshot", "name"},
        {"snapshot a/b", "name"},
        {"restore 0123456789012345678901234567890123456789", "name"},
        {"runrunrunrunrunrunrunrun", "unknown command"},
    };
    struct rig *rig = rig_create(DPL_MS, true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dpl_diag error = {0};
        cr_assert_eq(dpl_sim_loop_check(rig->loop, bad[i].command, &error), -EINVAL, "%s",
                     bad[i].command);
        cr_assert_not_null(strstr(error.text, bad[i].part), "%s: %s", bad[i].command, error.text);
    }
    cr_assert_eq(dpl_sim_loop_check(rig->loop, "  until   obstacles[2]>=-1e3  ", NULL), 0);
    rig_destroy(rig);
}

Test(loop, without_a_clock_has_no_rate_and_without_its_start_no_reset)
{
    struct rig *rig = rig_create(DPL_MS, false);
    cr_assert_eq(dpl_sim_loop_control(rig->loop, "rate 2", NULL), -ENOTSUP);
    struct dpl_sim_loop *other;
    cr_assert_eq(dpl_sim_loop_create(&(struct dpl_sim_loop_options){.world = rig->world}, &other),
                 0);
    cr_assert_eq(dpl_sim_loop_control(other, "reset", NULL), -ENOTSUP);
    dpl_sim_loop_destroy(other);
    rig_destroy(rig);
}
