/* SPDX-License-Identifier: Apache-2.0 */
#include "observed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/latest.h>

#include "../doppel/common.h"

#define PERIOD     (20 * DPL_MS)
#define VALUES_MAX 32

/* Each in 8 bytes of its own, as its field has it. */
struct values {
    int64_t of[VALUES_MAX];
};

struct observed {
    const struct observe_wanted *wanted;
    struct session *session;
    /* the run: of its thread, once that is started */
    struct dpl_component_class class_;
    const struct dpl_field *fields[VALUES_MAX]; /* of the device's state */
    struct dpl_field exports[VALUES_MAX];       /* the same, of the component's */
    size_t n;
    struct faults_switches properties, told;
    struct dpl_app_component component;
    struct dpl_app app;
    struct dpl_runtime_options options;
    pthread_t thread;
    /* between both */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct dpl_runtime *runtime; /* with the lock; NULL: there is no run to stop */
    int begun;                   /* with the lock; 1: yes; -1: it cannot */
    atomic_bool is_over;
    bool has_failed; /* of its thread, until that is joined */
    struct dpl_diag
        error; /* as has_failed: why it has failed or cannot begin, if not printed yet */
    uv_async_t woken;
    struct {
        struct dpl_latest sync;
        struct values slot[3];
    } shown;
    struct {
        struct dpl_latest sync;
        struct faults_switches slot[3];
    } switched;
};

/* ---- the component ---- */

static struct observed *of(struct dpl_component *self)
{
    return (struct observed *)((char *)(uintptr_t)self->class_ - offsetof(struct observed, class_));
}

/* From the next turn of the loop on. */
static void tell_switches(struct observed *observed, const struct faults_switches *switches)
{
    observed->switched.slot[dpl_latest_back(&observed->switched.sync)] = *switches;
    dpl_latest_publish(&observed->switched.sync);
    uv_async_send(&observed->woken);
}

/* Who stops the component switches the device off: its cable is out until it is started. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    tell_switches(of(self), self->properties);
    return 0;
}

static int stop(struct dpl_component *self)
{
    struct faults_switches off;
    memcpy(&off, self->properties, sizeof off);
    off.unplug = true;
    tell_switches(of(self), &off);
    return 0;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct observed *observed = of(self);
    (void)tick;
    if (dpl_latest_update(&observed->shown.sync)) {
        memcpy(self->state, &observed->shown.slot[dpl_latest_front(&observed->shown.sync)],
               sizeof(struct values));
    }
    if (memcmp(&observed->told, self->properties, sizeof observed->told) != 0) {
        memcpy(&observed->told, self->properties, sizeof observed->told);
        tell_switches(observed, &observed->told);
    }
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute, .start = start, .stop = stop};

#define SWITCH(type_, member_, name_, unit_, max_, summary_)                                       \
    {                                                                                              \
        .name = name_, .type = type_, .flags = DPL_FIELD_LIVE,                                     \
        DPL_MEMBER(struct faults_switches, member_), .unit = unit_, .default_text = "0",           \
        .max = max_, .summary = summary_,                                                          \
    }

static const struct dpl_field properties[] = {
    SWITCH(DPL_FIELD_DOUBLE, drop, "Drop", NULL, 1.0, "each message is lost with this probability"),
    SWITCH(DPL_FIELD_DOUBLE, garble, "Garble", NULL, 1.0,
           "up to 3 bytes of a message are wrong with this probability"),
    SWITCH(DPL_FIELD_DOUBLE, delay_ms, "Delay", "ms", 10000.0, "of each message"),
    SWITCH(DPL_FIELD_DOUBLE, jitter_ms, "Jitter", "ms", 10000.0,
           "of each message: a random time up to this"),
    SWITCH(DPL_FIELD_BOOL, freeze, "Freeze", NULL, 0, "it neither receives nor sends"),
    SWITCH(DPL_FIELD_BOOL, mute, "Mute", NULL, 0, "it receives, but does not send"),
    SWITCH(DPL_FIELD_BOOL, unplug, "Unplug", NULL, 0, "its cable is disconnected"),
};

/* ---- what it shows ---- */

static const struct dpl_field common[] = {
    DPL_EXPORT_BOOL(struct session, connected, "connected", DPL_FIELD_TRACE | DPL_FIELD_STATUS,
                    "a host has its port open"),
    DPL_EXPORT_BOOL(struct session, plugged, "plugged", DPL_FIELD_TRACE, "the port exists"),
    DPL_EXPORT_INT(struct session, connections, "connections", NULL, DPL_FIELD_TRACE,
                   "hosts that have come"),
    DPL_EXPORT_INT(struct session, lost_messages, "lost_messages", NULL, DPL_FIELD_TRACE,
                   "to the host, for which there was no room"),
};

static void add_values(struct observed *observed, const struct dpl_field *fields, size_t n)
{
    for (size_t i = 0; i < n && observed->n < VALUES_MAX; i++) {
        observed->fields[observed->n] = &fields[i];
        observed->exports[observed->n] = fields[i];
        observed->exports[observed->n].offset = offsetof(struct values, of[observed->n]);
        observed->n++;
    }
}

/* In the loop, after each of its steps. Wait-free. */
static void show(struct observed *observed)
{
    struct values *values = &observed->shown.slot[dpl_latest_back(&observed->shown.sync)];
    for (size_t i = 0; i < observed->n; i++) {
        const struct dpl_field *field = observed->fields[i];
        memcpy(&values->of[i], (const char *)observed->session + field->offset, field->size);
    }
    dpl_latest_publish(&observed->shown.sync);
}

/* ---- its thread ---- */

