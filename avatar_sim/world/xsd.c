/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas from the tables by which worlds, robots and mechanisms are read. Each element has a
 * type, named by its path. Children come in any order, so what an element holds is a repeated
 * choice. A number is either plain, then the schema knows its range, or one with a unit of its
 * dimension. Words may be written in any case: the list is for the editor's completion, a pattern
 * beside it accepts the rest. Every value may have expressions in braces instead, and what an
 * element holds may be in a Repeat or an If (xml_expand.h). */
#include <doppel/sim/schema.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "arena.h"
#include "number.h"
#include "object_xml.h"
#include "plan_parts.h"
#include "robot_xml.h"
#include "unit.h"
#include "words.h"
#include "world_xml.h"

#define NUMBER_PATTERN "[+\\-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"

/* Words that a truth may be, as the field parser takes them. */
#define TRUTHS "true|false|yes|no|on|off|1|0"

static void write_escaped(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream); break;
        }
    }
}

/* A literal in a pattern: what the syntax of patterns gives a meaning is escaped. */
static void write_literal(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\|.?*+(){}[]^-", *text)) {
            fputc('\\', stream);
        }
        fputc(*text, stream);
    }
}

static void write_any_case(FILE *stream, const char *word)
{
    for (; *word != '\0'; word++) {
        unsigned char c = (unsigned char)*word;
        if (isalpha(c)) {
            fprintf(stream, "[%c%c]", toupper(c), tolower(c));
        } else {
            fputc(c, stream);
        }
    }
}

static void write_words(FILE *stream, const char *words)
{
    char word[DPL__WORD_MAX];
    const char *rest = words;
    fputs("        <xs:union memberTypes=\"expression\">\n"
          "          <xs:simpleType><xs:restriction base=\"xs:token\">\n",
          stream);
    while ((rest = dpl__word_next(rest, word))) {
        fprintf(stream, "            <xs:enumeration value=\"%s\"/>\n", word);
    }
    fputs("          </xs:restriction></xs:simpleType>\n"
          "          <xs:simpleType><xs:restriction base=\"xs:token\">\n"
          "            <xs:pattern value=\"",
          stream);
    for (rest = dpl__word_next(words, word); rest; rest = dpl__word_next(rest, word)) {
        write_any_case(stream, word);
        fputs(*rest != '\0' ? "|" : "", stream);
    }
    fputs("\"/>\n          </xs:restriction></xs:simpleType>\n        </xs:union>\n", stream);
}

static void write_range(FILE *stream, const struct dpl_field *field)
{
    char low[40], high[40];
    if (field->min == 0.0 && field->max == 0.0) {
        return;
    }
    if (field->type == DPL_FIELD_INT) {
        snprintf(low, sizeof(low), "%.0f", field->min);
        snprintf(high, sizeof(high), "%.0f", field->max);
    } else {
        dpl__number_write(field->min, low, sizeof(low));
        dpl__number_write(field->max, high, sizeof(high));
    }
    fprintf(stream, "            <xs:minInclusive value=\"%s\"/>\n", low);
    fprintf(stream, "            <xs:maxInclusive value=\"%s\"/>\n", high);
}

static void write_units(FILE *stream, const char *unit)
{
    size_t next = 0;
    const char *between = "";
    const char *name = dpl__unit_next(unit, &next);
    fputs("          <xs:simpleType><xs:restriction base=\"xs:token\">\n"
          "            <xs:pattern value=\"" NUMBER_PATTERN " ?(",
          stream);
    for (; name; name = dpl__unit_next(unit, &next)) {
        fputs(between, stream);
        write_literal(stream, name);
        between = "|";
    }
    fputs(")\"/>\n          </xs:restriction></xs:simpleType>\n", stream);
}

static void write_pattern(FILE *stream, const char *pattern)
{
    fprintf(stream,
            "          <xs:simpleType><xs:restriction base=\"xs:token\">\n"
            "            <xs:pattern value=\"%s\"/>\n"
            "          </xs:restriction></xs:simpleType>\n",
            pattern);
}

