/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "proto_json.h"
#include "proto_wire.h"

#define DEPTH_MAX  32
#define FIELDS_MAX 256

static const struct dpl_place nowhere;

static int encode(const struct proto_message *type, json_t *object, struct dpl_bytes *out,
                  unsigned depth, struct dpl_diag *reterr);

static void add_varint(struct dpl_bytes *out, uint64_t value)
{
    for (; value > 127; value >>= 7) {
        dpl_bytes_number(out, (value & 127) | 128, 1);
    }
    dpl_bytes_number(out, value, 1);
}

static int expected(const struct proto_field *field, const char *what, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EINVAL, nowhere, "%s: expected %s", field->name, what);
}

/* ---- integers ---- */

/* Range of a type; the whole range of int64_t for 64 bits. */
static void range_of(enum proto_type type, int64_t *ret_low, int64_t *ret_high)
{
    bool is_unsigned = type == PROTO_UINT32 || type == PROTO_FIXED32 || type == PROTO_UINT64 ||
                       type == PROTO_FIXED64;
    bool is_64 = type == PROTO_INT64 || type == PROTO_UINT64 || type == PROTO_SINT64 ||
                 type == PROTO_FIXED64 || type == PROTO_SFIXED64;
    *ret_low = is_unsigned ? 0 : is_64 ? INT64_MIN : INT32_MIN;
    *ret_high = is_64 ? INT64_MAX : is_unsigned ? UINT32_MAX : INT32_MAX;
}

static int add_integer(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                       struct dpl_diag *reterr)
{
    int64_t low, high, number = json_integer_value(value);
    range_of(field->type, &low, &high);
    if (!json_is_integer(value) || number < low || number > high) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s: expected a whole number from %lld to %lld",
                        field->name, (long long)low, (long long)high);
    }
    switch (field->type) {
    case PROTO_SINT32:
    case PROTO_SINT64:
        add_varint(out, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
        break;
    case PROTO_FIXED32:
    case PROTO_SFIXED32: dpl_bytes_number(out, (uint64_t)number, 4); break;
    case PROTO_FIXED64:
    case PROTO_SFIXED64: dpl_bytes_number(out, (uint64_t)number, 8); break;
    default: add_varint(out, (uint64_t)number); break;
    }
    return 0;
}

static int add_enum(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                    struct dpl_diag *reterr)
{
    const struct proto_enum *type = field->enumeration;
    const char *names[FIELDS_MAX], *name = json_string_value(value);
    size_t n = 0;
    for (size_t i = 0; i < type->n_values; i++) {
        bool is_it =
            name ? strcmp(type->values[i].name, name) == 0
                 : json_is_integer(value) && json_integer_value(value) == type->values[i].number;
        if (is_it) {
            add_varint(out, (uint64_t)(int64_t)type->values[i].number);
            return 0;
        }
        n += n < FIELDS_MAX ? (names[n] = type->values[i].name, 1u) : 0;
    }
    const char *near = name ? dpl_nearest(name, names, n) : NULL;
    return dpl_fail(reterr, -EINVAL, nowhere, "%s: expected a value of %s%s%s", field->name,
                    type->name,
                    near    ? ", did you mean "
                    : n > 0 ? ", such as "
                            : "",
                    near    ? near
                    : n > 0 ? names[0]
                            : "");
}

/* ---- other values ---- */

/* A number, or one of the names of those that are not finite. */
static bool real_of(json_t *value, double *ret_number)
{
    const char *name = json_string_value(value);
    *ret_number = json_is_number(value)                    ? json_number_value(value)
                  : name && strcmp(name, "NaN") == 0       ? (double)NAN
                  : name && strcmp(name, "-Infinity") == 0 ? -HUGE_VAL
                                                           : HUGE_VAL;
    return json_is_number(value) ||
           (name && (strcmp(name, "NaN") == 0 || strcmp(name + (*name == '-'), "Infinity") == 0));
}

static int add_real(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                    struct dpl_diag *reterr)
{
    double number;
    uint64_t bits = 0;
    if (!real_of(value, &number)) {
        return expected(field, "a number", reterr);
    }
    if (field->type == PROTO_DOUBLE) {
        memcpy(&bits, &number, sizeof number);
        dpl_bytes_number(out, bits, 8);
    } else {
        float single = (float)number;
        memcpy(&bits, &single, sizeof single);
        dpl_bytes_number(out, bits, 4);
    }
    return 0;
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

int wire_base64(const char *text, size_t n, struct dpl_bytes *out)
{
    uint32_t bits = 0;
    unsigned n_bits = 0;
    while (n > 0 && text[n - 1] == '=') {
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            return -EINVAL;
        }
        bits = bits << 6 | (uint32_t)digit;
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            dpl_bytes_number(out, bits >> n_bits & 255, 1);
        }
    }
    return 0;
}

