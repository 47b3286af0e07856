/* SPDX-License-Identifier: Apache-2.0 */
#include "outside_message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

#define DEPTH_MAX 8 /* as of blocks in a pool */

static const struct dpl_place nowhere;

/* ---- requests and publications ---- */

static bool is_repeated(const ProtobufCFieldDescriptor *field)
{
    return field->label == PROTOBUF_C_LABEL_REPEATED;
}

static size_t count_of(const ProtobufCFieldDescriptor *field, const void *message)
{
    size_t n;
    memcpy(&n, (const char *)message + field->quantifier_offset, sizeof n);
    return n;
}

static int check_text(const ProtobufCFieldDescriptor *field, const void *member, size_t capacity,
                      struct dpl_diag *reterr)
{
    size_t n = 0;
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const char *text;
        memcpy(&text, member, sizeof text);
        n = text ? strlen(text) : 0;
    } else if (field->type == PROTOBUF_C_TYPE_BYTES) {
        n = ((const ProtobufCBinaryData *)member)->len;
    }
    return n <= capacity ? 0
                         : dpl_fail(reterr, -E2BIG, nowhere, "%s has %zu bytes, at most %zu",
                                    field->name, n, capacity);
}

/* Components do nothing with such a number, and say nothing. In lists it may mean that there is
 * none. */
static int check_number(const ProtobufCFieldDescriptor *field, const void *member,
                        struct dpl_diag *reterr)
{
    double value = 0.0;
    if (field->type == PROTOBUF_C_TYPE_DOUBLE) {
        memcpy(&value, member, sizeof value);
    } else if (field->type == PROTOBUF_C_TYPE_FLOAT) {
        float number;
        memcpy(&number, member, sizeof number);
        value = (double)number;
    }
    return isfinite(value) ? 0
                           : dpl_fail(reterr, -EDOM, nowhere,
                                      "%s is %g: a finite number is expected", field->name, value);
}

static int complete(ProtobufCMessage *message, size_t capacity, size_t depth,
                    struct dpl_diag *reterr);

/* A message that is not there is made: components do without the question. */
static int complete_one(const ProtobufCFieldDescriptor *field, ProtobufCMessage **member,
                        size_t capacity, size_t depth, struct dpl_diag *reterr)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;
    if (!*member && !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) && depth < DEPTH_MAX) {
        *member = calloc(1, type->sizeof_message);
        if (!*member) {
            return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
        }
        protobuf_c_message_init(type, *member);
    }
    return *member ? complete(*member, capacity, depth, reterr) : 0;
}

static int complete_repeated(const ProtobufCFieldDescriptor *field, ProtobufCMessage *message,
                             size_t capacity, size_t depth, struct dpl_diag *reterr)
{
    size_t n = count_of(field, message);
    char *elements;
    int r = n <= capacity ? 0
                          : dpl_fail(reterr, -E2BIG, nowhere, "%s has %zu elements, at most %zu",
                                     field->name, n, capacity);
    memcpy(&elements, (char *)message + field->offset, sizeof elements);
    for (size_t i = 0; i < n && r == 0; i++) {
        if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            r = complete(((ProtobufCMessage **)(void *)elements)[i], capacity, depth, reterr);
        } else if (field->type == PROTOBUF_C_TYPE_STRING) {
            r = check_text(field, elements + i * sizeof(char *), capacity, reterr);
        } else if (field->type == PROTOBUF_C_TYPE_BYTES) {
            r = check_text(field, elements + i * sizeof(ProtobufCBinaryData), capacity, reterr);
        }
    }
    return r;
}

/* Members of a oneof stay as they are: no component of a pool's block has them. */
static int complete(ProtobufCMessage *message, size_t capacity, size_t depth,
                    struct dpl_diag *reterr)
{
    int r = 0;
    for (unsigned i = 0; i < message->descriptor->n_fields && r == 0; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        void *member = (char *)message + field->offset;
        if (is_repeated(field)) {
            r = complete_repeated(field, message, capacity, depth + 1, reterr);
        } else if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
            continue;
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            r = complete_one(field, member, capacity, depth + 1, reterr);
        } else {
            r = check_text(field, member, capacity, reterr);
            r = r < 0 ? r : check_number(field, member, reterr);
        }
    }
    return r;
}

ProtobufCMessage *dpl__outside_message(const ProtobufCMessageDescriptor *type, const void *data,
                                       size_t n, size_t capacity, struct dpl_diag *reterr)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(type, NULL, n, data);
    if (!message) {
        dpl_fail(reterr, -EPROTO, nowhere, "the bytes are no %s", type->name);
        return NULL;
    }
    if (complete(message, capacity, 0, reterr) < 0) {
        protobuf_c_message_free_unpacked(message, NULL);
        return NULL;
    }
    return message;
}

/* ---- responses ---- */

/* The caller says how much room there is. */
static void offer_room(ProtobufCMessage *message, size_t capacity)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        void *member = (char *)message + field->offset;
        ProtobufCMessage *inner = NULL;
        if (is_repeated(field)) {
            memcpy((char *)message + field->quantifier_offset, &capacity, sizeof capacity);
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE &&
                   !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)) {
            memcpy(&inner, member, sizeof inner);
        }
        if (inner) {
            offer_room(inner, capacity);
        }
    }
}

ProtobufCMessage *dpl__outside_response(struct dpl_arena *arena,
                                        const ProtobufCMessageDescriptor *type)
{
    static const size_t rooms[] = {4096, 256};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        size_t bytes = dpl__pool_block_bytes(type, rooms[i]);
        struct dpl__pool *pool;
        if (bytes > 0 && bytes < DPL__BLOCK_BYTES_MAX / 4 &&
            dpl__pool_create(arena, type, rooms[i], 1, &pool, NULL) == 0) {
            ProtobufCMessage *response = dpl__pool_at(pool, 0)->message.body;
            offer_room(response, rooms[i]);
            return response;
        }
    }
    return NULL;
}
