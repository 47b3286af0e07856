/* SPDX-License-Identifier: Apache-2.0 */
/* protoc is the oracle: it makes the description and the messages that are read here, and reads
 * those that are made here. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "field_path.h"
#include "proto_json.h"

#define BYTES_MAX 8192

static const char proto[] =
    "syntax=\"proto3\"; package t;"
    "message In { double x = 1; string s = 2; In deep = 3; }"
    "message All { enum Color { RED = 0; BLUE = 5; DARK = -2; }"
    " double d = 1; float f = 2; int64 i64 = 3; uint64 u64 = 4; int32 i32 = 5; fixed64 x64 = 6;"
    " fixed32 x32 = 7; bool b = 8; string s = 9; In in = 11; bytes raw = 12; uint32 u32 = 13;"
    " Color color = 14; sfixed32 s32 = 15; sfixed64 s64 = 16; sint32 z32 = 17; sint64 z64 = 18;"
    " repeated float fs = 20; repeated In ins = 21; repeated string names = 22;"
    " repeated sint64 zs = 23 [packed = false]; oneof either { double l = 24; In r = 25; }"
    " repeated Color colors = 26; }";

static char folder[64];
static struct proto_types *types;
static const struct proto_message *all;

static size_t run(const char *command, char *ret_bytes)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s 2>&1", folder, command);
    FILE *pipe = popen(line, "r");
    cr_assert_not_null(pipe);
    size_t n = fread(ret_bytes, 1, BYTES_MAX - 1, pipe);
    ret_bytes[n] = '\0';
    pclose(pipe);
    return n;
}

static void write_file(const char *name, const void *data, size_t n)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(data, 1, n, file), n);
    fclose(file);
}

static void setup(void)
{
    char set[BYTES_MAX];
    struct dpl_diag why = {0};
    strcpy(folder, "/tmp/proto_json.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    write_file("t.proto", proto, strlen(proto));
    size_t n = run("protoc --descriptor_set_out=set t.proto && cat set", set);
    cr_assert_eq(proto_types_read(set, n, &types, &why), 0, "%s", why.text);
    all = proto_types_find(types, "t.All");
    cr_assert_not_null(all);
    cr_assert_null(proto_types_find(types, "t.Al"));
}

static void teardown(void)
{
    char ignored[BYTES_MAX];
    run("rm -r ../$(basename $PWD)", ignored);
    proto_types_destroy(types);
}

TestSuite(proto_json, .init = setup, .fini = teardown);

/* The JSON of a message in protoc's text form. */
static void decode(const char *text, char ret_json[BYTES_MAX])
{
    char message[BYTES_MAX];
    struct dpl_diag why = {0};
    struct dpl_bytes out = {0};
    write_file("text", text, strlen(text));
    size_t n = run("protoc --descriptor_set_in=set --encode=t.All < text", message);
    json_t *value = proto_to_json(all, message, n, &why);
    cr_assert_not_null(value, "%s", why.text);
    field_json(value, &out);
    snprintf(ret_json, BYTES_MAX, "%.*s", (int)out.n, (const char *)out.data);
    dpl_bytes_finish(&out);
    json_decref(value);
}

/* What protoc reads of a message that is made from JSON, without spaces and line breaks. */
static int encode(const char *json, char ret_text[BYTES_MAX], struct dpl_diag *why)
{
    struct dpl_bytes out = {0};
    json_t *value = json_loads(json, 0, NULL);
    cr_assert_not_null(value);
    int r = proto_from_json(all, value, &out, why);
    if (r == 0) {
        write_file("message", out.data, out.n);
        run("protoc --descriptor_set_in=set --decode=t.All < message | tr '\\n' ' ' | tr -s ' '",
            ret_text);
    }
    dpl_bytes_finish(&out);
    json_decref(value);
    return r;
}

Test(proto_json, decodes_every_type)
{
    char json[BYTES_MAX];
    decode("d: 0.1 f: 0.07 i64: -9007199254740993 u64: 7 i32: -5 x64: 8 x32: 4294967295 b: true "
           "s: 'hi' in { x: 1.5 deep { s: 'y' } } raw: '\\001\\002\\003' u32: 9 color: BLUE "
           "s32: -3 s64: -4 z32: -2147483648 z64: -1 fs: [0.5, 0.07] ins { x: 2 } ins { } "
           "names: 'a' names: 'b' zs: [1, -1] r { x: 3 } colors: [RED, DARK]",
           json);
    cr_assert_str_eq(
        json,
        "{\"d\":0.1,\"f\":0.07,\"i64\":-9007199254740993,\"u64\":7,\"i32\":-5,\"x64\":8,"
        "\"x32\":4294967295,\"b\":true,\"s\":\"hi\",\"raw\":\"AQID\",\"u32\":9,\"color\":\"BLUE\","
        "\"s32\":-3,\"s64\":-4,\"z32\":-2147483648,\"z64\":-1,\"fs\":[0.5,0.07],"
        "\"ins\":[{\"x\":2,\"s\":\"\"},{\"x\":0,\"s\":\"\"}],\"names\":[\"a\",\"b\"],\"zs\":[1,-1],"
        "\"colors\":[\"RED\",\"DARK\"],"
        "\"in\":{\"x\":1.5,\"s\":\"\",\"deep\":{\"x\":0,\"s\":\"y\"}},\"r\":{\"x\":3,\"s\":\"\"}}",
        "%s", json);
}

