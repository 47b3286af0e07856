/* SPDX-License-Identifier: Apache-2.0 */
/* A list to which any thread adds (Treiber, 1986); the owner takes all of it at once. */
#include "mailbox.h"

void dpl__mailbox_post(struct dpl__mailbox *mailbox, struct dpl__task *task)
{
    task->next = atomic_load_explicit(&mailbox->newest, memory_order_relaxed);
    /* Release publishes the task's content to the owner. */
    while (!atomic_compare_exchange_weak_explicit(&mailbox->newest, &task->next, task,
                                                  memory_order_release, memory_order_relaxed)) {
    }
}

void dpl__mailbox_do_all(struct dpl__mailbox *mailbox)
{
    struct dpl__task *newest =
        atomic_exchange_explicit(&mailbox->newest, NULL, memory_order_acquire);
    struct dpl__task *oldest = NULL;
    while (newest) {
        struct dpl__task *before = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = before;
    }
    while (oldest) {
        struct dpl__task *task = oldest;
        oldest = task->next; /* `run` may give the task back to its poster */
        task->run(task);
    }
}
