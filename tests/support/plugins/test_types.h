/* SPDX-License-Identifier: Apache-2.0 */
/* Types of messages and services for the test plugins: names are all that loading looks at. */
#ifndef TEST_TYPES_H
#define TEST_TYPES_H

#include <protobuf-c/protobuf-c.h>

#include <doppel/plugin.h>

static const ProtobufCMessageDescriptor test_pose
    __attribute__((unused)) = {.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, .name = "test.Pose"};
static const ProtobufCMessageDescriptor test_scan
    __attribute__((unused)) = {.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, .name = "test.Scan"};
static const ProtobufCServiceDescriptor test_base_service __attribute__((unused)) = {
    .magic = PROTOBUF_C__SERVICE_DESCRIPTOR_MAGIC, .name = "test.BaseService"};
static const ProtobufCServiceDescriptor test_map_service __attribute__((unused)) = {
    .magic = PROTOBUF_C__SERVICE_DESCRIPTOR_MAGIC, .name = "test.MapService"};

static const struct dpl_component_ops test_ops __attribute__((unused)) = {0};

#endif
