/* SPDX-License-Identifier: Apache-2.0 */
/* Two passes: names and fields of all types, then the types that fields name. */
#include "proto_types.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "proto_wire.h"

#define TYPES_MAX 4096
#define NEST_MAX  16

struct proto_types {
    struct dpl_arena arena;
    struct proto_message *messages; /* [TYPES_MAX], as far as they are used */
    struct proto_enum *enums;
    size_t n_messages, n_enums;
};

static const struct dpl_place nowhere;

static int damaged(struct dpl_diag *reterr, const char *what)
{
    return dpl_fail(reterr, -EBADMSG, nowhere, "the description of its type is damaged: %s", what);
}

static struct proto_reader read_part(const struct proto_part *part)
{
    return (struct proto_reader){.at = part->data, .end = part->data + part->n};
}

static char *text_of(struct proto_types *types, const struct proto_part *part)
{
    return part->wire == PROTO_LENGTH
               ? dpl_arena_strndup(&types->arena, (const char *)part->data, part->n)
               : dpl_arena_strdup(&types->arena, "");
}

/* How many fields of this number a message has. */
static size_t count(struct proto_reader reader, uint32_t number)
{
    struct proto_part part;
    size_t n = 0;
    while (proto_next(&reader, &part)) {
        n += part.number == number && part.wire == PROTO_LENGTH;
    }
    return n;
}

/* A name in its scope, with a dot in front of each part: ".doppel.Outer.Inner". */
static const char *full_name(struct proto_types *types, const char *scope,
                             struct proto_reader reader)
{
    struct proto_part part;
    const char *name = "";
    while (proto_next(&reader, &part)) {
        name = part.number == 1 ? text_of(types, &part) : name;
    }
    return dpl_arena_printf(&types->arena, "%s.%s", scope, name);
}

static void read_value(struct proto_types *types, struct proto_reader reader,
                       struct proto_value *ret_value)
{
    struct proto_part part;
    ret_value->name = "";
    while (proto_next(&reader, &part)) {
        ret_value->name = part.number == 1 ? text_of(types, &part) : ret_value->name;
        ret_value->number = part.number == 2 ? (int32_t)part.value : ret_value->number;
    }
}

static int add_enum(struct proto_types *types, const char *scope, struct proto_reader reader,
                    struct dpl_diag *reterr)
{
    struct proto_part part;
    if (types->n_enums == TYPES_MAX) {
        return damaged(reterr, "too many types");
    }
    struct proto_enum *added = &types->enums[types->n_enums++];
    size_t most = count(reader, 2);
    added->name = full_name(types, scope, reader);
    added->values = dpl_arena_alloc(&types->arena, (most + 1) * sizeof *added->values);
    while (proto_next(&reader, &part)) {
        if (part.number == 2 && part.wire == PROTO_LENGTH) {
            read_value(types, read_part(&part), &added->values[added->n_values++]);
        }
    }
    return reader.failed ? damaged(reterr, "an enum is cut off") : 0;
}

static int read_field(struct proto_types *types, struct proto_reader reader,
                      struct proto_field *field, struct dpl_diag *reterr)
{
    struct proto_part part;
    uint64_t label = 1, type = 0;
    bool is_member = false;
    field->name = "";
    while (proto_next(&reader, &part)) {
        switch (part.number) {
        case 1: field->name = text_of(types, &part); break;
        case 3: field->number = (uint32_t)part.value; break;
        case 4: label = part.value; break;
        case 5: type = part.value; break;
        case 6: field->type_name = text_of(types, &part); break;
        case 9:
        case 17: is_member = true; break; /* of a oneof; proto3 "optional" */
        default: break;
        }
    }
    if (reader.failed || type < PROTO_DOUBLE || type > PROTO_SINT64 || type == PROTO_GROUP) {
        return damaged(reterr, "a field has no type");
    }
    field->type = (enum proto_type)type;
    field->is_repeated = label == 3;
    field->has_presence = !field->is_repeated && (is_member || field->type == PROTO_MESSAGE);
    return 0;
}

