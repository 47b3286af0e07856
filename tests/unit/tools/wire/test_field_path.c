/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/field.h>

#include "field_path.h"

static const char message[] =
    "{\"pose\":{\"x\":1.5,\"name\":\"a\"},\"ranges\":[1,0.07,3],\"frames\":[{\"id\":\"b\"},{\"id\":"
    "\"c\"}],\"grid\":[[1,2],[3]],\"empty\":[],\"none\":{}}";

static void get(const char *path, char *ret_text, size_t size)
{
    struct dpl_diag why = {0};
    struct dpl_bytes out = {0};
    json_t *root = json_loads(message, 0, NULL), *value = field_path_find(root, path, &why);
    if (value) {
        field_json(value, &out);
    }
    snprintf(ret_text, size, "%.*s", value ? (int)out.n : (int)strlen(why.text),
             value ? (const char *)out.data : why.text);
    dpl_bytes_finish(&out);
    json_decref(root);
}

Test(field_path, finds_fields_and_items)
{
    static const char *const rows[][2] = {
        {"",
         "{\"pose\":{\"x\":1.5,\"name\":\"a\"},\"ranges\":[1,0.07,3],\"frames\":[{\"id\":\"b\"},"
         "{\"id\":\"c\"}],\"grid\":[[1,2],[3]],\"empty\":[],\"none\":{}}"},
        {"pose.x", "1.5"},
        {"pose", "{\"x\":1.5,\"name\":\"a\"}"},
        {"ranges[1]", "0.07"},
        {"frames[1].id", "\"c\""},
        {"grid[0][1]", "2"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        char text[512];
        get(rows[i][0], text, sizeof text);
        cr_assert_str_eq(text, rows[i][1], "%s: %s", rows[i][0], text);
    }
}

Test(field_path, tells_what_is_wrong_with_a_path)
{
    static const char *const rows[][2] = {
        {"pos.x", "there is no field 'pos', did you mean pose"},
        {"pose.y", "there is no field 'y'"},
        {"pose.x.z", "there is no field 'z'"},
        {"ranges[3]", "ranges has 3 items, from 0"},
        {"ranges[99999999999999999999]", "ranges has 3 items"},
        {"ranges[-1]", "expected [N]"},
        {"ranges[]", "expected [N]"},
        {"ranges[1", "expected [N]"},
        {"pose[0]", "pose has 0 items: it is no list"},
        {"pose.", "expected a path"},
        {".pose", "expected a path"},
        {"pose..x", "expected a path"},
        {"ranges[0]x", "there is no field 'x'"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        char text[512];
        get(rows[i][0], text, sizeof text);
        cr_assert(strstr(text, rows[i][1]), "%s: %s", rows[i][0], text);
    }
}

Test(field_path, writes_yaml_with_the_first_items_of_long_lists)
{
    struct dpl_bytes out = {0};
    json_t *root = json_loads(message, 0, NULL);
    field_yaml(root, 2, &out);
    dpl_bytes_number(&out, 0, 1);
    cr_assert_str_eq((const char *)out.data,
                     "pose:\n"
                     "  x: 1.5\n"
                     "  name: \"a\"\n"
                     "ranges: [1, 0.07, ...]\n"
                     "frames:\n"
                     "  - id: \"b\"\n"
                     "  - id: \"c\"\n"
                     "grid:\n"
                     "  - [1, 2]\n"
                     "  - [3]\n"
                     "empty: []\n"
                     "none: {}\n",
                     "%s", (const char *)out.data);
    dpl_bytes_finish(&out);
    json_decref(root);
}
