/* SPDX-License-Identifier: Apache-2.0 */
/* A link to a hosted world: its layout, and moving values between its buffers and the world. */
#include "hosted_link.h"

#include <errno.h>
#include <stdlib.h>

#include <doppel/device.h>

#include "world_scene.h"

/* ---- layout ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + 7u) & ~(size_t)7u;
}

int hosted_slots_init(struct hosted_slots *slots, size_t bytes)
{
    unsigned char *memory = calloc(3, round_up(bytes));
    if (!memory) {
        return -ENOMEM;
    }
    free(slots->memory);
    *slots = (struct hosted_slots){.size = round_up(bytes), .memory = memory};
    dpl_latest_init(&slots->sync);
    return 0;
}

int hosted_link_create(struct hosted_world *world, const struct dpl_link_config *config,
                       struct hosted_link **ret_link, struct dpl_diag *reterr)
{
    const char *part;
    int err = hosted_world_find_part(world, config, &part, reterr);
    if (err < 0) {
        return err;
    }
    struct hosted_link *link = calloc(1, sizeof *link);
    if (!link || hosted_slots_init(&link->frames, sizeof(struct hosted_value)) < 0) {
        free(link);
        return -ENOMEM;
    }
    link->owner = world;
    link->part = -1;
    link->silence = config->silence;
    link->is_copy = config->is_copy;
    link->look = config->look;
    snprintf(link->under, sizeof link->under, "%s", part);
    *ret_link = link;
    return 0;
}

void hosted_link_destroy(struct hosted_link *link)
{
    if (!link) {
        return;
    }
    for (size_t i = 0; i < link->n_inputs; i++) {
        free(link->inputs[i].slots.memory);
    }
    for (size_t i = 0; i < link->n_outputs; i++) {
        free(link->outputs[i].block.memory);
    }
    free(link->frames.memory);
    free(link->inputs);
    free(link->outputs);
    free(link->found);
    free(link);
}

static bool is_same(const struct hosted_link *link, const struct hosted_found *found,
                    size_t channel)
{
    switch (found->kind) {
    case HOSTED_INPUT: return link->inputs[found->index].channel == channel;
    case HOSTED_OUTPUT: return link->outputs[found->index].channel == channel;
    case HOSTED_CONSTANT: return found->index == channel;
    }
    return false;
}

/* Room for one element more: `list` has `n`. NULL: out of memory, the list stays. */
static void *grow(void *list, size_t n, size_t size)
{
    return realloc(list, (n + 1) * size);
}

static int add_input(struct hosted_link *link, size_t channel, const struct dpl_channel_desc *desc)
{
    struct hosted_input *inputs = grow(link->inputs, link->n_inputs, sizeof *inputs);
    if (!inputs) {
        return -ENOMEM;
    }
    link->inputs = inputs;
    struct hosted_input *input = &inputs[link->n_inputs];
    *input = (struct hosted_input){
        .channel = channel, .desc = desc, .bytes = dpl_channel_bytes(desc), .due = INT64_MAX};
    int err = hosted_slots_init(&input->slots, sizeof(struct hosted_value) + input->bytes);
    link->n_inputs += err == 0;
    return err;
}

static int add_output(struct hosted_link *link, size_t channel, const struct dpl_channel_desc *desc)
{
    struct hosted_output *outputs = grow(link->outputs, link->n_outputs, sizeof *outputs);
    if (!outputs) {
        return -ENOMEM;
    }
    link->outputs = outputs;
    struct hosted_output *output = &outputs[link->n_outputs];
    *output = (struct hosted_output){
        .channel = channel,
        .bytes = dpl_channel_bytes(desc),
        .is_block = desc->type == &dpl_channel_block && desc->dir == DPL_CHANNEL_OUT,
        .newest = HOSTED_NO_VALUE,
    };
    int err = output->is_block
                  ? hosted_slots_init(&output->block, sizeof(struct hosted_value) + output->bytes)
                  : 0;
    link->n_outputs += err == 0;
    return err;
}

