/* SPDX-License-Identifier: Apache-2.0 */
#include "services.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

void dpl__services_finish(struct dpl__services *services)
{
    dpl__errands_finish(&services->errands);
    dpl_arena_finish(&services->arena);
}
