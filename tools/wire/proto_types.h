/* SPDX-License-Identifier: Apache-2.0 */
/* Types of protobuf messages that are known only at run time: protobuf-c has no reflection. They
 * are read from a FileDescriptorSet (descriptor.proto), as the wire and recordings have it. */
#ifndef DOPPEL_WIRE_PROTO_TYPES_H
#define DOPPEL_WIRE_PROTO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>

/* The numbers of FieldDescriptorProto.Type. */
enum proto_type {
    PROTO_DOUBLE = 1,
    PROTO_FLOAT,
    PROTO_INT64,
    PROTO_UINT64,
    PROTO_INT32,
    PROTO_FIXED64,
    PROTO_FIXED32,
    PROTO_BOOL,
    PROTO_STRING,
    PROTO_GROUP, /* refused */
    PROTO_MESSAGE,
    PROTO_BYTES,
    PROTO_UINT32,
    PROTO_ENUM,
    PROTO_SFIXED32,
    PROTO_SFIXED64,
    PROTO_SINT32,
    PROTO_SINT64,
};

struct proto_value {
    const char *name;
    int32_t number;
};

struct proto_enum {
    const char *name; /* "doppel.State" */
    struct proto_value *values;
    size_t n_values;
};

struct proto_field {
    const char *name;
    uint32_t number;
    enum proto_type type;
    bool is_repeated;
    bool has_presence; /* an absent one is not its default: messages, members of a oneof */
    const struct proto_message *message;  /* PROTO_MESSAGE */
    const struct proto_enum *enumeration; /* PROTO_ENUM */
    const char *type_name;                /* private: ".doppel.State" */
};

struct proto_message {
    const char *name; /* "doppel.Odometry" */
    struct proto_field *fields;
    size_t n_fields;
};

struct proto_types;

/* Reads a set. 0; -EBADMSG with reterr: it is damaged, too large, or a type that is used is
 * missing. Allocates; the caller destroys it. */
int proto_types_read(const void *data, size_t n, struct proto_types **ret_types,
                     struct dpl_diag *reterr);
void proto_types_destroy(struct proto_types *types);

/* A message by its full name; NULL: there is none. Valid until the types are destroyed. */
const struct proto_message *proto_types_find(const struct proto_types *types, const char *name);

#endif
