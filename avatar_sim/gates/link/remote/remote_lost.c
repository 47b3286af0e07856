/* SPDX-License-Identifier: Apache-2.0 */
/* Losing the links to a served world, and finding them again. */
#include <stdio.h>
#include <string.h>

#include "remote_world.h"

/* The first reason is the loss. Another one that follows is told, too: the world may have come back
 * without what the link needs. */
static void tell(struct remote_link *link, const char *why)
{
    bool is_new = !link->lost || strncmp(link->why, why, sizeof link->why - 1) != 0;
    uint64_t held;
    snprintf(link->why, sizeof link->why, "%s", why);
    if (!is_new || !link->device || link->owner->stopped) {
        return;
    }
    if (!link->lost) {
        dpl_device_lost(link->device, "%s: %s", link->owner->address, why);
    } else if (dpl_peer_log_may(&link->owner->rivals, dpl_monotonic_now(), &held)) {
        dpl_device_log(link->device, DPL_LOG_WARN, "still lost: %s: %s", link->owner->address, why);
    }
}

void remote_link_lose(struct remote_link *link, const char *why)
{
    /* in this order: a request that is put from now on is known to be lost */
    atomic_store(&link->alive, false);
    for (size_t i = 0; i < link->n_channels; i++) {
        atomic_store(&link->channels[i]->lost, true);
    }
    tell(link, why);
    link->lost = true;
}

void remote_link_revive(struct remote_link *link)
{
    if (link->denied) {
        return;
    }
    atomic_store(&link->alive, true);
    if (link->lost) {
        link->lost = false;
        if (link->device && !link->owner->stopped) {
            dpl_device_found(link->device);
        }
    }
}

void remote_world_lose(struct remote_world *world, const char *why)
{
    world->broken = world->broken || (world->grants && world->welcomed);
    world->welcomed = false;
    remote_clock_begin(&world->clock);
    for (struct remote_link *link = world->links; link; link = link->next) {
        link->mapped = false;
        remote_link_lose(link, why);
    }
    pthread_cond_broadcast(&world->changed);
}
