/* SPDX-License-Identifier: Apache-2.0 */
#include "scene_topic.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "derived_topic.h"
#include "descriptor_set.h"
#include "scene_message.h"
#include "standard.pb-c.h"
#include "value_topic.h"

#define KEY_EVERY   DPL_S
#define TAP_BYTES   ((size_t)512 << 10) /* of a tap's rows, about */
#define ROWS_LEAST  16u
#define ROWS_MOST   1024u
#define TRACE_MOST  64u /* points of a piece */
#define TRACE_EVERY (60 * DPL_MS)
#define TRACE_LIVES 60   /* pieces of a second each that are to be seen */
#define TRACE_LEAST 1e-3 /* m: what moves less leaves no trace */

static const struct dpl_place nowhere;

/* The way of a frame since the last whole second. */
struct trace {
    struct dpl_vector3 points[TRACE_MOST];
    size_t n;
};

/* A world: the source of frames and of what comes and goes. */
struct watched {
    const struct dpl_scene *scene;
    struct dpl__row_tap tap;
    struct dpl__topic *frames, *live; /* that it feeds */
    struct dpl_bytes frame_bytes, live_bytes;
    struct dpl_pose3 *sent;    /* [n_frames] */
    struct trace *traces;      /* [n_frames] */
    void *row;                 /* the newest; NULL: none yet */
    dpl_ns stamp, key, traced; /* of it; when the next whole one is due; of the last point */
    unsigned n_listeners, n_pieces;
};

struct dpl__scenes {
    struct watched *worlds; /* [n] */
    size_t n;
    struct dpl__topic *topic;
    struct dpl_bytes bytes;
    uint64_t n_sent;
    bool is_due;
};

/* ---- what is always there ---- */

static void add_thing(void *user, const struct dpl_scene_thing *thing)
{
    dpl__scene_message_add(thing, 0, user);
}

static void listen_scene(void *self, bool on)
{
    (void)self; /* it is given once, and kept by those who give it to others */
    (void)on;
}

static bool take_scene(void *self, struct dpl_sample *ret_sample)
{
    struct dpl__scenes *scenes = self;
    if (!scenes->is_due) {
        return false;
    }
    dpl_ns stamp = 0;
    scenes->is_due = false;
    scenes->bytes.n = 0;
    for (size_t i = 0; i < scenes->n; i++) {
        const struct watched *world = &scenes->worlds[i];
        world->scene->ops->describe(world->scene, add_thing, &scenes->bytes);
        stamp = world->stamp > stamp ? world->stamp : stamp;
    }
    *ret_sample = (struct dpl_sample){.stamp = stamp,
                                      .taken = stamp,
                                      .sequence = scenes->n_sent++,
                                      .data = scenes->bytes.data,
                                      .n = scenes->bytes.n};
    return !scenes->bytes.failed;
}

static uint64_t dropped_scene(void *self)
{
    (void)self;
    return 0;
}

static const struct dpl__source_ops scene_ops = {listen_scene, take_scene, dropped_scene};

/* ---- frames ---- */

static bool is_same(const struct dpl_pose3 *a, const struct dpl_pose3 *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    size_t i = 0;
    while (i < sizeof *a / sizeof *x && !(x[i] < y[i]) && !(x[i] > y[i])) {
        i++;
    }
    return i == sizeof *a / sizeof *x;
}

/* Whether one of them has moved. */
static bool add_frames(struct watched *world, bool is_key)
{
    const struct dpl_scene *scene = world->scene;
    bool moved = false;
    for (size_t i = 0; i < scene->n_frames; i++) {
        struct dpl_pose3 pose = scene->ops->pose(scene, world->row, i);
        bool is_new = !is_same(&pose, &world->sent[i]);
        if (is_new || is_key) {
            dpl__scene_transform_add(scene->frames[i], &pose, world->stamp, &world->frame_bytes);
        }
        world->sent[i] = pose;
        moved |= is_new;
    }
    return moved;
}

/* ---- traces: pieces of a second, each of which fades on its own ---- */

static void add_points(struct watched *world)
{
    for (size_t i = 0; i < world->scene->n_frames; i++) {
        struct trace *trace = &world->traces[i];
        if (trace->n < TRACE_MOST) {
            trace->points[trace->n++] = world->sent[i].position;
        }
    }
}

static double length_of(const struct trace *trace)
{
    double length = 0.0;
    for (size_t i = 1; i < trace->n; i++) {
        const struct dpl_vector3 *a = &trace->points[i - 1], *b = &trace->points[i];
        length += hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z);
    }
    return length;
}

