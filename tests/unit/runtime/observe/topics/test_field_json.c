/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "field_json.h"

struct values {
    double distance_mm;
    int64_t n;
    bool on;
    int mode;
    char name[32];
};

static const struct dpl_field fields[] = {
    DPL_EXPORT_NUMBER(struct values, distance_mm, "distance_mm", "mm", 0, "from the \"truth\""),
    DPL_EXPORT_INT(struct values, n, "n", NULL, 0, "number"),
    DPL_EXPORT_BOOL(struct values, on, "on", 0, "on"),
    DPL_EXPORT_CHOICE(struct values, mode, "mode", "slow|fast", 0, "mode"),
    DPL_TEXT(struct values, name, "name", "", "a text"),
};

static struct dpl_bytes bytes;

static void teardown(void)
{
    dpl_bytes_finish(&bytes);
}

TestSuite(field_json, .fini = teardown);

static const char *text(void)
{
    dpl_bytes_number(&bytes, 0, 1);
    return (const char *)bytes.data;
}

Test(field_json, writes_each_type_as_json_has_it)
{
    struct values values = {0.1, -7, true, 1, "a \"b\"\n"};
    dpl__fields_json(fields, DPL_COUNT(fields), &values, &bytes);
    cr_assert_str_eq(text(),
                     "{\"distance_mm\":0.1,\"n\":-7,\"on\":true,\"mode\":\"fast\","
                     "\"name\":\"a \\\"b\\\"\\\\x0a\"}",
                     "%s", text());
}

Test(field_json, a_number_that_is_none_is_null)
{
    struct values values = {.distance_mm = (double)NAN};
    dpl__field_json(&fields[0], &values, &bytes);
    values.distance_mm = (double)INFINITY;
    dpl__field_json(&fields[0], &values, &bytes);
    cr_assert_str_eq(text(), "nullnull");
}

Test(field_json, the_schema_has_types_units_and_choices)
{
    dpl__field_schema("/A/values", fields, DPL_COUNT(fields), &bytes);
    json_t *schema = json_loads(text(), JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(schema, "%s", text());
    json_t *properties = json_object_get(schema, "properties");
    cr_assert_eq(json_object_size(properties), DPL_COUNT(fields));
    json_t *distance = json_object_get(properties, "distance_mm");
    cr_assert_str_eq(json_string_value(json_object_get(distance, "description")),
                     "[mm] from the \"truth\"");
    json_t *mode = json_object_get(properties, "mode");
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(mode, "enum"), 1)), "fast");
    json_decref(schema);
}
