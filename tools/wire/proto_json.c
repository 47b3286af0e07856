/* SPDX-License-Identifier: Apache-2.0 */
#include "proto_json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/text.h>

#include "proto_wire.h"

#define DEPTH_MAX  32
#define VALUES_MAX (1u << 22)

struct decoding {
    size_t n_values;
    const char *why; /* NULL: it is whole */
};

static const struct dpl_place nowhere;

static json_t *decode(struct decoding *decoding, const struct proto_message *type,
                      struct proto_reader reader, unsigned depth);

/* The float as the double with the same shortest text: 0.07, not 0.070000000298. */
static double from_float(float value)
{
    char text[32];
    for (int digits = 6; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            return strtod(text, NULL);
        }
    }
    return (double)value;
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value)
                           : json_string(isnan(value) ? "NaN"
                                         : value > 0  ? "Infinity"
                                                      : "-Infinity");
}

static json_t *text(const uint8_t *data, size_t n)
{
    char *copy = calloc(1, n + 1), *clean = malloc(DPL_TEXT_CLEAN_SIZE(n));
    json_t *value = NULL;
    if (copy && clean) {
        memcpy(copy, data, n);
        dpl_text_clean(copy, clean, DPL_TEXT_CLEAN_SIZE(n));
        value = json_string(clean);
    }
    free(copy);
    free(clean);
    return value;
}

static json_t *base64(const uint8_t *data, size_t n)
{
    struct dpl_bytes out = {0};
    dpl_bytes_base64(&out, data, n);
    json_t *value = json_stringn(out.data ? (const char *)out.data : "", out.n);
    dpl_bytes_finish(&out);
    return value;
}

static json_t *enum_name(const struct proto_enum *type, int32_t number)
{
    for (size_t i = 0; i < type->n_values; i++) {
        if (type->values[i].number == number) {
            return text((const uint8_t *)type->values[i].name, strlen(type->values[i].name));
        }
    }
    return json_integer(number);
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static json_t *number(const struct proto_field *field, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double twice;
    switch (field->type) {
    case PROTO_DOUBLE: memcpy(&twice, &bits, sizeof twice); return real(twice);
    case PROTO_FLOAT:
        memcpy(&single, &low, sizeof single);
        return real(isfinite(single) ? from_float(single) : (double)single);
    case PROTO_BOOL: return json_boolean(bits != 0);
    case PROTO_ENUM: return enum_name(field->enumeration, (int32_t)bits);
    case PROTO_INT32:
    case PROTO_SFIXED32: return json_integer((int32_t)bits);
    case PROTO_UINT32:
    case PROTO_FIXED32: return json_integer((json_int_t)low);
    case PROTO_SINT32: return json_integer((int32_t)unzigzag(low));
    case PROTO_SINT64: return json_integer(unzigzag(bits));
    case PROTO_UINT64:
    case PROTO_FIXED64:
        return bits > INT64_MAX ? json_real((double)bits) : json_integer((json_int_t)bits);
    default: return json_integer((json_int_t)bits);
    }
}

static enum proto_wire wire_of(enum proto_type type)
{
    switch (type) {
    case PROTO_DOUBLE:
    case PROTO_FIXED64:
    case PROTO_SFIXED64: return PROTO_64;
    case PROTO_FLOAT:
    case PROTO_FIXED32:
    case PROTO_SFIXED32: return PROTO_32;
    case PROTO_STRING:
    case PROTO_BYTES:
    case PROTO_MESSAGE: return PROTO_LENGTH;
    default: return PROTO_VARINT;
    }
}

static json_t *part_value(struct decoding *decoding, const struct proto_field *field,
                          const struct proto_part *part, unsigned depth)
{
    struct proto_reader inner = {.at = part->data,
                                 .end = part->n > 0 ? part->data + part->n : part->data};
    switch (field->type) {
    case PROTO_MESSAGE: return decode(decoding, field->message, inner, depth + 1);
    case PROTO_STRING: return text(part->data, part->n);
    case PROTO_BYTES: return base64(part->data, part->n);
    default: return number(field, part->value);
    }
}

static bool is_allowed(struct decoding *decoding)
{
    decoding->why = ++decoding->n_values > VALUES_MAX ? "it has too many values" : decoding->why;
    return !decoding->why;
}

static void add_packed(struct decoding *decoding, const struct proto_field *field,
                       const struct proto_part *part, json_t *list)
{
    struct proto_reader reader = {.at = part->data, .end = part->data + part->n};
    while (reader.at < reader.end && is_allowed(decoding)) {
        uint64_t bits = proto_number(&reader, wire_of(field->type));
        if (reader.failed) {
            decoding->why = "a list is cut off";
            return;
        }
        json_array_append_new(list, number(field, bits));
    }
}

static void add_part(struct decoding *decoding, const struct proto_field *field,
                     const struct proto_part *part, json_t *object, unsigned depth)
{
    json_t *list = json_object_get(object, field->name);
    bool fits = part->wire == wire_of(field->type);
    if (field->is_repeated && !fits && part->wire == PROTO_LENGTH) {
        add_packed(decoding, field, part, list);
    } else if (!fits) {
        decoding->why = "a field has another type";
    } else if (is_allowed(decoding)) {
        json_t *value = part_value(decoding, field, part, depth);
        if (field->is_repeated) {
            json_array_append_new(list, value);
        } else {
            json_object_set_new_nocheck(object, field->name, value);
        }
    }
}

/* Defaults first, so that members are in the order of the type. */
static json_t *defaults(struct decoding *decoding, const struct proto_message *type)
{
    json_t *object = json_object();
    for (size_t i = 0; i < type->n_fields && is_allowed(decoding); i++) {
        const struct proto_field *field = &type->fields[i];
        if (field->is_repeated) {
            json_object_set_new_nocheck(object, field->name, json_array());
        } else if (!field->has_presence) {
            bool is_text = wire_of(field->type) == PROTO_LENGTH;
            json_object_set_new_nocheck(object, field->name,
                                        is_text ? json_string("") : number(field, 0));
        }
    }
    return object;
}

static const struct proto_field *find_field(const struct proto_message *type, uint32_t number)
{
    for (size_t i = 0; i < type->n_fields; i++) {
        if (type->fields[i].number == number) {
            return &type->fields[i];
        }
    }
    return NULL;
}

static json_t *decode(struct decoding *decoding, const struct proto_message *type,
                      struct proto_reader reader, unsigned depth)
{
    struct proto_part part;
    if (depth > DEPTH_MAX) {
        decoding->why = "it is nested too deep";
        return json_null();
    }
    json_t *object = defaults(decoding, type);
    while (!decoding->why && proto_next(&reader, &part)) {
        const struct proto_field *field = find_field(type, part.number);
        if (field) {
            add_part(decoding, field, &part, object, depth);
        }
    }
    decoding->why = !decoding->why && reader.failed ? "it is cut off" : decoding->why;
    return object;
}

json_t *proto_to_json(const struct proto_message *type, const void *data, size_t n,
                      struct dpl_diag *reterr)
{
    struct decoding decoding = {0};
    const uint8_t *bytes = data;
    struct proto_reader reader = {.at = bytes, .end = n > 0 ? bytes + n : bytes};
    json_t *object = decode(&decoding, type, reader, 0);
    if (decoding.why) {
        dpl_fail(reterr, -EBADMSG, nowhere, "a message of type %s is damaged: %s", type->name,
                 decoding.why);
        json_decref(object);
        return NULL;
    }
    return object;
}