static size_t place_outputs(struct hosted_link *link)
{
    size_t at = sizeof(struct hosted_value) + link->n_inputs * sizeof(struct hosted_answer);
    for (size_t i = 0; i < link->n_outputs; i++) {
        struct hosted_output *output = &link->outputs[i];
        output->at = at;
        at += output->is_block ? 0 : sizeof(struct hosted_value) + round_up(output->bytes);
    }
    return at;
}

static int add(struct hosted_link *link, size_t channel, const struct dpl_channel_desc *desc,
               struct hosted_found *ret_found)
{
    int err = 0;
    if (dpl_channel_is_input(desc->dir) && !link->look) {
        *ret_found = (struct hosted_found){HOSTED_INPUT, link->n_inputs};
        err = add_input(link, channel, desc);
    } else if (desc->dir != DPL_CHANNEL_CONSTANT) {
        *ret_found = (struct hosted_found){HOSTED_OUTPUT, link->n_outputs};
        err = add_output(link, channel, desc);
    } else {
        *ret_found = (struct hosted_found){HOSTED_CONSTANT, channel};
    }
    link->has_frame = false;
    return err < 0 ? err : hosted_slots_init(&link->frames, place_outputs(link));
}

/* The inputs that a link puts have one owner, so they are of one part. */
static int check_part(struct hosted_link *link, const struct dpl_channel_desc *desc,
                      const struct dpl_channel_want *want, struct dpl_diag *reterr)
{
    if (!dpl_channel_is_owned(desc->dir) || link->look) {
        return 0;
    }
    int part = hosted_world_part(link->owner, desc->path);
    if (link->part >= 0 && part != link->part && !link->many_parts) {
        return dpl_fail(reterr, -EINVAL, want->place,
                        "channel '%s' is of another part than '%s', which this link commands",
                        desc->path, link->owner->parts[link->part].name);
    }
    link->part = part;
    return 0;
}

static bool has_input(const struct hosted_link *link, size_t channel)
{
    for (size_t i = 0; i < link->n_inputs; i++) {
        if (link->inputs[i].channel == channel) {
            return true;
        }
    }
    return false;
}

/* An input has one owner among the links of this process, too. The world does not move yet. */
static int check_owner(const struct hosted_link *link, size_t channel,
                       const struct dpl_channel_desc *desc, const struct dpl_channel_want *want,
                       struct dpl_diag *reterr)
{
    if (!link->before_start || desc->dir != DPL_CHANNEL_IN || link->look) {
        return 0;
    }
    for (const struct hosted_link *at = link->owner->links; at; at = at->next) {
        if (at != link && !atomic_load(&at->closed) && has_input(at, channel)) {
            return dpl_fail(reterr, -EBUSY, want->place,
                            "channel '%s' is commanded by another device of this run", desc->path);
        }
    }
    return 0;
}

/* What this process commands belongs to no client of a server, and to no hands. */
static void note_owner(struct hosted_link *link, size_t channel, enum dpl_channel_dir dir)
{
    if (link->part >= 0 && link->before_start && !link->owns) {
        link->owns = hosted_part_join(link->owner, link->part);
    }
    if (dir == DPL_CHANNEL_IN && link->before_start && !link->look) {
        (void)hosted_channel_join(link->owner, channel, HOSTED_DEVICE); /* check_owner has looked */
    }
}

int hosted_link_add(struct hosted_link *link, size_t channel, const struct dpl_channel_want *want,
                    struct dpl_diag *reterr)
{
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(link->owner->channels, &n);
    for (size_t i = 0; i < link->n_found; i++) {
        if (is_same(link, &link->found[i], channel)) {
            return (int)i;
        }
    }
    int err = check_part(link, &descs[channel], want, reterr);
    err = err < 0 ? err : check_owner(link, channel, &descs[channel], want, reterr);
    if (err < 0) {
        return err;
    }
    struct hosted_found *found = grow(link->found, link->n_found, sizeof *found);
    if (!found) {
        return -ENOMEM;
    }
    link->found = found;
    err = add(link, channel, &descs[channel], &found[link->n_found]);
    if (err < 0) {
        return err;
    }
    note_owner(link, channel, descs[channel].dir);
    return (int)link->n_found++;
}

