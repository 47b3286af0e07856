/* SPDX-License-Identifier: Apache-2.0 */
#include "hands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "channel_topic.h"
#include "row_topic.h"
#include "runtime.h"

#define HELD_MAX   256
#define HELD_BYTES 64 /* of a value that is shown */

/* What a hand holds. */
struct held {
    struct dpl__hand_at at;
    char who[64];
    _Alignas(8) unsigned char value[HELD_BYTES];
};

struct dpl__hands {
    struct dpl_runtime *runtime;
    struct dpl_scene **scenes; /* [n] */
    const char **prefixes;     /* [n] of paths */
    size_t n;
    struct dpl__hand_at *inputs; /* [n_inputs] */
    const char **commanders;     /* [n_inputs] that were told; NULL: nobody */
    size_t n_inputs;
    struct dpl__row_tap *list, *now; /* /run/world_inputs, /run/hands */
    dpl_ns listed;                   /* CLOCK_MONOTONIC; 0: not yet */
    struct held held[HELD_MAX];
    size_t n_held;
    bool is_told; /* /run/hands is as it is now */
};

static const struct dpl_place nowhere;

static const struct dpl_world_host *host_of(const struct dpl__hands *hands)
{
    return &hands->runtime->options.world;
}

/* ---- messages ---- */

static void add_number(const struct dpl_channel_desc *desc, const void *value, size_t i,
                       struct dpl_bytes *out)
{
    double number = dpl_channel_element(desc, value, i);
    if (desc->type == &dpl_channel_flag) {
        dpl_bytes_text(out, number > 0.0 ? "true" : "false");
    } else if (isfinite(number)) {
        dpl_bytes_printf(out, "%.17g", number);
    } else {
        dpl_bytes_text(out, "null");
    }
}

static void encode_held(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct dpl__hands *hands = user;
    (void)row;
    for (size_t i = 0; i < hands->n_held; i++) {
        const struct held *held = &hands->held[i];
        uint32_t size = held->at.desc->size;
        dpl_bytes_text(out, i > 0 ? ",{\"channel\":" : "[{\"channel\":");
        dpl_bytes_json(out, held->at.path);
        dpl_bytes_text(out, size > 1 ? ",\"value\":[" : ",\"value\":");
        for (uint32_t k = 0; k < size; k++) {
            dpl_bytes_text(out, k > 0 ? "," : "");
            add_number(held->at.desc, held->value, k, out);
        }
        dpl_bytes_text(out, size > 1 ? "],\"who\":" : ",\"who\":");
        dpl_bytes_json(out, held->who);
        dpl_bytes_text(out, "}");
    }
    dpl_bytes_text(out, hands->n_held > 0 ? "]" : "[]");
}

static const char *kind_of(const struct dpl_channel_desc *desc)
{
    return desc->dir == DPL_CHANNEL_REQUEST  ? "request"
           : desc->dir == DPL_CHANNEL_SHARED ? "shared"
                                             : "input";
}

static void encode_list(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct dpl__hands *hands = user;
    (void)row;
    for (size_t i = 0; i < hands->n_inputs; i++) {
        const struct dpl_channel_desc *desc = hands->inputs[i].desc;
        dpl_bytes_text(out, i > 0 ? ",{\"channel\":" : "[{\"channel\":");
        dpl_bytes_json(out, hands->inputs[i].path);
        dpl_bytes_printf(out,
                         ",\"type\":\"%s\",\"kind\":\"%s\",\"size\":%u,\"unit\":", desc->type->name,
                         kind_of(desc), desc->size);
        dpl_bytes_json(out, desc->unit);
        if (desc->min != 0.0 || desc->max != 0.0) {
            dpl_bytes_printf(out, ",\"min\":%.17g,\"max\":%.17g", desc->min, desc->max);
        }
        dpl_bytes_text(out, ",\"summary\":");
        dpl_bytes_json(out, desc->summary);
        dpl_bytes_text(out, ",\"commander\":");
        dpl_bytes_json(out, hands->commanders[i] ? hands->commanders[i] : "");
        dpl_bytes_text(out, "}");
    }
    dpl_bytes_text(out, hands->n_inputs > 0 ? "]" : "[]");
}

/* ---- turns ---- */

