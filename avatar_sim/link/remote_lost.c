/* SPDX-License-Identifier: Apache-2.0 */
/* Losing the links to a served world, and finding them again. */
#include "remote_world.h"

void remote_link_lose(struct remote_link *link, const char *why)
{
    /* in this order: a request that is put from now on is known to be lost */
    atomic_store(&link->alive, false);
    for (size_t i = 0; i < link->n_channels; i++) {
        atomic_store(&link->channels[i]->lost, true);
    }
    if (!link->lost) {
        link->lost = true;
        if (link->device && !link->owner->stopped) {
            dpl_device_lost(link->device, "%s: %s", link->owner->address, why);
        }
    }
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
    world->has_offset = false;
    for (struct remote_link *link = world->links; link; link = link->next) {
        link->mapped = false;
        remote_link_lose(link, why);
    }
    pthread_cond_broadcast(&world->changed);
}
