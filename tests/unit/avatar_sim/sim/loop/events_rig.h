/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of events whose handlers note what they were told. */
#ifndef DOPPEL_TEST_EVENTS_RIG_H
#define DOPPEL_TEST_EVENTS_RIG_H

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/sim/events.h>

enum { RIG_MOST = 4096 };

/* What an event of these tests carries. */
struct rig_mark {
    int sender, number;
};

struct rig_ran {
    struct rig_mark mark;
    uint64_t step, sequence;
    bool late;
};

struct rig {
    struct dpl_sim_events *events;
    struct rig_ran ran[RIG_MOST];
    size_t n_ran;
    struct dpl_sim_event_answer answers[RIG_MOST];
    size_t n_answers;
    unsigned results[DPL_SIM_EVENT_DROPPED + 1]; /* how many answers of each */
    int again;                                   /* kind post: how often it sends itself */
    uint64_t open;                               /* kind later: the id that waits */
    dpl_ns time, cost; /* of the clock of these tests; what a handler takes */
    dpl_ns cost_of_every;
};

enum rig_kind { RIG_NOTE, RIG_POST, RIG_FAIL, RIG_LATER };

static inline void rig_answer(void *user, const struct dpl_sim_event_answer *answer)
{
    struct rig *rig = user;
    cr_assert_lt(rig->n_answers, RIG_MOST);
    rig->answers[rig->n_answers++] = *answer;
    rig->results[answer->result]++;
}

static inline void rig_note(struct rig *rig, const struct dpl_sim_event_run *run)
{
    cr_assert_lt(rig->n_ran, RIG_MOST);
    struct rig_ran *ran = &rig->ran[rig->n_ran++];
    *ran = (struct rig_ran){.step = run->step, .sequence = run->sequence, .late = run->late};
    if (run->size == sizeof ran->mark) {
        memcpy(&ran->mark, run->payload, sizeof ran->mark);
    }
    rig->time += rig->cost;
}

static inline int rig_run_note(void *context, const struct dpl_sim_event_run *run)
{
    rig_note(context, run);
    return 0;
}

static inline int rig_run_post(void *context, const struct dpl_sim_event_run *run)
{
    struct rig *rig = context;
    rig_note(rig, run);
    if (--rig->again > 0) {
        struct dpl_sim_event event = {.kind = RIG_POST, .answer = rig_answer, .user = rig};
        cr_assert_eq(dpl_sim_events_send(run->events, &event, NULL), 0);
    }
    return 0;
}

static inline int rig_run_fail(void *context, const struct dpl_sim_event_run *run)
{
    rig_note(context, run);
    return -5;
}

static inline int rig_run_later(void *context, const struct dpl_sim_event_run *run)
{
    struct rig *rig = context;
    rig_note(rig, run);
    rig->open = run->id;
    return DPL_SIM_EVENT_LATER;
}

static const struct dpl_sim_event_kind rig_kinds[] = {
    [RIG_NOTE] = {"note", rig_run_note},
    [RIG_POST] = {"post", rig_run_post},
    [RIG_FAIL] = {"fail", rig_run_fail},
    [RIG_LATER] = {"later", rig_run_later},
};

static inline struct rig *rig_create(size_t capacity, size_t of_every)
{
    struct rig *rig = calloc(1, sizeof *rig);
    struct dpl_sim_events_options options = {
        .kinds = rig_kinds,
        .n_kinds = sizeof rig_kinds / sizeof rig_kinds[0],
        .context = rig,
        .capacity = capacity,
        .of_every = of_every,
    };
    cr_assert_eq(dpl_sim_events_create(&options, &rig->events), 0);
    return rig;
}

static inline void rig_destroy(struct rig *rig)
{
    dpl_sim_events_destroy(rig->events);
    free(rig);
}

static inline struct dpl_sim_event rig_event(struct rig *rig, enum dpl_sim_event_class class,
                                             uint8_t number)
{
    return (struct dpl_sim_event){
        .kind = RIG_NOTE,
        .class_ = class,
        .number = number,
        .n = 1,
        .answer = rig_answer,
        .user = rig,
    };
}

static inline int rig_send_marked(struct rig *rig, struct dpl_sim_event event, int sender,
                                  int number, uint64_t *ret_id)
{
    struct rig_mark mark = {sender, number};
    event.payload = &mark;
    event.size = sizeof mark;
    return dpl_sim_events_send(rig->events, &event, ret_id);
}

static inline size_t rig_drain(struct rig *rig, uint64_t step)
{
    struct dpl_sim_events_drain drain = {.step = step, .idle = true};
    return dpl_sim_events_drain(rig->events, &drain);
}

#endif
