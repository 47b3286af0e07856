/* SPDX-License-Identifier: Apache-2.0 */
/* Every encoding that profiles come in gives the same text and the same places. */
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "xml_reader.h"

static struct dpl_arena arena;

static void finish(void)
{
    dpl_arena_finish(&arena);
}

TestSuite(xml_encoding, .fini = finish);

struct bytes {
    char data[512];
    size_t n;
};

static struct bytes encode(const char *declared, const char *to, const char *bom)
{
    char text[256];
    snprintf(text, sizeof(text),
             "<?xml version='1.0' encoding='%s'?>\n<a n='\xed\x9c\xa0' m='1'>\xed\x95\x9c<b/></a>",
             declared);
    struct bytes bytes = {.n = strlen(bom)};
    memcpy(bytes.data, bom, bytes.n);
    iconv_t converter = iconv_open(to, "UTF-8");
    cr_assert_neq(converter, (iconv_t)-1);
    char *in = text, *out = bytes.data + bytes.n;
    size_t in_left = strlen(text), out_left = sizeof(bytes.data) - bytes.n;
    cr_assert_eq(iconv(converter, &in, &in_left, &out, &out_left), 0);
    iconv_close(converter);
    bytes.n = sizeof(bytes.data) - out_left;
    return bytes;
}

static void assert_read(const char *name, struct bytes bytes)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_xml_read_memory(&arena, "t.xml", bytes.data, bytes.n, &root, &diag);
    cr_assert_eq(error, 0, "%s: %s", name, diag.text);
    cr_assert_str_eq(root->attributes[0].value, "\xed\x9c\xa0", "%s", name);
    cr_assert_str_eq(root->text, "\xed\x95\x9c", "%s", name);
    cr_assert_eq(root->place.line, 2, "%s", name);
    cr_assert_eq(root->place.column, 1, "%s", name);
    cr_assert_eq(root->attributes[1].place.column, 10, "%s", name);
    cr_assert_eq(root->text_place.column, 16, "%s", name);
    cr_assert_eq(root->children->place.column, 17, "%s", name);
}

Test(xml_encoding, reads_utf8_and_utf16_with_and_without_mark)
{
    static const struct {
        const char *declared, *to, *mark;
    } rows[] = {
        /* reads utf8 with and without mark */
        {"UTF-8", "UTF-8", ""},
        {"utf-8", "UTF-8", "\xef\xbb\xbf"},
        /* reads utf16 of both orders */
        {"UTF-16", "UTF-16LE", "\xff\xfe"},
        {"UTF-16", "UTF-16BE", "\xfe\xff"},
        {"UTF-16", "UTF-16LE", ""},
        {"UTF-16", "UTF-16BE", ""},
        /* reads utf8 that says utf16 */
        {"utf-16", "UTF-8", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_read(rows[i].to, encode(rows[i].declared, rows[i].to, rows[i].mark));
    }
}

Test(xml_encoding, reads_korean_under_each_of_its_names)
{
    const char *const names[] = {"EUC-KR", "euc-kr",         "cp949",        "ms949",
                                 "UHC",    "KS_C_5601-1987", "x-windows-949"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_read(names[i], encode(names[i], "UHC", ""));
    }
}

static const struct dpl_xml_node *read_text(const char *text)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag);
    cr_assert_eq(error, 0, "%s", diag.text);
    return root;
}

Test(xml_encoding, keeps_ascii_in_korean_files)
{
    const struct dpl_xml_node *root =
        read_text("<?xml version='1.0' encoding='EUC-KR'?><a>C:\\x~</a>");
    cr_assert_str_eq(root->text, "C:\\x~");
}

Test(xml_encoding, reads_euc_kr_files_that_hold_cp949_characters)
{
    const struct dpl_xml_node *root =
        read_text("<?xml version='1.0' encoding='EUC-KR'?><a>\x8c\x63</a>");
    cr_assert_str_eq(root->text, "\xeb\x98\xa0");
}

Test(xml_encoding, reads_latin1)
{
    const struct dpl_xml_node *root =
        read_text("<?xml version='1.0' encoding='ISO-8859-1'?><a x='\xb5' y=''/>");
    cr_assert_str_eq(root->attributes[0].value, "\xc2\xb5");
    cr_assert_eq(root->attributes[1].place.column, 53);
}

static void assert_fails(struct bytes bytes, int line, int column, const char *expected)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_xml_read_memory(&arena, "t.xml", bytes.data, bytes.n, &root, &diag);
    cr_assert_eq(error, -EINVAL);
    cr_assert_not_null(strstr(diag.text, expected), "%s", diag.text);
    cr_assert_eq(diag.place.line, line, "line %d", diag.place.line);
    cr_assert_eq(diag.place.column, column, "column %d", diag.place.column);
}

static struct bytes plain(const char *text)
{
    struct bytes bytes = {.n = strlen(text)};
    memcpy(bytes.data, text, bytes.n);
    return bytes;
}

Test(xml_encoding, names_an_encoding_it_does_not_know)
{
    assert_fails(plain("<?xml version='1.0' encoding='KOI8-R'?><a/>"), 1, 31,
                 "unknown encoding 'KOI8-R'");
}

Test(xml_encoding, places_bytes_that_the_encoding_does_not_have)
{
    assert_fails(plain("<?xml version='1.0' encoding='EUC-KR'?>\n<a>\xb0\xa1\xff</a>"), 2, 5,
                 "no character of the encoding");
    struct bytes odd = encode("UTF-16", "UTF-16LE", "\xff\xfe");
    odd.n--;
    assert_fails(odd, 2, 24, "no character of the encoding");
}

Test(xml_encoding, refuses_an_unknown_encoding_however_long_its_name_is)
{
    char name[400], text[600];
    for (size_t length = 1; length < sizeof name; length += 19) {
        memset(name, 'x', length);
        name[length] = '\0';
        snprintf(text, sizeof text, "<?xml version='1.0' encoding='%s'?><a/>", name);
        const struct dpl_xml_node *root = NULL;
        struct dpl_diag diag = {.text = ""};
        cr_assert_eq(dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag),
                     -EINVAL, "%zu characters", length);
        cr_assert_not_null(strstr(diag.text, "unknown encoding 'x"), "%s", diag.text);
        cr_assert(diag.place.line == 1 && diag.place.column == 31);
    }
}

Test(xml_encoding, reads_an_encoding_that_stands_behind_many_blanks)
{
    char text[800];
    snprintf(text, sizeof text, "<?xml version='1.0' %400s encoding='EUC-KR' ?><a>\xc7\xd1</a>",
             "");
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag), 0, "%s",
                 diag.text);
    cr_assert_str_eq(root->text, "\xed\x95\x9c");
}
