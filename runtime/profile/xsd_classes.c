/* SPDX-License-Identifier: Apache-2.0 */
/* The types of properties in schemas, by class. XSD 1.0 cannot make the type of a value depend on
 * an attribute (docs/design/profiles.md). So a property has one of the names of all classes, and a
 * file may say more by xsi:type: properties of a class C are of type "C", and its property P is of
 * type "C.P", which knows the value. Profiles of a component of class C have a schema of their own,
 * where the list of properties is of type "C" from the start. */
#include "xsd_classes.h"

#include <errno.h>
#include <string.h>

#include <doppel/host/schema.h>

#include "build.h"
#include "dialect.h"
#include "unit.h"
#include "words.h"
#include "xsd_value.h"

void dpl__xsd_begin(FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
          "<!-- Generated from the tables of the reader (doppel schema); do not edit. -->\n"
          "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n",
          stream);
}

/* Rows of one name follow each other in the list. */
static size_t end_of_name(const struct dpl__xsd_properties *properties, size_t i)
{
    size_t end = i + 1;
    while (end < properties->n &&
           strcmp(properties->list[end].name, properties->list[i].name) == 0) {
        end++;
    }
    return end;
}

/* What each table says of a name. */
static void write_documentation(FILE *stream, const struct dpl__xsd_property *rows, size_t n)
{
    fputs("<xs:annotation><xs:documentation>", stream);
    for (size_t i = 0; i < n; i++) {
        const char *driver = rows[i].driver;
        fprintf(stream, "%s%s%s", i > 0 ? " / " : "", driver, driver[0] != '\0' ? ": " : "");
        if (rows[i].field) {
            dpl__xsd_describe(stream, rows[i].field);
        } else {
            dpl__xsd_write_escaped(stream, rows[i].summary);
        }
    }
    fputs("</xs:documentation></xs:annotation>", stream);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The names, then those of one side of a device. */
static void write_names(FILE *stream, const struct dpl__xsd_properties *properties)
{
    for (size_t i = 0; i < properties->n; i = end_of_name(properties, i)) {
        fprintf(stream, "    <xs:enumeration value=\"%s\">", properties->list[i].name);
        write_documentation(stream, &properties->list[i], end_of_name(properties, i) - i);
        fputs("</xs:enumeration>\n", stream);
    }
    for (size_t k = 0; k < properties->n_scopes; k++) {
        for (size_t i = 0; i < properties->n; i = end_of_name(properties, i)) {
            fprintf(stream, "    <xs:enumeration value=\"%s.%s\"/>\n", properties->scopes[k],
                    properties->list[i].name);
        }
    }
}

/* One of them, behind the names of components that are in each other. */
static void write_inner_names(FILE *stream, const struct dpl__xsd_properties *properties)
{
    fputs("      <xs:pattern value=\"([^.]+\\.)+(", stream);
    for (size_t i = 0; i < properties->n; i = end_of_name(properties, i)) {
        fputs(i > 0 ? "|" : "", stream);
        dpl__xsd_write_literal(stream, properties->list[i].name);
    }
    fputs(")\"/>\n", stream);
}

/* ---- types ----------------------------------------------------------------------------------- */

static void write_value(FILE *stream, const struct dpl__xsd_property *rows, size_t n)
{
    fputs("      <xs:simpleType><xs:union>\n", stream);
    for (size_t i = 0; i < n; i++) {
        struct dpl__xsd_value value = {.field = rows[i].field};
        if (rows[i].field) {
            dpl__xsd_write_value(stream, &value);
        } else {
            fputs("      <xs:simpleType><xs:restriction base=\"xs:NCName\"/></xs:simpleType>\n",
                  stream);
        }
    }
    fputs("      </xs:union></xs:simpleType>\n", stream);
}

/* The unit beside a value is that of the table or absent: with another unit the range is another
 * one. */
static void write_unit(FILE *stream, const struct dpl__xsd_property *row)
{
    if (!row->field || !row->field->unit) {
        fputs("      <xs:attribute name=\"unit\" use=\"prohibited\"/>\n", stream);
        return;
    }
    fputs("      <xs:attribute name=\"unit\"><xs:simpleType><xs:restriction base=\"unit\">"
          "<xs:enumeration value=\"",
          stream);
    dpl__xsd_write_escaped(stream, row->field->unit);
    fputs("\"/></xs:restriction></xs:simpleType></xs:attribute>\n", stream);
}

static void write_property(FILE *stream, const char *class_name,
                           const struct dpl__xsd_properties *properties, size_t i)
{
    const struct dpl__xsd_property *row = &properties->list[i];
    size_t n = end_of_name(properties, i) - i;
    fprintf(stream, "  <xs:complexType name=\"%s.%s\">\n    ", class_name, row->name);
    write_documentation(stream, row, n);
    fprintf(stream, "\n    <xs:simpleContent><xs:restriction base=\"%s.property\">\n", class_name);
    write_value(stream, row, n);
    fprintf(stream,
            "      <xs:attribute name=\"name\" use=\"required\"><xs:simpleType>"
            "<xs:restriction base=\"%s.names\"><xs:enumeration value=\"%s\"/>",
            class_name, row->name);
    for (size_t k = 0; k < properties->n_scopes; k++) {
        fprintf(stream, "<xs:enumeration value=\"%s.%s\"/>", properties->scopes[k], row->name);
    }
    fputs("</xs:restriction></xs:simpleType></xs:attribute>\n", stream);
    write_unit(stream, row);
    fputs("    </xs:restriction></xs:simpleContent>\n  </xs:complexType>\n", stream);
}

static void write_editor_only(FILE *stream)
{
    char word[DPL__WORD_MAX];
    for (const char *words = dpl__dialect_editor_only; (words = dpl__word_next(words, word));) {
        fprintf(stream, "      <xs:element name=\"%s\"/>\n", word);
    }
}

/* A list of properties; `base`: the type that it restricts, NULL: none. */
static void write_list(FILE *stream, const char *name, const char *base, const char *type)
{
    fprintf(stream, "  <xs:complexType name=\"%s\">\n", name);
    if (base) {
        fprintf(stream, "    <xs:complexContent><xs:restriction base=\"%s\">\n", base);
    }
    fprintf(stream,
            "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n"
            "      <xs:element name=\"property\" type=\"%s\"/>\n",
            type);
    write_editor_only(stream);
    fprintf(stream, "    </xs:choice>\n%s  </xs:complexType>\n",
            base ? "    </xs:restriction></xs:complexContent>\n" : "");
}

static void write_class(FILE *stream, const char *name,
                        const struct dpl__xsd_properties *properties)
{
    char type[DPL__WORD_MAX + 16];
    fprintf(stream, "  <xs:simpleType name=\"%s.names\"><xs:restriction base=\"names\">\n", name);
    write_names(stream, properties);
    fputs("  </xs:restriction></xs:simpleType>\n", stream);
    fprintf(stream,
            "  <xs:complexType name=\"%s.property\" mixed=\"true\">"
            "<xs:complexContent mixed=\"true\"><xs:restriction base=\"property\">\n"
            "    <xs:attribute name=\"name\" type=\"%s.names\" use=\"required\"/>\n"
            "  </xs:restriction></xs:complexContent></xs:complexType>\n",
            name, name);
    snprintf(type, sizeof type, "%s.property", name);
    write_list(stream, name, "properties", type);
    for (size_t i = 0; i < properties->n; i = end_of_name(properties, i)) {
        write_property(stream, name, properties, i);
    }
}

/* ---- what all classes share ------------------------------------------------------------------ */

enum { UNITS_MAX = 128 };

struct units {
    const char *list[UNITS_MAX];
    size_t n;
};

static void write_unit_once(FILE *stream, struct units *units, const char *unit)
{
    for (size_t i = 0; i < units->n; i++) {
        if (strcmp(units->list[i], unit) == 0) {
            return;
        }
    }
    if (units->n < UNITS_MAX) {
        units->list[units->n++] = unit;
        fputs("    <xs:enumeration value=\"", stream);
        dpl__xsd_write_escaped(stream, unit);
        fputs("\"/>\n", stream);
    }
}

/* All units of all properties, in the order in which they are found. */
static void write_units(FILE *stream, const struct dpl__xsd_properties *all, size_t n)
{
    struct units units = {.n = 0};
    fputs("  <xs:simpleType name=\"unit\"><xs:restriction base=\"xs:token\">\n", stream);
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < all[c].n; i++) {
            const struct dpl_field *field = all[c].list[i].field;
            if (!field || !field->unit) {
                continue;
            }
            const char *unit = field->unit;
            for (size_t next = 0; unit; unit = dpl__unit_next(field->unit, &next)) {
                write_unit_once(stream, &units, unit);
            }
        }
    }
    fputs("  </xs:restriction></xs:simpleType>\n", stream);
}

