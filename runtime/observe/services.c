/* SPDX-License-Identifier: Apache-2.0 */
#include "services.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "host_calls.h"
#include "runtime.h"

static const struct dpl_place nowhere;

static struct dpl__service *find(const struct dpl__services *services, const char *name)
{
    for (size_t i = 0; i < services->n; i++) {
        if (strcmp(services->items[i]->self.name, name) == 0) {
            return services->items[i];
        }
    }
    return NULL;
}

void dpl__services_add(struct dpl__services *services, const struct dpl__service *described)
{
    if (find(services, described->self.name)) {
        return;
    }
    if (services->n == services->capacity) {
        size_t capacity = services->capacity > 0 ? 2 * services->capacity : 64;
        struct dpl__service **items = dpl_arena_alloc(&services->arena, capacity * sizeof *items);
        if (services->n > 0) {
            memcpy(items, services->items, services->n * sizeof *items);
        }
        services->items = items;
        services->capacity = capacity;
    }
    struct dpl__service *service = dpl_arena_alloc(&services->arena, sizeof *service);
    *service = *described;
    service->self.id = (uint32_t)services->n + 1;
    services->items[services->n++] = service;
}

void dpl__services_call(struct dpl__services *services, struct dpl__asker asker,
                        const struct dpl_asked *asked)
{
    const struct dpl__service *service = find(services, asked->name);
    if (service) {
        service->call(services, service, asker, asked);
        return;
    }
    char why[DPL_DIAG_TEXT_MAX];
    snprintf(why, sizeof why, "there is no service '%.300s'", asked->name);
    dpl__asker_tell(asker, asked->tag, -ENOENT, why);
}

static bool needs_control(const struct dpl__services *services, const struct dpl_asked *asked)
{
    const struct dpl__service *service =
        asked->what == DPL_ASK_CALL ? find(services, asked->name) : NULL;
    return asked->what == DPL_ASK_SET || asked->what == DPL_ASK_PUBLISH ||
           (service && !service->is_for_all);
}

static void log_refusal(struct dpl__services *services, const struct dpl_asked *asked,
                        const char *why)
{
    dpl_ns now = dpl_monotonic_now();
    if (strcmp(services->refused, asked->who) == 0 && now - services->refused_at < DPL_S) {
        return;
    }
    snprintf(services->refused, sizeof services->refused, "%s", asked->who);
    services->refused_at = now;
    dpl__log_event(services->runtime->log, DPL_LOG_WARN, "run", "%s asks for %.200s: refused, %s",
                   asked->who, asked->name, why);
}

/* More than the time, by what is not noted where it is done. */
static bool changes_results(const struct dpl_asked *asked)
{
    return asked->what == DPL_ASK_PUBLISH ||
           (asked->what == DPL_ASK_CALL && strncmp(asked->name, "/run/", 5) != 0 &&
            strcmp(asked->name, "/world/put") != 0);
}

int dpl__services_admit(struct dpl__services *services, const struct dpl_asked *asked,
                        struct dpl_diag *reterr)
{
    const char *holder = services->controller;
    int r = 0;
    if (!needs_control(services, asked)) {
        return 0;
    }
    if (asked->role < DPL_ROLE_CONTROL) { /* refused where it is done */
        log_refusal(services, asked, "that needs the role control");
        return 0;
    }
    if (*holder && strcmp(holder, asked->who) != 0) {
        log_refusal(services, asked, "another one has the control");
        r = dpl_fail(reterr, -EBUSY, nowhere, "%.200s: %s controls the run; /run/control takes it",
                     asked->name, holder);
    } else if (changes_results(asked)) {
        struct dpl__by_hand_item item = {.at = dpl__runtime_now(services->runtime),
                                         .kind = DPL__BY_HAND_OTHER,
                                         .name = (char *)(uintptr_t)asked->name};
        dpl__by_hand_add(&services->by_hand, &item);
        services->runtime->was_touched = true;
    }
    return r;
}

void dpl__services_leave(struct dpl__services *services, const char *who)
{
    if (strcmp(services->controller, who) == 0) {
        services->controller[0] = '\0';
        dpl__log_event(services->runtime->log, DPL_LOG_INFO, "run", "%s controls it no more", who);
    }
}

void dpl__services_finish(struct dpl__services *services)
{
    dpl__errands_finish(&services->errands);
    dpl__by_hand_finish(&services->by_hand);
    dpl_arena_finish(&services->arena);
}
