/* SPDX-License-Identifier: Apache-2.0 */
#include "observer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "channel_topic.h"
#include "component.h"
#include "derived_topic.h"
#include "device.h"
#include "executor.h"
#include "hands.h"
#include "log.h"
#include "log_topic.h"
#include "port.h"
#include "port_topic.h"
#include "publications.h"
#include "run_topics.h"
#include "runtime.h"
#include "scene_topic.h"
#include "services.h"
#include "thread_setup.h"
#include "value_topic.h"

#define TURN_MS    5
#define TURN_MOST  256 /* messages of a topic in one turn */
#define WORLDS_MAX 64

/* A gateway, as the `observer` that it knows. */
struct gateway {
    struct dpl__observer *observer;
    const struct dpl_gateway *table;
    void *self; /* NULL: not open */
    struct dpl_gateway_place place;
};

struct dpl__observer {
    struct dpl_runtime *runtime;
    struct dpl__topics topics;
    struct dpl__row_tap *log, *events, *verdicts;
    struct dpl__scenes *scenes; /* NULL: there is no world */
    struct dpl__parameters *parameters;
    struct dpl__services services;
    struct dpl__run_topics *run;
    struct dpl__publications *publications;
    bool may_control, has_ended;
    struct gateway *gateways; /* runtime->options.n_gateways */
    pthread_t thread;
    bool has_thread;
    void *signal_stack;
    uv_loop_t loop;
    uv_timer_t turn;
    uv_async_t wake;
    sem_t opened;
    struct dpl_kept_file last; /* kept at the end; data NULL: none */
    int err;                   /* of opening, then of closing */
    struct dpl_diag why;
    atomic_bool ending;
    atomic_bool waited_for; /* the thread of a simulated run waits at `room` */
    sem_t room;
};

static const struct dpl_place nowhere;

/* ---- messages ---- */

static void give_to_gateways(void *user, const struct dpl__topic *topic,
                             const struct dpl_sample *sample)
{
    struct dpl__observer *observer = user;
    for (size_t i = 0; i < observer->runtime->options.n_gateways; i++) {
        struct gateway *gateway = &observer->gateways[i];
        if (gateway->self) {
            gateway->table->message(gateway->self, &topic->self, sample);
        }
    }
}

static void give(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    if (!topic->is_hidden) {
        give_to_gateways(user, topic, sample);
    }
    dpl__derived_topics_give(topic, sample, give_to_gateways, user);
}

static size_t take_turn(struct dpl__observer *observer)
{
    struct dpl__run_look look = {.has_hardware = observer->services.has_hardware,
                                 .may_control = observer->may_control,
                                 .has_ended = observer->has_ended,
                                 .controller = observer->services.controller};
    if (!*look.controller) {
        look.controller = dpl__publications_controller(observer->publications);
    }
    dpl__run_topics_turn(observer->run, &look);
    dpl__hands_turn(observer->services.hands);
    size_t n = dpl__topics_drain(&observer->topics, TURN_MOST, give, observer);
    if (atomic_exchange(&observer->waited_for, false)) {
        sem_post(&observer->room);
    }
    dpl__parameters_turn(observer->parameters, false);
    dpl__errands_turn(&observer->services.errands, false);
    dpl__publications_turn(observer->publications, false);
    return n;
}

void dpl__observer_make_room(void *user)
{
    struct dpl__observer *observer = user;
    atomic_store(&observer->waited_for, true);
    uv_async_send(&observer->wake);
    while (sem_wait(&observer->room) != 0) {
    }
}

void dpl__observer_line(const struct dpl__observer *observer, const struct dpl__observed_line *line)
{
    struct dpl__row_tap *const taps[] = {line->is_printed ? observer->log : NULL,
                                         line->is_event ? observer->events : NULL};
    for (size_t i = 0; i < DPL_COUNT(taps); i++) {
        struct dpl__row *row = taps[i] ? dpl__row_tap_open(taps[i]) : NULL;
        if (row) {
            struct dpl__log_row *to = (void *)row->data;
            to->level = line->level;
            snprintf(to->source, sizeof to->source, "%s", line->source);
            snprintf(to->text, sizeof to->text, "%s", line->text);
            dpl__row_tap_send(taps[i], line->stamp);
        }
    }
}