static void add_trace(struct watched *world, size_t i)
{
    static const struct dpl_pose3 origin = {.orientation = {.w = 1.0}};
    struct trace *trace = &world->traces[i];
    const struct dpl_scene *scene = world->scene;
    bool is_avatar = strcmp(scene->roles[i], "avatar") == 0;
    char id[512];
    struct dpl_scene_shape line = {.kind = DPL_SCENE_LINE,
                                   .pose = origin,
                                   .size = {is_avatar ? 4.0 : 2.0},
                                   .color = {1.0, 0.69, 0.18, 1.0},
                                   .points = trace->points,
                                   .n_points = trace->n};
    if (is_avatar) {
        memcpy(line.color, (const double[4]){0.34, 0.71, 1.0, 0.7}, sizeof line.color);
    }
    snprintf(id, sizeof id, "%s/trace/%u", scene->frames[i], world->n_pieces % TRACE_LIVES);
    struct dpl_scene_thing thing = {.id = id,
                                    .frame = DPL_SCENE_ROOT,
                                    .layer = "trace",
                                    .role = scene->roles[i],
                                    .world = scene->world,
                                    .lifetime = TRACE_LIVES * DPL_S,
                                    .shapes = &line,
                                    .n_shapes = 1};
    dpl__scene_message_add(&thing, world->stamp, &world->live_bytes);
}

/* Each piece begins where the last one ends. */
static void add_traces(struct watched *world)
{
    for (size_t i = 0; i < world->scene->n_frames; i++) {
        struct trace *trace = &world->traces[i];
        if (length_of(trace) > TRACE_LEAST) {
            add_trace(world, i);
        }
        trace->points[0] = world->sent[i].position;
        trace->n = 1;
    }
    world->n_pieces++;
}

/* ---- what comes and goes ---- */

static void add_living(void *user, const struct dpl_scene_thing *thing)
{
    struct watched *world = user;
    dpl__scene_message_add(thing, world->stamp, &world->live_bytes);
}

/* ---- rows ---- */

static void make_messages(struct watched *world, bool is_key)
{
    bool moved = add_frames(world, is_key);
    if (world->live->n_listeners == 0) {
        return;
    }
    if (world->stamp - world->traced >= TRACE_EVERY || world->stamp < world->traced || is_key) {
        world->traced = world->stamp;
        add_points(world);
    }
    if (is_key) {
        add_traces(world);
    }
    const struct dpl_scene_ops *ops = world->scene->ops;
    if (moved || is_key || (ops->is_pushed && ops->is_pushed(world->scene, world->row))) {
        ops->live(world->scene, world->row, add_living, world);
    }
}

static bool keep_row(struct watched *world)
{
    const struct dpl__row *row = dpl__row_tap_take(&world->tap);
    if (row) {
        memcpy(world->row, row->data, world->scene->row_bytes);
        world->stamp = row->stamp;
        dpl__row_tap_release(&world->tap);
    }
    return row != NULL;
}

/* Who has come to listen gets all frames, also while time stands. */
static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct watched *world = self;
    unsigned n = world->frames->n_listeners + world->live->n_listeners;
    bool is_wanted = n > world->n_listeners, is_there = keep_row(world);
    world->n_listeners = n;
    if (n == 0 || !(is_there || is_wanted)) {
        return false;
    }
    bool is_key = is_wanted || world->stamp >= world->key || world->stamp < world->key - KEY_EVERY;
    if (is_key) {
        world->key = world->stamp + KEY_EVERY;
    }
    world->frame_bytes.n = 0;
    world->live_bytes.n = 0;
    make_messages(world, is_key);
    *ret_sample = (struct dpl_sample){.stamp = world->stamp, .taken = world->stamp};
    return !world->frame_bytes.failed && !world->live_bytes.failed;
}

static void listen(void *self, bool on)
{
    struct watched *world = self;
    atomic_store_explicit(&world->tap.listening, on, memory_order_relaxed);
}

static uint64_t dropped(void *self)
{
    const struct watched *world = self;
    return atomic_load_explicit(&world->tap.n_dropped, memory_order_relaxed);
}

static const struct dpl__source_ops ops = {listen, take, dropped};

/* ---- creation ---- */

static int add_scene_topic(struct dpl__topics *topics, struct dpl__scenes *scenes,
                           struct dpl_diag *reterr)
{
    struct dpl_bytes schema = {0};
    if (dpl__descriptor_set(&foxglove__scene_update__descriptor, &schema) < 0) {
        dpl_bytes_finish(&schema);
        return dpl_fail(reterr, -ENOMEM, nowhere, "/scene: no schema");
    }
    const struct dpl_topic described = {.name = "/scene",
                                        .encoding = "protobuf",
                                        .schema_name = foxglove__scene_update__descriptor.name,
                                        .schema_encoding = "protobuf",
                                        .schema = schema.data,
                                        .n_schema = schema.n,
                                        .summary = "what is in the worlds of this run",
                                        .latched = true,
                                        .source = DPL_TOPIC_PORT};
    scenes->topic = dpl__topics_add(topics, &described, &scene_ops, scenes, reterr);
    dpl_bytes_finish(&schema);
    return scenes->topic ? 0 : -EINVAL;
}