static int add_message(struct proto_types *types, const char *scope, struct proto_reader reader,
                       unsigned nest, struct dpl_diag *reterr)
{
    struct proto_part part;
    if (types->n_messages == TYPES_MAX || nest == NEST_MAX) {
        return damaged(reterr, "too many types");
    }
    struct proto_message *added = &types->messages[types->n_messages++];
    size_t most = count(reader, 2);
    int r = 0;
    added->name = full_name(types, scope, reader);
    added->fields = dpl_arena_alloc(&types->arena, (most + 1) * sizeof *added->fields);
    while (r == 0 && proto_next(&reader, &part)) {
        if (part.wire != PROTO_LENGTH) {
            continue;
        }
        if (part.number == 2) {
            r = read_field(types, read_part(&part), &added->fields[added->n_fields++], reterr);
        } else if (part.number == 3) {
            r = add_message(types, added->name, read_part(&part), nest + 1, reterr);
        } else if (part.number == 4) {
            r = add_enum(types, added->name, read_part(&part), reterr);
        }
    }
    return r == 0 && reader.failed ? damaged(reterr, "a message is cut off") : r;
}

static int add_file(struct proto_types *types, struct proto_reader reader, struct dpl_diag *reterr)
{
    struct proto_reader again = reader;
    struct proto_part part;
    const char *package = "";
    int r = 0;
    while (proto_next(&reader, &part)) {
        if (part.number == 2 && part.wire == PROTO_LENGTH && part.n > 0) {
            package = dpl_arena_printf(&types->arena, ".%s", text_of(types, &part));
        }
    }
    while (r == 0 && proto_next(&again, &part)) {
        if (part.number == 4 && part.wire == PROTO_LENGTH) {
            r = add_message(types, package, read_part(&part), 0, reterr);
        } else if (part.number == 5 && part.wire == PROTO_LENGTH) {
            r = add_enum(types, package, read_part(&part), reterr);
        }
    }
    return r == 0 && again.failed ? damaged(reterr, "a file is cut off") : r;
}

/* Fields that name a type get it; afterwards names have no dot in front. */
static int link_field(const struct proto_types *types, struct proto_field *field,
                      struct dpl_diag *reterr)
{
    const char *wanted = field->type_name ? field->type_name : "";
    for (size_t i = 0; i < types->n_messages && field->type == PROTO_MESSAGE; i++) {
        field->message =
            strcmp(types->messages[i].name, wanted) == 0 ? &types->messages[i] : field->message;
    }
    for (size_t i = 0; i < types->n_enums && field->type == PROTO_ENUM; i++) {
        field->enumeration =
            strcmp(types->enums[i].name, wanted) == 0 ? &types->enums[i] : field->enumeration;
    }
    bool is_whole = (field->type != PROTO_MESSAGE || field->message) &&
                    (field->type != PROTO_ENUM || field->enumeration);
    return is_whole ? 0 : damaged(reterr, "a type that it uses is missing");
}

static int link_all(struct proto_types *types, struct dpl_diag *reterr)
{
    int r = 0;
    for (size_t i = 0; i < types->n_messages; i++) {
        for (size_t k = 0; k < types->messages[i].n_fields && r == 0; k++) {
            r = link_field(types, &types->messages[i].fields[k], reterr);
        }
    }
    for (size_t i = 0; i < types->n_messages; i++) {
        types->messages[i].name++;
    }
    for (size_t i = 0; i < types->n_enums; i++) {
        types->enums[i].name++;
    }
    return r;
}

int proto_types_read(const void *data, size_t n, struct proto_types **ret_types,
                     struct dpl_diag *reterr)
{
    struct proto_types *types = calloc(1, sizeof *types);
    struct proto_reader reader = {.at = data, .end = data ? (const uint8_t *)data + n : NULL};
    struct proto_part part;
    int r = 0;
    if (!types) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    types->messages = calloc(TYPES_MAX, sizeof *types->messages);
    types->enums = calloc(TYPES_MAX, sizeof *types->enums);
    if (!types->messages || !types->enums) {
        r = dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    while (r == 0 && proto_next(&reader, &part)) {
        if (part.number == 1 && part.wire == PROTO_LENGTH) {
            r = add_file(types, read_part(&part), reterr);
        }
    }
    r = r == 0 && reader.failed ? damaged(reterr, "it is cut off") : r;
    r = r == 0 ? link_all(types, reterr) : r;
    if (r < 0) {
        proto_types_destroy(types);
        return r;
    }
    *ret_types = types;
    return 0;
}

void proto_types_destroy(struct proto_types *types)
{
    if (types) {
        free(types->messages);
        free(types->enums);
        dpl_arena_finish(&types->arena);
        free(types);
    }
}

const struct proto_message *proto_types_find(const struct proto_types *types, const char *name)
{
    for (size_t i = 0; i < types->n_messages; i++) {
        if (strcmp(types->messages[i].name, name) == 0) {
            return &types->messages[i];
        }
    }
    return NULL;
}
