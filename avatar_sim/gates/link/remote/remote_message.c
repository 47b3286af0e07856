/* SPDX-License-Identifier: Apache-2.0 */
/* What a client does when a served world says something. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "remote_world.h"

/* ---- welcome and list ---- */

static bool is_of_our_mode(struct remote_world *world, const Doppel__Link__Welcome *welcome)
{
    if (!world->started || welcome->lockstep == world->grants) {
        return true;
    }
    snprintf(world->refusal, sizeof world->refusal, "the world is served %s",
             welcome->lockstep ? "in lock-step, this run follows the real clock"
                               : "in real time, this run is simulated");
    return false;
}

/* The links are not mapped onto this list yet, and subscribe anew. */
static void begin_with_list(struct remote_world *world)
{
    for (struct remote_link *link = world->links; link; link = link->next) {
        link->tried = link->mapped = link->denied = false;
        link->confirmed = 0;
        link->wanted = ++world->n_subscriptions;
    }
}

/* The world's list is the newest; of those before only what users have stays. */
static void take_list(struct remote_world *world)
{
    struct remote_list **at = &world->list;
    while (*at) {
        struct remote_list *list = *at;
        if (list->pinned) {
            at = &list->next;
        } else {
            *at = list->next;
            remote_list_destroy(list);
        }
    }
    world->incoming->next = world->list;
    world->list = world->incoming;
    world->incoming = NULL;
    begin_with_list(world);
}

/* Asks for the list unless it is the one that we have. */
static void want_list(struct remote_world *world, const Doppel__Link__Welcome *welcome)
{
    const struct remote_list *list = world->list;
    remote_list_destroy(world->incoming);
    world->incoming = NULL;
    if (list && list->n == welcome->channels && list->fingerprint == welcome->fingerprint) {
        begin_with_list(world);
        return;
    }
    world->incoming = remote_list_create(welcome->channels, welcome->fingerprint);
    world->next_page = 0;
    if (world->incoming && remote_list_is_complete(world->incoming)) {
        take_list(world);
    }
}

static void handle_welcome(struct remote_world *world, const Doppel__Link__Welcome *welcome,
                           uint64_t session)
{
    /* welcomed: this is the answer to a second hello that crossed the first */
    if (world->welcomed || !is_of_our_mode(world, welcome)) {
        return;
    }
    want_list(world, welcome);
    if (!world->incoming && !world->list) {
        snprintf(world->refusal, sizeof world->refusal, "no memory for its channels");
        return;
    }
    world->n_restarts += world->has_session && world->session != session;
    world->welcomed = world->has_session = true;
    world->session = session;
    world->lockstep = welcome->lockstep;
    world->refusal[0] = '\0';
    remote_clock_begin(&world->clock);
    world->next_ping = 0;
    if (!world->has_base) {
        world->has_base = true;
        world->base = world->reached = welcome->now;
    }
}

static void handle_channels(struct remote_world *world, const Doppel__Link__Channels *page)
{
    if (!world->incoming) {
        return;
    }
    size_t before = world->incoming->n_got;
    remote_list_add(world->incoming, page);
    if (world->incoming->n_got > before) {
        world->next_page = 0;
    }
    if (remote_list_is_complete(world->incoming)) {
        take_list(world);
    }
}

/* ---- time, ownership, refusals ---- */

static void handle_pong(struct remote_world *world, const Doppel__Link__Pong *pong, dpl_ns now)
{
    snprintf(world->waiting_for, sizeof world->waiting_for, "%s", pong->waiting_for);
    dpl_ns trip = now - pong->sent;
    if (world->welcomed && pong->sent > 0 && trip >= 0 && trip <= REMOTE_PATIENCE) {
        remote_clock_add(&world->clock, pong->sent, pong->now, now);
    }
}

/* A part that another client owns is as good as lost, until it is ours. */
static void handle_control(struct remote_world *world, const Doppel__Link__Control *control)
{
    struct remote_link *link = remote_find_slot(world, control->slot);
    if (!link) {
        return;
    }
    uint64_t held;
    link->denied = !control->granted;
    if (link->denied) {
        remote_link_lose(link, control->text);
    } else if (control->text[0] && link->device && !world->stopped &&
               dpl_peer_log_may(&world->rivals, dpl_monotonic_now(), &held)) {
        dpl_device_log(link->device, DPL_LOG_WARN, "%s: %s", world->address, control->text);
    }
}

static void handle_refused(struct remote_world *world, const Doppel__Link__Refused *refused)
{
    if (world->welcomed) {
        world->next_hello = 0; /* a restarted world does not know us: say hello at once */
        remote_world_lose(world, refused->text);
        return;
    }
    snprintf(world->refusal, sizeof world->refusal, "%s", refused->text);
    pthread_cond_broadcast(&world->changed);
}

static void handle_message(struct remote_world *world, const Doppel__Link__ToClient *message,
                           dpl_ns now)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_CLIENT__BODY_WELCOME:
        handle_welcome(world, message->welcome, message->session);
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS: handle_channels(world, message->channels); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_FRAME: remote_handle_frame(world, message->frame); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_BLOCK: remote_handle_block(world, message->block); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_PONG: handle_pong(world, message->pong, now); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_REFUSED: handle_refused(world, message->refused); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_CONTROL: handle_control(world, message->control); break;
    default: break;
    }
}

/* A peer that we do not understand, in words. */
static void note_stranger(struct remote_world *world, int err, const char *why)
{
    world->malformed++;
    if (world->welcomed) {
        return;
    }
    if (err == -EPROTONOSUPPORT) {
        snprintf(world->refusal, sizeof world->refusal,
                 "the world speaks version %u of the link protocol, this program version %u",
                 world->client.codec->version, LINK_VERSION);
    } else {
        snprintf(world->refusal, sizeof world->refusal, "its answer is refused: %s", why);
    }
    pthread_cond_broadcast(&world->changed);
}

void remote_handle(struct remote_world *world, const void *frame, size_t size, dpl_ns now)
{
    const Doppel__Link__ToClient *message;
    const char *why;
    int err = link_unpack_to_client(world->client.codec, frame, size, &message, &why);
    if (err < 0) {
        note_stranger(world, err, why);
        return;
    }
    bool welcome = message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    bool refused = message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    if (world->welcomed && message->session != world->session) {
        world->next_hello = 0;
        remote_world_lose(world, "the world was restarted");
    }
    if (world->welcomed || welcome || refused) {
        world->last_heard = now;
        handle_message(world, message, now);
    }
}
