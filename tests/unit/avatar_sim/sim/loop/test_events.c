/* SPDX-License-Identifier: Apache-2.0 */
/* Events run in their order, at their boundaries, and each has exactly one answer. */
#include <errno.h>
#include <pthread.h>

#include <doppel/math/random.h>

#include "events_rig.h"

TestSuite(events, .timeout = 60);

/* ---- order ---- */

enum { N_SENDERS = 4, N_EACH = 10, N_NUMBERS = 3, N_CLASSES = 3 };

struct sender {
    struct rig *rig;
    int which;
};

static struct dpl_sim_event numbered(struct rig *rig, int class, int number)
{
    return rig_event(rig, (enum dpl_sim_event_class) class, (uint8_t)(100 * number));
}

/* 3 classes x 3 numbers x 10 events, in an order of its own. */
static void *send_shuffled(void *argument)
{
    struct sender *sender = argument;
    int kinds[N_CLASSES * N_NUMBERS * N_EACH], n = sizeof kinds / sizeof *kinds;
    struct dpl_random rng = dpl_random_seeded(7, (uint64_t)sender->which);
    for (int i = 0; i < n; i++) {
        int to = (int)dpl_random_uniform(&rng, 0.0, i + 1.0);
        kinds[i] = kinds[to];
        kinds[to] = i % (N_CLASSES * N_NUMBERS);
    }
    for (int i = 0; i < n; i++) {
        struct dpl_sim_event event =
            numbered(sender->rig, kinds[i] / N_NUMBERS, kinds[i] % N_NUMBERS);
        event.user = NULL;
        event.answer = NULL;
        /* the mark has what the order is checked by */
        if (rig_send_marked(sender->rig, event, sender->which, kinds[i] * 1000 + i, NULL) != 0) {
            return argument;
        }
    }
    return NULL;
}

/* The rank of an event: classes in their order, higher numbers first. */
static int rank(const struct rig_ran *ran)
{
    int kind = ran->mark.number / 1000;
    return kind / N_NUMBERS * N_NUMBERS + (N_NUMBERS - 1 - kind % N_NUMBERS);
}

Test(events, of_four_threads_run_by_class_then_number_then_in_the_order_of_acceptance)
{
    struct rig *rig = rig_create(0, 0);
    struct sender senders[N_SENDERS];
    pthread_t threads[N_SENDERS];
    for (int i = 0; i < N_SENDERS; i++) {
        senders[i] = (struct sender){rig, i};
        cr_assert_eq(pthread_create(&threads[i], NULL, send_shuffled, &senders[i]), 0);
    }
    for (int i = 0; i < N_SENDERS; i++) {
        void *fault;
        pthread_join(threads[i], &fault);
        cr_assert_null(fault);
    }
    cr_assert_eq(rig_drain(rig, 1), N_SENDERS * N_CLASSES * N_NUMBERS * N_EACH);
    int newest[N_SENDERS][N_CLASSES * N_NUMBERS];
    memset(newest, -1, sizeof newest);
    for (size_t i = 0; i < rig->n_ran; i++) {
        const struct rig_ran *ran = &rig->ran[i], *before = &rig->ran[i ? i - 1 : 0];
        cr_assert_geq(rank(ran), rank(before));
        cr_assert(i == 0 || rank(ran) > rank(before) || ran->sequence > before->sequence);
        int *last = &newest[ran->mark.sender][ran->mark.number / 1000];
        cr_assert_gt(ran->mark.number % 1000, *last, "a sender's events keep their order");
        *last = ran->mark.number % 1000;
    }
    rig_destroy(rig);
}

Test(events, due_step_comes_before_the_order_of_acceptance)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 5);
    event.has_due = true;
    const uint64_t dues[] = {4, 2, 3};
    for (int i = 0; i < 3; i++) {
        event.due = dues[i];
        rig_send_marked(rig, event, 0, (int)dues[i], NULL);
    }
    cr_assert_eq(rig_drain(rig, 1), 0, "none is due");
    cr_assert_eq(rig_drain(rig, 4), 3);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(rig->ran[i].mark.number, i + 2);
    }
    rig_destroy(rig);
}

