/* SPDX-License-Identifier: Apache-2.0 */
/* Hands of those who look at a run: each has one input of a world, by a link of its own, which
 * lasts as long as the world. */
#include <errno.h>
#include <stdlib.h>

#include "hosted_link.h"
#include "link_embedded.h"

struct hosted_hand {
    struct hosted_hand *next;
    size_t number; /* of the channel in the world's list */
    struct dpl_channel channel;
};

static const struct dpl_place nowhere;

static struct hosted_link *link_of(const struct hosted_hand *hand)
{
    return (struct hosted_link *)hand->channel.link;
}

static struct hosted_hand *find(const struct hosted_world *world, size_t channel)
{
    struct hosted_hand *hand = world->hands;
    while (hand && hand->number != channel) {
        hand = hand->next;
    }
    return hand;
}

static const struct dpl_channel_desc *describe(const struct hosted_world *world, size_t channel)
{
    size_t n;
    return &dpl_world_channels_describe(world->channels, &n)[channel];
}

static int open_link(struct hosted_world *world, size_t channel, struct hosted_hand *hand,
                     struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX + 1];
    struct dpl_link *link;
    snprintf(path, sizeof path, "/%s", describe(world, channel)->path);
    const struct dpl_channel_want want = {.path = path, .put = true};
    int err = link_embedded_prepare(world, &(struct dpl_link_config){0}, &link, reterr);
    if (err < 0) {
        return err;
    }
    ((struct hosted_link *)link)->is_hand = true;
    err = dpl_link_find(link, &want, &hand->channel, reterr);
    if (err < 0) {
        hosted_link_destroy((struct hosted_link *)link);
        return err;
    }
    hand->number = channel;
    link_embedded_join(link);
    return 0;
}

static int open_hand(struct hosted_world *world, size_t channel, struct hosted_hand **ret_hand,
                     struct dpl_diag *reterr)
{
    struct hosted_hand *hand = calloc(1, sizeof *hand);
    int err = hand ? open_link(world, channel, hand, reterr) : -ENOMEM;
    if (err < 0) {
        free(hand);
        return err == -ENOMEM ? dpl_fail(reterr, err, nowhere, "out of memory") : err;
    }
    hand->next = world->hands;
    world->hands = hand;
    *ret_hand = hand;
    return 0;
}

const char *hosted_hands_commander(const struct hosted_world *world, size_t channel)
{
    enum hosted_commander by = hosted_channel_commander(world, channel);
    bool is_other = by != HOSTED_NOBODY && by != HOSTED_HANDS;
    return is_other && describe(world, channel)->dir == DPL_CHANNEL_IN ? hosted_commander_name(by)
                                                                       : NULL;
}

int hosted_hand(const struct hosted_world *world, size_t channel, struct dpl_diag *reterr)
{
    const struct hosted_hand *hand = find(world, channel);
    const char *path = describe(world, channel)->path;
    if (!hand) {
        return DPL_HAND_FREE;
    }
    dpl_link_refresh(hand->channel.link, NULL);
    switch (dpl_channel_answer(hand->channel)) {
    case 0: break;
    case -EINPROGRESS: return DPL_HAND_WAITS;
    case -EBUSY:
        return dpl_fail(reterr, -EBUSY, nowhere, "channel '%s': the world refuses it now: %s", path,
                        hand->channel.desc->dir == DPL_CHANNEL_REQUEST
                            ? "something is in the way"
                            : "somebody else commands it");
    default:
        return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s': the world refuses this value",
                        path);
    }
    bool holds = atomic_load_explicit(&link_of(hand)->holds, memory_order_relaxed);
    return holds ? DPL_HAND_HOLDS : DPL_HAND_FREE;
}

static int check(const struct hosted_world *world, size_t channel, const void *value, dpl_ns hold,
                 struct dpl_diag *reterr)
{
    const struct dpl_channel_desc *desc = describe(world, channel);
    const char *by = hosted_hands_commander(world, channel);
    if (by) {
        return dpl_fail(reterr, -EBUSY, nowhere, "channel '%s' is commanded by %s", desc->path, by);
    }
    if (desc->dir == DPL_CHANNEL_SHARED && value && dpl_channel_element(desc, value, 0) == 0.0 &&
        hosted_hand(world, channel, NULL) == DPL_HAND_FREE) {
        return dpl_fail(reterr, -EBUSY, nowhere,
                        "channel '%s' is shared: it is on as long as anybody wants it, and no "
                        "viewer does",
                        desc->path);
    }
    if (desc->dir == DPL_CHANNEL_REQUEST && (!value || hold > 0)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' is a request: it is done once, and holds nothing",
                        desc->path);
    }
    return 0;
}

static void let_go(const struct hosted_hand *hand)
{
    if (hand->channel.desc->dir == DPL_CHANNEL_SHARED) {
        dpl_channel_put_flag(hand->channel, false);
    } else {
        dpl_link_release(hand->channel.link);
    }
}

int hosted_hands_put(struct hosted_world *world, size_t channel, const void *value, dpl_ns hold,
                     struct dpl_diag *reterr)
{
    struct hosted_hand *hand = find(world, channel);
    int err = check(world, channel, value, hold, reterr);
    if (err == 0 && !hand && value) {
        err = open_hand(world, channel, &hand, reterr);
    }
    if (err < 0 || !hand) {
        return err;
    }
    if (value) {
        atomic_store_explicit(&link_of(hand)->hold, hold, memory_order_relaxed);
        dpl_channel_put(hand->channel, value);
    } else {
        let_go(hand);
    }
    return 0;
}

void hosted_hands_take(struct hosted_world *world)
{
    hosted_world_take_joining(world);
    for (struct hosted_link *link = world->links; link; link = link->next) {
        if (link->is_hand) {
            hosted_link_take(link);
            hosted_link_give(link);
        }
    }
}

void hosted_hands_finish(struct hosted_world *world)
{
    while (world->hands) {
        struct hosted_hand *hand = world->hands;
        world->hands = hand->next;
        free(hand);
    }
}
