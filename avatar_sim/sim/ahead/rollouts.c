/* SPDX-License-Identifier: Apache-2.0 */
/* Rollouts: the world from its copy on, with the puts of a schedule, step by step. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/state.h>
#include <doppel/system_clock.h>

#include "ahead_parts.h"

enum {
    OLD_MAX = 16,       /* contacts of the beginning that are told apart */
    BEAT_STEPS = 16,    /* steps between two signs of life */
    NUMBERS_STEPS = 64, /* steps between two looks whether the solver has numbers */
};

struct rollout {
    struct dpl_sim_ahead *ahead;
    const struct dpl_ahead_rollout *asked;
    struct dpl_ahead_outcome *outcome;
    unsigned number;  /* in the request */
    size_t next_put;  /* in the request */
    dpl_ns began;     /* world's time */
    int old[OLD_MAX]; /* what the robot touched at the beginning */
    size_t n_old;
};

/* ---- contacts ---- */

static bool is_mine(const struct dpl_sim_span *span, int body)
{
    return body >= span->first_body && body < span->first_body + (int)span->n_bodies;
}

/* The other one of a contact of the robot. False: it is not the robot's, or within it. */
static bool find_other(const struct dpl_sim_span *span, const struct dpl_sim_contact *contact,
                       int *ret_other)
{
    bool a = is_mine(span, contact->a), b = is_mine(span, contact->b);
    *ret_other = a ? contact->b : contact->a;
    return a != b;
}

static void name_other(const struct dpl_sim_ahead *ahead, int other,
                       char ret_name[DPL_AHEAD_NAME_SIZE])
{
    const struct dpl_sim_model *model = dpl_world_model(ahead->world);
    const struct dpl_sim_state *state = dpl_world_state(ahead->world);
    const char *name = "";
    size_t obstacle = (size_t)(-1 - other);
    if (other < 0 && obstacle < model->n_obstacles) {
        name = model->obstacles[obstacle].name;
    }
    for (size_t i = 0; other >= 0 && i < state->n_robots; i++) {
        name = is_mine(&state->robots[i], other) ? model->robots[i].name : name;
    }
    snprintf(ret_name, DPL_AHEAD_NAME_SIZE, "%s", name);
}

static bool is_old(const struct rollout *rollout, int other)
{
    for (size_t i = 0; i < rollout->n_old; i++) {
        if (rollout->old[i] == other) {
            return true;
        }
    }
    return false;
}

/* Where a robot begins in touch with something, moving along it or away is no contact to come. */
static void note_old(struct rollout *rollout, int other)
{
    if (!is_old(rollout, other) && rollout->n_old < OLD_MAX) {
        rollout->old[rollout->n_old++] = other;
    }
}

static void note_touch(struct rollout *rollout, const struct dpl_sim_contact *contact, int other)
{
    struct dpl_ahead_outcome *outcome = rollout->outcome;
    outcome->touched = true;
    outcome->touched_at = dpl_world_now(rollout->ahead->world) - rollout->began;
    memcpy(outcome->point, contact->point, sizeof outcome->point);
    name_other(rollout->ahead, other, outcome->object);
}

/* `first`: of the newest state of the world as it was copied. */
static void watch_contacts(struct rollout *rollout, bool first)
{
    const struct dpl_sim_ahead *ahead = rollout->ahead;
    const struct dpl_sim_state *state = dpl_world_state(ahead->world);
    if (ahead->robot < 0 || rollout->outcome->touched) {
        return;
    }
    const struct dpl_sim_span *span = &state->robots[ahead->robot];
    for (size_t i = 0; i < state->contacts.n && !rollout->outcome->touched; i++) {
        const struct dpl_sim_contact *contact = &state->contacts.items[i];
        int other;
        if (!find_other(span, contact, &other)) {
            continue;
        }
        if (first) {
            note_old(rollout, other);
        } else if (!is_old(rollout, other)) {
            note_touch(rollout, contact, other);
        }
    }
}

/* ---- beginning ---- */

static void quieten_sensors(const struct dpl_sim_ahead *ahead)
{
    const bool off = false;
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(ahead->channels, &n);
    for (size_t i = 0; i < n; i++) {
        if (descs[i].dir == DPL_CHANNEL_SHARED) {
            dpl_world_channels_put(ahead->channels, i, &off);
        }
    }
}

static int place(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_rollout *asked)
{
    if (asked->start == DPL_AHEAD_HERE) {
        return 0;
    }
    const struct dpl_sim_state *state = dpl_world_state(ahead->world);
    struct dpl_pose2 here = dpl_sim_body_pose2(state, state->robots[ahead->robot].first_body);
    struct dpl_pose2 pose =
        asked->start == DPL_AHEAD_OFFSET ? dpl_pose2_compose(here, asked->pose) : asked->pose;
    return dpl_world_set_pose(ahead->world, ahead->robot, pose);
}

