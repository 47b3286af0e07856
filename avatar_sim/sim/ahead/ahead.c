/* SPDX-License-Identifier: Apache-2.0 */
/* A look-ahead as its user and the world's owner call it: see doppel/sim/ahead.h. */
#include <doppel/sim/ahead.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <doppel/sim/state.h>
#include <doppel/system_clock.h>

#include "ahead_parts.h"

/* ---- the user's side ---- */

static enum dpl_ahead_state state_of(const struct dpl_ahead *face)
{
    const struct dpl_sim_ahead *ahead = (const struct dpl_sim_ahead *)face;
    return (enum dpl_ahead_state)atomic_load_explicit(&ahead->state, memory_order_relaxed);
}

/* acquire: what the other side has written is complete */
static int phase_of(const struct dpl_sim_ahead *ahead)
{
    return atomic_load_explicit(&ahead->shared->phase, memory_order_acquire);
}

static int check_state(const struct dpl_sim_ahead *ahead)
{
    switch (state_of(&ahead->face)) {
    case DPL_AHEAD_WAITS: return -EAGAIN;
    case DPL_AHEAD_WORKS: return 0;
    case DPL_AHEAD_SILENT:
    case DPL_AHEAD_DEAD: break;
    }
    return -ENODEV;
}

static int ask(struct dpl_ahead *face, const struct dpl_ahead_request *request)
{
    struct dpl_sim_ahead *ahead = (struct dpl_sim_ahead *)face;
    int err = check_state(ahead);
    err = err < 0 ? err : ahead_check(ahead, request);
    if (err < 0) {
        return err;
    }
    int phase = phase_of(ahead);
    if (phase == AHEAD_ASKED || phase == AHEAD_TAKEN) {
        return -EBUSY;
    }
    ahead->shared->request = *request;
    ahead->shared->error = 0;
    ahead->shared->result.number = ++ahead->number;
    atomic_store_explicit(&ahead->shared->phase, AHEAD_ASKED, memory_order_release);
    return 0;
}

/* Until the worker has answered, or does not work any more. */
static void wait_for_answer(struct dpl_sim_ahead *ahead)
{
    while (phase_of(ahead) == AHEAD_TAKEN && check_state(ahead) == 0) {
        dpl_ns until = dpl_monotonic_now() + 50 * DPL_MS;
        struct timespec at = {until / DPL_S, until % DPL_S};
        sem_clockwait(&ahead->shared->done, CLOCK_MONOTONIC, &at);
    }
}

/* On the simulated clock the user's thread owns the world. */
static bool is_due(const struct dpl_sim_ahead *ahead)
{
    return !ahead->simulated ||
           dpl_world_now(ahead->world) >= ahead->shared->result.world_time + ahead->delay;
}

static int answer(struct dpl_ahead *face, const struct dpl_ahead_result **ret_result)
{
    struct dpl_sim_ahead *ahead = (struct dpl_sim_ahead *)face;
    int phase = phase_of(ahead);
    if (phase == AHEAD_FREE) {
        return -EAGAIN;
    }
    if (phase == AHEAD_TAKEN && ahead->simulated && is_due(ahead)) {
        wait_for_answer(ahead);
        phase = phase_of(ahead);
    }
    if (phase != AHEAD_DONE) {
        int err = check_state(ahead);
        return err < 0 ? err : -EINPROGRESS;
    }
    if (!is_due(ahead)) {
        return -EINPROGRESS;
    }
    if (ahead->shared->error < 0) {
        return ahead->shared->error;
    }
    *ret_result = &ahead->shared->result;
    return 0;
}

static const struct dpl_ahead_ops ops = {.ask = ask, .answer = answer, .state = state_of};

struct dpl_ahead *dpl_sim_ahead_face(struct dpl_sim_ahead *ahead)
{
    return &ahead->face;
}

int dpl_sim_ahead_pid(const struct dpl_sim_ahead *ahead)
{
    return ahead->worker;
}

/* ---- the owner's side ---- */

int ahead_copy(struct dpl_sim_ahead *ahead, dpl_ns offset)
{
    struct ahead_shared *shared = ahead->shared;
    size_t size = dpl_world_snapshot_size(ahead->world);
    if (size > ahead->capacity) {
        return -ENOSPC;
    }
    shared->copied = size;
    shared->result.world_time = dpl_world_now(ahead->world);
    shared->result.stamp = shared->result.world_time + offset;
    return dpl_world_save(ahead->world, shared->copy, size);
}

void dpl_sim_ahead_boundary(struct dpl_sim_ahead *ahead, dpl_ns offset)
{
    struct ahead_shared *shared = ahead->shared;
    if (phase_of(ahead) != AHEAD_ASKED) {
        return;
    }
    shared->error = ahead_copy(ahead, offset);
    atomic_store_explicit(&shared->phase, shared->error < 0 ? AHEAD_DONE : AHEAD_TAKEN,
                          memory_order_release);
    if (shared->error == 0) {
        sem_post(&shared->wake);
    }
}

int dpl_sim_ahead_run(struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request,
                      const struct dpl_ahead_result **ret_result)
{
    int err = ahead_check(ahead, request);
    err = err < 0 ? err : ahead_copy(ahead, 0);
    if (err < 0) {
        return err;
    }
    ahead->shared->request = *request;
    ahead->shared->result.number = ++ahead->number;
    ahead_run_rollouts(ahead);
    dpl_world_restore(ahead->world, ahead->shared->copy, ahead->shared->copied);
    *ret_result = &ahead->shared->result;
    return 0;
}

/* ---- the worker ---- */

int dpl_sim_ahead_start(struct dpl_sim_ahead *ahead, bool simulated, struct dpl_diag *reterr)
{
    ahead->simulated = simulated;
    pid_t parent = getpid(), worker = fork();
    if (worker == 0) {
        ahead_work(ahead, parent);
    }
    if (worker < 0) {
        return dpl_fail(reterr, -errno, (struct dpl_place){0}, "no process for the look-ahead: %s",
                        strerror(errno));
    }
    ahead->worker = worker;
    atomic_store(&ahead->state, DPL_AHEAD_WORKS);
    int err = ahead_watch_start(ahead);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0},
                              "nobody can watch over the look-ahead: %s", strerror(-err))
                   : 0;
}

static void end_worker(struct dpl_sim_ahead *ahead)
{
    if (ahead->worker > 0) {
        kill(ahead->worker, SIGKILL);
        while (waitpid(ahead->worker, NULL, 0) < 0 && errno == EINTR) {
        }
        ahead->worker = 0;
    }
}

void dpl_sim_ahead_destroy(struct dpl_sim_ahead *ahead)
{
    if (!ahead) {
        return;
    }
    ahead_watch_stop(ahead);
    end_worker(ahead);
    ahead_free(ahead);
}

void ahead_begin(struct dpl_sim_ahead *ahead)
{
    ahead->face.ops = &ops;
    ahead->pidfd = ahead->stop_fd = -1;
    atomic_init(&ahead->state, DPL_AHEAD_WAITS);
}
