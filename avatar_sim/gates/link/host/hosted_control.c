/* SPDX-License-Identifier: Apache-2.0 */
/* Commands for the loop of a hosted world, from the thread of a server: they go as events and come
 * back as answers. */
#include <errno.h>
#include <string.h>

#include "hosted_world.h"

int hosted_world_allow_control(struct hosted_world *world)
{
    int err = dpl_sim_loop_keep_start(world->loop);
    if (err == 0) {
        world->can_be_controlled = true;
        dpl_latest_init(&world->status.sync);
        hosted_world_publish_status(world);
    }
    return err;
}

void hosted_world_publish_status(struct hosted_world *world)
{
    if (world->can_be_controlled) {
        world->status.slot[dpl_latest_back(&world->status.sync)] = dpl_sim_loop_status(world->loop);
        dpl_latest_publish(&world->status.sync);
    }
}

const struct dpl_sim_loop_status *hosted_world_status(struct hosted_world *world)
{
    dpl_latest_update(&world->status.sync);
    return &world->status.slot[dpl_latest_front(&world->status.sync)];
}

/* On the world's thread, or on the one that destroys the world. */
static void keep_answer(void *user, const struct dpl_sim_event_answer *answer)
{
    struct hosted_request *request = user;
    request->answer = *answer;
    request->status = dpl_sim_loop_status(request->world->loop);
    /* release: who sees the state sees the answer */
    atomic_store_explicit(&request->state, HOSTED_ANSWERED, memory_order_release);
}

static struct hosted_request *find_free(struct hosted_world *world)
{
    for (int i = 0; i < HOSTED_REQUESTS_MAX; i++) {
        struct hosted_request *request = &world->requests[i];
        if (atomic_load_explicit(&request->state, memory_order_relaxed) == HOSTED_FREE) {
            return request;
        }
    }
    return NULL;
}

int hosted_world_request(struct hosted_world *world, const char *command, struct dpl_diag *reterr)
{
    int err = dpl_sim_loop_check(world->loop, command, reterr);
    if (err < 0) {
        return err;
    }
    struct hosted_request *request = find_free(world);
    if (!request) {
        return -ENOSPC;
    }
    request->world = world;
    atomic_store_explicit(&request->state, HOSTED_SENT, memory_order_relaxed);
    struct dpl_sim_event event = {
        .kind = DPL_SIM_CONTROL_KIND,
        .class_ = DPL_SIM_EVENT_EVERY,
        .number = DPL_SIM_CONTROL_NUMBER,
        .payload = command,
        .size = strlen(command),
        .answer = keep_answer,
        .user = request,
    };
    err = dpl_sim_events_send(dpl_sim_loop_events(world->loop), &event, NULL);
    if (err < 0) {
        atomic_store_explicit(&request->state, HOSTED_FREE, memory_order_relaxed);
        return err;
    }
    return (int)(request - world->requests);
}

const struct hosted_request *hosted_world_answer(struct hosted_world *world, int request)
{
    struct hosted_request *at = &world->requests[request];
    bool there = atomic_load_explicit(&at->state, memory_order_acquire) == HOSTED_ANSWERED;
    return there ? at : NULL;
}

void hosted_world_forget_request(struct hosted_world *world, int request)
{
    atomic_store_explicit(&world->requests[request].state, HOSTED_FREE, memory_order_relaxed);
}