static void write_number(FILE *stream, const struct dpl_field *field, bool takes_float)
{
    const char *base = field->type == DPL_FIELD_INT ? "xs:long" : "xs:double";
    fprintf(stream,
            "        <xs:union memberTypes=\"expression\">\n"
            "          <xs:simpleType><xs:restriction base=\"%s\">\n",
            base);
    write_range(stream, field);
    fputs("          </xs:restriction></xs:simpleType>\n", stream);
    if (field->unit) {
        write_units(stream, field->unit);
    }
    char unit[DPL__WORD_MAX];
    for (const char *rest = field->choices; (rest = dpl__word_next(rest, unit));) {
        write_units(stream, unit);
    }
    if ((field->flags & DPL_ELEMENT_ANY_UNIT) && !field->choices) {
        write_pattern(stream, NUMBER_PATTERN " ?[A-Za-z%]\\S*");
    }
    if (takes_float && field->type == DPL_FIELD_DOUBLE) {
        write_pattern(stream, NUMBER_PATTERN "[fF]");
    }
    fputs("        </xs:union>\n", stream);
}

static void write_text(FILE *stream, const struct dpl_field *field)
{
    fprintf(stream,
            "        <xs:union memberTypes=\"expression\">\n"
            "          <xs:simpleType><xs:restriction base=\"xs:string\">"
            "<xs:maxLength value=\"%zu\"/></xs:restriction></xs:simpleType>\n"
            "        </xs:union>\n",
            field->size - 1);
}

static void write_type(FILE *stream, const struct dpl_field *field, bool takes_float)
{
    fputs("      <xs:simpleType>\n", stream);
    switch (field->type) {
    case DPL_FIELD_BOOL: write_words(stream, TRUTHS); break;
    case DPL_FIELD_CHOICE: write_words(stream, field->choices); break;
    case DPL_FIELD_STRING: write_text(stream, field); break;
    case DPL_FIELD_INT:
    case DPL_FIELD_DOUBLE: write_number(stream, field, takes_float); break;
    }
    fputs("      </xs:simpleType>\n", stream);
}

/* What an editor shows: the summary, the unit of a plain number, the default. */
static void write_documentation(FILE *stream, const struct dpl_field *field)
{
    fputs("      <xs:annotation><xs:documentation>", stream);
    write_escaped(stream, field->summary);
    if (field->unit) {
        fprintf(stream, "; in %s unless it says", field->unit);
    }
    if (field->default_text && field->default_text[0] != '\0') {
        fprintf(stream, "; default %s", field->default_text);
    }
    fputs("</xs:documentation></xs:annotation>\n", stream);
}

static void write_attributes(FILE *stream, const struct dpl_element_table *table, bool takes_float)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct dpl_field *field = &table->fields[i];
        bool required = !field->default_text && (field->flags & DPL_ELEMENT_OPTIONAL) == 0;
        fprintf(stream, "    <xs:attribute name=\"%s\"%s>\n", field->name,
                required ? " use=\"required\"" : "");
        write_documentation(stream, field);
        write_type(stream, field, takes_float);
        fputs("    </xs:attribute>\n", stream);
    }
}

static void write_summary(FILE *stream, const char *indent, const char *summary)
{
    fprintf(stream, "%s<xs:annotation><xs:documentation>", indent);
    write_escaped(stream, summary);
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
    fputs("  </xs:complexType>\n", stream);
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
    write_element(stream, "Repeat", join(arena, path, "Repeat"), "its contents so many times");
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
          "<!-- Generated from the tables of the reader (doppel-xsd); do not edit. -->\n"
          "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n",
          stream);
    write_element(stream, root->name, root->name, root->summary);
    write_expression(stream);
    write_types(stream, arena, root->name, &root->table, root, false);
    fputs("</xs:schema>\n", stream);
}

int dpl_sim_write_schema(FILE *stream, const char *name)
{
    struct dpl_arena arena = {0};
    struct dpl__classes classes;
    dpl__classes_make(&arena, NULL, &classes);
    const struct dpl_element_root roots[] = {
        dpl__world_root(&arena, &classes), dpl__robot_root(&arena, &classes),
        dpl__mechanism_root(&arena, &classes), dpl__object_root, dpl__plan_root};
    int err = -EINVAL;
    for (size_t i = 0; i < DPL_COUNT(roots); i++) {
        if (strcmp(name, roots[i].name) == 0) {
            write_schema(stream, &arena, &roots[i]);
            err = ferror(stream) ? -EIO : 0;
        }
    }
    dpl_arena_finish(&arena);
    return err;
}
