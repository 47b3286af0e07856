/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a loop: its world, and the events that wait. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loop_parts.h"

struct head {
    size_t world_size, events_size;
    bool boundary_is_open;
};

/* ---- in the caller's memory ---- */

size_t dpl_sim_loop_snapshot_size(struct dpl_sim_loop *loop)
{
    return sizeof(struct head) + dpl_world_snapshot_size(loop->options.world) +
           dpl_sim_events_snapshot_size(loop->events);
}

int dpl_sim_loop_save(struct dpl_sim_loop *loop, void *ret_snapshot, size_t size)
{
    struct head head = {
        .world_size = dpl_world_snapshot_size(loop->options.world),
        .boundary_is_open = loop->boundary_is_open,
    };
    if (size < sizeof head + head.world_size) {
        return -ENOSPC;
    }
    unsigned char *at = (unsigned char *)ret_snapshot + sizeof head;
    head.events_size = size - sizeof head - head.world_size;
    int err = dpl_sim_events_save(loop->events, at + head.world_size, head.events_size);
    err = err < 0 ? err : dpl_world_save(loop->options.world, at, head.world_size);
    if (err == 0) {
        memcpy(ret_snapshot, &head, sizeof head);
    }
    return err;
}

/* The world is another one now. */
static void jump(struct dpl_sim_loop *loop)
{
    if (loop->goal.active) { /* it was to end in a pause */
        loop_abandon_goal(loop);
        loop->paused = true;
    }
    loop->status.jumps++;
    loop->fault = 0;
    loop_pace_again(loop);
    if (loop->options.jumped) {
        loop->options.jumped(loop->options.jumped_user);
    }
}

/* Events first: only that may fail with a snapshot of this loop. */
static int restore(struct dpl_sim_loop *loop, const void *snapshot, size_t size, bool with_events)
{
    struct head head;
    if (size < sizeof head) {
        return -EINVAL;
    }
    memcpy(&head, snapshot, sizeof head);
    if (head.world_size > size - sizeof head ||
        head.events_size > size - sizeof head - head.world_size) {
        return -EINVAL;
    }
    const unsigned char *at = (const unsigned char *)snapshot + sizeof head;
    int err = with_events
                  ? dpl_sim_events_restore(loop->events, at + head.world_size, head.events_size)
                  : 0;
    err = err < 0 ? err : dpl_world_restore(loop->options.world, at, head.world_size);
    if (err == 0) {
        loop->boundary_is_open = head.boundary_is_open;
    }
    return err;
}

int dpl_sim_loop_restore(struct dpl_sim_loop *loop, const void *snapshot, size_t size)
{
    int err = restore(loop, snapshot, size, true);
    if (err == 0) {
        jump(loop);
    }
    return err;
}

/* ---- in memory of the loop ---- */

static int keep(struct dpl_sim_loop *loop, struct loop_snapshot *snapshot)
{
    size_t size = dpl_sim_loop_snapshot_size(loop);
    if (size > snapshot->capacity) {
        void *bytes = malloc(size);
        if (!bytes) {
            return -ENOMEM;
        }
        free(snapshot->bytes);
        snapshot->bytes = bytes;
        snapshot->capacity = size;
    }
    snapshot->size = size;
    return dpl_sim_loop_save(loop, snapshot->bytes, size);
}

int dpl_sim_loop_keep_start(struct dpl_sim_loop *loop)
{
    return keep(loop, &loop->start);
}

int loop_reset(struct dpl_sim_loop *loop)
{
    if (!loop->start.bytes) {
        return -ENOTSUP;
    }
    int err = restore(loop, loop->start.bytes, loop->start.size, false);
    if (err < 0) {
        return err;
    }
    dpl_sim_events_reset(loop->events, loop_steps(loop));
    jump(loop);
    return 0;
}

/* The snapshot of that name; "": a free one. NULL: there is none. */
static struct loop_snapshot *find(struct dpl_sim_loop *loop, const char *name)
{
    for (size_t i = 0; i < DPL_SIM_SNAPSHOTS; i++) {
        if (strcmp(loop->snapshots[i].name, name) == 0) {
            return &loop->snapshots[i];
        }
    }
    return NULL;
}

int loop_snapshot(struct dpl_sim_loop *loop, const char *name)
{
    struct loop_snapshot *snapshot = find(loop, name);
    snapshot = snapshot ? snapshot : find(loop, "");
    if (!snapshot) {
        return -ENOSPC;
    }
    int err = keep(loop, snapshot);
    if (err == 0) {
        memcpy(snapshot->name, name, strlen(name) + 1);
    }
    return err;
}

int loop_restore(struct dpl_sim_loop *loop, const char *name)
{
    const struct loop_snapshot *snapshot = find(loop, name);
    return snapshot ? dpl_sim_loop_restore(loop, snapshot->bytes, snapshot->size) : -ENOENT;
}

void loop_free_snapshots(struct dpl_sim_loop *loop)
{
    for (size_t i = 0; i < DPL_SIM_SNAPSHOTS; i++) {
        free(loop->snapshots[i].bytes);
    }
    free(loop->start.bytes);
}