struct dpl__row_tap *dpl__observer_verdicts(const struct dpl__observer *observer)
{
    return observer ? observer->verdicts : NULL;
}

/* ---- what gateways ask ---- */

static void on_listen(void *user, const struct dpl_topic *topic, int by)
{
    (void)user;
    dpl__topic_listen((struct dpl__topic *)(uintptr_t)topic, by);
}

static void ask(void *user, void *self, const struct dpl_asked *from)
{
    const struct gateway *gateway = user;
    struct dpl__observer *observer = gateway->observer;
    struct dpl__asker asker = {gateway->table, self, from->role};
    struct dpl_asked asked = *from;
    struct dpl_diag why = {0};
    if (!observer->may_control && asked.role > DPL_ROLE_LOOK) {
        asked.role = DPL_ROLE_LOOK;
    }
    int r = dpl__services_admit(&observer->services, &asked, &why);
    if (r < 0 && asked.what != DPL_ASK_SET) {
        dpl__asker_tell(asker, asked.tag, r, why.text);
        return;
    }
    switch (asked.what) {
    case DPL_ASK_GET:
    case DPL_ASK_SET:
        dpl__parameters_ask(observer->parameters, gateway->table, self, &asked,
                            r < 0 ? why.text : NULL);
        break;
    case DPL_ASK_CALL: dpl__services_call(&observer->services, asker, &asked); break;
    case DPL_ASK_PUBLISH: dpl__publications_ask(observer->publications, asker, &asked); break;
    case DPL_ASK_LEAVE: dpl__services_leave(&observer->services, asked.who); break;
    default: dpl__asker_tell(asker, asked.tag, -EOPNOTSUPP, "a run does not offer that to viewers");
    }
}

static dpl_ns now(void *user)
{
    return dpl__runtime_now(((const struct gateway *)user)->observer->runtime);
}

static void tell(void *user, enum dpl_log_level level, const char *text)
{
    const struct gateway *gateway = user;
    dpl__log_printf(gateway->observer->runtime->log, level, gateway->table->name, "%s", text);
}

static const struct dpl_observer_ops ops = {on_listen, ask, now, tell};

int dpl__observer_save(const struct dpl_runtime *runtime, const char *file, double seconds,
                       struct dpl_saved *ret_saved, struct dpl_diag *reterr)
{
    int r = -EOPNOTSUPP;
    for (size_t i = 0; i < runtime->options.n_gateways && r == -EOPNOTSUPP; i++) {
        const struct gateway *gateway = &runtime->observer->gateways[i];
        r = gateway->self && gateway->table->save
                ? gateway->table->save(gateway->self, file, seconds, ret_saved, reterr)
                : r;
    }
    return r == -EOPNOTSUPP ? dpl_fail(reterr, r, nowhere, "nothing keeps the last time") : r;
}

/* ---- the thread ---- */

static void on_turn(uv_timer_t *timer)
{
    take_turn(timer->data);
}

static void on_wake(uv_async_t *wake)
{
    struct dpl__observer *observer = wake->data;
    take_turn(observer);
    if (atomic_load(&observer->ending)) {
        uv_stop(&observer->loop);
    }
}

static int open_gateway(struct dpl__observer *observer, size_t i)
{
    const struct dpl_runtime *runtime = observer->runtime;
    struct gateway *gateway = &observer->gateways[i];
    const struct dpl_gateway_use *use = &runtime->options.gateways[i];
    struct dpl_gateway_setup setup = {&ops, gateway, &observer->loop, use->options,
                                      runtime->app->name};
    gateway->observer = observer;
    gateway->table = use->gateway;
    int r = use->gateway->open(&setup, &gateway->self, &observer->why);
    if (r < 0) {
        return r;
    }
    if (use->gateway->keep) {
        dpl__observe_files(runtime, use->gateway->keep, gateway->self);
    }
    for (size_t k = 0; k < observer->topics.n; k++) {
        if (!observer->topics.items[k]->is_hidden) {
            use->gateway->advertise(gateway->self, &observer->topics.items[k]->self);
        }
    }
    for (size_t k = 0; use->gateway->offer && k < observer->services.n; k++) {
        use->gateway->offer(gateway->self, &observer->services.items[k]->self);
    }
    if (use->gateway->where) {
        use->gateway->where(gateway->self, &gateway->place);
    }
    return 0;
}

