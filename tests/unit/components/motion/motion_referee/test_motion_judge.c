/* SPDX-License-Identifier: Apache-2.0 */
/* Judging a machine's motion: what counts as a broken limit, as recovery and as rest. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "judge.h"

#define TICK_NS 625000
#define MOVE_NS (4 * TICK_NS)
#define MOVE_S  0.0025
#define OMEGA   3.0 /* rad/s of the sine on x */
#define END     (800 * (dpl_ns)MOVE_NS)
#define FAULT   (400 * (dpl_ns)MOVE_NS)

/* ---- a machine that follows a sine on x, and what happens to it --------------------------------
 */

struct run {
    struct motion_judge judge;
    double last[DPL_SIX], before[DPL_SIX];
    uint64_t next;
    struct motion_tick tick;
    double off_m;  /* of planned poses from the reference, on x, from the fault on */
    int off_moves; /* for so many */
    int freeze;    /* from this move on the platform stands; 0: never */
    int axes_off;  /* from this move on the axes do not follow; 0: never */
    int skip_at;   /* in this move three poses come at once; 0: never */
    int jump_at;   /* in this move the path is elsewhere; 0: never */
    int unseen;    /* from this move on the platform is not seen; 0: never */
    double measured_off_m;
};

static void set_limits(struct motion_limits *limits)
{
    static const double hard[] = {0.25, 0.15, 0.15, 0.09, 0.14, 0.05};
    static const double centre[] = {0.0, 0.0, 0.54, 0.0, 0.0, 0.0};
    *limits = (struct motion_limits){.move_s = MOVE_S};
    for (int i = 0; i < DPL_SIX; i++) {
        limits->hard[i] = hard[i];
        limits->centre[i] = centre[i];
        limits->accel_max[i] = i < 3 ? 10.0 : 20.0;
        limits->slack[i] = 0.001;
    }
}

static void prepare(struct run *run, enum motion_end expect)
{
    *run = (struct run){.next = 1};
    run->last[2] = run->before[2] = 0.54;
    set_limits(&run->judge.limits);
    run->judge.task = (struct motion_task){
        .expect = expect,
        .from = 3 * MOVE_NS, /* the sine begins with a step of velocity */
        .fault_at = FAULT,
        .within = DPL_S,
        .end = END,
        .end_mode = -1,
        .moving = 0.02,
        .same_for = 100 * DPL_MS,
        .rest_for = 250 * DPL_MS,
        .rest = {1e-4, 1e-4, 1e-4, 2e-4, 2e-4, 2e-4},
    };
}

static void plan(struct run *run, int move)
{
    int since = move - (int)(FAULT / MOVE_NS);
    bool off = since >= 0 && since < run->off_moves;
    bool frozen = run->freeze > 0 && move >= run->freeze;
    run->tick.reference[0] = 0.05 * sin(OMEGA * MOVE_S * move);
    run->tick.reference[2] = 0.54;
    memcpy(run->before, run->last, sizeof run->before);
    run->next += run->skip_at > 0 && move == run->skip_at ? 3 : 1;
    if (!frozen) {
        run->last[0] = run->tick.reference[0] + (off ? run->off_m : 0.0);
    }
    if (run->jump_at > 0 && move == run->jump_at) {
        run->before[0] += 0.001;
    }
}

static void step(struct run *run, dpl_ns at)
{
    struct motion_tick *tick = &run->tick;
    int move = (int)(at / MOVE_NS);
    if (at % MOVE_NS == 0) {
        plan(run, move);
    }
    bool off = run->axes_off > 0 && move >= run->axes_off;
    tick->at = at;
    tick->has_reference = tick->has_path = tick->has_axes = true;
    tick->axes_on = tick->axes_asked = !off;
    tick->has_measured = run->unseen == 0 || move < run->unseen;
    tick->factor = 1.0;
    tick->path.next = run->next;
    memcpy(tick->path.last, run->last, sizeof run->last);
    memcpy(tick->path.before, run->before, sizeof run->before);
    memcpy(tick->measured, run->last, sizeof run->last);
    tick->measured[0] += run->measured_off_m;
    tick->planner_mode = 2;
    motion_judge_step(&run->judge, tick);
}