/* A name of some class, or one behind the names of components inside of a composite. The names of a
 * class are a restriction of this type. */
static void write_all_names(FILE *stream, const struct dpl__xsd_properties *all, size_t n)
{
    fputs("  <xs:simpleType name=\"names\"><xs:union>\n"
          "    <xs:simpleType><xs:restriction base=\"xs:token\">\n",
          stream);
    for (size_t c = 0; c < n; c++) {
        write_names(stream, &all[c]);
    }
    fputs("    </xs:restriction></xs:simpleType>\n"
          "    <xs:simpleType><xs:restriction base=\"xs:token\">\n",
          stream);
    for (size_t c = 0; c < n; c++) {
        if (all[c].n > 0) {
            write_inner_names(stream, &all[c]);
        }
    }
    fputs("    </xs:restriction></xs:simpleType>\n  </xs:union></xs:simpleType>\n", stream);
}

static void write_attribute(FILE *stream, const char *name, const char *type, bool required,
                            const char *summary)
{
    fprintf(stream,
            "    <xs:attribute name=\"%s\" type=\"%s\"%s><xs:annotation><xs:documentation>%s"
            "</xs:documentation></xs:annotation></xs:attribute>\n",
            name, type, required ? " use=\"required\"" : "", summary);
}

static void write_general(FILE *stream, const char *name, bool is_binding)
{
    fprintf(stream, "  <xs:complexType name=\"%s\" mixed=\"true\">\n", name);
    if (is_binding) {
        write_attribute(stream, "component", "xs:string", true, "Full name of the component.");
        write_attribute(stream, "optional", "xs:boolean", false,
                        "Whether the component may be absent from the application.");
    }
    write_attribute(stream, "name", is_binding ? "binding_names" : "names", true,
                    "Name of the property.");
    write_attribute(stream, "type", "xs:string", false, "Type of the value.");
    write_attribute(stream, "unit", "unit", false, "Unit of the number.");
    fputs("  </xs:complexType>\n", stream);
}

