/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas from the tables by which worlds, robots and mechanisms are read. Each element has a
 * type, named by its path. Children come in any order, so what an element holds is a repeated
 * choice. A number is either plain, then the schema knows its range, or one with a unit of its
 * dimension. Words may be written in any case: the list is for the editor's completion, a pattern
 * beside it accepts the rest. Every value may have expressions in braces instead, and what an
 * element holds may be in a Repeat or an If (xml_expand.h). */
#include <doppel/sim/schema.h>

#include <errno.h>
#include <string.h>

#include "arena.h"
#include "formats.h"
#include "xsd_value.h"

static void write_attributes(FILE *stream, const struct dpl_element_table *table, bool takes_float)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct dpl_field *field = &table->fields[i];
        bool required = !field->default_text && (field->flags & DPL_ELEMENT_OPTIONAL) == 0;
        fprintf(stream, "    <xs:attribute name=\"%s\"%s>\n", field->name,
                required ? " use=\"required\"" : "");
        struct dpl__xsd_value value = {.field = field,
                                       .also = "expression",
                                       .takes_float = takes_float,
                                       .any_unit = (field->flags & DPL_ELEMENT_ANY_UNIT) != 0 &&
                                                   !field->choices};
        fputs("      <xs:annotation><xs:documentation>", stream);
        dpl__xsd_describe(stream, field);
        fputs("</xs:documentation></xs:annotation>\n", stream);
        dpl__xsd_write_value(stream, &value);
        fputs("    </xs:attribute>\n", stream);
    }
}

static void write_summary(FILE *stream, const char *indent, const char *summary)
{
    fprintf(stream, "%s<xs:annotation><xs:documentation>", indent);
    dpl__xsd_write_escaped(stream, summary);
    fputs("</xs:documentation></xs:annotation>\n", stream);
}

static void write_value(FILE *stream, const char *name, bool required, const char *type)
{
    fprintf(stream,
            "    <xs:attribute name=\"%s\"%s><xs:simpleType>"
            "<xs:union memberTypes=\"expression %s\"/></xs:simpleType></xs:attribute>\n",
            name, required ? " use=\"required\"" : "", type);
}

/* What all elements share of what is expanded before the tables are used. */
static void write_expression(FILE *stream)
{
    fputs("  <xs:simpleType name=\"expression\"><xs:restriction base=\"xs:string\">\n"
          "    <xs:pattern value=\"[^{]*\\{.*\\}.*\"/>\n"
          "  </xs:restriction></xs:simpleType>\n"
          "  <xs:complexType name=\"Param\">\n"
          "    <xs:attribute name=\"name\" type=\"xs:NCName\" use=\"required\"/>\n",
          stream);
    write_value(stream, "value", true, "xs:double");
    write_value(stream, "min", false, "xs:double");
    write_value(stream, "max", false, "xs:double");
    fputs("    <xs:attribute name=\"unit\" type=\"xs:string\"/>\n"
          "    <xs:attribute name=\"summary\" type=\"xs:string\"/>\n"
          "  </xs:complexType>\n",
          stream);
}

static void write_element(FILE *stream, const char *name, const char *type, const char *summary)
{
    fprintf(stream, "      <xs:element name=\"%s\" type=\"%s\">\n", name, type);
    write_summary(stream, "        ", summary);
    fputs("      </xs:element>\n", stream);
}

static void write_contents(FILE *stream, const char *path)
{
    fprintf(stream, "    <xs:group ref=\"%s.contents\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n",
            path);
}

/* A Repeat and an If may hold what the element at `path` may hold. */
static void write_repeat_and_if(FILE *stream, const char *path)
{
    fprintf(stream, "  <xs:complexType name=\"%s.Repeat\">\n", path);
    write_contents(stream, path);
    write_value(stream, "count", true, "xs:nonNegativeInteger");
    fputs("    <xs:attribute name=\"index\" type=\"xs:NCName\"/>\n", stream);
    write_value(stream, "first", false, "xs:long");
    fprintf(stream, "  </xs:complexType>\n  <xs:complexType name=\"%s.If\">\n", path);
    write_contents(stream, path);
    write_value(stream, "test", true, "xs:double");
    fputs("  </xs:complexType>\n", stream);
}

static const char *join(struct dpl_arena *arena, const char *path, const char *name)
{
    return dpl_arena_printf(arena, "%s.%s", path, name);
}

/* The group of what the element at `path` may hold. */
static void write_group(FILE *stream, struct dpl_arena *arena, const char *path,
                        const struct dpl_element_table *table)
{
    fprintf(stream, "  <xs:group name=\"%s.contents\">\n    <xs:choice>\n", path);
    for (size_t i = 0; i < table->n_kinds; i++) {
        const struct dpl_element_kind *kind = &table->kinds[i];
        write_element(stream, kind->name, join(arena, path, kind->name), kind->summary);
    }
    write_element(stream, "Param", "Param", "a name for a number, for {expressions}");
    write_element(stream, "Repeat", join(arena, path, "Repeat"),
                  "its contents are repeated this number of times");
    write_element(stream, "If", join(arena, path, "If"), "its contents, unless the test is 0");
    fputs("    </xs:choice>\n  </xs:group>\n", stream);
    write_repeat_and_if(stream, path);
}

/* The type of the element at `path` and those of all that it may hold. Recursion is as deep as the
 * tables. */
static void write_types(FILE *stream, struct dpl_arena *arena, const char *path,
                        const struct dpl_element_table *table, const struct dpl_element_root *root,
                        bool has_params)
{
    fprintf(stream, "  <xs:complexType name=\"%s\">\n", path);
    if (table->n_kinds > 0) {
        write_contents(stream, path);
    }
    write_attributes(stream, table, root->takes_float);
    if (has_params) {
        fputs("    <xs:anyAttribute processContents=\"skip\"/>\n", stream);
    }
    fputs("  </xs:complexType>\n", stream);
    if (table->n_kinds > 0) {
        write_group(stream, arena, path, table);
    }
    for (size_t i = 0; i < table->n_kinds; i++) {
        const struct dpl_element_kind *kind = &table->kinds[i];
        write_types(stream, arena, join(arena, path, kind->name), kind->table, root,
                    kind->has_params);
    }
}

static void write_schema(FILE *stream, struct dpl_arena *arena, const struct dpl_element_root *root)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
          "<!-- Generated from the tables of the reader (doppel schema); do not edit. -->\n"
          "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n",
          stream);
    write_element(stream, root->name, root->name, root->summary);
    write_expression(stream);
    write_types(stream, arena, root->name, &root->table, root, false);
    fputs("</xs:schema>\n", stream);
}

int dpl_sim_write_schema(FILE *stream, const char *name, struct dpl_catalog *catalog)
{
    struct dpl_arena arena = {0};
    struct dpl__classes classes;
    dpl__classes_make(&arena, &(struct dpl_sim_load_options){.catalog = catalog}, &classes);
    int err = -EINVAL;
    for (size_t i = 0; dpl__formats[i]; i++) {
        if (dpl__formats[i]->schema && strcmp(name, dpl__formats[i]->name) == 0) {
            const struct dpl_element_root root = dpl__formats[i]->schema(&arena, &classes);
            write_schema(stream, &arena, &root);
            err = ferror(stream) ? -EIO : 0;
        }
    }
    dpl_arena_finish(&arena);
    return err;
}
