/* SPDX-License-Identifier: Apache-2.0 */
#include "player.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define TURN_BYTES ((size_t)4 << 20)
#define TURN_MOST  20000
#define PARTS      100 /* of the time, in which it is read at the start */

struct player_held {
    const struct dpl_mcap_channel *channel;
    uint64_t *times; /* of its messages, in their order */
    size_t n;
};

/* ---- what holds ---- */

bool player_is_latched(const struct dpl_mcap_channel *channel)
{
    struct dpl_mcap_span pairs = channel->metadata;
    bool is_key = true;
    for (size_t at = 0; pairs.n - at >= 4; is_key = !is_key) {
        size_t n = (size_t)dpl_bytes_get(pairs.data + at, 4);
        at += 4;
        if (n > pairs.n - at) {
            break;
        }
        if (is_key && bag_span_is((struct dpl_mcap_span){pairs.data + at, n}, "latched")) {
            return true;
        }
        at += n;
    }
    return false;
}

static bool is_latched(void *user, const struct dpl_mcap_channel *channel)
{
    (void)user;
    return player_is_latched(channel);
}

static struct player_held *find_held(const struct player *player,
                                     const struct dpl_mcap_channel *channel)
{
    size_t i = 0;
    while (i < player->n_held && player->held[i].channel != channel) {
        i++;
    }
    return i < player->n_held ? &player->held[i] : NULL;
}

static int note_time(struct player_held *held, uint64_t time)
{
    if ((held->n & (held->n - 1)) == 0) { /* full at each power of two */
        uint64_t *times = realloc(held->times, (held->n ? 2 * held->n : 1) * sizeof *times);
        if (!times) {
            return -ENOMEM;
        }
        held->times = times;
    }
    held->times[held->n++] = time;
    return 0;
}

/* Notes those of a part of the time, both ends included. */
static int find_held_from(struct player *player, uint64_t from, uint64_t to)
{
    struct bag *bag = &player->bag;
    struct dpl_mcap_message message;
    int r;
    bag->module->seek(bag->reader, from, to, is_latched, NULL);
    while ((r = bag->module->next(bag->reader, &message)) > 0) {
        struct player_held *held = find_held(player, message.channel);
        int noted = held ? note_time(held, message.log_time) : 0;
        if (noted < 0) {
            return noted;
        }
    }
    return r;
}

static int find_all_held(struct player *player)
{
    const struct bag *bag = &player->bag;
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    player->held = calloc(info->n_channels + 1, sizeof *player->held);
    if (!player->held) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < info->n_channels; i++) {
        if (player_is_latched(info->channels[i])) {
            player->held[player->n_held++].channel = info->channels[i];
        }
    }
    uint64_t from = 0, start = info->start, part = (info->end - start) / PARTS;
    int r = 0;
    for (uint64_t i = 1; player->n_held > 0 && i <= PARTS && r == 0; i++) {
        if (player->tell) {
            player->tell((double)(i - 1) / PARTS);
        }
        uint64_t to = i < PARTS ? start + i * part : UINT64_MAX;
        r = find_held_from(player, from, to);
        from = to + 1;
    }
    return r;
}

static bool is_this(void *user, const struct dpl_mcap_channel *channel)
{
    return channel == user;
}

static void give_held(struct player *player, const struct player_held *held, uint64_t until,
                      const struct player_sink *sink)
{
    struct bag *bag = &player->bag;
    struct dpl_mcap_message message;
    size_t n = 0;
    while (n < held->n && held->times[n] < until) {
        n++;
    }
    if (n > 0) {
        uint64_t time = held->times[n - 1];
        bag->module->seek(bag->reader, time, time, is_this, (void *)(uintptr_t)held->channel);
        while (bag->module->next(bag->reader, &message) > 0) {
            sink->give(sink->user, &message);
        }
    }
}

/* ---- time ---- */

dpl_ns player_position(const struct player *player, dpl_ns wall)
{
    if (player->paused) {
        return player->position;
    }
    double passed = wall > player->since ? (double)(wall - player->since) * player->rate : 0.0;
    double left = (double)(player->end - player->position);
    return passed < left ? player->position + (dpl_ns)passed : player->end;
}

bool player_has_ended(const struct player *player)
{
    return !player->has_next && !player->loops;
}

static void stay_at(struct player *player, dpl_ns at, dpl_ns wall)
{
    player->position = at;
    player->since = wall;
}

static void read_next(struct player *player)
{
    int r = player->bag.module->next(player->bag.reader, &player->next);
    player->has_next = r > 0;
    player->err = r < 0 ? r : player->err;
}

void player_seek(struct player *player, dpl_ns to, dpl_ns wall, const struct player_sink *sink)
{
    to = to < player->start ? player->start : to > player->end ? player->end : to;
    for (size_t i = 0; i < player->n_held; i++) {
        give_held(player, &player->held[i], (uint64_t)to, sink);
    }
    player->bag.module->seek(player->bag.reader, (uint64_t)to, UINT64_MAX, NULL, NULL);
    stay_at(player, to, wall);
    read_next(player);
}

void player_pause(struct player *player, dpl_ns wall)
{
    stay_at(player, player_position(player, wall), wall);
    player->paused = true;
}

void player_resume(struct player *player, dpl_ns wall, const struct player_sink *sink)
{
    stay_at(player, player_position(player, wall), wall);
    player->paused = false;
    if (!player->has_next) {
        player_seek(player, player->start, wall, sink);
    }
}

void player_set_rate(struct player *player, double rate, dpl_ns wall)
{
    stay_at(player, player_position(player, wall), wall);
    player->rate = rate;
}

/* At the end: from the start again, once in a turn; or it stays there. */
static void end(struct player *player, dpl_ns wall, const struct player_sink *sink)
{
    if (player->loops && player->err == 0) {
        player_seek(player, player->start, wall, sink);
    } else {
        stay_at(player, player->end, wall);
        player->paused = true;
    }
}

void player_turn(struct player *player, dpl_ns wall, const struct player_sink *sink)
{
    dpl_ns now = player_position(player, wall);
    size_t bytes = 0;
    for (size_t n = 0; !player->paused && player->has_next && n < TURN_MOST && bytes < TURN_BYTES &&
                       player->next.log_time <= (uint64_t)now;
         n++) {
        sink->give(sink->user, &player->next);
        bytes += player->next.data.n;
        read_next(player);
    }
    if (!player->paused && !player->has_next) {
        end(player, wall, sink);
    }
}

/* ---- file ---- */

static dpl_ns time_of(uint64_t ns)
{
    return (dpl_ns)(ns < INT64_MAX ? ns : INT64_MAX);
}

int player_open(struct player *player, const char *file, struct dpl_diag *reterr)
{
    int r = bag_open(file, &player->bag, reterr);
    if (r < 0) {
        return r;
    }
    struct bag *bag = &player->bag;
    r = find_all_held(player);
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    bag->module->seek(bag->reader, 0, UINT64_MAX, NULL, NULL);
    player->start = player->position = time_of(info->start);
    player->end = time_of(info->end);
    if (r == 0) {
        read_next(player);
        r = player->err < 0 ? player->err : player->has_next ? 0 : -ENODATA;
    }
    const char *trouble = bag_trouble(bag);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){.file = file}, "%s%s%s",
                            r == -ENODATA ? "it has no message that can be read" : "no memory",
                            *trouble ? ": " : "", trouble)
                 : 0;
}

void player_close(struct player *player)
{
    for (size_t i = 0; i < player->n_held; i++) {
        free(player->held[i].times);
    }
    free(player->held);
    bag_close(&player->bag);
    *player = (struct player){.n_held = 0};
}
