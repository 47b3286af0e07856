/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a loop take effect between two steps, whatever the clock does. */
#include "loop_rig.h"

TestSuite(loop_events, .timeout = 60);

static double motor_speed(const struct rig *rig, int motor)
{
    struct dpl_world_encoder encoder;
    dpl_world_get_encoder(rig->world, motor, &encoder);
    return encoder.velocity_rad_s;
}

Test(loop_events, torque_that_is_sent_in_step_k_acts_in_step_k_plus_1_and_the_last_one_wins)
{
    enum { N_PHASES = 10000 };
    struct rig *rig = rig_create(DPL_MS, true);
    struct dpl_random rng = dpl_random_seeded(9, 0);
    rig_turn(rig, 0);
    for (int i = 0; i < N_PHASES; i++) {
        /* at any time within the step that ends at boundary k */
        uint64_t k = rig_step(rig) + 1;
        dpl_ns begin = (dpl_ns)(k - 1) * DPL_MS;
        dpl_ns phase = (dpl_ns)dpl_random_uniform(&rng, 0.0, 0.999e6);
        rig_turn(rig, begin + phase);
        cr_assert_eq(rig_step(rig), k - 1, "the step is not over");
        struct rig_push first = {0, 1000.0 + i}, second = {0, (double)(i % 7)};
        rig_send(rig, RIG_PUSH, DPL_SIM_EVENT_N, 0, &first, sizeof first);
        rig_send(rig, RIG_PUSH, DPL_SIM_EVENT_N, 0, &second, sizeof second);
        size_t answers = rig->n_answers;
        cr_assert_eq(answers, 0, "nothing happens within the step");
        rig_turn(rig, begin + DPL_MS);
        cr_assert_eq(rig_step(rig), k);
        cr_assert_eq(rig->n_answers, 2, "both are done at boundary k");
        for (int a = 0; a < 2; a++) {
            cr_assert_eq(rig->answers[a].step, k);
            cr_assert_eq(rig->answers[a].result, DPL_SIM_EVENT_DONE);
        }
        rig->n_answers = 0;
    }
    rig_destroy(rig);
}

/* The same through the physics: the wheel of a motor without latency and lag. */
Test(loop_events, push_moves_the_wheel_in_the_next_step_and_not_before)
{
    struct rig *pushed = rig_create(DPL_MS, true), *quiet = rig_create(DPL_MS, true);
    struct rig_push push = {0, 10.0}, beaten = {0, -500.0};
    for (dpl_ns time = 0; time <= 20 * DPL_MS; time += DPL_MS) {
        if (time == 10 * DPL_MS) { /* within step 10, which is over at this time */
            rig_send(pushed, RIG_PUSH, DPL_SIM_EVENT_EVERY, 0, &beaten, sizeof beaten);
            rig_send(pushed, RIG_PUSH, DPL_SIM_EVENT_EVERY, 0, &push, sizeof push);
        }
        rig_turn(pushed, time);
        rig_turn(quiet, time);
        bool same = motor_speed(pushed, 0) == motor_speed(quiet, 0);
        cr_assert_eq(same, time <= 10 * DPL_MS, "at %d us", (int)(time / DPL_US));
    }
    cr_assert_gt(motor_speed(pushed, 0), motor_speed(quiet, 0), "the last one has won");
    rig_destroy(pushed);
    rig_destroy(quiet);
}

Test(loop_events, of_class_idle_wait_while_the_world_is_late)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_turn(rig, 0);
    dpl_ns time = 50 * DPL_MS;
    for (int i = 0; i < 20; i++) {
        rig_send_note(rig, DPL_SIM_EVENT_IDLE, i);
    }
    /* the clock is 50 ms ahead, and goes on with each look at it: no step is on time */
    for (int i = 0; i < 1000; i++) {
        rig->time = time;
        dpl_sim_loop_due(rig->loop, time);
        dpl_sim_loop_run_until(rig->loop, (dpl_ns)(i + 1) * DPL_MS);
        time += DPL_MS;
        cr_assert_eq(rig_step(rig), (uint64_t)i + 1);
    }
    cr_assert_eq(rig->n_notes, 0);
    cr_assert_eq(dpl_sim_loop_status(rig->loop).late_steps, 1000);
    rig_turn(rig, time); /* and now it may catch up */
    cr_assert_eq(rig->n_notes, 20);
    cr_assert_gt(rig->note_steps[0], 1000);
    rig_destroy(rig);
}

