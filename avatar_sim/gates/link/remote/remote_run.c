/* SPDX-License-Identifier: Apache-2.0 */
/* The served worlds of a run: what the host of worlds calls. */
#include <errno.h>
#include <time.h>

#include "remote_world.h"

#define STOP_LOOK  (20 * DPL_MS)  /* between looks whether the run is stopping */
#define STOP_GRACE (200 * DPL_MS) /* for a world that is there to finish its step */

/* ---- waiting for the thread ---- */

bool remote_run_is_stopping(const struct remote_world *world)
{
    return world->services && world->services->is_stopping(world->services->run);
}

bool remote_wait(struct remote_world *world, const struct remote_link *link,
                 remote_condition *is_met, dpl_ns patience, dpl_ns grace)
{
    dpl_ns now = dpl_monotonic_now(), end = now + patience;
    bool stopping = false;
    for (; !is_met(world, link) && now < end; now = dpl_monotonic_now()) {
        if (!stopping && remote_run_is_stopping(world)) {
            stopping = true;
            end = now + grace < end ? now + grace : end;
        }
        dpl_ns look = now + STOP_LOOK < end ? now + STOP_LOOK : end;
        struct timespec at = {look / DPL_S, look % DPL_S};
        pthread_cond_timedwait(&world->changed, &world->lock, &at);
    }
    return is_met(world, link);
}

/* Each of its newest subscription. */
static bool all_have_frames(const struct remote_world *world, const struct remote_link *unused)
{
    (void)unused;
    for (const struct remote_link *link = world->links; link; link = link->next) {
        if (!atomic_load(&link->alive) || link->confirmed != link->wanted) {
            return false;
        }
    }
    return world->welcomed;
}

static bool grant_is_done(const struct remote_world *world, const struct remote_link *unused)
{
    (void)unused;
    return world->broken || (!world->grant_due && world->reached >= world->grant);
}

/* ---- all worlds of a run ---- */

static int check_mode(const struct remote_world *world, struct dpl_diag *reterr)
{
    if (!world->welcomed || world->lockstep == world->grants) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "%s: %s", world->address,
                    world->lockstep
                        ? "the world is served in lock-step, but this run follows the real clock"
                        : "the world is served in real time, but this run is simulated; serve it "
                          "with --lockstep");
}

static int start_world(struct remote_world *world, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    world->started = true;
    world->real_epoch = real_epoch;
    world->grants = real_epoch == 0;
    int err = check_mode(world, reterr);
    if (err < 0 || !world->grants ||
        remote_wait(world, NULL, all_have_frames, world->patience, 0)) {
        return err;
    }
    if (remote_run_is_stopping(world)) {
        return dpl_fail(reterr, -ECANCELED, (struct dpl_place){0},
                        "%s: the run was stopped before a world answered", world->address);
    }
    if (world->refusal[0]) {
        return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0}, "%s: %s", world->address,
                        world->refusal);
    }
    return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0}, "%s: no world answers within %g s",
                    world->address, dpl_ns_to_s(world->patience));
}

void remote_worlds_attend(struct remote_world *list, const struct dpl_run_services *services)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->services = services;
        pthread_mutex_unlock(&world->lock);
    }
}

int remote_worlds_start(struct remote_world *list, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    int err = 0;
    for (struct remote_world *world = list; world && err == 0; world = world->next) {
        pthread_mutex_lock(&world->lock);
        err = start_world(world, real_epoch, reterr);
        pthread_mutex_unlock(&world->lock);
    }
    return err;
}

static int await_grant(struct remote_world *world, struct dpl_diag *reterr)
{
    bool done = remote_wait(world, NULL, grant_is_done, world->patience, STOP_GRACE);
    if (world->broken) {
        return dpl_fail(reterr, -ECONNRESET, (struct dpl_place){0},
                        "%s: the world was lost or restarted, and its time with it",
                        world->address);
    }
    if (done) {
        return 0;
    }
    if (remote_run_is_stopping(world)) {
        return dpl_fail(reterr, -ECANCELED, (struct dpl_place){0},
                        "%s: the run was stopped while it waited for the world", world->address);
    }
    const char *who = world->waiting_for;
    return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0},
                    "%s: the world did not reach %.3f s within %g s%s%s%s", world->address,
                    dpl_ns_to_s(world->grant), dpl_ns_to_s(world->patience),
                    who[0] ? "; it waits for client '" : "", who, who[0] ? "'" : "");
}

int remote_worlds_advance(struct remote_world *list, dpl_ns to, struct dpl_diag *reterr)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->grant = to + world->base;
        world->grant_due = true;
        remote_world_wake(world);
        pthread_mutex_unlock(&world->lock);
    }
    int err = 0;
    for (struct remote_world *world = list; world && err == 0; world = world->next) {
        pthread_mutex_lock(&world->lock);
        err = await_grant(world, reterr);
        pthread_mutex_unlock(&world->lock);
    }
    return err;
}

void remote_worlds_stop(struct remote_world *list)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->stopped = true;
        world->services = NULL;
        pthread_mutex_unlock(&world->lock);
    }
}

uint64_t remote_worlds_contacts(const struct remote_world *list)
{
    uint64_t sum = 0;
    for (const struct remote_world *world = list; world; world = world->next) {
        sum += atomic_load_explicit(&world->contacts, memory_order_relaxed);
    }
    return sum;
}

void remote_worlds_destroy(struct remote_world *list)
{
    while (list) {
        struct remote_world *world = list;
        list = world->next;
        remote_world_destroy(world);
    }
}