static int open_gateways(struct dpl__observer *observer)
{
    int r = 0;
    for (size_t i = 0; i < observer->runtime->options.n_gateways && r == 0; i++) {
        r = open_gateway(observer, i);
    }
    return r;
}

/* The first error stays. */
static int close_gateways(struct dpl__observer *observer)
{
    int first = 0;
    for (size_t i = observer->runtime->options.n_gateways; i-- > 0;) {
        struct gateway *gateway = &observer->gateways[i];
        struct dpl_diag why = {0};
        int r = gateway->self ? gateway->table->close(gateway->self, &why) : 0;
        gateway->self = NULL;
        if (r < 0 && first == 0) {
            first = r;
            observer->why = why;
        }
    }
    return first;
}

static void tell_lost(struct dpl__observer *observer)
{
    unsigned long long lost = 0;
    const char *most = "";
    uint64_t largest = 0;
    for (size_t i = 0; i < observer->topics.n; i++) {
        const struct dpl__topic *topic = observer->topics.items[i];
        uint64_t n = topic->ops->dropped(topic->source);
        lost += n;
        most = n > largest ? topic->self.name : most;
        largest = n > largest ? n : largest;
    }
    if (lost > 0) {
        dpl__log_printf(observer->runtime->log, DPL_LOG_WARN, "observer",
                        "%llu messages were lost for observers, most of them of %s: they came "
                        "faster than they could be taken",
                        lost, most);
    }
}

static void keep_last(const struct dpl__observer *observer)
{
    for (size_t i = 0; observer->last.data && i < observer->runtime->options.n_gateways; i++) {
        const struct gateway *gateway = &observer->gateways[i];
        if (gateway->self && gateway->table->keep) {
            gateway->table->keep(gateway->self, &observer->last);
        }
    }
}

