/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread of the run sets for itself: scheduling policy, exact wake-ups, a signal stack. */
#ifndef DOPPEL_RUNTIME_THREAD_SETUP_H
#define DOPPEL_RUNTIME_THREAD_SETUP_H

#include <stddef.h>

#include <doppel/host/app.h>

struct dpl_runtime;

/* Real-time priorities, lowest first. A world whose steps take too long must not block the control
 * thread, which owns buses; executors have a higher priority than both. */
#define DPL__PRIORITY_WORLD    1
#define DPL__PRIORITY_CONTROL  2
#define DPL__PRIORITY_EXECUTOR 3 /* minimum */

#define DPL__SIGNAL_STACK ((size_t)64 * 1024) /* bytes for dpl__thread_set_signal_stack */

/* The policy for an executor, from its profile and the options. */
enum dpl_policy dpl__policy_wanted(const struct dpl_runtime *runtime,
                                   const struct dpl_app_execution *execution);

/* "SCHED_OTHER" ...: never NULL. */
const char *dpl__policy_name(enum dpl_policy policy);

/* Sets the policy of the calling or another thread: 0 or a positive errno. */
int dpl__thread_set_policy(unsigned long thread, enum dpl_policy policy, int priority);

/* Linux lets a thread without a real-time policy sleep up to 50 us longer, to wake several threads
 * together. Switches this off for the calling thread. */
void dpl__thread_wake_on_time(void);

/* Each thread of the run calls it once, with memory that stays valid: signal handlers run on this
 * stack, because the thread's own stack may be full when it crashes. Does nothing if the thread
 * already has a signal stack (from a sanitizer). */
void dpl__thread_set_signal_stack(void *stack, size_t size);

#endif