static enum motion_verdict finish(struct run *run)
{
    for (dpl_ns at = 0; at <= END; at += TICK_NS) {
        step(run, at);
    }
    return run->judge.verdict;
}

static const char *sentence(const struct run *run)
{
    static char text[192];
    motion_judge_sentence(&run->judge, text, sizeof text);
    return text;
}

/* The smallest deviation that one wrong pose can be without breaking the limit: the sine itself
 * takes next to nothing of it. */
#define SMALL (0.4 * 10.0 * MOVE_S * MOVE_S)

Test(motion_judge, finds_that_a_small_deviation_has_recovered_when_it_is_over)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = SMALL;
    run.off_moves = 3;
    cr_assert_eq(finish(&run), MOTION_RECOVERED, "%s", sentence(&run));
    cr_assert(motion_judge_expected(&run.judge));
    cr_assert_float_eq(run.judge.settled_s, 3 * MOVE_S, 1e-12);
    cr_assert_float_eq(motion_judge_deviation_m(&run.judge), SMALL, 1e-12);
    cr_assert_eq(motion_judge_deviation_rad(&run.judge), 0.0);
    cr_assert_lt(run.judge.worst_accel_ratio, 1.0);
    cr_assert_gt(run.judge.worst_accel_ratio, 0.3);
}

Test(motion_judge, takes_a_deviation_in_the_last_bit_for_one)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = 1e-16;
    run.off_moves = 1000;
    cr_assert_eq(finish(&run), MOTION_NOT_RECOVERED);
    cr_assert_not(motion_judge_expected(&run.judge));
}

Test(motion_judge, wants_recovery_in_time)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = SMALL;
    run.off_moves = 3;
    run.judge.task.within = 2 * MOVE_NS;
    cr_assert_eq(finish(&run), MOTION_NOT_RECOVERED);
}

Test(motion_judge, wants_recovery_to_last)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = SMALL;
    run.off_moves = 390; /* 25 ms before the end */
    run.judge.task.within = 2 * DPL_S;
    cr_assert_eq(finish(&run), MOTION_NOT_RECOVERED);
}

Test(motion_judge, tells_the_first_pose_beyond_the_acceleration_limit)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = 0.05;
    run.off_moves = 1;
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_ACCELERATION);
    cr_assert_eq(run.judge.first_break.axis, 0);
    cr_assert_float_eq(run.judge.first_break.at_s, 1.0, 1e-12);
    cr_assert_float_eq(run.judge.first_break.value, 800.0, 1.0);
    cr_assert_float_eq(run.judge.worst_accel_ratio, 1600.0, 2.0);
    cr_assert_not_null(strstr(sentence(&run), "at 1.0000 s the acceleration of x was planned 800"),
                       "%s", sentence(&run));
}

Test(motion_judge, allows_the_rounding_of_a_second_difference_and_no_more)
{
    struct motion_limits limits;
    struct motion_judge judge = {0};
    struct motion_tick tick = {.has_path = true, .path = {.next = 1}};
    set_limits(&limits);
    judge.limits = limits;
    judge.task.end = DPL_S;
    tick.path.last[2] = tick.path.before[2] = 0.54;
    motion_judge_step(&judge, &tick);
    tick.path.next++;
    tick.path.last[0] = 10.0 * MOVE_S * MOVE_S * (1.0 + 5e-10);
    motion_judge_step(&judge, &tick);
    cr_assert_eq(judge.first_break.limit, LIMIT_NONE);
    tick.path.next++;
    tick.path.before[0] = tick.path.last[0];
    tick.path.last[0] += 2.0 * 10.0 * MOVE_S * MOVE_S * (1.0 + 2e-9);
    motion_judge_step(&judge, &tick);
    cr_assert_eq(judge.first_break.limit, LIMIT_ACCELERATION);
}