static void close_handle(uv_handle_t *handle, void *user)
{
    (void)user;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void *thread_main(void *argument)
{
    struct dpl__observer *observer = argument;
    dpl__thread_set_signal_stack(observer->signal_stack, DPL__SIGNAL_STACK);
    observer->err = open_gateways(observer);
    bool is_open = observer->err == 0;
    sem_post(&observer->opened);
    if (is_open) {
        uv_timer_start(&observer->turn, on_turn, TURN_MS, TURN_MS);
        uv_run(&observer->loop, UV_RUN_DEFAULT);
        uv_timer_stop(&observer->turn);
        observer->has_ended = true;
        while (take_turn(observer) > 0) {
        }
        dpl__parameters_turn(observer->parameters, true);
        dpl__errands_turn(&observer->services.errands, true);
        dpl__publications_turn(observer->publications, true);
        tell_lost(observer);
        keep_last(observer);
    }
    int r = close_gateways(observer);
    observer->err = is_open ? r : observer->err;
    uv_walk(&observer->loop, close_handle, NULL);
    uv_run(&observer->loop, UV_RUN_DEFAULT);
    return NULL;
}

static int start_thread(struct dpl__observer *observer)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int r = pthread_attr_init(&attributes);
    if (r != 0) {
        return -r;
    }
    /* no real-time policy, whatever the control thread has */
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    r = pthread_create(&observer->thread, &attributes, thread_main, observer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    observer->has_thread = r == 0;
    if (r == 0) {
        pthread_setname_np(observer->thread, "observer");
    }
    return -r;
}

/* ---- life ---- */

/* Returns how many there are. */
static size_t find_scenes(const struct dpl_runtime *runtime, struct dpl_scene *ret[WORLDS_MAX])
{
    const struct dpl_world_host *host = &runtime->options.world;
    size_t n = 0;
    while (host->ops && host->ops->scene && n < WORLDS_MAX &&
           (ret[n] = host->ops->scene(host->self, n))) {
        n++;
    }
    return n;
}

static int add_scenes(struct dpl__observer *observer, struct dpl_diag *reterr)
{
    struct dpl_scene *scenes[WORLDS_MAX];
    size_t n = find_scenes(observer->runtime, scenes);
    int r = dpl__scene_topics_add(&observer->topics, scenes, n, &observer->scenes, reterr);
    if (observer->scenes && observer->runtime->options.simulated) {
        dpl__scenes_be_patient(observer->scenes, dpl__observer_make_room, observer);
    }
    return r;
}

static int add_channels(struct dpl__observer *observer, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = observer->runtime;
    const struct dpl__patience patience = {dpl__observer_make_room, observer};
    struct dpl_scene *scenes[WORLDS_MAX];
    size_t n_scenes = find_scenes(runtime, scenes);
    int r = dpl__hands_add(&observer->topics, runtime, scenes, n_scenes, &observer->services.hands,
                           reterr);
    if (r < 0) {
        return r;
    }
    int n = dpl__channel_topics_add(&observer->topics, scenes, n_scenes,
                                    runtime->options.simulated ? &patience : NULL, reterr);
    if (n > 0) {
        dpl__log_printf(runtime->log, DPL_LOG_WARN, "observer",
                        "%d channels of worlds are no topics: there are too many", n);
    }
    return n < 0 ? n : 0;
}

static int make_topics(struct dpl__observer *observer, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = observer->runtime;
    struct dpl__topics *topics = &observer->topics;
    int r = dpl__log_topic_add(topics, "/log", "lines of the log", &observer->log, reterr);
    r = r < 0 ? r
              : dpl__log_topic_add(topics, "/events", "life cycle of components, faults",
                                   &observer->events, reterr);
    r = r < 0 ? r : dpl__port_topics_add(topics, runtime, reterr);
    r = r < 0 ? r
              : dpl__derived_topics_add(topics, runtime->options.converters,
                                        runtime->options.n_converters, reterr);
    r = r < 0 ? r : add_scenes(observer, reterr);
    r = r < 0 ? r : dpl__watched_create(runtime, topics, observer, reterr);
    r = r < 0 ? r : dpl__verdicts_add(topics, &observer->verdicts, reterr);
    r = r < 0 ? r : add_channels(observer, reterr);
    r = r < 0 ? r : dpl__run_topics_add(topics, runtime, &observer->run, reterr);
    observer->publications = r < 0 ? NULL : dpl__publications_create(runtime, topics, reterr);
    return r < 0 || observer->publications ? r : -ENOMEM;
}

static int make_services(struct dpl__observer *observer, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = observer->runtime;
    struct dpl__services *services = &observer->services;
    services->runtime = runtime;
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl_app_device *device = runtime->app->components[i].device;
        services->has_hardware |= device && dpl__device_needs_hardware(device);
    }
    observer->may_control = runtime->options.simulated || runtime->options.allow_control;
    int r = dpl__component_services_add(services, reterr);
    dpl__world_services_add(services);
    dpl__keep_services_add(services);
    return r < 0 ? r : dpl__run_services_add(services, reterr);
}

/* On the simulated clock taps wait for room. */
static void make_patient(struct dpl__observer *observer)
{
    struct dpl_runtime *runtime = observer->runtime;
    struct dpl__row_tap *const lines[] = {observer->log, observer->events, observer->verdicts};
    for (size_t i = 0; i < DPL_COUNT(lines); i++) {
        lines[i]->make_room = dpl__observer_make_room;
        lines[i]->user = observer;
    }
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        const struct dpl__component *component = runtime->components[i];
        for (size_t k = 0; k < component->self.class_->n_ports; k++) {
            struct dpl__connection *tap = component->ports[k].tap;
            if (tap) {
                tap->make_room = dpl__observer_make_room;
                tap->user = observer;
            }
        }
    }
}