/* ---- from the user to the world ---- */

static void set_held(struct hosted_link *link, struct hosted_input *input, bool held)
{
    input->held = held;
    atomic_store_explicit(&link->holds, held, memory_order_relaxed);
}

static void release(struct hosted_link *link, struct hosted_input *input)
{
    if (!input->held) {
        return;
    }
    set_held(link, input, false);
    input->due = INT64_MAX;
    if (input->desc->dir == DPL_CHANNEL_SHARED) {
        dpl_world_channels_share(link->owner->channels, input->channel, false);
    } else {
        dpl_world_channels_release(link->owner->channels, input->channel);
    }
    if (link->is_hand) {
        hosted_channel_leave(link->owner, input->channel, HOSTED_HANDS);
    }
}

/* Requests hold nothing, and of shared flags nobody is the owner. */
static bool may_hold(const struct hosted_link *link, const struct hosted_input *input)
{
    return !link->is_hand || input->held || input->desc->dir != DPL_CHANNEL_IN ||
           hosted_channel_join(link->owner, input->channel, HOSTED_HANDS) == HOSTED_NOBODY;
}

/* When what is held now falls silent. */
static dpl_ns due_of(const struct hosted_link *link, const struct hosted_input *input)
{
    bool shared = input->desc->dir == DPL_CHANNEL_SHARED;
    dpl_ns hold = atomic_load_explicit(&link->hold, memory_order_relaxed);
    return hosted_world_silence(link->owner, shared ? 0 : input->desc->silence,
                                link->is_hand ? hold
                                : shared      ? 0
                                              : link->silence);
}

static void apply(struct hosted_link *link, struct hosted_input *input)
{
    struct dpl_world_channels *channels = link->owner->channels;
    const struct hosted_value *value = hosted_slots_front(&input->slots);
    input->n_taken = value->number;
    if (!may_hold(link, input)) {
        input->result = -EBUSY;
        return;
    }
    if (input->desc->dir == DPL_CHANNEL_SHARED) {
        bool on = *(const bool *)value->bytes;
        if (on != input->held) {
            dpl_world_channels_share(channels, input->channel, on);
        }
        set_held(link, input, on);
    } else {
        input->result = dpl_world_channels_put(channels, input->channel, value->bytes);
        set_held(link, input, input->desc->dir == DPL_CHANNEL_IN);
    }
    input->due = input->held ? due_of(link, input) : INT64_MAX;
    if (link->is_hand && link->owner->scene) {
        world_scene_touch(link->owner->scene); /* who has put it sees it, though time stands */
    }
}

/* A shared flag is wanted as before: dpl_world_channels_restored sees to it. */
static void put_input_again(struct hosted_link *link, struct hosted_input *input)
{
    const struct hosted_value *value = hosted_slots_front(&input->slots);
    if (input->held && input->desc->dir == DPL_CHANNEL_IN) {
        dpl_world_channels_put(link->owner->channels, input->channel, value->bytes);
    }
    input->due = input->held ? due_of(link, input) : INT64_MAX;
}

void hosted_link_put_again(struct hosted_link *link)
{
    for (size_t i = 0; i < link->n_inputs; i++) {
        put_input_again(link, &link->inputs[i]);
    }
    for (size_t i = 0; i < link->n_outputs; i++) {
        link->outputs[i].newest = HOSTED_NO_VALUE;
    }
}

/* Inputs that were put before the link's release number `n_releases`. */
static void release_owned(struct hosted_link *link, uint64_t n_releases)
{
    for (size_t i = 0; i < link->n_inputs; i++) {
        struct hosted_input *input = &link->inputs[i];
        if (input->desc->dir != DPL_CHANNEL_SHARED && input->n_taken >> 32 < n_releases) {
            release(link, input);
        }
    }
}