static int add_world(struct dpl__topics *topics, struct watched *world, struct dpl_scene *scene,
                     struct dpl_diag *reterr)
{
    size_t n_rows = TAP_BYTES / (scene->row_bytes + 1);
    n_rows = n_rows < ROWS_LEAST ? ROWS_LEAST : n_rows > ROWS_MOST ? ROWS_MOST : n_rows;
    world->scene = scene;
    world->sent = dpl_arena_alloc(&topics->arena, (scene->n_frames + 1) * sizeof *world->sent);
    world->traces = dpl_arena_alloc(&topics->arena, (scene->n_frames + 1) * sizeof *world->traces);
    world->row = dpl_arena_alloc(&topics->arena, scene->row_bytes + 1);
    dpl__row_tap_init(&world->tap, &topics->arena, scene->row_bytes, n_rows);
    const struct dpl_topic described = {
        .name = dpl_arena_printf(&topics->arena, "rows of world %s", scene->world),
        .encoding = "",
        .schema_name = "",
        .schema_encoding = "",
        .source = DPL_TOPIC_PORT};
    struct dpl__topic *from = dpl__topics_add(topics, &described, &ops, world, reterr);
    if (!from) {
        return -EINVAL;
    }
    from->is_hidden = true;
    world->frames = dpl__derived_topics_feed(topics, "/tf", &foxglove__frame_transforms__descriptor,
                                             from, &world->frame_bytes, reterr);
    world->live = world->frames ? dpl__derived_topics_feed(topics, "/scene/live",
                                                           &foxglove__scene_update__descriptor,
                                                           from, &world->live_bytes, reterr)
                                : NULL;
    struct dpl_scene_tap row_tap = dpl__row_scene_tap(&world->tap);
    scene->ops->watch(scene, &row_tap, world->row);
    return world->live ? 0 : -EINVAL;
}

/* "/world/elevator/values": beside those of components. */
static int add_values(struct dpl__topics *topics, struct dpl_scene *scene, struct dpl_diag *reterr)
{
    int r = 0;
    for (size_t i = 0; i < scene->n_values && r == 0; i++) {
        const struct dpl_scene_values *values = &scene->values[i];
        const struct dpl__value_topic described = {
            .name = dpl_arena_printf(&topics->arena, "/world/%s/values", values->name),
            .summary = "what comes out of the world",
            .fields = values->fields,
            .n_fields = values->n_fields,
            .size = values->bytes,
        };
        struct dpl__row_tap *tap = NULL;
        r = dpl__value_topic_add(topics, &described, &tap, reterr);
        if (r == 0) {
            struct dpl_scene_tap row_tap = dpl__row_scene_tap(tap);
            scene->ops->watch_values(scene, i, &row_tap);
        }
    }
    return r;
}

int dpl__scene_topics_add(struct dpl__topics *topics, struct dpl_scene *const *scenes, size_t n,
                          struct dpl__scenes **ret_scenes, struct dpl_diag *reterr)
{
    *ret_scenes = NULL;
    if (n == 0) {
        return 0;
    }
    struct dpl__scenes *self = dpl_arena_alloc(&topics->arena, sizeof *self);
    self->worlds = dpl_arena_alloc(&topics->arena, n * sizeof *self->worlds);
    self->is_due = true;
    *ret_scenes = self;
    int r = add_scene_topic(topics, self, reterr);
    for (size_t i = 0; i < n && r == 0; i++) {
        self->n = i + 1;
        r = add_world(topics, &self->worlds[i], scenes[i], reterr);
        r = r < 0 ? r : add_values(topics, scenes[i], reterr);
    }
    return r;
}

void dpl__scenes_be_patient(struct dpl__scenes *scenes, void (*make_room)(void *user), void *user)
{
    for (size_t i = 0; i < scenes->n; i++) {
        scenes->worlds[i].tap.make_room = make_room;
        scenes->worlds[i].tap.user = user;
    }
}

void dpl__scenes_finish(struct dpl__scenes *scenes)
{
    if (!scenes) {
        return;
    }
    dpl_bytes_finish(&scenes->bytes);
    for (size_t i = 0; i < scenes->n; i++) {
        dpl_bytes_finish(&scenes->worlds[i].frame_bytes);
        dpl_bytes_finish(&scenes->worlds[i].live_bytes);
    }
}
