/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the types that are reachable, then writes one file a package. Field numbers are those of
 * descriptor.proto. */
#include "descriptor_set.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#define TYPES_MAX     256
#define TYPE_NAME_MAX 256

/* A message or an enum. */
struct type {
    const char *name;    /* "doppel.Outer.Inner" */
    const char *package; /* "doppel" */
    const ProtobufCMessageDescriptor *message;
    const ProtobufCEnumDescriptor *enumeration;
};

struct set {
    struct type types[TYPES_MAX];
    size_t n;
    bool too_many;
};

/* ---- wire format ---- */

static void add_varint(struct dpl_bytes *out, uint64_t value)
{
    for (; value > 127; value >>= 7) {
        dpl_bytes_number(out, (value & 127) | 128, 1);
    }
    dpl_bytes_number(out, value, 1);
}

static void add_number(struct dpl_bytes *out, unsigned field, uint64_t value)
{
    add_varint(out, field << 3);
    add_varint(out, value);
}

static void add_bytes(struct dpl_bytes *out, unsigned field, const void *data, size_t n)
{
    add_varint(out, field << 3 | 2);
    add_varint(out, n);
    dpl_bytes_add(out, data, n);
}

static void add_text(struct dpl_bytes *out, unsigned field, const char *text)
{
    add_bytes(out, field, text, strlen(text));
}

/* Adds a message that was built in `part`, and frees it. */
static void add_part(struct dpl_bytes *out, unsigned field, struct dpl_bytes *part)
{
    out->failed |= part->failed;
    add_bytes(out, field, part->data, part->n);
    dpl_bytes_finish(part);
}

/* ---- collecting ---- */

static bool add_type(struct set *set, const struct type *type)
{
    for (size_t i = 0; i < set->n; i++) {
        if (strcmp(set->types[i].name, type->name) == 0) {
            return false;
        }
    }
    if (set->n == TYPES_MAX) {
        set->too_many = true;
        return false;
    }
    set->types[set->n++] = *type;
    return true;
}

/* The full name of a field's message or enum; NULL: it has another type. */
static const char *type_name(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE:
        return ((const ProtobufCMessageDescriptor *)field->descriptor)->name;
    case PROTOBUF_C_TYPE_ENUM: return ((const ProtobufCEnumDescriptor *)field->descriptor)->name;
    default: return NULL;
    }
}

static void collect(struct set *set, const ProtobufCMessageDescriptor *message)
{
    add_type(set, &(struct type){message->name, message->package_name, message, NULL});
    /* the list is its own queue: types that are added now are visited later */
    for (size_t i = 0; i < set->n; i++) {
        const ProtobufCMessageDescriptor *m = set->types[i].message;
        for (unsigned k = 0; m && k < m->n_fields; k++) {
            if (m->fields[k].type == PROTOBUF_C_TYPE_MESSAGE) {
                const ProtobufCMessageDescriptor *sub = m->fields[k].descriptor;
                add_type(set, &(struct type){sub->name, sub->package_name, sub, NULL});
            } else if (m->fields[k].type == PROTOBUF_C_TYPE_ENUM) {
                const ProtobufCEnumDescriptor *sub = m->fields[k].descriptor;
                add_type(set, &(struct type){sub->name, sub->package_name, NULL, sub});
            }
        }
    }
}

/* ---- files ---- */

/* The name of a type in its package: "Outer.Inner". */
static const char *name_in_package(const struct type *type)
{
    size_t n = strlen(type->package);
    return n > 0 && strncmp(type->name, type->package, n) == 0 && type->name[n] == '.'
               ? type->name + n + 1
               : type->name;
}

static void file_of(const struct type *type, char ret_name[TYPE_NAME_MAX])
{
    size_t n = (size_t)snprintf(ret_name, TYPE_NAME_MAX - 8, "%s",
                                *type->package ? type->package : "messages");
    n = n < TYPE_NAME_MAX - 8 ? n : TYPE_NAME_MAX - 9;
    for (size_t i = 0; i < n; i++) {
        ret_name[i] = ret_name[i] == '.' ? '/' : ret_name[i];
    }
    if (strcmp(type->package, "google.protobuf") == 0) {
        const char *name = name_in_package(type);
        size_t length = strcspn(name, ".");
        n += (size_t)snprintf(ret_name + n, TYPE_NAME_MAX - 8 - n, "/%.*s", (int)length, name);
        for (char *c = strrchr(ret_name, '/'); *c; c++) {
            *c = (char)tolower((unsigned char)*c);
        }
    }
    memcpy(ret_name + strlen(ret_name), ".proto", 7);
}