Test(motion_judge, judges_limits_only_from_their_time_on)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = 0.05;
    run.off_moves = 1;
    run.judge.task.from = FAULT + 3 * MOVE_NS;
    cr_assert_eq(finish(&run), MOTION_RECOVERED, "%s", sentence(&run));
    cr_assert_lt(run.judge.worst_accel_ratio, 0.1);
}

Test(motion_judge, tells_a_planned_pose_beyond_the_hard_ellipsoid)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.judge.limits.hard[0] = 0.0499;
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_PLANNED);
    cr_assert_gt(run.judge.worst_level, 1.0);
}

Test(motion_judge, lets_the_platform_be_farther_out_by_the_slack)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.judge.limits.hard[0] = 0.0501;
    run.measured_off_m = 0.0009;
    cr_assert_eq(finish(&run), MOTION_RECOVERED, "%s", sentence(&run));
    cr_assert_gt(run.judge.worst_level_measured, 1.0);
    prepare(&run, MOTION_RECOVERS);
    run.judge.limits.hard[0] = 0.0501;
    run.measured_off_m = 0.0015;
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_MEASURED);
}

Test(motion_judge, tells_a_pose_that_is_no_number)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.off_m = (double)NAN;
    run.off_moves = 1;
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_NOT_FINITE);
}

Test(motion_judge, tells_an_axis_beyond_its_travel)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.judge.limits.has_travel = true;
    for (int i = 0; i < DPL_SIX; i++) {
        run.judge.limits.low_m[i] = -0.5;
        run.judge.limits.high_m[i] = 0.5;
        run.tick.axes_m[i] = i == 3 ? 0.5001 : 0.5;
    }
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_TRAVEL);
    cr_assert_not_null(strstr(sentence(&run), "axis 4 was at 0.5001 m"), "%s", sentence(&run));
}

Test(motion_judge, tells_a_path_that_jumps)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.jump_at = 500;
    cr_assert_eq(finish(&run), MOTION_LIMIT_BROKEN);
    cr_assert_eq(run.judge.first_break.limit, LIMIT_JUMP);
}

Test(motion_judge, does_not_judge_what_it_did_not_see)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.skip_at = 500;
    cr_assert_eq(finish(&run), MOTION_BLIND, "%s", sentence(&run));
    cr_assert_eq(run.judge.n_missed, 1);
}

Test(motion_judge, does_not_judge_a_platform_that_is_not_seen_at_the_end)
{
    struct run run;
    prepare(&run, MOTION_STOPS_AXES);
    run.freeze = run.axes_off = run.unseen = 420;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_BLIND, "%s", sentence(&run));
    cr_assert_not_null(strstr(sentence(&run), "at the end not"), "%s", sentence(&run));
}

Test(motion_judge, wants_the_machine_to_move_when_the_fault_comes)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.judge.task.moving = 0.2;
    cr_assert_eq(finish(&run), MOTION_NOT_READY);
    prepare(&run, MOTION_RECOVERS);
    run.freeze = 350;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_NOT_READY);
}

Test(motion_judge, finds_rest_when_platform_and_path_stand)
{
    struct run run;
    prepare(&run, MOTION_RESTS);
    run.freeze = 420;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_AT_REST, "%s", sentence(&run));
    cr_assert_float_eq(run.judge.settled_s, 19 * MOVE_S, 1e-12);
    cr_assert_gt(run.judge.way_m, 0.005);
}