static bool have_commanders_changed(struct dpl__hands *hands)
{
    const struct dpl_world_host *host = host_of(hands);
    bool changed = false;
    for (size_t i = 0; i < hands->n_inputs; i++) {
        const struct dpl__hand_at *at = &hands->inputs[i];
        const char *by = host->ops->commander(host->self, at->scene, at->channel);
        changed |= by != hands->commanders[i];
        hands->commanders[i] = by;
    }
    return changed;
}

/* What the world has let go of is held no more. */
static void sweep(struct dpl__hands *hands)
{
    for (size_t i = hands->n_held; i-- > 0;) {
        int state = dpl__hands_look(hands, &hands->held[i].at, NULL);
        if (state < 0 || state == DPL_HAND_FREE) {
            hands->held[i] = hands->held[--hands->n_held];
            hands->is_told = false;
        }
    }
}

static bool tell(const struct dpl__hands *hands, struct dpl__row_tap *tap)
{
    bool has_room = dpl__row_tap_open(tap) != NULL;
    if (has_room) {
        dpl__row_tap_send(tap, dpl__runtime_now(hands->runtime));
    }
    return has_room;
}

void dpl__hands_turn(struct dpl__hands *hands)
{
    dpl_ns now = dpl_monotonic_now();
    if (!hands) {
        return;
    }
    sweep(hands);
    hands->is_told = hands->is_told || tell(hands, hands->now);
    if (hands->listed == 0 || now - hands->listed >= DPL_S) {
        bool is_first = hands->listed == 0;
        hands->listed = now;
        if (have_commanders_changed(hands) || is_first) {
            tell(hands, hands->list);
        }
    }
}

/* ---- putting ---- */

/* Of "office/..." the world of that name, else the run's own; the path within it. */
static size_t find_scene(const struct dpl__hands *hands, const char **inout_path)
{
    size_t own = 0;
    for (size_t i = 0; i < hands->n; i++) {
        size_t n = strlen(hands->prefixes[i]);
        if (n > 0 && strncmp(*inout_path, hands->prefixes[i], n) == 0) {
            *inout_path += n;
            return i;
        }
        own = n == 0 ? i : own;
    }
    return own;
}

int dpl__hands_find(const struct dpl__hands *hands, const char *path, struct dpl__hand_at *ret_at,
                    struct dpl_diag *reterr)
{
    static const char topics[] = "/world/";
    bool is_topic = strncmp(path, topics, sizeof topics - 1) == 0;
    const char *within = is_topic ? path + sizeof topics - 1 : path;
    size_t scene = find_scene(hands, &within);
    const struct dpl_scene *of = hands->scenes[scene];
    const struct dpl_channel_want want = {.path = within, .put = true};
    int channel = dpl_channel_find(of->channels, of->n_channels, &want, reterr);
    size_t i = 0;
    while (channel >= 0 &&
           (hands->inputs[i].scene != scene || hands->inputs[i].channel != (size_t)channel)) {
        i++;
    }
    if (channel >= 0) {
        *ret_at = hands->inputs[i];
    }
    return channel < 0 ? channel : 0;
}

static struct held *find_held(struct dpl__hands *hands, const struct dpl__hand_at *at)
{
    struct held *held = hands->held;
    while (held < hands->held + hands->n_held && held->at.path != at->path) {
        held++;
    }
    return held < hands->held + HELD_MAX ? held : NULL;
}

static void note_held(struct dpl__hands *hands, struct held *held, const struct dpl__hand_at *at,
                      const void *value, const char *who)
{
    size_t bytes = dpl_channel_bytes(at->desc);
    held->at = *at;
    snprintf(held->who, sizeof held->who, "%s", who);
    memcpy(held->value, value, bytes < HELD_BYTES ? bytes : HELD_BYTES);
    hands->n_held += held == hands->held + hands->n_held;
    hands->is_told = false;
}

int dpl__hands_put(struct dpl__hands *hands, const struct dpl__hand_at *at, const void *value,
                   dpl_ns hold, const char *who, struct dpl_diag *reterr)
{
    const struct dpl_world_host *host = host_of(hands);
    bool holds = value && at->desc->dir != DPL_CHANNEL_REQUEST;
    struct held *held = holds ? find_held(hands, at) : NULL;
    if (holds && (!held || dpl_channel_bytes(at->desc) > HELD_BYTES)) {
        return dpl_fail(reterr, -ENOSPC, nowhere, "channel '%s': hands hold too much", at->path);
    }
    int r = host->ops->put(host->self, at->scene, at->channel, value, hold, reterr);
    if (r == 0 && held) {
        note_held(hands, held, at, value, who);
    }
    return r;
}

