/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks from any thread for one thread, which does them when it serves its mailbox, in the order of
 * posting. Both sides are free of locks, allocations and system calls. A mailbox without a task
 * costs one load. */
#ifndef DOPPEL_RUNTIME_MAILBOX_H
#define DOPPEL_RUNTIME_MAILBOX_H

#include <stdatomic.h>
#include <stddef.h>

/* The poster's memory; it belongs to the mailbox from the post until `run` is called. */
struct dpl__task {
    void (*run)(struct dpl__task *task);
    struct dpl__task *next; /* private */
};

/* Zero-initialise. */
struct dpl__mailbox {
    _Atomic(struct dpl__task *) newest;
};

/* Any thread. */
void dpl__mailbox_post(struct dpl__mailbox *mailbox, struct dpl__task *task);
/* The owner's thread: does all tasks that were posted before. */
void dpl__mailbox_do_all(struct dpl__mailbox *mailbox);

static inline void dpl__mailbox_serve(struct dpl__mailbox *mailbox)
{
    if (atomic_load_explicit(&mailbox->newest, memory_order_relaxed)) {
        dpl__mailbox_do_all(mailbox);
    }
}

#endif
