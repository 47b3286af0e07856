/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas from the table of the dialect. Children come in any order and editors need only the
 * names, so a type is a repeated choice; the checker checks how often a child may occur. Where the
 * classes are known, the lists of properties are of types that xsd_classes.c writes. */
#include <doppel/host/schema.h>

#include <errno.h>
#include <string.h>

#include <doppel/field.h>

#include "dialect.h"
#include "words.h"
#include "xsd_classes.h"
#include "xsd_value.h"

enum { ELEMENTS_MAX = 128 };

/* The elements that can be reached from a root, each once: an index in the list gives its type
 * name. */
struct closure {
    const struct dpl__element *list[ELEMENTS_MAX];
    size_t n;
    bool knows_classes;
};

/* The type of a list of properties where the classes are known; NULL: the element is none. */
static const char *type_of_properties(const struct closure *closure,
                                      const struct dpl__element *element)
{
    const struct dpl__child *child = element->children;
    bool is_list = closure->knows_classes && child && child->element &&
                   strcmp(element->name, "properties") == 0;
    const struct dpl__attribute *first = is_list ? child->element->attributes : NULL;
    const char *root = closure->list[0]->name;
    return !first                                   ? NULL
           : strcmp(first->name, "component") == 0  ? "binding_properties"
           : strcmp(root, "component_profile") == 0 ? "own_properties"
                                                    : "properties";
}

static size_t index_of(const struct closure *closure, const struct dpl__element *element)
{
    size_t i = 0;
    while (i < closure->n && closure->list[i] != element) {
        i++;
    }
    return i;
}

static void write_type_name(FILE *stream, const struct closure *closure,
                            const struct dpl__element *element)
{
    const char *type = type_of_properties(closure, element);
    if (type) {
        fputs(type, stream);
    } else {
        fprintf(stream, "type%zu", index_of(closure, element));
    }
}

static void collect(struct closure *closure, const struct dpl__element *root)
{
    closure->list[closure->n++] = root;
    for (size_t i = 0; i < closure->n; i++) {
        const struct dpl__child *child = closure->list[i]->children;
        child = type_of_properties(closure, closure->list[i]) ? NULL : child;
        for (; child && child->element; child++) {
            if (index_of(closure, child->element) == closure->n && closure->n < ELEMENTS_MAX) {
                closure->list[closure->n++] = child->element;
            }
        }
    }
}

static void write_words(FILE *stream, const char *indent, const char *words)
{
    char word[DPL__WORD_MAX];
    while ((words = dpl__word_next(words, word))) {
        fprintf(stream, "%s<xs:enumeration value=\"%s\"/>\n", indent, word);
    }
}

/* Choices are suggestions for the editor; other upper and lower case is also valid. */
static void write_attributes(FILE *stream, const struct dpl__element *element)
{
    for (const struct dpl__attribute *a = element->attributes; a && a->name; a++) {
        const char *use = a->required ? " use=\"required\"" : "";
        const char *type = a->choices ? "" : " type=\"xs:string\"";
        fprintf(stream, "    <xs:attribute name=\"%s\"%s%s>\n", a->name, type, use);
        fputs("      <xs:annotation><xs:documentation>", stream);
        dpl__xsd_write_escaped(stream, a->summary);
        fputs("</xs:documentation></xs:annotation>\n", stream);
        if (a->choices) {
            fputs("      <xs:simpleType>\n        <xs:restriction base=\"xs:string\">\n", stream);
            write_words(stream, "          ", a->choices);
            fputs("        </xs:restriction>\n      </xs:simpleType>\n", stream);
        }
        fputs("    </xs:attribute>\n", stream);
    }
}

static void write_element(FILE *stream, const struct closure *closure, const char *name,
                          const struct dpl__element *element)
{
    fprintf(stream, "      <xs:element name=\"%s\" type=\"", name);
    write_type_name(stream, closure, element);
    fputs("\">\n        <xs:annotation><xs:documentation>", stream);
    dpl__xsd_write_escaped(stream, element->summary);
    fputs("</xs:documentation></xs:annotation>\n      </xs:element>\n", stream);
}

static void write_child(FILE *stream, const struct closure *closure,
                        const struct dpl__element *child)
{
    char alias[DPL__WORD_MAX];
    const char *aliases = child->aliases;
    write_element(stream, closure, child->name, child);
    while ((aliases = dpl__word_next(aliases, alias))) {
        write_element(stream, closure, alias, child);
    }
}

/* A word of a list or a number. Without text the element counts as absent: OPRoS's editors write
 * such ones. */
