/* SPDX-License-Identifier: Apache-2.0 */
/* Protobuf messages as JSON and back, by types that are known only at run time. Members have the
 * names of the .proto file. What has no presence is always there, with its default; enums are
 * names, bytes base64, numbers that are not finite "NaN", "Infinity" and "-Infinity", as in
 * protobuf's own JSON; 64-bit integers are numbers. */
#ifndef DOPPEL_WIRE_PROTO_JSON_H
#define DOPPEL_WIRE_PROTO_JSON_H

#include <jansson.h>

#include "bytes.h"
#include "proto_types.h"

/* A message as an object, which the caller owns. NULL with reterr: it is damaged, nested too deep,
 * or would have more than some millions of values. Allocates. */
json_t *proto_to_json(const struct proto_message *type, const void *data, size_t n,
                      struct dpl_diag *reterr);

/* Adds an encoded message to `out`. 0; -EINVAL with reterr, which names the member: there is none
 * of that name, or its value is of another type or out of range. Allocates. */
int proto_from_json(const struct proto_message *type, json_t *value, struct dpl_bytes *out,
                    struct dpl_diag *reterr);

/* Adds the bytes that a text of base64 (RFC 4648) stands for. 0; -EINVAL: it is none. */
int wire_base64(const char *text, size_t n, struct dpl_bytes *out);

#endif
