/* SPDX-License-Identifier: Apache-2.0 */
/* The schema of a protobuf message as other tools read it: the bytes of a FileDescriptorSet
 * (google/protobuf/descriptor.proto) with the message and all messages and enums in it. It is made
 * from the descriptors of protobuf-c, which has no reflection and knows no files: each package
 * becomes a file of its name, and each message of google.protobuf one as it is published. Names of
 * oneofs are not known; they are called either_N. */
#ifndef DOPPEL_OBSERVE_DESCRIPTOR_SET_H
#define DOPPEL_OBSERVE_DESCRIPTOR_SET_H

#include "bytes.h"

struct ProtobufCMessageDescriptor;

/* Adds the set to `bytes`: 0, -ENOMEM, or -E2BIG: more than 256 types. Allocates. */
int dpl__descriptor_set(const struct ProtobufCMessageDescriptor *type, struct dpl_bytes *bytes);

#endif
