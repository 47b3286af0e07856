/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of events that is restored has what it had, and no sender hears twice. */
#include <errno.h>

#include "events_rig.h"

TestSuite(event_snapshots, .timeout = 60);

struct saved {
    void *bytes;
    size_t size;
};

static struct saved save(struct rig *rig)
{
    struct saved saved = {.size = dpl_sim_events_snapshot_size(rig->events)};
    saved.bytes = malloc(saved.size);
    cr_assert_eq(dpl_sim_events_save(rig->events, saved.bytes, saved.size), 0);
    return saved;
}

static struct dpl_sim_event due_at(struct rig *rig, uint64_t due)
{
    struct dpl_sim_event event = rig_event(rig, DPL_SIM_EVENT_N, 0);
    event.has_due = true;
    event.due = due;
    return event;
}

/* What ran at the boundaries 1 to 9. */
static void run_on(struct rig *rig, int *ret_numbers, size_t *ret_n)
{
    rig->n_ran = 0;
    for (uint64_t step = 1; step < 10; step++) {
        rig_drain(rig, step);
    }
    *ret_n = rig->n_ran;
    for (size_t i = 0; i < rig->n_ran; i++) {
        ret_numbers[i] = (int)rig->ran[i].step * 100 + rig->ran[i].mark.number;
    }
}

Test(event_snapshots, what_waited_runs_again_at_its_steps_in_its_order_any_number_of_times)
{
    struct rig *rig = rig_create(0, 0);
    rig_drain(rig, 0);
    for (int i = 0; i < 20; i++) {
        struct dpl_sim_event event = due_at(rig, (uint64_t)(i * 7 % 9 + 1));
        event.number = (uint8_t)(i % 3);
        rig_send_marked(rig, event, 0, i, NULL);
    }
    struct saved saved = save(rig);
    int first[64], again[64];
    size_t n_first, n_again;
    run_on(rig, first, &n_first);
    cr_assert_eq(n_first, 20);
    cr_assert_eq(rig->n_answers, 20);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(dpl_sim_events_restore(rig->events, saved.bytes, saved.size), 0);
        run_on(rig, again, &n_again);
        cr_assert_eq(n_again, n_first);
        cr_assert_arr_eq(again, first, n_first * sizeof *first);
    }
    cr_assert_eq(rig->n_answers, 20, "each sender has had its answer the first time");
    free(saved.bytes);
    rig_destroy(rig);
}

Test(event_snapshots, restore_keeps_what_still_waits_and_drops_what_came_since_with_notice)
{
    struct rig *rig = rig_create(0, 0);
    uint64_t ids[3];
    rig_send_marked(rig, due_at(rig, 1), 0, 1, &ids[0]);
    rig_send_marked(rig, due_at(rig, 5), 0, 2, &ids[1]);
    struct saved saved = save(rig);
    rig_drain(rig, 1);
    rig_send_marked(rig, due_at(rig, 6), 0, 3, &ids[2]);
    cr_assert_eq(dpl_sim_events_restore(rig->events, saved.bytes, saved.size), 0);
    cr_assert_eq(rig->n_answers, 2);
    cr_assert_eq(rig->answers[1].id, ids[2]);
    cr_assert_eq(rig->answers[1].result, DPL_SIM_EVENT_DROPPED);
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[0]), -EALREADY, "it has its answer");
    cr_assert_eq(dpl_sim_events_cancel(rig->events, ids[1]), 0, "it has none yet");
    rig->n_ran = 0;
    for (uint64_t step = 1; step < 10; step++) {
        rig_drain(rig, step);
    }
    cr_assert_eq(rig->n_ran, 1, "the first one runs again");
    cr_assert_eq(rig->ran[0].mark.number, 1);
    cr_assert_eq(rig->n_answers, 3);
    cr_assert_eq(rig->answers[2].id, ids[1]);
    cr_assert_eq(rig->answers[2].result, DPL_SIM_EVENT_CANCELLED);
    free(saved.bytes);
    rig_destroy(rig);
}

Test(event_snapshots, full_queue_comes_back_while_it_is_full_of_others)
{
    struct rig *rig = rig_create(0, 0);
    int n_first = 0, n_others = 0;
    while (rig_send_marked(rig, due_at(rig, 5), 1, n_first, NULL) == 0) {
        n_first++;
    }
    while (rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_EVERY, 0), 1, n_first, NULL) == 0) {
        n_first++;
    }
    struct saved saved = save(rig);
    cr_assert_eq(rig_drain(rig, 5), 1024);
    while (rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_EVERY, 0), 2, 0, NULL) == 0) {
        n_others++;
    }
    cr_assert_eq(n_others, 1024);
    cr_assert_eq(dpl_sim_events_restore(rig->events, saved.bytes, saved.size), 0);
    cr_assert_eq(rig->results[DPL_SIM_EVENT_DROPPED], 1024);
    cr_assert_eq(rig_send_marked(rig, rig_event(rig, DPL_SIM_EVENT_EVERY, 0), 3, 0, NULL), -ENOSPC);
    rig->n_ran = 0;
    cr_assert_eq(rig_drain(rig, 5), 1024);
    for (size_t i = 0; i < rig->n_ran; i++) {
        cr_assert_eq(rig->ran[i].mark.sender, 1);
    }
    /* the books are right again */
    int n = 0;
    while (rig_send_marked(rig, due_at(rig, 9), 4, n, NULL) == 0) {
        n++;
    }
    cr_assert_eq(n, 960);
    free(saved.bytes);
    rig_destroy(rig);
}

Test(event_snapshots, snapshot_of_another_queue_or_cut_short_is_refused)
{
    struct rig *rig = rig_create(0, 0), *other = rig_create(0, 0);
    rig_send_marked(rig, due_at(rig, 5), 0, 1, NULL);
    struct saved saved = save(rig);
    cr_assert_eq(dpl_sim_events_restore(other->events, saved.bytes, saved.size), -EINVAL);
    cr_assert_eq(dpl_sim_events_restore(rig->events, saved.bytes, saved.size - 1), -EINVAL);
    cr_assert_eq(dpl_sim_events_restore(rig->events, saved.bytes, 3), -EINVAL);
    cr_assert_eq(dpl_sim_events_save(rig->events, saved.bytes, saved.size - 1), -ENOSPC);
    cr_assert_eq(rig->n_answers, 0);
    free(saved.bytes);
    rig_destroy(rig);
    rig_destroy(other);
}