int dpl_schema_write_properties(FILE *stream, const struct dpl_catalog *catalog)
{
    struct dpl_arena arena = {0};
    size_t n;
    const struct dpl_component_class **classes = dpl__xsd_classes(&arena, catalog, &n);
    struct dpl__xsd_properties *all = dpl_arena_alloc(&arena, (n + 1) * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        dpl__xsd_properties_make(&arena, catalog, classes[i], &all[i]);
    }
    dpl__xsd_begin(stream);
    write_units(stream, all, n);
    write_all_names(stream, all, n);
    fputs(
        "  <xs:simpleType name=\"binding_names\"><xs:union memberTypes=\"names\">"
        "<xs:simpleType><xs:restriction base=\"xs:token\"><xs:enumeration value=\"" DPL__LATE_LIMIT
        "\"/></xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n",
        stream);
    write_general(stream, "property", false);
    write_general(stream, "binding_property", true);
    write_list(stream, "properties", NULL, "property");
    write_list(stream, "own_properties", "properties", "property");
    write_list(stream, "binding_properties", NULL, "binding_property");
    for (size_t i = 0; i < n; i++) {
        write_class(stream, classes[i]->name, &all[i]);
    }
    fputs("</xs:schema>\n", stream);
    dpl_arena_finish(&arena);
    return ferror(stream) ? -EIO : 0;
}

int dpl_schema_write_class(FILE *stream, const struct dpl_component_class *class_)
{
    char type[DPL__WORD_MAX + 16];
    snprintf(type, sizeof type, "%s.property", class_->name);
    dpl__xsd_begin(stream);
    fputs("  <xs:redefine schemaLocation=\"component.xsd\">\n", stream);
    write_list(stream, "own_properties", "own_properties", type);
    fputs("  </xs:redefine>\n</xs:schema>\n", stream);
    return ferror(stream) ? -EIO : 0;
}
