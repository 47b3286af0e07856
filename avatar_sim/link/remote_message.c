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
    world->best_trip = INT64_MAX;
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

/* ---- frames and blocks ---- */

static struct remote_link *find_slot(struct remote_world *world, uint32_t slot)
{
    struct remote_link *link = world->links;
    while (link && link->slot != slot) {
        link = link->next;
    }
    return link && link->mapped ? link : NULL;
}

/* Its stamps mean nothing while the clocks were not compared. */
static bool has_clock(const struct remote_world *world)
{
    return world->lockstep || world->has_offset;
}

/* A world that follows the real clock is read before ours starts: that is our time 0. */
static dpl_ns our_time(const struct remote_world *world, dpl_ns stamp)
{
    if (world->lockstep) {
        return stamp - world->base;
    }
    dpl_ns mine = world->real_epoch ? stamp + world->offset - world->real_epoch : 0;
    return mine > 0 ? mine : 0;
}

/* Without values and with the answers of before. */
static struct remote_frame *begin_frame(struct remote_link *link, dpl_ns stamp)
{
    struct remote_frame *frame = hosted_slots_back(&link->frames);
    frame->stamp = our_time(link->owner, stamp);
    frame->restarts = link->owner->n_restarts;
    for (size_t i = 0; i < link->n_channels; i++) {
        const struct remote_channel *channel = link->channels[i];
        void *at = frame->values + channel->at;
        if (channel->way == LINK_WAY_FRAME) {
            ((struct hosted_value *)at)->stamp = HOSTED_NO_VALUE;
        } else if (channel->desc->dir == DPL_CHANNEL_REQUEST) {
            *(struct hosted_answer *)at =
                (struct hosted_answer){channel->answered, channel->result};
        }
    }
    return frame;
}

static const char *take_value(struct remote_link *link, const Doppel__Link__SlotFrame *slot,
                              const Doppel__Link__Value *value, struct remote_frame *frame)
{
    const struct remote_channel *channel =
        value->index < link->n_channels ? link->channels[value->index] : NULL;
    if (!channel || channel->way != LINK_WAY_FRAME) {
        return "a value is of no channel that it could be of";
    }
    struct hosted_value *to = (struct hosted_value *)(frame->values + channel->at);
    const char *why = link_value_read(channel->desc, value->value, to->bytes);
    if (!why && !link_value_is_finite(channel->desc, to->bytes)) {
        why = "a number is not finite";
    }
    to->stamp = why ? HOSTED_NO_VALUE : our_time(link->owner, slot->stamp - value->age);
    return why;
}

static int result_of(Doppel__Link__Result result)
{
    switch (result) {
    case DOPPEL__LINK__RESULT__DONE: return 0;
    case DOPPEL__LINK__RESULT__BUSY: return -EBUSY;
    default: return -EINVAL;
    }
}

static const char *take_answer(struct remote_link *link, const Doppel__Link__Answer *answer)
{
    struct remote_channel *channel =
        answer->index < link->n_channels ? link->channels[answer->index] : NULL;
    if (!channel || channel->desc->dir != DPL_CHANNEL_REQUEST) {
        return "an answer is of no channel that it could be of";
    }
    channel->answered = answer->request;
    channel->result = result_of(answer->result);
    return NULL;
}

/* NULL, or why the frame is refused: then nothing of it is published. */
static const char *take_slot(struct remote_link *link, const Doppel__Link__SlotFrame *slot)
{
    const char *why = NULL;
    for (size_t i = 0; i < slot->n_answers && !why; i++) {
        why = take_answer(link, slot->answers[i]);
    }
    struct remote_frame *frame = begin_frame(link, slot->stamp);
    for (size_t i = 0; i < slot->n_values && !why; i++) {
        why = take_value(link, slot, slot->values[i], frame);
    }
    if (!why) {
        dpl_latest_publish(&link->frames.sync);
    }
    return why;
}

/* A frame of an older subscription of the link gives no values: its indices are others. */
static void handle_slot(struct remote_world *world, const Doppel__Link__SlotFrame *slot)
{
    struct remote_link *link = find_slot(world, slot->slot);
    if (!link || slot->number < link->first) {
        return;
    }
    if (slot->number == link->wanted) {
        if (take_slot(link, slot)) {
            world->malformed++;
            return;
        }
        link->confirmed = link->wanted;
    }
    remote_link_revive(link);
}

static void handle_frame(struct remote_world *world, const Doppel__Link__Frame *frame)
{
    if (!has_clock(world)) {
        return;
    }
    for (size_t i = 0; i < frame->n_slots; i++) {
        handle_slot(world, frame->slots[i]);
    }
    world->reached = frame->more ? world->reached : frame->now;
    atomic_store_explicit(&world->contacts, frame->contacts, memory_order_relaxed);
    pthread_cond_broadcast(&world->changed);
}

static void handle_block(struct remote_world *world, const Doppel__Link__Block *block)
{
    struct remote_link *link = find_slot(world, block->slot);
    if (!link || block->number != link->wanted || !has_clock(world)) {
        return;
    }
    struct remote_channel *channel =
        block->index < link->n_channels ? link->channels[block->index] : NULL;
    if (!channel || channel->way != LINK_WAY_BLOCK || block->sequence <= channel->sequence) {
        return;
    }
    struct hosted_value *to = hosted_slots_back(&channel->block);
    if (link_value_read(channel->desc, block->value, to->bytes) ||
        !link_value_is_finite(channel->desc, to->bytes)) {
        world->malformed++;
        return;
    }
    to->stamp = our_time(world, block->stamp);
    channel->sequence = block->sequence;
    dpl_latest_publish(&channel->block.sync);
}

/* ---- time, ownership, refusals ---- */

/* The shortest round trip bounds the error of the offset by its half. An old estimate wears out, so
 * that clocks may drift. */
static void handle_pong(struct remote_world *world, const Doppel__Link__Pong *pong, dpl_ns now)
{
    snprintf(world->waiting_for, sizeof world->waiting_for, "%s", pong->waiting_for);
    dpl_ns trip = now - pong->sent;
    if (pong->sent <= 0 || trip < 0 || trip > REMOTE_SILENCE_GRANTS) {
        return;
    }
    if (!world->has_offset || trip <= world->best_trip) {
        world->offset = pong->sent + trip / 2 - pong->now;
        world->best_trip = trip;
        world->has_offset = true;
    } else {
        world->best_trip += world->best_trip / 100 + 1;
    }
}

/* A part that another client owns is as good as lost, until it is ours. */
static void handle_control(struct remote_world *world, const Doppel__Link__Control *control)
{
    struct remote_link *link = find_slot(world, control->slot);
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
    case DOPPEL__LINK__TO_CLIENT__BODY_FRAME: handle_frame(world, message->frame); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_BLOCK: handle_block(world, message->block); break;
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
                 world->codec->version, LINK_VERSION);
    } else {
        snprintf(world->refusal, sizeof world->refusal, "its answer is refused: %s", why);
    }
    pthread_cond_broadcast(&world->changed);
}

void remote_handle(struct remote_world *world, const void *frame, size_t size, dpl_ns now)
{
    const Doppel__Link__ToClient *message;
    const char *why;
    int err = link_unpack_to_client(world->codec, frame, size, &message, &why);
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
