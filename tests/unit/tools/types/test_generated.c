/* SPDX-License-Identifier: Apache-2.0 */
/* The headers and profiles that tools/types/generate writes from sample.proto: what a call hands
 * over and brings back, the numbers of methods and enumerations, the texts of profiles. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sample.h"
#include "xml_reader.h"

static struct {
    unsigned port, method;
    int answer;
    const void *request;
    Doppel__SampleSetup setup;
    char name[16];
} seen;

/* Stands for the runtime: keeps what it is given, answers with known values. */
int dpl_service_call(struct dpl_component *self, unsigned port, unsigned method,
                     const void *request, void *response)
{
    cr_assert_not_null(self);
    seen.port = port;
    seen.method = method;
    seen.request = request;
    if (method == DPL_SAMPLE_DEVICE_SET_UP) {
        seen.setup = *(const Doppel__SampleSetup *)request;
        strcpy(seen.name, seen.setup.name);
    } else if (method == DPL_SAMPLE_DEVICE_GET_LEVEL) {
        ((Doppel__SampleLevel *)response)->channel = 7;
        ((Doppel__SampleLevel *)response)->level = true;
    } else if (method == DPL_SAMPLE_DEVICE_MOVE_TO) {
        ((Doppel__SampleReading *)response)->speed = 0.25;
    }
    return seen.answer;
}

static struct dpl_component *somebody(void)
{
    static int stands_for_a_component;
    memset(&seen, 0, sizeof seen);
    return (struct dpl_component *)&stands_for_a_component;
}

Test(generated, numbers_methods_in_their_order)
{
    const ProtobufCServiceDescriptor *service = &doppel__sample_device_service__descriptor;
    cr_assert_eq(service->n_methods, DPL_SAMPLE_DEVICE_N_METHODS);
    cr_assert_str_eq(service->methods[DPL_SAMPLE_DEVICE_SET_UP].name, "SetUp");
    cr_assert_str_eq(service->methods[DPL_SAMPLE_DEVICE_MOVE_TO].name, "MoveTo");
}

Test(generated, enumerations_have_the_numbers_of_the_message)
{
    cr_assert_eq((int)DPL_SAMPLE_OFF, (int)DOPPEL__SAMPLE_MODE__SAMPLE_OFF);
    cr_assert_eq((int)DPL_SAMPLE_WARM_UP, (int)DOPPEL__SAMPLE_MODE__SAMPLE_WARM_UP);
    cr_assert_eq(DPL_SAMPLE_MODE_N, 2);
    cr_assert_str_eq(DPL_SAMPLE_MODE_WORDS, "off|warm_up");
}

Test(generated, a_small_request_is_a_list_of_arguments)
{
    int err = dpl_sample_device_call_set_up(somebody(), 3, "bench", DPL_SAMPLE_WARM_UP, -5);
    cr_assert_eq(err, 0);
    cr_assert_eq(seen.port, 3);
    cr_assert_eq(seen.method, DPL_SAMPLE_DEVICE_SET_UP);
    cr_assert_str_eq(seen.name, "bench");
    cr_assert_eq(seen.setup.mode, DOPPEL__SAMPLE_MODE__SAMPLE_WARM_UP);
    cr_assert_eq(seen.setup.at_ns, -5);
}

Test(generated, a_small_response_is_set_where_the_call_succeeds)
{
    uint32_t channel = 1;
    bool level = false;
    struct dpl_component *self = somebody();
    seen.answer = -EAGAIN;
    cr_assert_eq(dpl_sample_device_call_get_level(self, 0, &channel, &level), -EAGAIN);
    cr_assert_eq(channel, 1);
    cr_assert_not(level);
    seen.answer = 0;
    cr_assert_eq(dpl_sample_device_call_get_level(self, 0, &channel, &level), 0);
    cr_assert_eq(channel, 7);
    cr_assert(level);
}

