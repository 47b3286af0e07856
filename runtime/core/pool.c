/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the layout of message blocks from protobuf-c descriptors. The same function first
 * measures (without memory) and then builds. All pointers are in the fixed part. An initial copy of
 * it is kept: a loan copies it into the block and does not change the storage of the arrays. */
#include "pool.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#define ALIGNMENT  16u
#define CACHE_LINE 64u
#define DEPTH_MAX  8

struct layout {
    char *fixed, *storage; /* NULL: measuring */
    size_t *texts;
    size_t fixed_used, storage_used, n_texts;
    size_t capacity;
    const ProtobufCMessageDescriptor *path[DEPTH_MAX];
    size_t depth;
    bool too_big;
};

static size_t round_up(size_t size, size_t step)
{
    return (size + step - 1) / step * step;
}

static size_t take(struct layout *l, size_t *used, size_t size)
{
    size_t at = *used;
    *used += round_up(size, ALIGNMENT);
    if (l->fixed_used * 2 + l->storage_used > DPL__BLOCK_BYTES_MAX) {
        l->too_big = true;
    }
    return at;
}

static size_t element_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return 8;
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING: return sizeof(char *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    default: return 4;
    }
}

static bool points(ProtobufCType type)
{
    return type == PROTOBUF_C_TYPE_STRING || type == PROTOBUF_C_TYPE_BYTES ||
           type == PROTOBUF_C_TYPE_MESSAGE;
}

static size_t lay_message(struct layout *l, const ProtobufCMessageDescriptor *type);

static bool on_path(const struct layout *l, const ProtobufCMessageDescriptor *type)
{
    for (size_t i = 0; i < l->depth; i++) {
        if (l->path[i] == type) {
            return true;
        }
    }
    return l->depth == DEPTH_MAX;
}

static void put_pointer(struct layout *l, size_t at, void *pointer)
{
    memcpy(l->fixed + at, &pointer, sizeof pointer);
}

static void lay_text(struct layout *l, size_t at)
{
    size_t text = take(l, &l->storage_used, l->capacity + 1);
    if (l->fixed) {
        put_pointer(l, at, l->storage + text);
        l->texts[l->n_texts] = text;
    }
    l->n_texts++;
}

static void lay_bytes(struct layout *l, size_t at)
{
    size_t bytes = take(l, &l->storage_used, l->capacity);
    if (l->fixed) {
        ProtobufCBinaryData value = {.len = 0, .data = (uint8_t *)l->storage + bytes};
        memcpy(l->fixed + at, &value, sizeof value);
    }
}

/* A pointer member at offset `at` of the fixed part. */
static void lay_pointer(struct layout *l, const ProtobufCFieldDescriptor *field, size_t at)
{
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        lay_text(l, at);
    } else if (field->type == PROTOBUF_C_TYPE_BYTES) {
        lay_bytes(l, at);
    } else if (!on_path(l, field->descriptor)) {
        size_t message = lay_message(l, field->descriptor);
        if (l->fixed) {
            put_pointer(l, at, l->fixed + message);
        }
    }
}

static void lay_array(struct layout *l, const ProtobufCFieldDescriptor *field, size_t at)
{
    size_t size = element_size(field->type);
    if (!points(field->type)) {
        size_t array = take(l, &l->storage_used, l->capacity * size);
        if (l->fixed) {
            put_pointer(l, at, l->storage + array);
        }
        return;
    }
    size_t array = take(l, &l->fixed_used, l->capacity * size);
    if (l->fixed) {
        put_pointer(l, at, l->fixed + array);
    }
    for (size_t i = 0; i < l->capacity && !l->too_big; i++) {
        lay_pointer(l, field, array + i * size);
    }
}

static void lay_field(struct layout *l, const ProtobufCFieldDescriptor *field, size_t message)
{
    size_t at = message + field->offset;
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        return;
    }
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        lay_array(l, field, at);
    } else if (points(field->type)) {
        lay_pointer(l, field, at);
    }
}

static size_t lay_message(struct layout *l, const ProtobufCMessageDescriptor *type)
{
    size_t at = take(l, &l->fixed_used, type->sizeof_message);
    if (l->fixed) {
        protobuf_c_message_init(type, l->fixed + at);
    }
    l->path[l->depth++] = type;
    for (unsigned i = 0; i < type->n_fields && !l->too_big; i++) {
        lay_field(l, &type->fields[i], at);
    }
    l->depth--;
    return at;
}