Test(proto_json, shows_defaults_but_not_what_has_presence)
{
    char json[BYTES_MAX];
    decode("d: nan f: -inf", json);
    cr_assert(strstr(json, "{\"d\":\"NaN\",\"f\":\"-Infinity\",\"i64\":0,"), "%s", json);
    cr_assert(strstr(json, "\"color\":\"RED\"") && strstr(json, "\"fs\":[]"), "%s", json);
    cr_assert(!strstr(json, "\"l\"") && !strstr(json, "\"in\""), "%s", json);
}

Test(proto_json, encodes_every_type)
{
    char text[BYTES_MAX];
    struct dpl_diag why = {0};
    int r = encode("{\"d\":0.25,\"f\":\"Infinity\",\"i64\":-2,\"u64\":7,\"i32\":-5,\"x64\":8,"
                   "\"x32\":4294967295,\"b\":true,\"s\":\"hi\",\"in\":{\"x\":1.5,\"deep\":{\"s\":"
                   "\"y\"}},\"raw\":\"AQID\",\"u32\":9,\"color\":\"BLUE\",\"s32\":-3,\"s64\":-4,"
                   "\"z32\":-2147483648,\"z64\":-1,\"fs\":[0.5,1],\"ins\":[{\"x\":2},{}],\"names\":"
                   "[\"a\"],\"zs\":[1,-1],\"colors\":[-2]}",
                   text, &why);
    cr_assert_eq(r, 0, "%s", why.text);
    cr_assert_str_eq(
        text,
        "d: 0.25 f: inf i64: -2 u64: 7 i32: -5 x64: 8 x32: 4294967295 b: true s: \"hi\" in { x: "
        "1.5 deep { s: \"y\" } } raw: \"\\001\\002\\003\" u32: 9 color: BLUE s32: -3 s64: -4 z32: "
        "-2147483648 z64: -1 fs: 0.5 fs: 1 ins { x: 2 } ins { } names: \"a\" zs: 1 zs: -1 colors: "
        "DARK ",
        "%s", text);
}

Test(proto_json, refuses_what_does_not_fit_and_names_it)
{
    static const char *const rows[][2] = {
        {"{\"dd\":1}", "t.All has no field 'dd'"},
        {"{\"name\":[]}", "t.All has no field 'name', did you mean names"},
        {"{\"i32\":2147483648}", "i32: expected a whole number from -2147483648 to 2147483647"},
        {"{\"u32\":-1}", "u32: expected a whole number from 0 to 4294967295"},
        {"{\"u64\":1.5}", "u64: expected a whole number from 0"},
        {"{\"b\":1}", "b: expected true or false"},
        {"{\"d\":\"x\"}", "d: expected a number"},
        {"{\"s\":1}", "s: expected a text"},
        {"{\"raw\":\"*\"}", "raw: expected bytes as base64"},
        {"{\"color\":\"BLEU\"}", "color: expected a value of t.All.Color, did you mean BLUE"},
        {"{\"fs\":1}", "fs: expected a list"},
        {"{\"in\":[]}", "expected an object {...} for t.In"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        char text[BYTES_MAX];
        struct dpl_diag why = {0};
        cr_assert_lt(encode(rows[i][0], text, &why), 0, "%s", rows[i][0]);
        cr_assert(strstr(why.text, rows[i][1]), "%s: %s", rows[i][0], why.text);
    }
}

Test(proto_json, tells_damaged_messages)
{
    static const char *const rows[][2] = {
        {"\x09\x01", "cut off"},                 /* half a double */
        {"\x08\x01", "has another type"},        /* a double as a varint */
        {"\xa2\x01\x03\x01\x02\x03", "cut off"}, /* floats of three bytes */
        {"\x4a\x7f", "cut off"},                 /* a text longer than the message */
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        struct dpl_diag why = {0};
        json_t *value = proto_to_json(all, rows[i][0], strlen(rows[i][0]), &why);
        cr_assert_null(value);
        cr_assert(strstr(why.text, rows[i][1]), "row %zu: %s", i, why.text);
    }
    char deep[256];
    size_t n = 0;
    for (int i = 60; i > 0; i--) { /* messages in messages */
        deep[n++] = '\x1a';
        deep[n++] = (char)(2 * i - 2);
    }
    struct dpl_diag why = {0};
    deep[0] = '\x5a';
    cr_assert_null(proto_to_json(all, deep, n, &why));
    cr_assert(strstr(why.text, "nested too deep"), "%s", why.text);
}

Test(proto_json, refuses_descriptions_that_are_damaged)
{
    char set[BYTES_MAX];
    size_t n = run("cat set", set);
    for (size_t cut = 1; cut < n; cut++) {
        struct proto_types *others = NULL;
        struct dpl_diag why = {0};
        int r = proto_types_read(set, cut, &others, &why);
        cr_assert(r < 0 && strstr(why.text, "damaged"), "%zu of %zu bytes: %s", cut, n, why.text);
    }
}