Test(motion_judge, takes_no_rest_for_rest_that_is_too_short_or_too_late)
{
    struct run run;
    prepare(&run, MOTION_RESTS);
    run.freeze = 720; /* 0.2 s before the end */
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_NOT_AT_REST);
    prepare(&run, MOTION_RESTS);
    run.freeze = 500;
    run.judge.limits.accel_max[0] = 1e6;
    run.judge.task.within = 200 * DPL_MS;
    cr_assert_eq(finish(&run), MOTION_NOT_AT_REST);
}

Test(motion_judge, tells_rest_on_the_path_from_stopped_axes)
{
    struct run run;
    prepare(&run, MOTION_STOPS_AXES);
    run.freeze = 420;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_AXES_NOT_STOPPED);
    prepare(&run, MOTION_STOPS_AXES);
    run.freeze = run.axes_off = 420;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_AXES_STOPPED, "%s", sentence(&run));
    prepare(&run, MOTION_RESTS);
    run.freeze = run.axes_off = 420;
    run.judge.limits.accel_max[0] = 1e6;
    cr_assert_eq(finish(&run), MOTION_NOT_AT_REST);
}

Test(motion_judge, wants_the_planner_in_the_mode_asked_for)
{
    struct run run;
    prepare(&run, MOTION_RECOVERS);
    run.judge.task.end_mode = 5;
    cr_assert_eq(finish(&run), MOTION_WRONG_MODE);
    prepare(&run, MOTION_RECOVERS);
    run.judge.task.end_mode = 2;
    cr_assert_eq(finish(&run), MOTION_RECOVERED);
}

Test(motion_judge, allows_the_path_to_be_placed_only_while_the_axes_do_not_follow)
{
    for (int follow = 0; follow < 2; follow++) {
        struct run run;
        prepare(&run, MOTION_RECOVERS);
        run.freeze = 1;
        for (dpl_ns at = 0; at < 20 * MOVE_NS; at += TICK_NS) {
            run.axes_off = follow ? 0 : 1;
            if (at == 10 * MOVE_NS + TICK_NS) {
                run.last[1] = run.before[1] = 0.01;
            }
            step(&run, at);
        }
        cr_assert_eq(run.judge.n_placed, 1);
        cr_assert_eq(run.judge.first_break.limit, follow ? LIMIT_JUMP : LIMIT_NONE);
    }
}

Test(motion_judge, has_a_word_for_every_verdict)
{
    for (int i = 0; i < MOTION_VERDICTS; i++) {
        char text[192];
        struct motion_judge judge = {.verdict = (enum motion_verdict)i};
        cr_assert_not_null(motion_verdict_word(judge.verdict));
        motion_judge_sentence(&judge, text, sizeof text);
        cr_assert_gt(strlen(text), 0);
    }
}

/* ---- the chain --------------------------------------------------------------------------------
 */

Test(motion_chain, sees_two_poses_that_come_at_once)
{
    struct motion_chain chain = {0};
    struct chain_report report = {.next = 5};
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_PLACED);
    report = (struct chain_report){.next = 7, .last = {3.0}, .before = {1.0}};
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_GROWN);
    cr_assert_eq(chain.n_new, 2);
    cr_assert_eq(chain.poses[0][0], 1.0);
    cr_assert_eq(chain.seconds[0][0], 1.0);
    cr_assert_eq(chain.poses[1][0], 3.0);
    cr_assert_eq(chain.seconds[1][0], 1.0);
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_SAME);
    cr_assert_eq(chain.n_new, 0);
}

Test(motion_chain, says_when_a_pose_does_not_follow_the_one_before)
{
    struct motion_chain chain = {0};
    struct chain_report report = {.next = 5};
    motion_chain_add(&chain, &report);
    report = (struct chain_report){.next = 6, .last = {3.0}, .before = {1.0}};
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_JUMPED);
    report = (struct chain_report){.next = 6, .last = {2.0}, .before = {2.0}};
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_PLACED);
    report.next = 9;
    cr_assert_eq(motion_chain_add(&chain, &report), CHAIN_MISSED);
}
