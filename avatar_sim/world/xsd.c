/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas from the tables by which worlds and robots are read. Children come in any order, so a
 * root is a repeated choice. A number is either plain, then the schema knows its range, or one with
 * a unit of its dimension. Words may be written in any case: the list is for the editor's
 * completion, a pattern beside it accepts the rest. Every value may have expressions in braces
 * instead, and the contents of a root may be in a Repeat or an If (xml_expand.h). */
#include <doppel/sim/schema.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "arena.h"
#include "number.h"
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

static void write_number(FILE *stream, const struct dpl_field *field)
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

static void write_type(FILE *stream, const struct dpl_field *field)
{
    fputs("      <xs:simpleType>\n", stream);
    switch (field->type) {
    case DPL_FIELD_BOOL: write_words(stream, TRUTHS); break;
    case DPL_FIELD_CHOICE: write_words(stream, field->choices); break;
    case DPL_FIELD_STRING: write_text(stream, field); break;
    case DPL_FIELD_INT:
    case DPL_FIELD_DOUBLE: write_number(stream, field); break;
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

static void write_attributes(FILE *stream, const struct dpl_element_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct dpl_field *field = &table->fields[i];
        bool required = !field->default_text && (field->flags & DPL_ELEMENT_OPTIONAL) == 0;
        fprintf(stream, "    <xs:attribute name=\"%s\"%s>\n", field->name,
                required ? " use=\"required\"" : "");
        write_documentation(stream, field);
        write_type(stream, field);
        fputs("    </xs:attribute>\n", stream);
    }
}

static void write_summary(FILE *stream, const char *indent, const char *summary)
{
    fprintf(stream, "%s<xs:annotation><xs:documentation>", indent);
    write_escaped(stream, summary);
    fputs("</xs:documentation></xs:annotation>\n", stream);
}

static void write_element(FILE *stream, const char *name, const char *summary)
{
    fprintf(stream, "      <xs:element name=\"%s\" type=\"%s\">\n", name, name);
    write_summary(stream, "        ", summary);
    fputs("      </xs:element>\n", stream);
}

#define CONTENTS "    <xs:group ref=\"contents\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"

static void write_value(FILE *stream, const char *name, bool required, const char *type)
{
    fprintf(stream,
            "    <xs:attribute name=\"%s\"%s><xs:simpleType>"
            "<xs:union memberTypes=\"expression %s\"/></xs:simpleType></xs:attribute>\n",
            name, required ? " use=\"required\"" : "", type);
}

/* What is expanded before the tables are used. */
static void write_expansion(FILE *stream)
{
    fputs("  <xs:simpleType name=\"expression\"><xs:restriction base=\"xs:string\">\n"
          "    <xs:pattern value=\"[^{]*\\{.*\\}.*\"/>\n"
          "  </xs:restriction></xs:simpleType>\n"
          "  <xs:complexType name=\"Param\">\n"
          "    <xs:attribute name=\"name\" type=\"xs:NCName\" use=\"required\"/>\n",
          stream);
    write_value(stream, "value", true, "xs:double");
    fputs("  </xs:complexType>\n"
          "  <xs:complexType name=\"Repeat\">\n" CONTENTS,
          stream);
    write_value(stream, "count", true, "xs:nonNegativeInteger");
    fputs("    <xs:attribute name=\"index\" type=\"xs:NCName\"/>\n", stream);
    write_value(stream, "first", false, "xs:long");
    fputs("  </xs:complexType>\n"
          "  <xs:complexType name=\"If\">\n" CONTENTS,
          stream);
    write_value(stream, "test", true, "xs:double");
    fputs("  </xs:complexType>\n", stream);
}

static void write_root(FILE *stream, const struct dpl_element_root *root)
{
    fprintf(stream, "  <xs:element name=\"%s\" type=\"root\">\n", root->name);
    write_summary(stream, "    ", root->summary);
    fputs("  </xs:element>\n"
          "  <xs:group name=\"contents\">\n"
          "    <xs:choice>\n",
          stream);
    for (size_t i = 0; i < root->n_kinds; i++) {
        write_element(stream, root->kinds[i].name, root->kinds[i].summary);
    }
    write_element(stream, "Param", "a name for a number, for {expressions}");
    write_element(stream, "Repeat", "its contents so many times");
    write_element(stream, "If", "its contents, unless the test is 0");
    fputs("    </xs:choice>\n"
          "  </xs:group>\n"
          "  <xs:complexType name=\"root\">\n" CONTENTS,
          stream);
    write_attributes(stream, &root->table);
    fputs("  </xs:complexType>\n", stream);
    write_expansion(stream);
}

static void write_schema(FILE *stream, const struct dpl_element_root *root)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!-- Generated from the tables of the reader (doppel-xsd); do not edit. -->\n"
          "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n",
          stream);
    write_root(stream, root);
    for (size_t i = 0; i < root->n_kinds; i++) {
        fprintf(stream, "  <xs:complexType name=\"%s\">\n", root->kinds[i].name);
        write_attributes(stream, root->kinds[i].table);
        if (root->kinds[i].has_params) {
            fputs("    <xs:anyAttribute processContents=\"skip\"/>\n", stream);
        }
        fputs("  </xs:complexType>\n", stream);
    }
    fputs("</xs:schema>\n", stream);
}

int dpl_sim_write_schema(FILE *stream, const char *name)
{
    struct dpl_arena arena = {0};
    struct dpl__classes classes;
    dpl__classes_make(&arena, NULL, &classes);
    const struct dpl_element_root roots[] = {dpl__world_root(&arena, &classes),
                                             dpl__robot_root(&arena, &classes)};
    int err = -EINVAL;
    for (size_t i = 0; i < DPL_COUNT(roots); i++) {
        if (strcmp(name, roots[i].name) == 0) {
            write_schema(stream, &roots[i]);
            err = ferror(stream) ? -EIO : 0;
        }
    }
    dpl_arena_finish(&arena);
    return err;
}