static bool write_simple_type(FILE *stream, const struct dpl__element *element, size_t i)
{
    bool is_choice = element->text == DPL__TEXT_CHOICE;
    struct dpl_field field = {
        .type = is_choice                        ? DPL_FIELD_CHOICE
                : element->text == DPL__TEXT_INT ? DPL_FIELD_INT
                                                 : DPL_FIELD_DOUBLE,
        .choices = is_choice ? element->choices : NULL,
        .min = element->min,
        .max = element->max,
    };
    bool is_number = element->text == DPL__TEXT_INT || element->text == DPL__TEXT_NUMBER;
    if (element->attributes || element->children || !(is_choice || is_number)) {
        return false;
    }
    struct dpl__xsd_value value = {.field = &field};
    fprintf(stream, "  <xs:simpleType name=\"type%zu\"><xs:union>\n", i);
    dpl__xsd_write_value(stream, &value);
    fputs("      <xs:simpleType><xs:restriction base=\"xs:token\"><xs:maxLength value=\"0\"/>"
          "</xs:restriction></xs:simpleType>\n  </xs:union></xs:simpleType>\n",
          stream);
    return true;
}

static void write_type(FILE *stream, const struct closure *closure, size_t i)
{
    const struct dpl__element *element = closure->list[i];
    if (write_simple_type(stream, element, i)) {
        return;
    }
    const char *mixed = element->text != DPL__TEXT_NONE ? " mixed=\"true\"" : "";
    fprintf(stream, "  <xs:complexType name=\"type%zu\"%s>\n", i, mixed);
    if (element->children) {
        char word[DPL__WORD_MAX];
        const char *words = dpl__dialect_editor_only;
        fputs("    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n", stream);
        for (const struct dpl__child *c = element->children; c->element; c++) {
            write_child(stream, closure, c->element);
        }
        while ((words = dpl__word_next(words, word))) {
            fprintf(stream, "      <xs:element name=\"%s\"/>\n", word);
        }
        fputs("    </xs:choice>\n", stream);
    }
    write_attributes(stream, element);
    fputs("  </xs:complexType>\n", stream);
}

static int write_schema(FILE *stream, const struct dpl__element *root, bool knows_classes)
{
    struct closure closure = {.knows_classes = knows_classes};
    collect(&closure, root);
    dpl__xsd_begin(stream);
    if (knows_classes) {
        fputs("  <xs:include schemaLocation=\"properties.xsd\"/>\n", stream);
    }
    write_child(stream, &closure, root);
    for (size_t i = 0; i < closure.n; i++) {
        if (!type_of_properties(&closure, closure.list[i])) {
            write_type(stream, &closure, i);
        }
    }
    fputs("</xs:schema>\n", stream);
    return ferror(stream) ? -EIO : 0;
}

int dpl__dialect_write_xsd(FILE *stream, const struct dpl__element *root)
{
    return write_schema(stream, root, false);
}

/* Roots that are no profiles. */
static const struct dpl__element *const others[] = {&dpl__dialect_state_machine,
                                                    &dpl__dialect_study, &dpl__dialect_bench};
#define N_OTHERS (sizeof others / sizeof others[0])

static const struct dpl__element *find_other(const char *name)
{
    for (size_t i = 0; i < N_OTHERS; i++) {
        if (strcmp(others[i]->name, name) == 0) {
            return others[i];
        }
    }
    return NULL;
}

const char *dpl_schema_kind(size_t i)
{
    if (i >= DPL__N_KINDS) {
        return i - DPL__N_KINDS < N_OTHERS ? others[i - DPL__N_KINDS]->name : NULL;
    }
    return dpl__kind_name((enum dpl__kind)i);
}

int dpl_schema_write(FILE *stream, const char *kind)
{
    for (int i = 0; i < DPL__N_KINDS; i++) {
        if (strcmp(dpl__kind_name((enum dpl__kind)i), kind) == 0) {
            return dpl__dialect_write_xsd(stream, dpl__dialect_roots[i]);
        }
    }
    const struct dpl__element *other = find_other(kind);
    return other ? dpl__dialect_write_xsd(stream, other) : -EINVAL;
}

int dpl_schema_check(const char *kind, const struct dpl_xml_node *root, struct dpl_diags *diags)
{
    const struct dpl__element *other = find_other(kind);
    size_t n_errors = diags->n_errors;
    if (!other) {
        return -EINVAL;
    }
    dpl__dialect_check(other, root, diags);
    return diags->n_errors == n_errors ? 0 : -EINVAL;
}

bool dpl_schema_has_properties(const char *kind)
{
    return dpl__word_index("component|composite|application|binding", kind) >= 0;
}

int dpl_schema_write_known(FILE *stream, const char *kind)
{
    for (int i = 0; i < DPL__N_KINDS && dpl_schema_has_properties(kind); i++) {
        if (strcmp(dpl__kind_name((enum dpl__kind)i), kind) == 0) {
            return write_schema(stream, dpl__dialect_roots[i], true);
        }
    }
    return -EINVAL;
}