/* ---- places ---- */

Test(events, the_1025th_is_refused_at_once_and_the_first_1024_all_run)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event other = rig_event(rig, DPL_SIM_EVENT_N, 0);
    struct dpl_sim_event every = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    int n_others = 0, n_every = 0;
    while (rig_send_marked(rig, other, 0, n_others, NULL) == 0) {
        n_others++;
    }
    cr_assert_eq(n_others, 960, "the rest is full");
    while (rig_send_marked(rig, every, 1, n_every, NULL) == 0) {
        n_every++;
    }
    cr_assert_eq(n_every, 64, "class every has places of its own");
    uint64_t searched = dpl_sim_events_stats(rig->events).searched;
    cr_assert_eq(rig_send_marked(rig, every, 2, 0, NULL), -ENOSPC);
    cr_assert_eq(rig_send_marked(rig, other, 2, 0, NULL), -ENOSPC);
    struct dpl_sim_events_stats stats = dpl_sim_events_stats(rig->events);
    cr_assert_eq(stats.searched, searched, "who is refused has not looked for a place");
    cr_assert_eq(stats.refused, 4);
    cr_assert_eq(stats.accepted, 1024);
    cr_assert_eq(rig_drain(rig, 1), 1024);
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DONE], 1024);
    cr_assert_eq(rig_send_marked(rig, other, 3, 0, NULL), 0, "there is room again");
    rig_destroy(rig);
}

Test(events, class_every_may_take_all_places)
{
    struct rig *rig = rig_create(100, 10);
    struct dpl_sim_event every = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(rig_send_marked(rig, every, 0, i, NULL), 0);
    }
    cr_assert_eq(rig_send_marked(rig, every, 0, 100, NULL), -ENOSPC);
    struct dpl_sim_event other = rig_event(rig, DPL_SIM_EVENT_IDLE, 0);
    cr_assert_eq(rig_send_marked(rig, other, 0, 0, NULL), -ENOSPC);
    cr_assert_eq(rig_drain(rig, 1), 100);
    rig_destroy(rig);
}

Test(events, payload_is_copied_up_to_4_KiB)
{
    struct rig *rig = rig_create(0, 0);
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX + 1] = {0};
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    event.payload = payload;
    event.size = sizeof payload;
    cr_assert_eq(dpl_sim_events_send(rig->events, &event, NULL), -EINVAL);
    event.size--;
    cr_assert_eq(dpl_sim_events_send(rig->events, &event, NULL), 0);
    cr_assert_eq(rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_EVERY, 0), 7, 8, NULL), 0);
    cr_assert_eq(rig_drain(rig, 1), 2);
    cr_assert_eq(rig->ran[1].mark.sender, 7);
    cr_assert_eq(rig->ran[1].mark.number, 8);
    rig_destroy(rig);
}

Test(events, that_are_not_valid_are_refused)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_N, 0);
    event.n = 0;
    cr_assert_eq(dpl_sim_events_send(rig->events, &event, NULL), -EINVAL);
    event.n = 7;
    event.phase = 7;
    cr_assert_eq(dpl_sim_events_send(rig->events, &event, NULL), -EINVAL);
    event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    event.kind = 99;
    cr_assert_eq(dpl_sim_events_send(rig->events, &event, NULL), -EINVAL);
    cr_assert_eq(dpl_sim_events_stats(rig->events).accepted, 0);
    rig_destroy(rig);
}

/* ---- boundaries ---- */

Test(events, of_every_7th_step_with_phase_3_run_at_3_10_and_17_only)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_N, 0);
    event.n = 7;
    event.phase = 3;
    size_t sent = 0;
    for (uint64_t step = 0; step <= 20; step++) {
        if (rig->n_ran == sent) { /* one is always waiting */
            rig_send_marked(rig, event, 0, (int)sent++, NULL);
        }
        rig_drain(rig, step);
    }
    cr_assert_eq(rig->n_ran, 3);
    cr_assert_eq(rig->ran[0].step, 3);
    cr_assert_eq(rig->ran[1].step, 10);
    cr_assert_eq(rig->ran[2].step, 17);
    rig_destroy(rig);
}

