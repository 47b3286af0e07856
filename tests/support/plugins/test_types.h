/* SPDX-License-Identifier: Apache-2.0 */
/* Types of messages and services for the test plugins: names are all that loading looks at. */
#ifndef TEST_TYPES_H
#define TEST_TYPES_H

#include <protobuf-c/protobuf-c.h>

#include <doppel/plugin.h>

#include "ports.h"

/* `...`: the default, and more of the description. */
#define FIELD(name_, type_, member_, ...)                                                          \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_##type_, DPL_MEMBER(struct properties, member_),          \
        .default_text = __VA_ARGS__                                                                \
    }

/* `fields`, of a class or a driver */
#define PROPERTIES                                                                                 \
    .properties = fields, .n_properties = DPL_COUNT(fields),                                       \
    .properties_size = sizeof(struct properties)

static const ProtobufCMessageDescriptor test_pose
    __attribute__((unused)) = {.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, .name = "test.Pose"};
static const ProtobufCMessageDescriptor test_scan
    __attribute__((unused)) = {.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC, .name = "test.Scan"};
static const ProtobufCServiceDescriptor test_base_service __attribute__((unused)) = {
    .magic = PROTOBUF_C__SERVICE_DESCRIPTOR_MAGIC, .name = "test.BaseService"};
static const ProtobufCServiceDescriptor test_map_service __attribute__((unused)) = {
    .magic = PROTOBUF_C__SERVICE_DESCRIPTOR_MAGIC, .name = "test.MapService"};

static const struct dpl_call test_wheel_calls[]
    __attribute__((unused)) = {{.name = "read", .kind = DPL_CALL_READING, DPL_CALL_OR_ENOTSUP}};
static const struct dpl_device_class test_wheels __attribute__((unused)) = {
    .name = "wheel_controller",
    .calls = test_wheel_calls,
    .n_calls = DPL_COUNT(test_wheel_calls),
};
static const dpl_device_call_fn test_wheel_api[DPL_COUNT(test_wheel_calls)] __attribute__((unused));

static const struct dpl_component_ops test_ops __attribute__((unused)) = {0};

#endif
