/* SPDX-License-Identifier: Apache-2.0 */
/* Does the control thread's work while a life-cycle callback blocks it. */
#include "stand_in.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <doppel/host/runtime.h>

#include "control.h"
#include "early_end.h"
#include "going_down.h"
#include "log.h"
#include "runtime.h"

/* the thread runs callbacks of drivers, as the control thread does */
#define STACK_BYTES (512u * 1024u)
#define TURN        (10 * DPL_MS)
#define MOMENT      (100 * DPL_MS) /* for a shorter callback no stand-in is needed */

struct dpl__stand_in {
    struct dpl_runtime *runtime;
    pthread_t thread;
    bool running;
    /* Its owner does the control thread's work: the control thread itself, except in a callback. It
     * protects the following members. */
    pthread_mutex_t duty;
    pthread_cond_t ends; /* `over` has been set */
    bool over;
    enum dpl__operation operation;
    dpl_ns since;    /* CLOCK_MONOTONIC when the callback was called */
    dpl_ns told;     /* run time of the callback when it was last logged; 0: not logged */
    bool told_asked; /* whether the last log line was after a stop request */
    dpl_ns asked_at; /* time of the second stop request; 0: none */
    _Atomic(struct dpl__component *) component; /* component of the running callback; NULL: none */
};

/* ---- the stand-in ---- */

static dpl_ns patience(const struct dpl__stand_in *self, int n_requests)
{
    bool starts = self->operation == DPL__INITIALIZE || self->operation == DPL__START;
    return n_requests > 0 ? DPL__PATIENCE_ASKED : starts ? DPL__PATIENCE_START : DPL__PATIENCE_STOP;
}

static void tell(struct dpl__stand_in *self, const struct dpl__component *component, dpl_ns lasts,
                 int n_requests)
{
    bool asked_now = n_requests > 0 && !self->told_asked;
    if (lasts < patience(self, n_requests) || (lasts < 2 * self->told && !asked_now)) {
        return;
    }
    self->told = lasts;
    self->told_asked = n_requests > 0;
    const char *callback = atomic_load_explicit(&component->callback, memory_order_relaxed);
    dpl__log_printf(self->runtime->log, DPL_LOG_WARN, component->self.name,
                    "%s has not returned for %.1f s, and the run waits for it; a second request to "
                    "stop (Ctrl-C) ends the run without it",
                    callback ? callback : dpl__operation_name(self->operation), dpl_ns_to_s(lasts));
}

/* The devices are informed at once, and have the same time to stop as after a crash. */
static void leave_if_asked(struct dpl__stand_in *self, const struct dpl__component *component,
                           int n_requests, dpl_ns now)
{
    if (n_requests < 2) {
        return;
    }
    self->asked_at = self->asked_at > 0 ? self->asked_at : now;
    dpl_ns from = self->asked_at > self->since ? self->asked_at : self->since;
    if (now - from < MOMENT) {
        return;
    }
    atomic_store_explicit(&self->runtime->going_down, true, memory_order_release);
    if (now - from >= MOMENT + DPL__GOING_DOWN) {
        dpl__early_end_leave(self->runtime, component);
    }
}

/* The caller has the duty. */
static void look(struct dpl__stand_in *self)
{
    struct dpl_runtime *runtime = self->runtime;
    const struct dpl__component *component =
        atomic_load_explicit(&self->component, memory_order_relaxed);
    dpl_ns now = dpl_monotonic_now();
    if (!component || now - self->since < MOMENT) {
        return;
    }
    int n_requests = atomic_load(&runtime->stop_requested);
    tell(self, component, now - self->since, n_requests);
    leave_if_asked(self, component, n_requests, now);
    /* Only after components have started: a stream that is not read for some time would look like a
     * lost one. */
    dpl__control_stand_in(runtime->control, self->operation == DPL__STOP);
}

/* While the control thread has the duty, this thread waits for it without waking up. */
static void *stand_by(void *argument)
{
    struct dpl__stand_in *self = argument;
    pthread_mutex_lock(&self->duty);
    while (!self->over) {
        look(self);
        dpl_ns next = dpl_monotonic_now() + TURN;
        const struct timespec at = {next / DPL_S, next % DPL_S};
        pthread_cond_timedwait(&self->ends, &self->duty, &at);
    }
    pthread_mutex_unlock(&self->duty);
    return NULL;
}

/* ---- the control thread ---- */

void dpl__stand_in_create(struct dpl_runtime *runtime)
{
    struct dpl__stand_in *self = dpl_arena_alloc(&runtime->arena, sizeof *self);
    self->runtime = runtime;
    pthread_mutex_init(&self->duty, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&self->ends, &attributes);
    pthread_condattr_destroy(&attributes);
    runtime->stand_in = self;
}

/* This thread blocks the signals that request a stop. */
static int start_thread(struct dpl__stand_in *self)
{
    sigset_t requests, before;
    sigemptyset(&requests);
    sigaddset(&requests, SIGINT);
    sigaddset(&requests, SIGTERM);
    sigaddset(&requests, SIGHUP);
    pthread_attr_t attributes;
    int r = pthread_attr_init(&attributes);
    if (r != 0) {
        return r;
    }
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &requests, &before);
    r = pthread_create(&self->thread, &attributes, stand_by, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return r;
}

void dpl__stand_in_begin(struct dpl_runtime *runtime)
{
    struct dpl__stand_in *self = runtime->stand_in;
    pthread_mutex_lock(&self->duty);
    self->over = false;
    int r = start_thread(self);
    self->running = r == 0;
    if (r != 0) {
        dpl__log_printf(runtime->log, DPL_LOG_WARN, "runtime",
                        "no thread to watch over callbacks of the life cycle: %s", strerror(r));
    }
}

void dpl__stand_in_end(struct dpl_runtime *runtime)
{
    struct dpl__stand_in *self = runtime->stand_in;
    self->over = true;
    pthread_cond_signal(&self->ends);
    pthread_mutex_unlock(&self->duty);
    if (self->running) {
        pthread_join(self->thread, NULL);
    }
    self->running = false;
}

static void tell_return(const struct dpl__stand_in *self, const struct dpl__component *component)
{
    if (self->told > 0) {
        dpl__log_printf(self->runtime->log, DPL_LOG_INFO, component->self.name,
                        "%s has returned after %.1f s", dpl__operation_name(self->operation),
                        dpl_ns_to_s(dpl_monotonic_now() - self->since));
    }
}

int dpl__stand_in_operate(struct dpl__component *component, enum dpl__operation operation,
                          struct dpl_diag *reterr)
{
    struct dpl__stand_in *self = component->runtime->stand_in;
    self->operation = operation;
    self->since = dpl_monotonic_now();
    self->told = 0;
    self->told_asked = false;
    atomic_store_explicit(&self->component, component, memory_order_relaxed);
    pthread_mutex_unlock(&self->duty);
    int r = dpl__component_operate(component, operation, 0, reterr);
    pthread_mutex_lock(&self->duty);
    atomic_store_explicit(&self->component, NULL, memory_order_relaxed);
    tell_return(self, component);
    return r;
}

bool dpl__stand_in_is_there(const struct dpl_runtime *runtime)
{
    const struct dpl__stand_in *self = runtime->stand_in;
    return self && self->running && atomic_load_explicit(&self->component, memory_order_relaxed);
}

void dpl__stand_in_dismiss(struct dpl_runtime *runtime)
{
    if (dpl__stand_in_is_there(runtime)) {
        pthread_mutex_lock(&runtime->stand_in->duty);
    }
}