Test(events, that_a_handler_sends_run_at_the_next_boundary)
{
    struct rig *rig = rig_create(0, 0);
    rig->again = 5;
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    event.kind = RIG_POST;
    dpl_sim_events_send(rig->events, &event, NULL);
    for (uint64_t step = 1; step <= 8; step++) {
        cr_assert_eq(rig_drain(rig, step), step <= 5);
    }
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DONE], 5);
    rig_destroy(rig);
}

Test(events, due_in_the_past_run_at_the_next_boundary_and_are_marked_late)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    rig_drain(rig, 99);
    event.has_due = true;
    event.due = 40;
    rig_send_marked(rig, event, 0, 0, NULL);
    event.due = 100;
    rig_send_marked(rig, event, 0, 1, NULL);
    cr_assert_eq(rig_drain(rig, 100), 2);
    cr_assert(rig->ran[0].late && rig->answers[0].late);
    cr_assert(!rig->ran[1].late && !rig->answers[1].late);
    cr_assert_eq(dpl_sim_events_stats(rig->events).late, 1);
    rig_destroy(rig);
}

Test(events, while_time_stands_only_classes_every_and_idle_run)
{
    struct rig *rig = rig_create(0, 0);
    for (int class = 0; class < N_CLASSES; class ++) {
        rig_send_marked(rig, numbered(rig, class, 0), 0, class, NULL);
    }
    struct dpl_sim_event due = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    due.has_due = true;
    due.due = 6;
    rig_send_marked(rig, due, 0, 9, NULL);
    struct dpl_sim_events_drain paused = {.step = 5, .paused = true, .idle = true};
    cr_assert_eq(dpl_sim_events_drain(rig->events, &paused), 2);
    cr_assert_eq(rig->ran[0].mark.number, DPL_SIM_EVENT_EVERY);
    cr_assert_eq(rig->ran[1].mark.number, DPL_SIM_EVENT_IDLE);
    cr_assert_eq(dpl_sim_events_drain(rig->events, &paused), 0, "the due step does not come");
    cr_assert_eq(rig_drain(rig, 6), 2);
    rig_destroy(rig);
}

/* ---- the budget ---- */

static dpl_ns rig_time(void *user)
{
    return ((struct rig *)user)->time;
}

static size_t drain_within(struct rig *rig, uint64_t step, dpl_ns budget)
{
    struct dpl_sim_events_drain drain = {
        .step = step, .idle = true, .budget = budget, .now = rig_time, .now_user = rig};
    return dpl_sim_events_drain(rig->events, &drain);
}

Test(events, beyond_the_budget_move_to_the_next_boundary_in_order_whatever_their_phase)
{
    struct rig *rig = rig_create(0, 0);
    rig->cost = 30;
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_N, 0);
    event.n = 10; /* its boundaries are 0, 10, 20 */
    for (int i = 0; i < 5; i++) {
        rig_send_marked(rig, event, 0, i, NULL);
    }
    cr_assert_eq(drain_within(rig, 10, 50), 2);
    cr_assert_eq(drain_within(rig, 11, 50), 2);
    cr_assert_eq(drain_within(rig, 12, 50), 1);
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(rig->ran[i].mark.number, i);
    }
    struct dpl_sim_events_stats stats = dpl_sim_events_stats(rig->events);
    cr_assert_eq(stats.moved, 3 + 1);
    cr_assert_eq(stats.overruns, 0);
    rig_destroy(rig);
}

Test(events, of_class_every_are_never_moved_but_the_overrun_is_counted)
{
    struct rig *rig = rig_create(0, 0);
    rig->cost = 30;
    for (int i = 0; i < 5; i++) {
        rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_EVERY, 0), 0, i, NULL);
    }
    rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_IDLE, 0), 0, 5, NULL);
    cr_assert_eq(drain_within(rig, 1, 50), 5);
    cr_assert_eq(dpl_sim_events_stats(rig->events).overruns, 1);
    cr_assert_eq(drain_within(rig, 2, 50), 1);
    rig_destroy(rig);
}

