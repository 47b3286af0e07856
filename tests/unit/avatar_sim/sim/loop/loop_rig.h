/* SPDX-License-Identifier: Apache-2.0 */
/* A loop over a world of four robots, with a clock that the test advances. */
#ifndef DOPPEL_TEST_LOOP_RIG_H
#define DOPPEL_TEST_LOOP_RIG_H

#include <criterion/criterion.h>

#include <doppel/sim/loop.h>

#include "snapshot_scene.h"

enum { RIG_KINDS = 3, RIG_MOST = 2048 };
enum rig_kind { RIG_PUSH = DPL_SIM_CONTROL_KIND + 1, RIG_SLOW, RIG_NOTE };

struct rig {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    struct dpl_sim_loop *loop;
    dpl_ns time;      /* of the clock */
    dpl_ns slow_cost; /* what a handler of kind slow takes */
    int notes[RIG_MOST];
    uint64_t note_steps[RIG_MOST];
    size_t n_notes;
    struct dpl_sim_event_answer answers[RIG_MOST];
    size_t n_answers;
    unsigned n_jumps;
    bool holds; /* time has to wait */
    unsigned n_boundaries;
};

struct rig_push {
    int motor;
    double speed;
};

static inline int rig_run_push(void *context, const struct dpl_sim_event_run *run)
{
    struct rig *rig = context;
    struct rig_push push;
    memcpy(&push, run->payload, sizeof push);
    dpl_world_set_motor(rig->world, push.motor, push.speed);
    return 0;
}

static inline int rig_run_slow(void *context, const struct dpl_sim_event_run *run)
{
    struct rig *rig = context;
    (void)run;
    rig->time += rig->slow_cost;
    return 0;
}

static inline int rig_run_note(void *context, const struct dpl_sim_event_run *run)
{
    struct rig *rig = context;
    cr_assert_lt(rig->n_notes, RIG_MOST);
    memcpy(&rig->notes[rig->n_notes], run->payload, sizeof(int));
    rig->note_steps[rig->n_notes++] = run->step;
    return 0;
}

static const struct dpl_sim_event_kind rig_kinds[RIG_KINDS] = {
    {.name = "push", .run = rig_run_push},
    {.name = "slow", .run = rig_run_slow},
    {.name = "note", .run = rig_run_note},
};

static inline dpl_ns rig_now(void *user)
{
    return ((struct rig *)user)->time;
}

static inline void rig_jumped(void *user)
{
    ((struct rig *)user)->n_jumps++;
}

static inline bool rig_holds(void *user)
{
    return ((struct rig *)user)->holds;
}

static inline void rig_boundary(void *user)
{
    ((struct rig *)user)->n_boundaries++;
}

static inline void rig_answer(void *user, const struct dpl_sim_event_answer *answer)
{
    struct rig *rig = user;
    cr_assert_lt(rig->n_answers, RIG_MOST);
    rig->answers[rig->n_answers++] = *answer;
}

/* `step`: of the world. */
static inline struct rig *rig_create(dpl_ns step, bool clock)
{
    struct rig *rig = calloc(1, sizeof *rig);
    rig->model = snapshot_model(10);
    rig->model->step = step;
    cr_assert_eq(dpl_world_create(rig->model, &rig->world, NULL), 0);
    cr_assert_eq(dpl_world_channels_create(rig->world, &rig->channels), 0);
    struct dpl_sim_loop_options options = {
        .world = rig->world,
        .channels = rig->channels,
        .now = clock ? rig_now : NULL,
        .now_user = rig,
        .kinds = rig_kinds,
        .n_kinds = RIG_KINDS,
        .context = rig,
        .boundary = rig_boundary,
        .boundary_user = rig,
        .holds = rig_holds,
        .holds_user = rig,
        .jumped = rig_jumped,
        .jumped_user = rig,
    };
    cr_assert_eq(dpl_sim_loop_create(&options, &rig->loop), 0);
    cr_assert_eq(dpl_sim_loop_keep_start(rig->loop), 0);
    return rig;
}

static inline void rig_destroy(struct rig *rig)
{
    dpl_sim_loop_destroy(rig->loop);
    dpl_world_channels_destroy(rig->channels);
    dpl_world_destroy(rig->world);
    dpl_sim_model_destroy(rig->model);
    free(rig);
}

static inline int rig_send(struct rig *rig, unsigned kind, enum dpl_sim_event_class class,
                           uint8_t number, const void *payload, size_t size)
{
    struct dpl_sim_event event = {
        .kind = kind,
        .class_ = class,
        .number = number,
        .n = 1,
        .payload = payload,
        .size = size,
        .answer = rig_answer,
        .user = rig,
    };
    return dpl_sim_events_send(dpl_sim_loop_events(rig->loop), &event, NULL);
}

static inline void rig_send_note(struct rig *rig, enum dpl_sim_event_class class, int note)
{
    cr_assert_eq(rig_send(rig, RIG_NOTE, class, 0, &note, sizeof note), 0);
}

/* A command as an event. */
static inline void rig_command(struct rig *rig, const char *command)
{
    cr_assert_eq(rig_send(rig, DPL_SIM_CONTROL_KIND, DPL_SIM_EVENT_EVERY, DPL_SIM_CONTROL_NUMBER,
                          command, strlen(command)),
                 0);
}

static inline void rig_control(struct rig *rig, const char *command)
{
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_sim_loop_control(rig->loop, command, &error), 0, "%s", error.text);
}

/* What the owner's thread does when the clock says `time`. */
static inline void rig_turn(struct rig *rig, dpl_ns time)
{
    rig->time = time > rig->time ? time : rig->time;
    dpl_sim_loop_run_until(rig->loop, dpl_sim_loop_due(rig->loop, rig->time));
}

static inline uint64_t rig_step(const struct rig *rig)
{
    return dpl_sim_loop_status(rig->loop).step;
}

#endif
