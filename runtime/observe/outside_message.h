/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from outside as components expect them: with all their sub-messages, and not larger than
 * those of the application. All of it allocates. */
#ifndef DOPPEL_OBSERVE_OUTSIDE_MESSAGE_H
#define DOPPEL_OBSERVE_OUTSIDE_MESSAGE_H

#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

#include <doppel/diag.h>

#include "arena.h"

/* The struct of an encoded message; free it with protobuf_c_message_free_unpacked. NULL with
 * reterr: -EPROTO: the bytes are no such message; -E2BIG: a repeated field has more elements than
 * `capacity`, or a text more bytes; -ENOMEM. */
ProtobufCMessage *dpl__outside_message(const ProtobufCMessageDescriptor *type, const void *data,
                                       size_t n, size_t capacity, struct dpl_diag *reterr);

/* An empty struct for a response with room, as dpl_service_call wants it; in the arena. NULL: it
 * would be too large. */
ProtobufCMessage *dpl__outside_response(struct dpl_arena *arena,
                                        const ProtobufCMessageDescriptor *type);

#endif