/* ---- answers ---- */

Test(events, each_has_exactly_one_answer_of_its_kind)
{
    struct rig *rig = rig_create(0, 0);
    uint64_t ids[5];
    for (int i = 0; i < 5; i++) {
        struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, (uint8_t)(9 - i));
        event.kind = i == 1 ? RIG_FAIL : i == 3 ? RIG_LATER : RIG_NOTE;
        event.has_due = i == 4;
        event.due = 1000;
        rig_send_marked(rig, event, 0, i, &ids[i]);
    }
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[2]), 0);
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[2]), -EALREADY);
    rig_drain(rig, 1);
    cr_assert_eq(rig->n_answers, 3);
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[0]), -EALREADY);
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[3]), -EALREADY, "it runs");
    rig_drain(rig, 2);
    cr_assert_eq(dpl_sim_events_finish(rig->events, rig->open, -7), 0);
    cr_assert_eq(dpl_sim_events_finish(rig->events, rig->open, 0), -ENOENT, "only once");
    cr_assert_eq(dpl_sim_events_reset(rig->events, 0), 1);
    static const struct {
        enum dpl_sim_event_result result;
        int code;
    } expected[] = {[0] = {DPL_SIM_EVENT_DONE, 0},
                    [1] = {DPL_SIM_EVENT_FAILED, -5},
                    [2] = {DPL_SIM_EVENT_CANCELLED, 0},
                    [3] = {DPL_SIM_EVENT_FAILED, -7},
                    [4] = {DPL_SIM_EVENT_DROPPED, 0}};
    cr_assert_eq(rig->n_answers, 5);
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(rig->answers[i].id, ids[i]);
        cr_assert_eq(rig->answers[i].result, expected[i].result);
        cr_assert_eq(rig->answers[i].code, expected[i].code);
    }
    rig_destroy(rig);
}

Test(events, reset_gives_a_notice_for_each_of_100_that_wait)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_N, 0);
    event.n = 1000;
    event.phase = 999;
    for (int i = 0; i < 60; i++) {
        rig_send_marked(rig, event, 0, i, NULL);
    }
    rig_drain(rig, 1); /* some are taken in, some are not */
    for (int i = 60; i < 100; i++) {
        rig_send_marked(rig, event, 0, i, NULL);
    }
    cr_assert_eq(dpl_sim_events_reset(rig->events, 0), 100);
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DROPPED], 100);
    cr_assert_eq(rig_drain(rig, 999), 0);
    cr_assert_eq(dpl_sim_events_stats(rig->events).waiting, 0);
    rig_destroy(rig);
}

Test(events, that_are_left_at_the_end_of_the_queue_are_dropped_with_notice)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    event.kind = RIG_LATER;
    rig_send_marked(rig, event, 0, 0, NULL);
    rig_drain(rig, 1);
    rig_send_marked(rig, event, 0, 1, NULL);
    dpl_sim_events_destroy(rig->events);
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DROPPED], 2);
    free(rig);
}

/* Who hears that an event is dropped and cancels it at once is too late. */
static void cancel_what_is_answered(void *user, const struct dpl_sim_event_answer *answer)
{
    struct rig *rig = user;
    rig_answer(rig, answer);
    cr_assert_eq(dpl_sim_events_cancel(rig->events, answer->id), -EALREADY);
}

Test(events, that_are_dropped_cannot_be_cancelled_any_more)
{
    struct rig *rig = rig_create(0, 0);
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_EVERY, 0);
    event.answer = cancel_what_is_answered;
    rig_send_marked(rig, event, 0, 0, NULL);
    cr_assert_eq(dpl_sim_events_reset(rig->events, 0), 1);
    rig_send_marked(rig, event, 0, 1, NULL);
    dpl_sim_events_replay(rig->events, true);
    cr_assert_eq(rig_drain(rig, 1), 0);
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DROPPED], 2);
    rig_destroy(rig);
}
