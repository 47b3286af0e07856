/* SPDX-License-Identifier: Apache-2.0 */
#include "thread_setup.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <doppel/host/real_time.h>

#include "runtime.h"

static const struct {
    int value;
    const char *name;
} policies[] = {
    [DPL_POLICY_OTHER] = {SCHED_OTHER, "SCHED_OTHER"},
    [DPL_POLICY_FIFO] = {SCHED_FIFO, "SCHED_FIFO"},
    [DPL_POLICY_RR] = {SCHED_RR, "SCHED_RR"},
};

const char *dpl__policy_name(enum dpl_policy policy)
{
    return policies[policy].name;
}

enum dpl_policy dpl__policy_wanted(const struct dpl_runtime *runtime,
                                   const struct dpl_app_execution *execution)
{
    const struct dpl_runtime_options *options = &runtime->options;
    return options->policy_given ? options->policy : execution->policy;
}

int dpl__thread_set_policy(unsigned long thread, enum dpl_policy policy, int priority)
{
    struct sched_param param = {.sched_priority = policy == DPL_POLICY_OTHER ? 0 : priority};
    return pthread_setschedparam((pthread_t)thread, policies[policy].value, &param);
}

int dpl_real_time_enter(enum dpl_policy policy, struct dpl_diag *reterr)
{
    int r = dpl__thread_set_policy(pthread_self(), policy, DPL__PRIORITY_WORLD);
    if (r != 0) {
        return dpl_fail(reterr, -r, (struct dpl_place){0},
                        "%s refused: %s; runs as SCHED_OTHER: " DPL_REAL_TIME_ALLOW,
                        dpl__policy_name(policy), strerror(r));
    }
    return 0;
}

/* Not MCL_FUTURE: with a limit, memory that a thread asks for later would be refused. */
int dpl_real_time_lock_memory(struct dpl_diag *reterr)
{
    if (mlockall(MCL_CURRENT) != 0) {
        return dpl_fail(reterr, -errno, (struct dpl_place){0},
                        "memory cannot be locked: %s: " DPL_REAL_TIME_ALLOW, strerror(errno));
    }
    return 0;
}

void dpl__thread_wake_on_time(void)
{
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

void dpl__thread_set_signal_stack(void *stack, size_t size)
{
    stack_t before;
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE)) {
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = size}, NULL);
    }
}
