/* SPDX-License-Identifier: Apache-2.0 */
/* A hand-made application for whole runs: two components, Robot and Base, of which Base comes
 * second in the profile, is depended on by Robot, and has a device. Each callback leaves a word. A
 * suite begins with runtime_begin and ends with runtime_end. */
#ifndef TEST_RUNTIME_RUNTIME_RIG_H
#define TEST_RUNTIME_RUNTIME_RIG_H

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "component.h"
#include "device.h"
#include "runtime.h"

static char events[1024];
static const char *failing; /* the word whose callback fails; NULL: none */
static struct dpl_runtime *runtime;
static struct dpl_device *base_device;
static uint64_t lose_at, stop_at, fault_at; /* cycles of Base; 0: never */
static uint64_t good_at = UINT64_MAX;
static bool judged;
static int n_stops = 1;
static dpl_ns start_takes;           /* of each component */
static bool stuck;                   /* Base's execute never returns */
static int moves_for = -1;           /* cycles of halt until Base is at rest; -1: it never moves */
static int n_endings, n_other_halts; /* cycles in which Base was told so */

static inline int note(const char *what, const char *who)
{
    char word[64];
    snprintf(word, sizeof word, "%s:%s", what, who);
    if (strlen(events) + strlen(word) + 2 < sizeof events) {
        strcat(strcat(events, word), " ");
    }
    return failing && strcmp(word, failing) == 0 ? -EIO : 0;
}

/* ---- the driver ---- */

static inline int driver_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    return note("open", device->name);
}

static inline void driver_close(struct dpl_device *device)
{
    note("close", device->name);
}

static const struct dpl_driver driver = {
    .name = "fake",
    .backend = DPL_BACKEND_MOCK,
    .open = driver_open,
    .close = driver_close,
};

/* ---- the components ---- */

static inline int on_initialize(struct dpl_component *c, struct dpl_diag *reterr)
{
    int r = note("init", c->name);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){0}, "no luck") : 0;
}

static inline int on_start(struct dpl_component *c, struct dpl_diag *reterr)
{
    int r = note("start", c->name);
    nanosleep(&(struct timespec){.tv_nsec = start_takes}, NULL);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){0}, "no luck") : 0;
}

static inline int on_execute(struct dpl_component *c, const struct dpl_tick *tick)
{
    return 0;
}

static inline int on_execute_base(struct dpl_component *c, const struct dpl_tick *tick)
{
    if (lose_at > 0 && tick->cycle == lose_at) {
        dpl_device_lost(base_device, "unplugged");
    }
    if (stop_at > 0 && tick->cycle == stop_at) {
        for (int i = 0; i < n_stops; i++) {
            dpl_runtime_request_stop(runtime);
        }
    }
    n_endings += tick->halt == DPL_HALT_ENDING;
    n_other_halts += tick->halt == DPL_HALT_LOST;
    dpl_component_set_moving(c, n_endings < moves_for);
    if (fault_at > 0 && tick->cycle >= fault_at) {
        dpl_component_set_fault(c, tick->cycle < good_at ? "stuck in the mud" : NULL);
    }
    if (judged && tick->cycle == fault_at) {
        dpl_component_give_verdict(c, &(struct dpl_verdict){.expected = true, .name = "stuck"});
    }
    if (stuck) {
        for (;;) {
            pause();
        }
    }
    return failing && strcmp(failing, "execute:Base") == 0 && tick->cycle == 2 ? -EIO : 0;
}

static inline int on_stop(struct dpl_component *c)
{
    return note("stop", c->name);
}

static inline int on_error(struct dpl_component *c, int cause)
{
    return note("error", c->name);
}

static inline int on_recover(struct dpl_component *c)
{
    return note("recover", c->name);
}

static inline void on_destroy(struct dpl_component *c)
{
    note("destroy", c->name);
}

static const struct dpl_component_ops robot_ops = {
    .initialize = on_initialize,
    .start = on_start,
    .execute = on_execute,
    .stop = on_stop,
    .error = on_error,
    .recover = on_recover,
    .destroy = on_destroy,
};
static const struct dpl_component_ops base_ops = {
    .initialize = on_initialize,
    .start = on_start,
    .execute = on_execute_base,
    .stop = on_stop,
    .error = on_error,
    .recover = on_recover,
    .destroy = on_destroy,
};
static const struct dpl_component_ops plain_ops = {.execute = on_execute};
static const struct dpl_component_class robot_class = {.name = "Robot", .ops = &robot_ops};
static const struct dpl_component_class base_class = {.name = "Base", .ops = &base_ops};
static const struct dpl_component_class plain_class = {.name = "Plain", .ops = &plain_ops};

/* ---- the application ---- */

static char no_properties[1];
static const struct dpl_app_device base_model = {.name = "Base", .driver = &driver};
static const struct dpl_app_device extra_model = {.name = "Extra", .driver = &driver};
static const struct dpl_app_component components[] = {
    {.name = "Robot",
     .class_ = &robot_class,
     .properties = no_properties,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
    {.name = "Base",
     .class_ = &base_class,
     .properties = no_properties,
     .device = &base_model,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
    {.name = "Extra",
     .class_ = &plain_class,
     .properties = no_properties,
     .device = &extra_model,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
};
static const struct dpl_app_depends depends[] = {{.source = 1, .target = 0}};
static struct dpl_app app = {
    .name = "test",
    .file = "test.xml",
    .components = components,
    .n_components = 2,
    .depends = depends,
    .n_depends = 1,
};
static struct dpl_runtime_options options = {
    .simulated = true,
    .duration = 20 * DPL_MS,
    .seed = 1,
    .log_level = DPL_LOG_DEBUG,
};
static char log_text[16384];

static inline void runtime_begin(void)
{
    options.log = fmemopen(log_text, sizeof log_text, "w");
    cr_assert_not_null(options.log);
}

static inline void runtime_end(void)
{
    fclose(options.log);
}

static inline void create(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), 0, "%s", diag.text);
    base_device = runtime->components[1]->device;
}

static inline enum dpl_exit run_whole(struct dpl_diag *reterr)
{
    create();
    enum dpl_exit r = dpl_runtime_run(runtime, reterr);
    dpl_runtime_destroy(runtime);
    return r;
}

#endif