static bool is_in(const struct type *type, const char *file)
{
    char name[TYPE_NAME_MAX];
    file_of(type, name);
    return strcmp(name, file) == 0;
}

/* ---- fields ---- */

static unsigned wire_type(ProtobufCType type)
{
    static const unsigned char types[] = {
        [PROTOBUF_C_TYPE_DOUBLE] = 1,    [PROTOBUF_C_TYPE_FLOAT] = 2,
        [PROTOBUF_C_TYPE_INT64] = 3,     [PROTOBUF_C_TYPE_UINT64] = 4,
        [PROTOBUF_C_TYPE_INT32] = 5,     [PROTOBUF_C_TYPE_FIXED64] = 6,
        [PROTOBUF_C_TYPE_FIXED32] = 7,   [PROTOBUF_C_TYPE_BOOL] = 8,
        [PROTOBUF_C_TYPE_STRING] = 9,    [PROTOBUF_C_TYPE_MESSAGE] = 11,
        [PROTOBUF_C_TYPE_BYTES] = 12,    [PROTOBUF_C_TYPE_UINT32] = 13,
        [PROTOBUF_C_TYPE_ENUM] = 14,     [PROTOBUF_C_TYPE_SFIXED32] = 15,
        [PROTOBUF_C_TYPE_SFIXED64] = 16, [PROTOBUF_C_TYPE_SINT32] = 17,
        [PROTOBUF_C_TYPE_SINT64] = 18,
    };
    return types[type];
}

static unsigned label(ProtobufCLabel label)
{
    return label == PROTOBUF_C_LABEL_REQUIRED ? 2 : label == PROTOBUF_C_LABEL_REPEATED ? 3 : 1;
}

/* The number of the oneof of a field among those of its message: its members have one place for the
 * number of the member that is set. */
static unsigned oneof_of(const ProtobufCMessageDescriptor *message, unsigned field)
{
    unsigned n = 0;
    for (unsigned i = 0; i <= field; i++) {
        unsigned place = message->fields[i].quantifier_offset;
        if (place == message->fields[field].quantifier_offset) {
            return n;
        }
        bool is_first = message->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
        for (unsigned k = 0; k < i && is_first; k++) {
            is_first = message->fields[k].quantifier_offset != place;
        }
        n += is_first;
    }
    return n;
}

static void add_field(struct dpl_bytes *out, const ProtobufCMessageDescriptor *message,
                      unsigned index)
{
    const ProtobufCFieldDescriptor *field = &message->fields[index];
    struct dpl_bytes part = {0};
    add_text(&part, 1, field->name);
    add_number(&part, 3, field->id);
    add_number(&part, 4, label(field->label));
    add_number(&part, 5, wire_type(field->type));
    const char *name = type_name(field);
    if (name) {
        struct dpl_bytes full = {0};
        dpl_bytes_printf(&full, ".%s", name);
        add_part(&part, 6, &full);
    }
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        add_number(&part, 9, oneof_of(message, index));
    }
    add_part(out, 2, &part);
}

static void add_oneofs(struct dpl_bytes *out, const ProtobufCMessageDescriptor *message)
{
    unsigned n = 0;
    for (unsigned i = 0; i < message->n_fields; i++) {
        if ((message->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF) && oneof_of(message, i) == n) {
            struct dpl_bytes part = {0};
            char name[32];
            snprintf(name, sizeof name, "either_%u", n++);
            add_text(&part, 1, name);
            add_part(out, 8, &part);
        }
    }
}

/* ---- types ---- */

static void add_enum(struct dpl_bytes *out, unsigned field, const char *name,
                     const ProtobufCEnumDescriptor *type)
{
    struct dpl_bytes part = {0};
    add_text(&part, 1, name);
    /* protobuf-c sorts values by number; proto3 wants 0 first, and negative ones are allowed behind
     */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < type->n_values; i++) {
            if ((type->values[i].value == 0) != (pass == 0)) {
                continue;
            }
            struct dpl_bytes value = {0};
            add_text(&value, 1, type->values[i].name);
            add_number(&value, 2, (uint64_t)(int64_t)type->values[i].value);
            add_part(&part, 2, &value);
        }
    }
    add_part(out, field, &part);
}

static void add_level(struct dpl_bytes *out, const struct set *set, const char *file,
                      const char *scope);