static void build_block(struct dpl__pool *pool, size_t index,
                        const ProtobufCMessageDescriptor *type, size_t capacity)
{
    struct dpl__block *block = dpl__pool_at(pool, index);
    char *body = (char *)block + pool->body_at;
    block->index = (uint32_t)index;
    block->following = dpl__pool_at(pool, index + 1 < pool->n_blocks ? index + 1 : 0);
    block->message.type = type;
    if (!type) {
        return;
    }
    block->message.body = body;
    char *image = body + pool->fixed_bytes, *storage = image + pool->fixed_bytes;
    struct layout l = {
        .fixed = body, .storage = storage, .texts = pool->texts, .capacity = capacity};
    lay_message(&l, type);
    memcpy(image, body, pool->fixed_bytes);
}

/* The layout of a body; `l->too_big` above the limit. Returns the bytes of a block. */
static size_t measure(struct layout *l, const ProtobufCMessageDescriptor *type, size_t *ret_body_at)
{
    if (type) {
        lay_message(l, type);
    }
    *ret_body_at = round_up(sizeof(struct dpl__block), CACHE_LINE);
    return round_up(*ret_body_at + 2 * l->fixed_used + l->storage_used, CACHE_LINE);
}

size_t dpl__pool_block_bytes(const struct ProtobufCMessageDescriptor *type, size_t capacity)
{
    struct layout l = {.capacity = capacity};
    size_t body_at, bytes = measure(&l, type, &body_at);
    return l.too_big ? 0 : bytes;
}

int dpl__pool_create(struct dpl_arena *arena, const struct ProtobufCMessageDescriptor *type,
                     size_t capacity, size_t n_blocks, struct dpl__pool **ret_pool,
                     struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    struct layout l = {.capacity = capacity};
    size_t body_at, block_bytes = measure(&l, type, &body_at);
    if (l.too_big || n_blocks > DPL__POOL_BYTES_MAX / block_bytes) {
        return dpl_fail(reterr, -E2BIG, nowhere,
                        "%zu messages of type %s with room for %zu elements take too much memory: "
                        "at most %u MiB a message and %u MiB a port",
                        n_blocks, type ? type->name : "event", capacity, DPL__BLOCK_BYTES_MAX >> 20,
                        DPL__POOL_BYTES_MAX >> 20);
    }
    struct dpl__pool *pool = dpl_arena_alloc(arena, sizeof *pool);
    pool->block_bytes = block_bytes;
    pool->n_blocks = n_blocks;
    pool->n_used = n_blocks;
    pool->body_at = body_at;
    pool->fixed_bytes = l.fixed_used;
    pool->n_texts = l.n_texts;
    pool->texts = dpl_arena_alloc(arena, (l.n_texts + 1) * sizeof *pool->texts);
    char *memory = dpl_arena_alloc(arena, n_blocks * block_bytes + CACHE_LINE);
    pool->memory = memory + (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
    for (size_t i = 0; i < n_blocks; i++) {
        build_block(pool, i, type, capacity);
    }
    for (size_t i = 0; i < pool->n_texts; i++) {
        pool->texts[i] += body_at + 2 * pool->fixed_bytes;
    }
    pool->next = dpl__pool_at(pool, 0);
    *ret_pool = pool;
    return 0;
}

void dpl__pool_limit(struct dpl__pool *pool, size_t n)
{
    dpl__pool_at(pool, pool->n_used - 1)->following =
        dpl__pool_at(pool, pool->n_used % pool->n_blocks);
    dpl__pool_at(pool, n - 1)->following = dpl__pool_at(pool, 0);
    pool->n_used = n;
    if (pool->next->index >= n) {
        pool->next = dpl__pool_at(pool, 0);
    }
}

void dpl__pool_keep_on_thread(struct dpl__pool *pool, bool on)
{
    for (size_t i = 0; i < pool->n_blocks; i++) {
        dpl__pool_at(pool, i)->one_thread = on;
    }
}

static void make_fresh(const struct dpl__pool *pool, struct dpl__block *block)
{
    char *body = (char *)block + pool->body_at;
    memcpy(body, body + pool->fixed_bytes, pool->fixed_bytes);
    for (size_t i = 0; i < pool->n_texts; i++) {
        ((char *)block)[pool->texts[i]] = '\0';
    }
}

/* Acquire: see dpl__block_unref. */
static bool is_free(const struct dpl__block *block)
{
    return atomic_load_explicit(&block->references, memory_order_acquire) == 0;
}

struct dpl__block *dpl__pool_acquire(struct dpl__pool *pool)
{
    struct dpl__block *block = pool->next;
    while (!is_free(block)) {
        block = block->following;
        if (block == pool->next) {
            return NULL;
        }
    }
    /* Only this thread changes the value 0, so a plain store is enough. */
    atomic_store_explicit(&block->references, 1, memory_order_relaxed);
    pool->next = block->following;
    make_fresh(pool, block);
    return block;
}
