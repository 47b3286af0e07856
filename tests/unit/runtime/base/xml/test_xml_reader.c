/* SPDX-License-Identifier: Apache-2.0 */
/* The XML tree: structure, text, and the place of everything. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "xml_reader.h"

static struct dpl_arena arena;

static void finish(void)
{
    dpl_arena_finish(&arena);
}

TestSuite(xml_reader, .fini = finish);

static const struct dpl_xml_node *read_text(const char *text)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag);
    cr_assert_eq(error, 0, "%s", diag.text);
    return root;
}

static void assert_place(struct dpl_place place, int line, int column)
{
    cr_assert_str_eq(place.file, "t.xml");
    cr_assert_eq(place.line, line, "line %d", place.line);
    cr_assert_eq(place.column, column, "column %d", place.column);
}

static void assert_fails(const char *text, int line, int column, const char *expected)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag), -EINVAL,
                 "%.100s", text);
    cr_assert_null(root);
    cr_assert_not_null(strstr(diag.text, expected), "%.100s: %s", text, diag.text);
    cr_assert_eq(diag.place.line, line, "%.100s: line %d", text, diag.place.line);
    cr_assert_eq(diag.place.column, column, "%.100s: column %d", text, diag.place.column);
    cr_assert_str_eq(diag.place.file, "t.xml");
}

Test(xml_reader, keeps_order_and_text)
{
    const struct dpl_xml_node *root = read_text("<a>one<b/> <c x='1'> two\n</c><b>3</b></a>");
    cr_assert_str_eq(root->name, "a");
    cr_assert_str_eq(root->text, "one");
    const struct dpl_xml_node *b = dpl_xml_child(root, "b");
    const struct dpl_xml_node *c = dpl_xml_child(root, "c");
    cr_assert_eq(b->next, c);
    cr_assert_str_eq(b->text, "");
    cr_assert_str_eq(c->text, "two");
    cr_assert_str_eq(dpl_xml_attribute(c, "x")->value, "1");
    cr_assert_null(dpl_xml_attribute(c, "y"));
    cr_assert_str_eq(dpl_xml_next(b, "b")->text, "3");
    cr_assert_null(dpl_xml_next(c, "c"));
}

Test(xml_reader, places_elements_attributes_and_text)
{
    const struct dpl_xml_node *root = read_text(
        "<?xml version=\"1.0\"?>\n<a>\n  <b  name = 'x'\n\ttype=\"y\">\n    word</b>\n</a>");
    const struct dpl_xml_node *b = dpl_xml_child(root, "b");
    assert_place(root->place, 2, 1);
    assert_place(b->place, 3, 3);
    assert_place(b->attributes[0].place, 3, 7);
    assert_place(b->attributes[0].value_place, 3, 15);
    assert_place(b->attributes[1].place, 4, 2);
    assert_place(b->attributes[1].value_place, 4, 8);
    assert_place(b->text_place, 5, 5);
    assert_place(root->text_place, 2, 1);
}

Test(xml_reader, counts_characters_not_bytes)
{
    const struct dpl_xml_node *root =
        read_text("<a \xec\x9d\xb4='\xeb\xa6\x84' b='c'>\xeb\xb0\x94\xed\x80\xb4<d/></a>");
    assert_place(root->attributes[1].place, 1, 10);
    assert_place(root->text_place, 1, 16);
    assert_place(root->children->place, 1, 18);
}

Test(xml_reader, takes_each_kind_of_line_end)
{
    const struct dpl_xml_node *root = read_text("<a>\r\n<b/>\r<c/>\n<d/></a>");
    assert_place(dpl_xml_child(root, "b")->place, 2, 1);
    assert_place(dpl_xml_child(root, "c")->place, 3, 1);
    assert_place(dpl_xml_child(root, "d")->place, 4, 1);
}

Test(xml_reader, finds_attributes_after_values_with_signs_of_markup)
{
    const struct dpl_xml_node *root = read_text("<a x='a>b=\"/' y=\"&lt;'&amp;\" z=''/>");
    cr_assert_str_eq(root->attributes[0].value, "a>b=\"/");
    cr_assert_str_eq(root->attributes[1].value, "<'&");
    assert_place(root->attributes[1].place, 1, 15);
    assert_place(root->attributes[2].place, 1, 30);
}

Test(xml_reader, joins_text_across_comments_and_character_references)
{
    const struct dpl_xml_node *root = read_text("<a> x<!-- no -->y&#65;<![CDATA[<z>]]> </a>");
    cr_assert_str_eq(root->text, "xyA<z>");
    assert_place(root->text_place, 1, 5);
}

Test(xml_reader, what_is_no_xml_is_an_error_where_it_is)
{
    static const struct {
        const char *text;
        int line, column;
        const char *said;
    } rows[] = {
        /* says which element an end tag does not close */
        {"<a>\n  <b>\n</a>", 3, 3, "this end tag does not close <b>, which was opened at 2:3"},
        /* says where a file ends too soon */
        {"<a>\n  <b>", 2, 6, "the file ends inside <b>, which was opened at 2:3"},
        {"", 1, 1, "no element found"},
        {"<a x=1/>", 1, 6, "not well-formed"},
        {"<a x='1' x='2'/>", 1, 10, "duplicate attribute"},
        {"<a/><b/>", 1, 5, "junk after document element"},
        /* names the byte that is not utf8 */
        {"<a>\n \xb0\xa1</a>", 2, 2, "byte 0xb0 is not UTF-8"},
        /* accepts no entities of the file */
        {"<!DOCTYPE a [\n <!ENTITY e 'x'>]><a>&e;</a>", 2, 13, "entity declarations"},
        {"<a>&e;</a>", 1, 4, "undefined entity"},
        {"<!DOCTYPE a SYSTEM 'x.dtd'><a>&e;</a>", 1, 31, "not declared"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_fails(rows[i].text, rows[i].line, rows[i].column, rows[i].said);
    }
}