/* What has a length in front of it. */
static int add_long(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                    unsigned depth, struct dpl_diag *reterr)
{
    struct dpl_bytes part = {0};
    int r = 0;
    if (field->type == PROTO_MESSAGE) {
        r = encode(field->message, value, &part, depth + 1, reterr);
    } else if (!json_is_string(value)) {
        r = expected(field, field->type == PROTO_STRING ? "a text" : "bytes as base64", reterr);
    } else if (field->type == PROTO_STRING) {
        dpl_bytes_add(&part, json_string_value(value), json_string_length(value));
    } else if (wire_base64(json_string_value(value), json_string_length(value), &part) < 0) {
        r = expected(field, "bytes as base64", reterr);
    }
    add_varint(out, part.n);
    dpl_bytes_add(out, part.data, part.n);
    out->failed |= part.failed;
    dpl_bytes_finish(&part);
    return r;
}

static int add_value(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                     unsigned depth, struct dpl_diag *reterr)
{
    static const uint8_t wires[] = {
        [PROTO_DOUBLE] = PROTO_64,      [PROTO_FLOAT] = PROTO_32,      [PROTO_FIXED64] = PROTO_64,
        [PROTO_FIXED32] = PROTO_32,     [PROTO_STRING] = PROTO_LENGTH, [PROTO_BYTES] = PROTO_LENGTH,
        [PROTO_MESSAGE] = PROTO_LENGTH, [PROTO_SFIXED32] = PROTO_32,   [PROTO_SFIXED64] = PROTO_64,
        [PROTO_SINT64] = PROTO_VARINT,
    };
    add_varint(out, (uint64_t)field->number << 3 | wires[field->type]);
    switch (field->type) {
    case PROTO_DOUBLE:
    case PROTO_FLOAT: return add_real(field, value, out, reterr);
    case PROTO_STRING:
    case PROTO_BYTES:
    case PROTO_MESSAGE: return add_long(field, value, out, depth, reterr);
    case PROTO_ENUM: return add_enum(field, value, out, reterr);
    case PROTO_BOOL:
        if (!json_is_boolean(value)) {
            return expected(field, "true or false", reterr);
        }
        add_varint(out, json_is_true(value));
        return 0;
    default: return add_integer(field, value, out, reterr);
    }
}

static const struct proto_field *find_field(const struct proto_message *type, const char *name,
                                            struct dpl_diag *reterr)
{
    const char *names[FIELDS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < type->n_fields; i++) {
        if (strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
        n += n < FIELDS_MAX ? (names[n] = type->fields[i].name, 1u) : 0;
    }
    const char *near = dpl_nearest(name, names, n);
    dpl_fail(reterr, -EINVAL, nowhere, "%s has no field '%s'%s%s", type->name, name,
             near ? ", did you mean " : "", near ? near : "");
    return NULL;
}

static int add_member(const struct proto_field *field, json_t *value, struct dpl_bytes *out,
                      unsigned depth, struct dpl_diag *reterr)
{
    size_t i;
    json_t *item;
    int r = 0;
    if (!field->is_repeated) {
        return add_value(field, value, out, depth, reterr);
    }
    if (!json_is_array(value)) {
        return expected(field, "a list", reterr);
    }
    json_array_foreach(value, i, item)
    {
        r = r < 0 ? r : add_value(field, item, out, depth, reterr);
    }
    return r;
}

static int encode(const struct proto_message *type, json_t *object, struct dpl_bytes *out,
                  unsigned depth, struct dpl_diag *reterr)
{
    const char *name;
    json_t *value;
    int r = 0;
    if (!json_is_object(object) || depth > DEPTH_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "expected an object {...} for %s", type->name);
    }
    json_object_foreach(object, name, value)
    {
        const struct proto_field *field = find_field(type, name, reterr);
        r = !field ? -EINVAL : add_member(field, value, out, depth, reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

int proto_from_json(const struct proto_message *type, json_t *value, struct dpl_bytes *out,
                    struct dpl_diag *reterr)
{
    int r = encode(type, value, out, 0, reterr);
    return r == 0 && out->failed ? dpl_fail(reterr, -ENOMEM, nowhere, "no memory") : r;
}
