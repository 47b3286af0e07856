/* SPDX-License-Identifier: Apache-2.0 */
/* Values, answers and blocks that a served world sends. */
#include <errno.h>

#include "remote_world.h"

/* Its stamps mean nothing while the clocks were not compared. */
static bool has_clock(const struct remote_world *world)
{
    return world->lockstep || world->clock.known;
}

/* A world that follows the real clock is read before ours starts: that is our time 0. */
static dpl_ns our_time(const struct remote_world *world, dpl_ns stamp)
{
    if (world->lockstep) {
        return stamp - world->base;
    }
    dpl_ns mine = world->real_epoch ? stamp + world->clock.offset - world->real_epoch : 0;
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
    struct remote_link *link = remote_find_slot(world, slot->slot);
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

void remote_handle_frame(struct remote_world *world, const Doppel__Link__Frame *frame)
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

void remote_handle_block(struct remote_world *world, const Doppel__Link__Block *block)
{
    struct remote_link *link = remote_find_slot(world, block->slot);
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