void hosted_link_let_go(struct hosted_link *link)
{
    release_owned(link, UINT64_MAX);
    for (size_t i = 0; i < link->n_inputs; i++) {
        if (link->inputs[i].desc->dir == DPL_CHANNEL_SHARED) {
            release(link, &link->inputs[i]);
        }
    }
}

bool hosted_link_is_leaving(struct hosted_link *link)
{
    return atomic_load_explicit(&link->released, memory_order_acquire) != link->n_released ||
           atomic_load_explicit(&link->closed, memory_order_acquire);
}

/* Nobody answers for what was put: the world releases it. What was put before does not count any
 * more when the commander is back. */
static bool is_left_alone(struct hosted_link *link)
{
    const struct dpl_device *device = atomic_load_explicit(&link->device, memory_order_relaxed);
    bool alone = device && !dpl_device_is_commanded(device);
    link->left_alone = alone;
    return alone;
}

static void take_input(struct hosted_link *link, struct hosted_input *input, bool alone)
{
    bool is_new = dpl_latest_update(&input->slots.sync);
    if (alone && input->desc->dir == DPL_CHANNEL_IN) {
        release(link, input);
    } else if (is_new) {
        apply(link, input);
    } else if (input->held && dpl_world_now(link->owner->world) >= input->due) {
        release(link, input);
    }
}

void hosted_link_take(struct hosted_link *link)
{
    bool alone = is_left_alone(link);
    /* acquire, and read first: what was put before the release is taken before it */
    uint32_t released = atomic_load_explicit(&link->released, memory_order_acquire);
    for (size_t i = 0; i < link->n_inputs; i++) {
        take_input(link, &link->inputs[i], alone);
    }
    if (released != link->n_released) {
        link->n_released = released;
        release_owned(link, released);
    }
}

dpl_ns hosted_link_next_silence(const struct hosted_link *link, dpl_ns end)
{
    for (size_t i = 0; i < link->n_inputs; i++) {
        end = link->inputs[i].due < end ? link->inputs[i].due : end;
    }
    return end;
}

/* ---- from the world to the user ---- */

static void give_block(struct hosted_link *link, struct hosted_output *output)
{
    const struct dpl_world_channels *channels = link->owner->channels;
    dpl_ns stamp;
    if (dpl_world_channels_get(channels, output->channel, NULL, &stamp) < 0 ||
        stamp == output->newest) {
        return;
    }
    struct hosted_value *value = hosted_slots_back(&output->block);
    output->newest = stamp;
    dpl_world_channels_get(channels, output->channel, value->bytes, &stamp);
    value->stamp = stamp + link->owner->offset;
    dpl_latest_publish(&output->block.sync);
}

static void give_value(const struct hosted_link *link, const struct hosted_output *output,
                       unsigned char *frame)
{
    struct hosted_value *value = (struct hosted_value *)(frame + output->at);
    dpl_ns stamp;
    int err = dpl_world_channels_get(link->owner->channels, output->channel, value->bytes, &stamp);
    value->stamp = err == 0 ? stamp + link->owner->offset : HOSTED_NO_VALUE;
}

void hosted_link_give(struct hosted_link *link)
{
    unsigned char *frame = hosted_slots_back(&link->frames);
    struct hosted_value *head = (struct hosted_value *)frame;
    struct hosted_answer *answers = (struct hosted_answer *)head->bytes;
    head->stamp = dpl_world_now(link->owner->world) + link->owner->offset;
    for (size_t i = 0; i < link->n_inputs; i++) {
        answers[i] = (struct hosted_answer){link->inputs[i].n_taken, link->inputs[i].result};
    }
    for (size_t i = 0; i < link->n_outputs; i++) {
        if (link->outputs[i].is_block) {
            give_block(link, &link->outputs[i]);
        } else {
            give_value(link, &link->outputs[i], frame);
        }
    }
    dpl_latest_publish(&link->frames.sync);
}