int dpl__hands_look(const struct dpl__hands *hands, const struct dpl__hand_at *at,
                    struct dpl_diag *reterr)
{
    const struct dpl_world_host *host = host_of(hands);
    return host->ops->hand(host->self, at->scene, at->channel, reterr);
}

/* ---- topics ---- */

static void list_inputs(struct dpl__hands *hands, struct dpl_arena *arena)
{
    size_t most = 1;
    for (size_t i = 0; i < hands->n; i++) {
        most += hands->scenes[i]->n_channels;
    }
    hands->inputs = dpl_arena_alloc(arena, most * sizeof *hands->inputs);
    hands->commanders = dpl_arena_alloc(arena, most * sizeof *hands->commanders);
    for (size_t i = 0; i < hands->n; i++) {
        const struct dpl_scene *scene = hands->scenes[i];
        for (size_t k = 0; k < scene->n_channels; k++) {
            const struct dpl_channel_desc *desc = &scene->channels[k];
            if (dpl_channel_is_input(desc->dir)) {
                const char *path = dpl_arena_printf(arena, "%s%s", hands->prefixes[i], desc->path);
                hands->inputs[hands->n_inputs++] = (struct dpl__hand_at){i, k, desc, path};
            }
        }
    }
}

static int add_topic(struct dpl__topics *topics, struct dpl__hands *hands, const char *name,
                     const char *summary, const char *schema,
                     void (*encode)(const void *, const struct dpl__row *, struct dpl_bytes *),
                     struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    const struct dpl_topic described = {.name = name,
                                        .encoding = "json",
                                        .schema_name = name,
                                        .schema_encoding = "jsonschema",
                                        .schema = schema,
                                        .n_schema = strlen(schema),
                                        .summary = summary,
                                        .source = DPL_TOPIC_PRESENT,
                                        .latched = true};
    const struct dpl__row_topic rows = {0, 4, encode, hands};
    return dpl__row_topic_add(topics, &described, &rows, ret_tap, reterr);
}

int dpl__hands_add(struct dpl__topics *topics, struct dpl_runtime *runtime,
                   struct dpl_scene *const *scenes, size_t n, struct dpl__hands **ret,
                   struct dpl_diag *reterr)
{
    struct dpl_arena *arena = &topics->arena;
    *ret = NULL;
    if (n == 0 || !runtime->options.world.ops->put) {
        return 0;
    }
    struct dpl__hands *hands = dpl_arena_alloc(arena, sizeof *hands);
    hands->runtime = runtime;
    hands->scenes = dpl_arena_alloc(arena, n * sizeof *hands->scenes);
    hands->prefixes = dpl_arena_alloc(arena, n * sizeof *hands->prefixes);
    hands->n = n;
    for (size_t i = 0; i < n; i++) {
        hands->scenes[i] = scenes[i];
        hands->prefixes[i] = dpl__channel_prefix(arena, scenes, i);
    }
    list_inputs(hands, arena);
    int r = add_topic(topics, hands, "/run/world_inputs", "inputs of worlds, for /world/put",
                      "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
                      "\"channel\":{\"type\":\"string\"},\"type\":{\"type\":\"string\"},"
                      "\"kind\":{\"type\":\"string\"},\"size\":{\"type\":\"integer\"},"
                      "\"unit\":{\"type\":\"string\"},\"min\":{\"type\":\"number\"},"
                      "\"max\":{\"type\":\"number\"},\"summary\":{\"type\":\"string\"},"
                      "\"commander\":{\"type\":\"string\"}}}}",
                      encode_list, &hands->list, reterr);
    r = r < 0 ? r
              : add_topic(topics, hands, "/run/hands", "what those who look hold in worlds",
                          "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
                          "\"channel\":{\"type\":\"string\"},\"value\":{},"
                          "\"who\":{\"type\":\"string\"}}}}",
                          encode_held, &hands->now, reterr);
    *ret = r < 0 ? NULL : hands;
    return r;
}