Test(generated, shared_messages_go_by_pointer)
{
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    Doppel__SampleReading reading = DOPPEL__SAMPLE_READING__INIT;
    cr_assert_eq(dpl_sample_device_call_move_to(somebody(), 0, &pose, &reading), 0);
    cr_assert_eq(seen.request, &pose);
    cr_assert_float_eq(reading.speed, 0.25, 0);
}

/* ---- profiles ---- */

static struct dpl_arena arena;

static const struct dpl_xml_node *read_profile(const char *file)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_xml_read_file(&arena, file, &root, &error), 0, "%s", error.text);
    return root;
}

static const struct dpl_xml_node *item(const struct dpl_xml_node *of, size_t i)
{
    const struct dpl_xml_node *found = dpl_xml_child(of, "item");
    for (; found && i > 0; i--) {
        found = dpl_xml_next(found, "item");
    }
    cr_assert_not_null(found);
    return found;
}

static void expect_item(const struct dpl_xml_node *of, size_t i, const char *name, const char *type,
                        const char *unit)
{
    const struct dpl_xml_node *is = item(of, i);
    cr_assert_str_eq(is->text, name);
    cr_assert_str_eq(dpl_xml_attribute(is, "type")->value, type);
    const struct dpl_xml_attribute *has = dpl_xml_attribute(is, "unit");
    cr_assert((has == NULL) == (!unit), "%s", name);
    if (unit) {
        cr_assert_str_eq(has->value, unit);
    }
}

Test(generated, types_have_items_with_units_and_names_of_opros)
{
    const struct dpl_xml_node *reading =
        dpl_xml_child(read_profile(GENERATED "/types/Sample.xml"), "struct");
    cr_assert_str_eq(dpl_xml_attribute(reading, "name")->value, "SampleReading");
    cr_assert_str_eq(dpl_xml_child(reading, "description")->text,
                     "What is known. mode: 0 off, 1 warm up.");
    expect_item(reading, 0, "speed", "double", "m/s");
    expect_item(reading, 1, "ranges", "std::vector(float)", "m");
    expect_item(reading, 2, "mode", "int", NULL);
    expect_item(reading, 3, "pose", "Pose2", NULL);
    expect_item(reading, 4, "count", "unsigned long", NULL);
    const struct dpl_xml_node *alias = dpl_xml_next(reading, "struct");
    cr_assert_str_eq(dpl_xml_attribute(alias, "name")->value, "Reading");
    dpl_arena_finish(&arena);
}

static void expect_method(const struct dpl_xml_node *method, const char *name, const char *returns)
{
    cr_assert_str_eq(dpl_xml_attribute(method, "name")->value, name);
    cr_assert_str_eq(dpl_xml_attribute(method, "return_type")->value, returns);
}

Test(generated, services_have_their_methods_with_parameters)
{
    const struct dpl_xml_node *root = read_profile(GENERATED "/services/SampleDeviceService.xml");
    const struct dpl_xml_node *method =
        dpl_xml_child(dpl_xml_child(root, "service_port_type"), "method");
    expect_method(method, "SetUp", "int");
    const struct dpl_xml_node *param = dpl_xml_child(method, "param");
    cr_assert_str_eq(dpl_xml_child(param, "name")->text, "name");
    cr_assert_str_eq(dpl_xml_child(param, "type")->text, "string");
    method = dpl_xml_next(method, "method");
    expect_method(method, "SetUpp", "int");
    method = dpl_xml_next(method, "method");
    expect_method(method, "GetLevel", "SampleLevel");
    cr_assert_null(dpl_xml_child(method, "param"));
    method = dpl_xml_next(dpl_xml_next(method, "method"), "method");
    expect_method(method, "MoveTo", "SampleReading");
    cr_assert_str_eq(dpl_xml_child(dpl_xml_child(method, "param"), "type")->text, "Pose2");
    dpl_arena_finish(&arena);
}
