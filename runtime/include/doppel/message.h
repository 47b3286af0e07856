/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: a reference-counted block with a header and a protobuf-c struct. Within the process
 * messages are passed by pointer; receivers borrow them read-only. */
#ifndef DOPPEL_MESSAGE_H
#define DOPPEL_MESSAGE_H

#include <stdint.h>

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ProtobufCMessageDescriptor;
struct ProtobufCServiceDescriptor;

struct dpl_message {
    dpl_ns stamp;      /* time of the measurement, not of the publication */
    uint64_t sequence; /* number of the publication on this port, from 0 */
    const struct ProtobufCMessageDescriptor *type;
    void *body; /* the generated struct; read-only for receivers */
};

#ifdef __cplusplus
}
#endif

#endif
