/* SPDX-License-Identifier: Apache-2.0 */
#include "channel_topic.h"

#include <math.h>
#include <string.h>

#include "row_topic.h"

#define TAP_BYTES  (16u << 10) /* of a tap's rows, about */
#define ROWS_LEAST 4u
#define ROWS_MOST  64u
#define MOST       (DPL__TOPICS_MAX / 2) /* topics; the rest is for others */

/* ---- messages ---- */

static void add_number(struct dpl_bytes *out, double value, int digits)
{
    if (isfinite(value)) {
        dpl_bytes_printf(out, "%.*g", digits, value);
    } else {
        dpl_bytes_text(out, "null");
    }
}

static void add_element(const struct dpl_channel_desc *desc, const char *element,
                        struct dpl_bytes *out)
{
    char text[DPL_CHANNEL_TEXT_MAX];
    if (desc->type == &dpl_channel_flag) {
        dpl_bytes_text(out, *(const bool *)(const void *)element ? "true" : "false");
    } else if (desc->type == &dpl_channel_integer) {
        desc->type->print(text, element);
        dpl_bytes_text(out, text);
    } else if (desc->type->element_size == sizeof(float)) {
        add_number(out, (double)*(const float *)(const void *)element, 9);
    } else {
        add_number(out, *(const double *)(const void *)element, 17);
    }
}

/* Elements of a pose, in order. */
static const char *const of_pose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

static bool is_one(const struct dpl_channel_desc *desc)
{
    return desc->type->size == 1;
}

static void encode(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct dpl_channel_desc *desc = user;
    bool is_pose = desc->type == &dpl_channel_pose;
    dpl_bytes_text(out, is_one(desc) ? "{\"value\":" : is_pose ? "{\"value\":{" : "{\"value\":[");
    for (uint32_t i = 0; i < desc->size; i++) {
        dpl_bytes_text(out, i > 0 ? "," : "");
        if (is_pose) {
            dpl_bytes_printf(out, "\"%s\":", of_pose[i]);
        }
        add_element(desc, (const char *)row->data + i * desc->type->element_size, out);
    }
    dpl_bytes_text(out, is_one(desc) ? "}" : is_pose ? "}}" : "]}");
}

/* ---- topics ---- */

static void add_type(const struct dpl_channel_desc *desc, struct dpl_bytes *out)
{
    static const char number[] = "{\"type\":[\"number\",\"null\"]}";
    if (desc->type == &dpl_channel_flag) {
        dpl_bytes_text(out, "\"type\":\"boolean\"");
    } else if (desc->type == &dpl_channel_integer) {
        dpl_bytes_text(out, "\"type\":\"integer\"");
    } else if (is_one(desc)) {
        dpl_bytes_text(out, "\"type\":[\"number\",\"null\"]");
    } else if (desc->type == &dpl_channel_pose) {
        dpl_bytes_text(out, "\"type\":\"object\",\"properties\":{");
        for (size_t i = 0; i < DPL_COUNT(of_pose); i++) {
            dpl_bytes_printf(out, "%s\"%s\":%s", i > 0 ? "," : "", of_pose[i], number);
        }
        dpl_bytes_text(out, "}");
    } else {
        dpl_bytes_printf(out, "\"type\":\"array\",\"items\":%s", number);
    }
}

static void add_schema(const struct dpl_channel_desc *desc, const char *name,
                       struct dpl_arena *arena, struct dpl_bytes *out)
{
    dpl_bytes_text(out, "{\"type\":\"object\",\"title\":");
    dpl_bytes_json(out, name);
    dpl_bytes_text(out, ",\"properties\":{\"value\":{");
    add_type(desc, out);
    dpl_bytes_text(out, ",\"description\":");
    dpl_bytes_json(out, desc->unit[0]
                            ? dpl_arena_printf(arena, "[%s] %s", desc->unit, desc->summary)
                            : desc->summary);
    if (is_one(desc) && (desc->min != 0.0 || desc->max != 0.0)) {
        dpl_bytes_printf(out, ",\"minimum\":%.17g,\"maximum\":%.17g", desc->min, desc->max);
    }
    dpl_bytes_text(out, "}}}");
}

const char *dpl__channel_prefix(struct dpl_arena *arena, struct dpl_scene *const *scenes, size_t i)
{
    size_t n_alike = 1;
    for (size_t k = 0; k < i; k++) {
        n_alike += !scenes[k]->is_own && strcmp(scenes[k]->world, scenes[i]->world) == 0;
    }
    return scenes[i]->is_own ? ""
           : n_alike > 1     ? dpl_arena_printf(arena, "%s-%zu/", scenes[i]->world, n_alike)
                             : dpl_arena_printf(arena, "%s/", scenes[i]->world);
}

static int add_topic(struct dpl__topics *topics, const char *name,
                     const struct dpl_channel_desc *desc, struct dpl__row_tap **ret_tap,
                     struct dpl_diag *reterr)
{
    size_t bytes = dpl_channel_bytes(desc), n_rows = TAP_BYTES / (bytes + 1);
    n_rows = n_rows < ROWS_LEAST ? ROWS_LEAST : n_rows > ROWS_MOST ? ROWS_MOST : n_rows;
    struct dpl_bytes schema = {0};
    add_schema(desc, name, &topics->arena, &schema);
    const struct dpl_topic described = {.name = name,
                                        .encoding = "json",
                                        .schema_name = name,
                                        .schema_encoding = "jsonschema",
                                        .schema = schema.data,
                                        .n_schema = schema.n,
                                        .unit = desc->unit,
                                        .summary = desc->summary,
                                        .source = DPL_TOPIC_VALUES,
                                        .latched = desc->dir == DPL_CHANNEL_CONSTANT};
    const struct dpl__row_topic rows = {bytes, described.latched ? 1 : n_rows, encode, desc};
    int r = dpl__row_topic_add(topics, &described, &rows, ret_tap, reterr);
    dpl_bytes_finish(&schema);
    return r;
}

/* 1: it was left out. */
static int add_channel(struct dpl__topics *topics, struct dpl_scene *scene, size_t i,
                       const char *name, const struct dpl__patience *patience,
                       struct dpl_diag *reterr)
{
    struct dpl__row_tap *tap;
    if (topics->n >= MOST || dpl__topics_find(topics, name)) {
        return 1;
    }
    int r = add_topic(topics, name, &scene->channels[i], &tap, reterr);
    if (r == 0) {
        tap->make_room = patience ? patience->make_room : NULL;
        tap->user = patience ? patience->user : NULL;
        struct dpl_scene_tap row_tap = dpl__row_scene_tap(tap);
        scene->ops->watch_channel(scene, i, &row_tap);
    }
    return r;
}

int dpl__channel_topics_add(struct dpl__topics *topics, struct dpl_scene *const *scenes, size_t n,
                            const struct dpl__patience *patience, struct dpl_diag *reterr)
{
    int n_left_out = 0;
    for (size_t i = 0; i < n; i++) {
        const char *prefix = dpl__channel_prefix(&topics->arena, scenes, i);
        for (size_t k = 0; k < scenes[i]->n_channels; k++) {
            const struct dpl_channel_desc *desc = &scenes[i]->channels[k];
            const char *name = dpl_arena_printf(&topics->arena, "/world/%s%s", prefix, desc->path);
            int r = dpl_channel_is_input(desc->dir)
                        ? 0
                        : add_channel(topics, scenes[i], k, name, patience, reterr);
            if (r < 0) {
                return r;
            }
            n_left_out += r;
        }
    }
    return n_left_out;
}