Test(loop_events, handler_of_5_ms_makes_9_or_10_steps_of_half_a_ms_late_and_none_is_skipped)
{
    const dpl_ns step = 500 * DPL_US;
    struct rig *rig = rig_create(step, true);
    rig->slow_cost = 5 * DPL_MS;
    for (int i = 0; i <= 100; i++) {
        rig_turn(rig, i * step);
    }
    cr_assert_eq(dpl_sim_loop_status(rig->loop).late_steps, 0);
    rig_send(rig, RIG_SLOW, DPL_SIM_EVENT_EVERY, 0, NULL, 0);
    for (int i = 101; i <= 200; i++) {
        rig_turn(rig, i * step);
        cr_assert_eq(rig_step(rig), (uint64_t)(i <= 101 ? i : i < 112 ? 111 : i), "%d", i);
    }
    struct dpl_sim_loop_status status = dpl_sim_loop_status(rig->loop);
    cr_assert(status.late_steps == 9 || status.late_steps == 10, "%d", (int)status.late_steps);
    cr_assert_eq(status.late_most, 9 * step);
    cr_assert_eq(status.late_now, 0);
    cr_assert_eq(status.step, 200, "no step is skipped");
    cr_assert_eq(status.skips, 0);
    cr_assert_eq(status.events.overruns, 1);
    rig_destroy(rig);
}

Test(loop_events, while_paused_keep_their_order_and_a_single_step_is_one_step)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_turn(rig, 7 * DPL_MS);
    rig_turn(rig, 7 * DPL_MS);
    rig_command(rig, "pause");
    rig_turn(rig, 7 * DPL_MS);
    uint64_t before = rig_step(rig);
    for (int i = 0; i < 10; i++) {
        rig_send_note(rig, i % 2 ? DPL_SIM_EVENT_EVERY : DPL_SIM_EVENT_N, i);
    }
    for (dpl_ns time = 8 * DPL_MS; time < 40 * DPL_MS; time += DPL_MS) {
        rig_turn(rig, time);
    }
    cr_assert_eq(rig_step(rig), before, "time stands still");
    cr_assert_eq(rig->n_notes, 5, "class every runs, class n waits");
    rig_command(rig, "step");
    for (dpl_ns time = 40 * DPL_MS; time < 80 * DPL_MS; time += DPL_MS) {
        rig_turn(rig, time);
    }
    cr_assert_eq(rig_step(rig), before + 1);
    cr_assert_eq(rig->n_notes, 10);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(rig->notes[i], i < 5 ? 2 * i + 1 : 2 * (i - 5));
        cr_assert_eq(rig->note_steps[i], before + (i >= 5));
    }
    rig_destroy(rig);
}

Test(loop_events, of_class_idle_run_every_100_steps_without_a_clock)
{
    struct rig *rig = rig_create(DPL_MS, false);
    dpl_sim_loop_run_until(rig->loop, 150 * DPL_MS);
    rig_send_note(rig, DPL_SIM_EVENT_IDLE, 1);
    dpl_sim_loop_run_until(rig->loop, 199 * DPL_MS);
    cr_assert_eq(rig->n_notes, 0);
    dpl_sim_loop_run_until(rig->loop, 200 * DPL_MS);
    cr_assert_eq(rig->n_notes, 1);
    rig_destroy(rig);
}

Test(loop_events, run_while_time_waits_for_somebody_outside)
{
    struct rig *rig = rig_create(DPL_MS, true);
    rig_turn(rig, 0);
    rig_turn(rig, 5 * DPL_MS);
    cr_assert_eq(rig_step(rig), 5);
    rig->holds = true;
    rig_turn(rig, 6 * DPL_MS);
    cr_assert(dpl_sim_loop_is_held(rig->loop));
    rig_send_note(rig, DPL_SIM_EVENT_EVERY, 7);
    rig_command(rig, "snapshot a");
    unsigned before = rig->n_boundaries;
    rig_turn(rig, 7 * DPL_MS);
    cr_assert_eq(rig_step(rig), 5, "it does not step");
    cr_assert_eq(rig->n_boundaries, before + 1, "one boundary a call");
    cr_assert_eq(rig->n_notes, 1);
    cr_assert_eq(rig->n_answers, 2);
    cr_assert_eq(dpl_sim_loop_status(rig->loop).snapshots, 1);
    rig_command(rig, "pause");
    rig_turn(rig, 8 * DPL_MS);
    cr_assert_not(dpl_sim_loop_is_held(rig->loop), "it stands still");
    rig_control(rig, "run");
    rig->holds = false;
    rig_turn(rig, 9 * DPL_MS);
    rig_turn(rig, 10 * DPL_MS);
    cr_assert_not(dpl_sim_loop_is_held(rig->loop));
    cr_assert_eq(rig_step(rig), 6);
    rig_destroy(rig);
}
