/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: a reference-counted block with a header and a protobuf-c struct. In the process a
 * message travels by pointer; subscribers borrow it read-only. */
#ifndef DOPPEL_MESSAGE_H
#define DOPPEL_MESSAGE_H

#include <stdint.h>

#include <doppel/time.h>

struct ProtobufCMessageDescriptor;
struct ProtobufCServiceDescriptor;

struct dpl_message {
    dpl_ns stamp;      /* instant of acquisition, not of publication */
    uint64_t sequence; /* counts the publications of the port, from 0 */
    const struct ProtobufCMessageDescriptor *type;
    void *body; /* the generated struct; read-only for receivers */
};

#endif
