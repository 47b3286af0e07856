/* SPDX-License-Identifier: Apache-2.0 */
/* Commands for the loop of a hosted world, from the thread of a server or an observer: they go as
 * events and come back as answers. */
#include <errno.h>
#include <string.h>

#include "hosted_world.h"

int hosted_world_allow_control(struct hosted_world *world)
{
    int err = dpl_sim_loop_keep_start(world->loop);
    if (err == 0) {
        world->can_be_controlled = true;
        dpl_latest_init(&world->status.sync);
        dpl_latest_init(&world->shown.sync);
        hosted_world_publish_status(world);
    }
    return err;
}

static void publish(struct hosted_status *status, const struct dpl_sim_loop_status *from)
{
    status->slot[dpl_latest_back(&status->sync)] = *from;
    dpl_latest_publish(&status->sync);
}

void hosted_world_publish_status(struct hosted_world *world)
{
    if (world->can_be_controlled) {
        const struct dpl_sim_loop_status status = dpl_sim_loop_status(world->loop);
        publish(&world->status, &status);
        publish(&world->shown, &status);
    }
}

const struct dpl_sim_loop_status *hosted_status(struct hosted_status *status)
{
    dpl_latest_update(&status->sync);
    return &status->slot[dpl_latest_front(&status->sync)];
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

/* From now on it is the caller's. */
static struct hosted_request *take_free(struct hosted_world *world)
{
    for (int i = 0; i < HOSTED_REQUESTS_MAX; i++) {
        struct hosted_request *request = &world->requests[i];
        int state = HOSTED_FREE;
        if (atomic_compare_exchange_strong(&request->state, &state, HOSTED_SENT)) {
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
    struct hosted_request *request = take_free(world);
    if (!request) {
        return dpl_fail(reterr, -ENOSPC, (struct dpl_place){0}, "too many commands at once");
    }
    request->world = world;
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

const char *hosted_answer_text(const struct dpl_sim_event_answer *answer)
{
    static const char *const texts[] = {
        [DPL_SIM_EVENT_DONE] = "",
        [DPL_SIM_EVENT_CANCELLED] = "another command has taken its place",
        [DPL_SIM_EVENT_DROPPED] = "a reset or a restore came first",
    };
    return answer->result == DPL_SIM_EVENT_FAILED ? dpl_sim_loop_explain(answer->code)
                                                  : texts[answer->result];
}

void hosted_world_forget_request(struct hosted_world *world, int request)
{
    atomic_store_explicit(&world->requests[request].state, HOSTED_FREE, memory_order_relaxed);
}
