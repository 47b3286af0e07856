/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas from the table of the dialect. Children come in any order and editors need only the
 * names, so a type is a repeated choice; the checker checks how often a child may occur. */
#include <doppel/host/schema.h>

#include <errno.h>
#include <string.h>

#include "dialect.h"
#include "words.h"

enum { ELEMENTS_MAX = 128 };

/* The elements that can be reached from a root, each once: an index in the list gives its type
 * name. */
struct closure {
    const struct dpl__element *list[ELEMENTS_MAX];
    size_t n;
};

static size_t index_of(const struct closure *closure, const struct dpl__element *element)
{
    size_t i = 0;
    while (i < closure->n && closure->list[i] != element) {
        i++;
    }
    return i;
}

static void collect(struct closure *closure, const struct dpl__element *root)
{
    closure->list[closure->n++] = root;
    for (size_t i = 0; i < closure->n; i++) {
        const struct dpl__child *child = closure->list[i]->children;
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
        fprintf(stream,
                "      <xs:annotation><xs:documentation>%s</xs:documentation></xs:annotation>\n",
                a->summary);
        if (a->choices) {
            fputs("      <xs:simpleType>\n        <xs:restriction base=\"xs:string\">\n", stream);
            write_words(stream, "          ", a->choices);
            fputs("        </xs:restriction>\n      </xs:simpleType>\n", stream);
        }
        fputs("    </xs:attribute>\n", stream);
    }
}

static void write_child(FILE *stream, const struct closure *closure,
                        const struct dpl__element *child)
{
    size_t type = index_of(closure, child);
    char alias[DPL__WORD_MAX];
    const char *aliases = child->aliases;
    fprintf(stream, "      <xs:element name=\"%s\" type=\"type%zu\">\n", child->name, type);
    fprintf(stream,
            "        <xs:annotation><xs:documentation>%s</xs:documentation></xs:annotation>\n",
            child->summary);
    fputs("      </xs:element>\n", stream);
    while ((aliases = dpl__word_next(aliases, alias))) {
        fprintf(stream, "      <xs:element name=\"%s\" type=\"type%zu\"/>\n", alias, type);
    }
}

static void write_type(FILE *stream, const struct closure *closure, size_t i)
{
    const struct dpl__element *element = closure->list[i];
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

static void write_root(FILE *stream, const struct dpl__element *root)
{
    char alias[DPL__WORD_MAX];
    const char *aliases = root->aliases;
    fprintf(stream, "  <xs:element name=\"%s\" type=\"type0\">\n", root->name);
    fprintf(stream, "    <xs:annotation><xs:documentation>%s</xs:documentation></xs:annotation>\n",
            root->summary);
    fputs("  </xs:element>\n", stream);
    while ((aliases = dpl__word_next(aliases, alias))) {
        fprintf(stream, "  <xs:element name=\"%s\" type=\"type0\"/>\n", alias);
    }
}

int dpl__dialect_write_xsd(FILE *stream, const struct dpl__element *root)
{
    struct closure closure = {.n = 0};
    collect(&closure, root);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    fputs("<!-- Generated from the table of the dialect (doppel-xsd); do not edit. -->\n", stream);
    fputs("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n", stream);
    write_root(stream, root);
    for (size_t i = 0; i < closure.n; i++) {
        write_type(stream, &closure, i);
    }
    fputs("</xs:schema>\n", stream);
    return ferror(stream) ? -EIO : 0;
}

const char *dpl_schema_kind(size_t i)
{
    if (i == DPL__N_KINDS) {
        return dpl__dialect_state_machine.name;
    }
    return i < DPL__N_KINDS ? dpl__kind_name((enum dpl__kind)i) : NULL;
}

int dpl_schema_write(FILE *stream, const char *kind)
{
    for (int i = 0; i < DPL__N_KINDS; i++) {
        if (strcmp(dpl__kind_name((enum dpl__kind)i), kind) == 0) {
            return dpl__dialect_write_xsd(stream, dpl__dialect_roots[i]);
        }
    }
    const struct dpl__element *machine = &dpl__dialect_state_machine;
    return strcmp(machine->name, kind) == 0 ? dpl__dialect_write_xsd(stream, machine) : -EINVAL;
}