static int init_loop(struct dpl__observer *observer)
{
    int r = uv_loop_init(&observer->loop);
    if (r < 0) {
        return r;
    }
    uv_timer_init(&observer->loop, &observer->turn);
    r = uv_async_init(&observer->loop, &observer->wake, on_wake);
    observer->turn.data = observer;
    observer->wake.data = observer;
    return r;
}

static int open_all(struct dpl__observer *observer, struct dpl_diag *reterr)
{
    int r = init_loop(observer);
    observer->parameters =
        r < 0 ? NULL : dpl__parameters_create(observer->runtime, &observer->services.by_hand);
    r = r < 0 || observer->parameters ? r : -ENOMEM;
    r = r < 0 ? r : start_thread(observer);
    if (r < 0) {
        return dpl_fail(reterr, r, nowhere, "cannot start the observer: %s", strerror(-r));
    }
    while (sem_wait(&observer->opened) != 0) {
    }
    if (observer->err < 0) {
        r = observer->err;
        dpl_fail(reterr, r, nowhere, "%s", observer->why.text);
        dpl__observer_end(observer->runtime, NULL);
    }
    return r;
}

int dpl__observer_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    if (runtime->options.n_gateways == 0 || runtime->is_rehearsal) {
        return 0;
    }
    struct dpl__observer *observer = dpl_arena_alloc(&runtime->arena, sizeof *observer);
    observer->runtime = runtime;
    observer->gateways =
        dpl_arena_alloc(&runtime->arena, runtime->options.n_gateways * sizeof *observer->gateways);
    observer->signal_stack = dpl_arena_alloc(&runtime->arena, DPL__SIGNAL_STACK);
    sem_init(&observer->opened, 0, 0);
    sem_init(&observer->room, 0, 0);
    int r = make_topics(observer, reterr);
    r = r < 0 ? r : make_services(observer, reterr);
    if (r == 0 && runtime->options.simulated) {
        make_patient(observer);
    }
    runtime->observer = observer; /* what was made is freed with it */
    return r < 0 ? r : open_all(observer, reterr);
}

void dpl__observer_begin(struct dpl_runtime *runtime)
{
    for (size_t i = 0; runtime->observer && i < runtime->n_executors; i++) {
        dpl__mailbox_serve(&runtime->executors[i]->mailbox);
    }
}

void dpl__observer_keep(struct dpl_runtime *runtime, const char *name, const char *text)
{
    if (runtime->observer && text) {
        runtime->observer->last =
            (struct dpl_kept_file){name, "application/json", text, strlen(text)};
    }
}

int dpl__observer_end(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct dpl__observer *observer = runtime->observer;
    if (!observer || !observer->has_thread) {
        return 0;
    }
    atomic_store(&observer->ending, true);
    uv_async_send(&observer->wake);
    pthread_join(observer->thread, NULL);
    observer->has_thread = false;
    uv_loop_close(&observer->loop);
    observer->log = NULL;
    observer->events = NULL;
    observer->verdicts = NULL;
    return observer->err < 0 ? dpl_fail(reterr, observer->err, nowhere, "%s", observer->why.text)
                             : 0;
}

void dpl__observer_destroy(struct dpl_runtime *runtime)
{
    struct dpl__observer *observer = runtime->observer;
    if (observer) {
        dpl__observer_end(runtime, NULL);
        dpl__parameters_destroy(observer->parameters);
        dpl__publications_destroy(observer->publications);
        dpl__port_topics_finish(&observer->topics);
        dpl__row_topics_finish(&observer->topics);
        dpl__scenes_finish(observer->scenes);
        dpl__topics_finish(&observer->topics);
        dpl__services_finish(&observer->services);
        sem_destroy(&observer->opened);
        sem_destroy(&observer->room);
        runtime->observer = NULL;
    }
}

void dpl_runtime_gateway_place(const struct dpl_runtime *runtime, size_t i,
                               struct dpl_gateway_place *ret_place)
{
    bool is_there = runtime->observer && i < runtime->options.n_gateways;
    *ret_place =
        is_there ? runtime->observer->gateways[i].place : (struct dpl_gateway_place){.port = 0};
}