static void tell_begun(struct observed *observed, struct dpl_runtime *runtime, int begun)
{
    pthread_mutex_lock(&observed->lock);
    observed->runtime = runtime;
    observed->begun = observed->begun == 0 ? begun : observed->begun;
    pthread_cond_signal(&observed->changed);
    pthread_mutex_unlock(&observed->lock);
}

static void run(struct observed *observed, struct dpl_observe *observe)
{
    struct dpl_runtime *runtime;
    if (dpl_runtime_create(&observed->app, &observed->options, &runtime, &observed->error) < 0) {
        return;
    }
    if (observe_tell(observed->wanted, observe, runtime, &observed->app) == 0) {
        tell_begun(observed, runtime, 1);
        observed->has_failed = dpl_runtime_run(runtime, &observed->error) != DPL_EXIT_DONE;
        tell_begun(observed, NULL, 0);
    }
    dpl_runtime_destroy(runtime);
}

static void *run_thread(void *user)
{
    struct observed *observed = user;
    struct dpl_observe *observe;
    if (observe_open(observed->wanted, &observed->options, &observe) == 0) {
        run(observed, observe);
        dpl_observe_close(observe);
    }
    atomic_store(&observed->is_over, true);
    tell_begun(observed, NULL, -1);
    uv_async_send(&observed->woken);
    return NULL;
}

/* In the loop. */
static void on_woken(uv_async_t *handle)
{
    struct observed *observed = handle->data;
    if (dpl_latest_update(&observed->switched.sync)) {
        session_switch(observed->session,
                       &observed->switched.slot[dpl_latest_front(&observed->switched.sync)]);
    }
    if (atomic_load(&observed->is_over)) { /* a viewer has stopped it */
        uv_stop(&observed->session->loop);
    }
}

static int start_thread(struct observed *observed)
{
    sigset_t all, before;
    sigfillset(&all); /* the loop takes the signals */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int err = -pthread_create(&observed->thread, NULL, run_thread, observed);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err < 0) {
        return err;
    }
    pthread_mutex_lock(&observed->lock);
    while (observed->begun == 0) {
        pthread_cond_wait(&observed->changed, &observed->lock);
    }
    err = observed->begun > 0 ? 0 : -ECANCELED;
    pthread_mutex_unlock(&observed->lock);
    if (err < 0) {
        pthread_join(observed->thread, NULL);
    }
    return err;
}

/* ---- life ---- */

static void set_up(struct observed *observed, const struct emulated_device *device, uint64_t seed)
{
    add_values(observed, common, DPL_COUNT(common));
    add_values(observed, device->values,
               device->count_values ? device->count_values(observed->session) : device->n_values);
    observed->properties = observed->told = faults_switches(observed->session->faults);
    observed->class_ = (struct dpl_component_class){
        .name = device->set.name,
        .summary = device->set.summary,
        .ops = &ops,
        .properties = properties,
        .n_properties = DPL_COUNT(properties),
        .properties_size = sizeof(struct faults_switches),
        .exports = observed->exports,
        .n_exports = observed->n,
        .state_size = sizeof(struct values),
        .default_period = PERIOD,
    };
    observed->component = (struct dpl_app_component){
        .name = device->set.name,
        .class_ = &observed->class_,
        .properties = &observed->properties,
        .execution = {.type = DPL_EXECUTION_PERIODIC,
                      .period = PERIOD,
                      .priority = DPL_PRIORITY_DEFAULT,
                      .late_limit = DPL_LATE_LIMIT_DEFAULT},
    };
    observed->app = (struct dpl_app){.name = device->set.name,
                                     .file = "",
                                     .components = &observed->component,
                                     .n_components = 1};
    observed->options = (struct dpl_runtime_options){
        .program = cli_program(),
        .seed = seed,
        .log_level = DPL_LOG_WARN,
        .allow_control = observed->wanted->self.allow_control,
    };
    if (device->robot && device->robot(observed->session)) {
        observed->options.world = robot_link_shown(device->robot(observed->session));
    }
}

int observed_start(const struct observe_wanted *wanted, const struct emulated_device *device,
                   uint64_t seed, struct session *session, struct dpl_diag *reterr)
{
    struct observed *observed = calloc(1, sizeof *observed);
    if (!observed) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    observed->wanted = wanted;
    observed->session = session;
    pthread_mutex_init(&observed->lock, NULL);
    pthread_cond_init(&observed->changed, NULL);
    dpl_latest_init(&observed->shown.sync);
    dpl_latest_init(&observed->switched.sync);
    set_up(observed, device, seed);
    uv_async_init(&session->loop, &observed->woken, on_woken);
    observed->woken.data = observed;
    session->observed = observed;
    session->show = show;
    show(observed);
    int err = start_thread(observed);
    if (err < 0) {
        uv_close((uv_handle_t *)&observed->woken, NULL);
        *reterr = observed->error;
    }
    return err;
}

int observed_stop(struct observed *observed, struct dpl_diag *reterr)
{
    if (!observed) {
        return 0;
    }
    pthread_mutex_lock(&observed->lock);
    if (observed->runtime) {
        dpl_runtime_request_stop(observed->runtime);
    }
    pthread_mutex_unlock(&observed->lock);
    pthread_join(observed->thread, NULL);
    uv_close((uv_handle_t *)&observed->woken, NULL);
    if (observed->has_failed) {
        *reterr = observed->error;
    }
    return observed->has_failed ? -ERANGE : 0;
}

void observed_destroy(struct observed *observed)
{
    if (observed) {
        pthread_cond_destroy(&observed->changed);
        pthread_mutex_destroy(&observed->lock);
        free(observed);
    }
}
