/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the dialect: consistent in itself, and what its checker says. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/field.h>

#include "dialect.h"
#include "words.h"

enum { SEEN_MAX = 256 };

struct seen {
    const struct dpl__element *elements[SEEN_MAX];
    size_t n;
};

static void assert_attributes(const struct dpl__element *element)
{
    for (const struct dpl__attribute *a = element->attributes; a && a->name; a++) {
        cr_assert_not_null(a->summary, "%s of %s", a->name, element->name);
        for (const struct dpl__attribute *b = element->attributes; b != a; b++) {
            cr_assert_str_neq(a->name, b->name);
        }
    }
}

static void assert_children(const struct dpl__element *element)
{
    for (const struct dpl__child *a = element->children; a && a->element; a++) {
        cr_assert(a->max == 0 || a->min <= a->max);
        for (const struct dpl__child *b = element->children; b != a; b++) {
            cr_assert_not(dpl__dialect_is(b->element, a->element->name), "%s in %s",
                          a->element->name, element->name);
        }
    }
}

static void walk(struct seen *seen, const struct dpl__element *element)
{
    for (size_t i = 0; i < seen->n; i++) {
        if (seen->elements[i] == element) {
            return;
        }
    }
    cr_assert_lt(seen->n, SEEN_MAX);
    seen->elements[seen->n++] = element;
    cr_assert_not_null(element->summary, "%s", element->name);
    cr_assert_eq(element->text == DPL__TEXT_CHOICE, element->choices != NULL, "%s", element->name);
    assert_attributes(element);
    assert_children(element);
    for (const struct dpl__child *c = element->children; c && c->element; c++) {
        walk(seen, c->element);
    }
}

Test(dialect, describes_every_element_once)
{
    struct seen seen = {.n = 0};
    for (size_t i = 0; i < DPL__N_KINDS; i++) {
        walk(&seen, dpl__dialect_roots[i]);
    }
    cr_assert_gt(seen.n, 60);
}

Test(dialect, knows_its_roots)
{
    cr_assert_eq(dpl__dialect_kind("component_profile"), DPL__KIND_COMPONENT);
    cr_assert_eq(dpl__dialect_kind("composite_component_profile"), DPL__KIND_COMPOSITE);
    cr_assert_eq(dpl__dialect_kind("package_profile"), DPL__KIND_APPLICATION);
    cr_assert_eq(dpl__dialect_kind("application_profile"), DPL__KIND_APPLICATION);
    cr_assert_eq(dpl__dialect_kind("service_port_type_profile"), DPL__KIND_SERVICE_TYPE);
    cr_assert_eq(dpl__dialect_kind("data_type"), DPL__KIND_DATA_TYPE);
    cr_assert_eq(dpl__dialect_kind("binding_profile"), DPL__KIND_BINDING);
    cr_assert_eq(dpl__dialect_kind("world"), -1);
    cr_assert_str_eq(dpl__kind_name(DPL__KIND_SERVICE_TYPE), "service_type");
}

static void check_text(const char *text, struct dpl_diags *diags)
{
    struct dpl_arena arena = {0};
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag);
    cr_assert_eq(error, 0, "%s", diag.text);
    dpl__dialect_check(dpl__dialect_roots[dpl__dialect_kind(root->name)], root, diags);
    dpl_arena_finish(&arena);
}

static void assert_says(const char *text, enum dpl_severity severity, int column,
                        const char *expected)
{
    struct dpl_diags diags = {0};
    check_text(text, &diags);
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.items[0].severity, severity);
    cr_assert_eq(diags.items[0].place.line, 1);
    cr_assert_eq(diags.items[0].place.column, column);
    cr_assert_str_eq(diags.items[0].text, expected);
    dpl_diags_finish(&diags);
}

Test(dialect, warns_of_unknown_elements_and_attributes)
{
    assert_says("<component_profile><name>a</name><propertys/></component_profile>",
                DPL_SEVERITY_WARNING, 34,
                "unknown element <propertys> in <component_profile>; did you mean 'properties'?");
    assert_says("<component_profile nam='x'><name>a</name></component_profile>",
                DPL_SEVERITY_WARNING, 20, "unknown attribute 'nam' of <component_profile>");
    assert_says("<component_profile>words<name>a</name></component_profile>", DPL_SEVERITY_WARNING,
                20, "<component_profile> holds no text, found 'words'");
}

Test(dialect, takes_namespace_declarations)
{
    struct dpl_diags diags = {0};
    check_text("<component_profile xmlns:xsi='x' xsi:noNamespaceSchemaLocation='y' xml:lang='ko'>"
               "<name>a</name></component_profile>",
               &diags);
    cr_assert_eq(diags.n, 0);
}

Test(dialect, complains_of_each_missing_and_repeated_element)
{
    assert_says("<component_profile/>", DPL_SEVERITY_ERROR, 1, "<component_profile> lacks <name>");
    assert_says("<component_profile><name>a</name><id/><id/></component_profile>",
                DPL_SEVERITY_ERROR, 39,
                "a second <id> in <component_profile>; the first is at "
                "1:34");
}

Test(dialect, writes_schemas_that_name_every_element)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    cr_assert_eq(dpl__dialect_write_xsd(stream, dpl__dialect_roots[DPL__KIND_COMPONENT]), 0);
    fclose(stream);
    cr_assert_not_null(strstr(text, "<xs:element name=\"component_profile\" type=\"type0\">"));
    cr_assert_not_null(strstr(text, "name=\"queuing_policy\""));
    cr_assert_not_null(strstr(text, "<xs:attribute name=\"unit\" type=\"xs:string\">"));
    cr_assert_null(strstr(text, "package_profile"));
    free(text);
}
