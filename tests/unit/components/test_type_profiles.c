/* SPDX-License-Identifier: Apache-2.0 */
/* profiles/types/Machine.xml and the services of a machine say what the generated descriptors say:
 * members in their order, their types, methods, what they take and return. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "machine.pb-c.h"
#include "xml_reader.h"

#define PACKAGE "doppel."

static const ProtobufCMessageDescriptor *const messages[] = {
    &doppel__pose6__descriptor,
    &doppel__wrench__descriptor,
    &doppel__pose_reference__descriptor,
    &doppel__planned_pose__descriptor,
    &doppel__path_state__descriptor,
    &doppel__axis_reference__descriptor,
    &doppel__axis_state__descriptor,
    &doppel__measured_pose__descriptor,
    &doppel__machine_command__descriptor,
    &doppel__planner_state__descriptor,
    &doppel__machine_request__descriptor,
    &doppel__machine_status__descriptor,
    &doppel__axes__descriptor,
};

#define N_MESSAGES (sizeof messages / sizeof messages[0])

static struct dpl_arena arena;

static const struct dpl_xml_node *read_profile(const char *file)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_xml_read_file(&arena, file, &root, &error), 0, "%s", error.text);
    return root;
}

static const char *short_name(const char *full)
{
    cr_assert_eq(strncmp(full, PACKAGE, strlen(PACKAGE)), 0, "%s", full);
    return full + strlen(PACKAGE);
}

/* Enumerations are whole numbers to a profile. */
static const char *scalar_name(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_DOUBLE: return "double";
    case PROTOBUF_C_TYPE_BOOL: return "bool";
    case PROTOBUF_C_TYPE_ENUM:
    case PROTOBUF_C_TYPE_INT32: return "int";
    case PROTOBUF_C_TYPE_UINT32: return "unsigned int";
    case PROTOBUF_C_TYPE_UINT64: return "unsigned long";
    case PROTOBUF_C_TYPE_MESSAGE:
        return short_name(((const ProtobufCMessageDescriptor *)field->descriptor)->name);
    default: cr_assert_fail("the test does not know the type of %s", field->name); return "";
    }
}

static void expect_item(const struct dpl_xml_node *item, const ProtobufCFieldDescriptor *field)
{
    char type[64];
    bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
    snprintf(type, sizeof type, repeated ? "std::vector(%s)" : "%s", scalar_name(field));
    cr_assert_str_eq(item->text, field->name, "line %d", item->place.line);
    cr_assert_str_eq(dpl_xml_attribute(item, "type")->value, type, "line %d", item->place.line);
}

static void expect_struct(const struct dpl_xml_node *found, const ProtobufCMessageDescriptor *type)
{
    const struct dpl_xml_node *item = dpl_xml_child(found, "item");
    for (unsigned i = 0; i < type->n_fields; i++) {
        cr_assert_not_null(item, "%s ends before %s", type->name, type->fields[i].name);
        expect_item(item, &type->fields[i]);
        item = dpl_xml_next(item, "item");
    }
    cr_assert_null(item, "%s has more items than the message", type->name);
}

static bool has_struct(const struct dpl_xml_node *root, const char *name)
{
    const struct dpl_xml_node *found = dpl_xml_child(root, "struct");
    while (found && strcmp(dpl_xml_attribute(found, "name")->value, name) != 0) {
        found = dpl_xml_next(found, "struct");
    }
    return found != NULL;
}

Test(type_profiles, describe_each_message_of_a_machine_as_its_descriptor_does)
{
    const struct dpl_xml_node *root = read_profile(PROFILES "/types/Machine.xml");
    const struct dpl_xml_node *found = dpl_xml_child(root, "struct");
    for (size_t i = 0; i < N_MESSAGES; i++) {
        cr_assert_not_null(found, "%s is missing", messages[i]->name);
        cr_assert_str_eq(dpl_xml_attribute(found, "name")->value, short_name(messages[i]->name));
        expect_struct(found, messages[i]);
        found = dpl_xml_next(found, "struct");
    }
    cr_assert_null(found, "a struct is no message of the test");
    dpl_arena_finish(&arena);
}

static void expect_method(const struct dpl_xml_node *root, const struct dpl_xml_node *method,
                          const ProtobufCMethodDescriptor *descriptor)
{
    const char *takes = short_name(descriptor->input->name);
    const char *gives = short_name(descriptor->output->name);
    const struct dpl_xml_node *param = dpl_xml_child(method, "param");
    cr_assert_str_eq(dpl_xml_attribute(method, "name")->value, descriptor->name);
    cr_assert_str_eq(dpl_xml_attribute(method, "return_type")->value,
                     strcmp(gives, "Empty") == 0 ? "int" : gives);
    if (strcmp(takes, "Empty") == 0) {
        cr_assert_null(param, "%s takes nothing", descriptor->name);
        return;
    }
    cr_assert_not_null(param, "%s takes %s", descriptor->name, takes);
    cr_assert_str_eq(dpl_xml_child(param, "type")->text, takes);
    cr_assert(has_struct(root, takes), "%s is no type of Machine.xml", takes);
}

static void expect_service(const char *file, const ProtobufCServiceDescriptor *service)
{
    const struct dpl_xml_node *types = read_profile(PROFILES "/types/Machine.xml");
    const struct dpl_xml_node *type = dpl_xml_child(read_profile(file), "service_port_type");
    cr_assert_str_eq(dpl_xml_child(type, "type_name")->text, short_name(service->name));
    const struct dpl_xml_node *method = dpl_xml_child(type, "method");
    for (unsigned i = 0; i < service->n_methods; i++) {
        cr_assert_not_null(method, "%s is missing", service->methods[i].name);
        expect_method(types, method, &service->methods[i]);
        method = dpl_xml_next(method, "method");
    }
    cr_assert_null(method, "%s has more methods than its descriptor", file);
    dpl_arena_finish(&arena);
}

Test(type_profiles, describe_the_services_of_a_machine_as_their_descriptors_do)
{
    expect_service(PROFILES "/services/KinematicsService.xml",
                   &doppel__kinematics_service__descriptor);
    expect_service(PROFILES "/services/MachineService.xml", &doppel__machine_service__descriptor);
}
