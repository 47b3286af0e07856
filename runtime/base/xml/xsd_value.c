/* SPDX-License-Identifier: Apache-2.0 */
/* Types of values in XML schemas. */
#include "xsd_value.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "number.h"
#include "unit.h"
#include "words.h"

#define NUMBER_PATTERN "[+\\-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"

/* Words that a truth may be, as the field parser takes them. */
#define TRUTHS "true|false|yes|no|on|off|1|0"

void dpl__xsd_write_escaped(FILE *stream, const char *text)
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

void dpl__xsd_write_literal(FILE *stream, const char *text)
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

static void write_union(FILE *stream, const char *also)
{
    if (also) {
        fprintf(stream, "        <xs:union memberTypes=\"%s\">\n", also);
    } else {
        fputs("        <xs:union>\n", stream);
    }
}

static void write_words(FILE *stream, const char *words, const char *also)
{
    char word[DPL__WORD_MAX];
    const char *rest = words;
    write_union(stream, also);
    fputs("          <xs:simpleType><xs:restriction base=\"xs:token\">\n", stream);
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

static bool has_range(const struct dpl_field *field)
{
    return field->min != 0.0 || field->max != 0.0;
}

static void format_range(const struct dpl_field *field, char low[40], char high[40])
{
    if (field->type == DPL_FIELD_INT) {
        snprintf(low, 40, "%.0f", field->min);
        snprintf(high, 40, "%.0f", field->max);
    } else {
        dpl__number_write(field->min, low, 40);
        dpl__number_write(field->max, high, 40);
    }
}

static void write_range(FILE *stream, const struct dpl_field *field)
{
    char low[40], high[40];
    if (!has_range(field)) {
        return;
    }
    format_range(field, low, high);
    if (isfinite(field->min)) {
        fprintf(stream, "            <xs:minInclusive value=\"%s\"/>\n", low);
    }
    if (isfinite(field->max)) {
        fprintf(stream, "            <xs:maxInclusive value=\"%s\"/>\n", high);
    }
}

static void write_units(FILE *stream, const char *unit)
{
    size_t next = 0;
    const char *between = "";
    /* A unit that cannot be converted is taken as it is. */
    bool is_known = dpl__unit_is_known(unit);
    const char *name = is_known ? dpl__unit_next(unit, &next) : unit;
    fputs("          <xs:simpleType><xs:restriction base=\"xs:token\">\n"
          "            <xs:pattern value=\"" NUMBER_PATTERN " ?(",
          stream);
    for (; name; name = is_known ? dpl__unit_next(unit, &next) : NULL) {
        fputs(between, stream);
        dpl__xsd_write_literal(stream, name);
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

static void write_number(FILE *stream, const struct dpl__xsd_value *value)
{
    const struct dpl_field *field = value->field;
    const char *base = field->type == DPL_FIELD_INT ? "xs:long" : "xs:double";
    write_union(stream, value->also);
    fprintf(stream, "          <xs:simpleType><xs:restriction base=\"%s\">\n", base);
    write_range(stream, field);
    fputs("          </xs:restriction></xs:simpleType>\n", stream);
    if (field->unit) {
        write_units(stream, field->unit);
    }
    char unit[DPL__WORD_MAX];
    for (const char *rest = field->choices; (rest = dpl__word_next(rest, unit));) {
        write_units(stream, unit);
    }
    if (value->any_unit) {
        write_pattern(stream, NUMBER_PATTERN " ?[A-Za-z%]\\S*");
    }
    if (value->takes_float && field->type == DPL_FIELD_DOUBLE) {
        write_pattern(stream, NUMBER_PATTERN "[fF]");
    }
    fputs("        </xs:union>\n", stream);
}

static void write_text(FILE *stream, const struct dpl__xsd_value *value)
{
    write_union(stream, value->also);
    fprintf(stream,
            "          <xs:simpleType><xs:restriction base=\"xs:string\">"
            "<xs:maxLength value=\"%zu\"/></xs:restriction></xs:simpleType>\n"
            "        </xs:union>\n",
            value->field->size - 1);
}

void dpl__xsd_write_value(FILE *stream, const struct dpl__xsd_value *value)
{
    fputs("      <xs:simpleType>\n", stream);
    switch (value->field->type) {
    case DPL_FIELD_BOOL: write_words(stream, TRUTHS, value->also); break;
    case DPL_FIELD_CHOICE: write_words(stream, value->field->choices, value->also); break;
    case DPL_FIELD_STRING: write_text(stream, value); break;
    case DPL_FIELD_INT:
    case DPL_FIELD_DOUBLE: write_number(stream, value); break;
    }
    fputs("      </xs:simpleType>\n", stream);
}

void dpl__xsd_describe(FILE *stream, const struct dpl_field *field)
{
    char low[40], high[40];
    bool is_number = field->type == DPL_FIELD_INT || field->type == DPL_FIELD_DOUBLE;
    dpl__xsd_write_escaped(stream, field->summary ? field->summary : "");
    if (field->unit) {
        fprintf(stream, "; in %s if no unit is given", field->unit);
    }
    if (is_number && has_range(field)) {
        format_range(field, low, high);
        fprintf(stream, "; %s to %s", low, high);
    }
    if (field->type == DPL_FIELD_CHOICE) {
        fputs("; one of ", stream);
        dpl__xsd_write_escaped(stream, field->choices);
    }
    if (field->default_text && field->default_text[0] != '\0') {
        fputs("; default ", stream);
        dpl__xsd_write_escaped(stream, field->default_text);
    }
}