/* A message with what lies in it; `message` NULL: only what lies in it is known. */
static void add_message(struct dpl_bytes *out, const struct set *set, const char *file,
                        const char *scope, const ProtobufCMessageDescriptor *message)
{
    struct dpl_bytes part = {0};
    const char *dot = strrchr(scope, '.');
    add_text(&part, 1, dot ? dot + 1 : scope);
    for (unsigned i = 0; message && i < message->n_fields; i++) {
        add_field(&part, message, i);
    }
    add_level(&part, set, file, scope);
    if (message) {
        add_oneofs(&part, message);
    }
    add_part(out, dot ? 3 : 4, &part);
}

/* The direct member of `scope` ("": the file) that a type is or lies in; false: none. */
static bool member_of(const struct type *type, const char *scope, char ret_member[TYPE_NAME_MAX])
{
    const char *name = name_in_package(type);
    size_t n = strlen(scope);
    if (n > 0 && (strncmp(name, scope, n) != 0 || name[n] != '.')) {
        return false;
    }
    n += n > 0;
    snprintf(ret_member, TYPE_NAME_MAX, "%.*s", (int)(n + strcspn(name + n, ".")), name);
    return true;
}

/* Whether an earlier type of the file is or lies in the same member. */
static bool is_repeated(const struct set *set, size_t index, const char *file, const char *scope,
                        const char *member)
{
    char other[TYPE_NAME_MAX];
    for (size_t i = 0; i < index; i++) {
        if (is_in(&set->types[i], file) && member_of(&set->types[i], scope, other) &&
            strcmp(member, other) == 0) {
            return true;
        }
    }
    return false;
}

static const struct type *find(const struct set *set, const char *file, const char *member)
{
    for (size_t i = 0; i < set->n; i++) {
        if (is_in(&set->types[i], file) && strcmp(name_in_package(&set->types[i]), member) == 0) {
            return &set->types[i];
        }
    }
    return NULL;
}

static void add_level(struct dpl_bytes *out, const struct set *set, const char *file,
                      const char *scope)
{
    char member[TYPE_NAME_MAX];
    for (size_t i = 0; i < set->n; i++) {
        if (!is_in(&set->types[i], file) || !member_of(&set->types[i], scope, member) ||
            is_repeated(set, i, file, scope, member)) {
            continue;
        }
        const struct type *type = find(set, file, member);
        if (type && type->enumeration) {
            const char *dot = strrchr(member, '.');
            add_enum(out, *scope ? 4 : 5, dot ? dot + 1 : member, type->enumeration);
        } else {
            add_message(out, set, file, member, type ? type->message : NULL);
        }
    }
}

/* ---- the set ---- */

/* Whether a message in `file` has a member whose type is in the other file. */
static bool needs(const struct set *set, const char *file, const char *other)
{
    for (size_t i = 0; i < set->n; i++) {
        const ProtobufCMessageDescriptor *m = set->types[i].message;
        for (unsigned k = 0; m && k < m->n_fields && is_in(&set->types[i], file); k++) {
            const char *name = type_name(&m->fields[k]);
            for (size_t t = 0; name && t < set->n; t++) {
                if (strcmp(set->types[t].name, name) == 0 && is_in(&set->types[t], other)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Whether no type before this one is in its file. */
static bool is_first_of_file(const struct set *set, size_t index, const char *file)
{
    for (size_t i = 0; i < index; i++) {
        if (is_in(&set->types[i], file)) {
            return false;
        }
    }
    return true;
}

static void add_imports(struct dpl_bytes *out, const struct set *set, const char *file)
{
    for (size_t i = 0; i < set->n; i++) {
        char name[TYPE_NAME_MAX];
        file_of(&set->types[i], name);
        if (strcmp(name, file) != 0 && is_first_of_file(set, i, name) && needs(set, file, name)) {
            add_text(out, 3, name);
        }
    }
}

static void add_file(struct dpl_bytes *out, const struct set *set, size_t index)
{
    char name[TYPE_NAME_MAX];
    file_of(&set->types[index], name);
    if (!is_first_of_file(set, index, name)) {
        return;
    }
    struct dpl_bytes part = {0};
    add_text(&part, 1, name);
    if (*set->types[index].package) {
        add_text(&part, 2, set->types[index].package);
    }
    add_imports(&part, set, name);
    add_level(&part, set, name, "");
    add_text(&part, 12, "proto3");
    add_part(out, 1, &part);
}

int dpl__descriptor_set(const struct ProtobufCMessageDescriptor *type, struct dpl_bytes *bytes)
{
    struct set set = {.n = 0};
    collect(&set, type);
    for (size_t i = 0; i < set.n; i++) {
        add_file(bytes, &set, i);
    }
    return set.too_many ? -E2BIG : bytes->failed ? -ENOMEM : 0;
}
