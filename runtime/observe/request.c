/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct dpl_place nowhere;

/* ---- owner ---- */

static void run_task(struct dpl__task *task)
{
    struct dpl__request *request = (struct dpl__request *)(void *)task;
    enum dpl__request_state state = DPL__REQUEST_WAITS;
    if (!atomic_compare_exchange_strong(&request->state, &state, DPL__REQUEST_RUNS)) {
        atomic_store(&request->state, DPL__REQUEST_GONE);
        return;
    }
    request->result = request->kind->run(request, &request->why);
    atomic_store(&request->state, DPL__REQUEST_DONE);
}

/* ---- asker ---- */

int dpl__request_post(struct dpl__request *request, struct dpl__mailbox *owner, enum dpl_role role)
{
    request->why = (struct dpl_diag){0};
    request->result = 0;
    if (role < request->kind->role) {
        return dpl_fail(&request->why, -EACCES, nowhere, "%s may not %s: that needs the role %s",
                        request->who, request->kind->name,
                        request->kind->role == DPL_ROLE_CONTROL ? "control" : "look");
    }
    request->task.run = run_task;
    atomic_store(&request->state, DPL__REQUEST_WAITS);
    dpl__mailbox_post(owner, &request->task);
    return 0;
}

bool dpl__request_is_answered(struct dpl__request *request, dpl_ns monotonic)
{
    enum dpl__request_state state = atomic_load(&request->state);
    if (state == DPL__REQUEST_DONE) {
        atomic_store(&request->state, DPL__REQUEST_FREE);
        return true;
    }
    if (state != DPL__REQUEST_WAITS || monotonic < request->deadline ||
        !atomic_compare_exchange_strong(&request->state, &state, DPL__REQUEST_EXPIRED)) {
        return false;
    }
    request->result = dpl_fail(&request->why, -ETIMEDOUT, nowhere,
                               "%s: not begun in time, and not done", request->kind->name);
    return true;
}

bool dpl__request_is_free(const struct dpl__request *request)
{
    enum dpl__request_state state = atomic_load(&request->state);
    return state == DPL__REQUEST_FREE || state == DPL__REQUEST_GONE;
}