static int begin(struct rollout *rollout)
{
    struct dpl_sim_ahead *ahead = rollout->ahead;
    dpl_world_restore(ahead->world, ahead->shared->copy, ahead->shared->copied);
    rollout->began = dpl_world_now(ahead->world);
    watch_contacts(rollout, true);
    quieten_sensors(ahead);
    return place(ahead, rollout->asked);
}

/* ---- on the way ---- */

/* 0, or why the world does not take a value. */
static int put_due(struct rollout *rollout, dpl_ns now)
{
    const struct dpl_ahead_request *request = &rollout->ahead->shared->request;
    int err = 0;
    for (; rollout->next_put < request->n_puts && err == 0; rollout->next_put++) {
        const struct dpl_ahead_put *put = &request->puts[rollout->next_put];
        if (put->rollout == rollout->number && put->at > now) {
            return 0;
        }
        if (put->rollout == rollout->number) {
            err = ahead_put(rollout->ahead, put);
        }
    }
    return err;
}

static void measure(struct rollout *rollout)
{
    struct dpl_sim_ahead *ahead = rollout->ahead;
    struct dpl_ahead_outcome *outcome = rollout->outcome;
    if (outcome->n_samples < DPL_AHEAD_SAMPLES_MAX) {
        ahead_read(ahead, ahead->shared->result.samples[rollout->number][outcome->n_samples++]);
        outcome->last = outcome->ran;
    }
    if (ahead->n_shapes > 0) {
        outcome->clearance_m = ahead_clearance(ahead, outcome->clearance_m);
    }
}

static bool goes_on(struct rollout *rollout, uint64_t step)
{
    struct dpl_ahead_outcome *outcome = rollout->outcome;
    struct dpl_diag unused;
    if (step % NUMBERS_STEPS == 0 && dpl_world_check_motion(rollout->ahead->world, &unused) < 0) {
        outcome->error = -ERANGE;
        return false;
    }
    return outcome->ran < rollout->asked->duration &&
           !(outcome->touched && rollout->asked->ends_at_contact);
}

static void run(struct rollout *rollout, dpl_ns sample)
{
    struct dpl_sim_ahead *ahead = rollout->ahead;
    struct dpl_ahead_outcome *outcome = rollout->outcome;
    dpl_ns next = sample;
    measure(rollout);
    for (uint64_t step = 0; goes_on(rollout, step); step++) {
        outcome->error = put_due(rollout, outcome->ran);
        if (outcome->error < 0) {
            return;
        }
        dpl_world_step(ahead->world, 1);
        outcome->ran = dpl_world_now(ahead->world) - rollout->began;
        watch_contacts(rollout, false);
        if (sample > 0 && outcome->ran >= next) {
            measure(rollout);
            next += sample;
        }
        if (step % BEAT_STEPS == 0) {
            atomic_fetch_add_explicit(&ahead->shared->beat, 1, memory_order_relaxed);
        }
    }
    if (outcome->error == 0 && outcome->last < outcome->ran) {
        measure(rollout);
    }
}

static void run_one(struct dpl_sim_ahead *ahead, unsigned number, dpl_ns sample)
{
    struct ahead_shared *shared = ahead->shared;
    struct rollout rollout = {
        .ahead = ahead,
        .asked = &shared->request.rollouts[number],
        .outcome = &shared->result.rollouts[number],
        .number = number,
    };
    *rollout.outcome = (struct dpl_ahead_outcome){
        .clearance_m = ahead->n_shapes > 0 ? DPL_AHEAD_CLEAR_M : (double)NAN};
    rollout.outcome->error = begin(&rollout);
    if (rollout.outcome->error == 0) {
        run(&rollout, sample);
    } else {
        rollout.outcome->clearance_m = (double)NAN;
    }
}

/* In whole steps. */
static dpl_ns round_up(dpl_ns time, dpl_ns step)
{
    return (time + step - 1) / step * step;
}

void ahead_run_rollouts(struct dpl_sim_ahead *ahead)
{
    struct ahead_shared *shared = ahead->shared;
    dpl_ns since = dpl_monotonic_now();
    dpl_ns sample = round_up(shared->request.sample, dpl_world_model(ahead->world)->step);
    shared->result.sample = sample;
    shared->result.n_rollouts = shared->request.n_rollouts;
    shared->result.n_elements = ahead->n_elements;
    for (unsigned i = 0; i < shared->request.n_rollouts; i++) {
        run_one(ahead, i, sample);
    }
    shared->result.took = ahead->simulated ? 0 : dpl_monotonic_now() - since;
}