Test(xml_reader, ignores_a_doctype_without_entities)
{
    cr_assert_str_eq(read_text("<!DOCTYPE a SYSTEM 'x.dtd'><a>b</a>")->text, "b");
    const struct dpl_xml_node *root =
        read_text("<!DOCTYPE a [<!ATTLIST a x CDATA 'd'>]><a y='1'/>");
    cr_assert_eq(root->n_attributes, 1);
}

Test(xml_reader, limits_depth)
{
    char text[4 * DPL_XML_DEPTH_MAX] = "";
    for (int i = 0; i <= DPL_XML_DEPTH_MAX; i++) {
        strcat(text, "<a>");
    }
    assert_fails(text, 1, 3 * DPL_XML_DEPTH_MAX + 1, "nested too deeply");
}

Test(xml_reader, limits_the_number_of_elements)
{
    size_t n = 4 * DPL_XML_NODES_MAX;
    char *text = malloc(n + 4);
    memcpy(text, "<a>", 3);
    for (size_t i = 3; i + 4 <= n + 3; i += 4) {
        memcpy(text + i, "<b/>", 4);
    }
    text[n + 3] = '\0';
    assert_fails(text, 1, 4 * (DPL_XML_NODES_MAX - 1) + 4, "too many elements");
    free(text);
}

Test(xml_reader, limits_the_size)
{
    static char bytes[DPL_XML_BYTES_MAX + 1];
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    int error = dpl_xml_read_memory(&arena, "t.xml", bytes, sizeof(bytes), &root, &diag);
    cr_assert_eq(error, -EINVAL);
    cr_assert_not_null(strstr(diag.text, "at most 8388608"));
}

Test(xml_reader, says_why_a_file_cannot_be_opened)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_xml_read_file(&arena, "/nowhere/x.xml", &root, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "cannot be opened: No such file or directory");
    cr_assert_str_eq(diag.place.file, "/nowhere/x.xml");
    cr_assert_eq(dpl_xml_read_file(&arena, "/", &root, &diag), -EISDIR);
}

Test(xml_reader, reads_a_file)
{
    char name[] = "/tmp/doppel-xml-XXXXXX";
    int fd = mkstemp(name);
    FILE *stream = fdopen(fd, "w");
    fputs("<a>", stream);
    for (int i = 0; i < 5000; i++) {
        fputs("<b>text</b>\n", stream);
    }
    fputs("</a>", stream);
    fclose(stream);
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_xml_read_file(&arena, name, &root, &diag), 0, "%s", diag.text);
    remove(name);
    int n = 0;
    for (const struct dpl_xml_node *b = root->children; b; b = b->next) {
        cr_assert_eq(b->place.line, ++n);
    }
    cr_assert_eq(n, 5000);
}

Test(xml_reader, does_not_wait_for_a_writer_of_a_named_pipe, .timeout = 10)
{
    char folder[] = "/tmp/doppel-pipe-XXXXXX";
    char name[64];
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_not_null(mkdtemp(folder));
    snprintf(name, sizeof(name), "%s/pipe.xml", folder);
    cr_assert_eq(mkfifo(name, 0600), 0);
    int error = dpl_xml_read_file(&arena, name, &root, &diag);
    unlink(name);
    rmdir(folder);
    cr_assert_eq(error, -EINVAL);
    cr_assert_not_null(strstr(diag.text, "no element found"), "%s", diag.text);
}
