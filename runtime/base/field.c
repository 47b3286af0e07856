/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables: finding, parsing with units and ranges, defaults. */
#include <doppel/field.h>

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "unit.h"
#include "words.h"

static bool has_name(const struct dpl_field *field, const char *name)
{
    if (dpl_name_equal(field->name, name)) {
        return true;
    }
    return dpl__word_index(field->aliases, name) >= 0;
}

const struct dpl_field *dpl_field_find(const struct dpl_field *fields, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (has_name(&fields[i], name)) {
            return &fields[i];
        }
    }
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
    while (dpl__is_blank(*text)) {
        text++;
    }
    return text;
}

/* Copies without leading and trailing blanks; false when the text is longer than the buffer. */
static bool trim(const char *text, char *ret_text, size_t size)
{
    text = skip_blanks(text);
    size_t n = strlen(text);
    while (n > 0 && dpl__is_blank(text[n - 1])) {
        n--;
    }
    if (n >= size) {
        return false;
    }
    memcpy(ret_text, text, n);
    ret_text[n] = '\0';
    return true;
}

static const char *unit_of(const struct dpl_field *field)
{
    return field->unit ? field->unit : "";
}

static const char *blank_before_unit(const struct dpl_field *field)
{
    return field->unit ? " " : "";
}

static int fail_not_a_number(const struct dpl_field *field, const struct dpl_field_text *text,
                             struct dpl_diag *reterr)
{
    const char *kind = field->type == DPL_FIELD_INT ? "whole number" : "number";
    if (field->unit) {
        return dpl_fail(reterr, -EINVAL, text->place, "%s: '%.80s' is not a %s (in %s)",
                        field->name, text->text, kind, field->unit);
    }
    return dpl_fail(reterr, -EINVAL, text->place, "%s: '%.80s' is not a %s", field->name,
                    text->text, kind);
}

static int fail_unit(const struct dpl_field *field, const struct dpl_field_text *text,
                     const char *unit, struct dpl_diag *reterr)
{
    if (!dpl__unit_is_known(unit)) {
        return dpl_fail(reterr, -EINVAL, text->place, "%s: unknown unit '%.40s' in '%.80s'%s%s",
                        field->name, unit, text->text, field->unit ? "; expected " : "",
                        unit_of(field));
    }
    if (!field->unit) {
        return dpl_fail(reterr, -EINVAL, text->place,
                        "%s: unit confusion: it has no unit, found '%s'", field->name, unit);
    }
    return dpl_fail(reterr, -EINVAL, text->place,
                    "%s: unit confusion: '%s' cannot be converted to %s", field->name, unit,
                    field->unit);
}

/* Finds the unit of the value: after the number, in the attribute, or the field's own. */
static int pick_unit(const struct dpl_field *field, const struct dpl_field_text *text,
                     const char **inout_suffix, struct dpl_diag *reterr)
{
    const char *suffix = *inout_suffix;
    const char *attribute = text->unit;
    if (*suffix != '\0' && attribute && strcmp(suffix, attribute) != 0) {
        return dpl_fail(reterr, -EINVAL, text->place,
                        "%s: unit confusion: the value says '%.40s', its unit attribute '%.40s'",
                        field->name, suffix, attribute);
    }
    if (*suffix == '\0') {
        *inout_suffix = attribute && *attribute != '\0' ? attribute : NULL;
    }
    return 0;
}

static int convert_unit(const struct dpl_field *field, const struct dpl_field_text *text,
                        const char *unit, double *inout_value, struct dpl_diag *reterr)
{
    if (!unit || (field->unit && strcmp(unit, field->unit) == 0)) {
        return 0;
    }
    if (!field->unit || dpl_unit_convert(*inout_value, unit, field->unit, inout_value) != 0) {
        return fail_unit(field, text, unit, reterr);
    }
    return 0;
}

static bool in_range(const struct dpl_field *field, double value)
{
    return (field->min == 0.0 && field->max == 0.0) || (value >= field->min && value <= field->max);
}

static void describe_range(const struct dpl_field *field, char *ret_text, size_t size)
{
    char low[40], high[40];
    dpl__number_write(field->min, low, sizeof(low));
    dpl__number_write(field->max, high, sizeof(high));
    if (!isfinite(field->max)) {
        snprintf(ret_text, size, "at least %s%s%s", low, blank_before_unit(field), unit_of(field));
    } else if (!isfinite(field->min)) {
        snprintf(ret_text, size, "at most %s%s%s", high, blank_before_unit(field), unit_of(field));
    } else {
        snprintf(ret_text, size, "%s..%s%s%s", low, high, blank_before_unit(field), unit_of(field));
    }
}

/* Suggests another unit for a number without unit, with its value in the field's unit. */
static void hint_at_unit(const struct dpl_field *field, double value, char *ret_hint, size_t size)
{
    const double range[2] = {field->min, field->max};
    double guess;
    const char *unit = dpl__unit_guess(value, field->unit, range, &guess);
    if (unit && value != 0.0) {
        char found[40];
        dpl__number_write(value, found, sizeof(found));
        snprintf(ret_hint, size, "; did you mean %.6g (%s %s)?", guess, found, unit);
    }
}

/* The error for a number with its unit: "0.13 mm (0.00013 m) is out of range". */
static int fail_range_in_unit(const struct dpl_field *field, const struct dpl_field_text *text,
                              double value, const char *unit, struct dpl_diag *reterr)
{
    char range_text[112], found[40], hint[128] = "";
    const double range[2] = {field->min, field->max};
    double number = 0.0, guess;
    describe_range(field, range_text, sizeof(range_text));
    dpl__number_read(skip_blanks(text->text), &number);
    dpl__number_write(number, found, sizeof(found));
    const char *meant = dpl__unit_guess(number, field->unit, range, &guess);
    if (meant && number != 0.0) {
        snprintf(hint, sizeof(hint), "; did you mean %s %s?", found, meant);
    }
    return dpl_fail(reterr, -EINVAL, text->place,
                    "%s: %s %.20s (%.6g %s) is out of range, expected %s%s", field->name, found,
                    unit, value, field->unit, range_text, hint);
}

/* `unit`: the one from which the value was converted; NULL: none was given. */
static int fail_range(const struct dpl_field *field, const struct dpl_field_text *text,
                      double value, const char *unit, struct dpl_diag *reterr)
{
    char range_text[112], found[40], hint[128] = "";
    if (unit && field->unit && strcmp(unit, field->unit) != 0) {
        return fail_range_in_unit(field, text, value, unit, reterr);
    }
    describe_range(field, range_text, sizeof(range_text));
    dpl__number_write(value, found, sizeof(found));
    if (!unit && field->unit) {
        hint_at_unit(field, value, hint, sizeof(hint));
    }
    return dpl_fail(reterr, -EINVAL, text->place, "%s: %s%s%s is out of range, expected %s%s",
                    field->name, found, blank_before_unit(field), unit_of(field), range_text, hint);
}

/* ---- parsers by type ------------------------------------------------------------------------- */

struct target {
    const struct dpl_field *field;
    void *member;
};

/* The unit behind a number that ends at `end`; NULL: there is no number. */
static int take_unit(const struct dpl_field *field, const struct dpl_field_text *text,
                     const char *end, const char **ret_unit, struct dpl_diag *reterr)
{
    const char *unit = end ? skip_blanks(end) : NULL;
    if (!unit || (*unit != '\0' && unit == end && !dpl__unit_is_known(unit))) {
        return fail_not_a_number(field, text, reterr);
    }
    *ret_unit = unit;
    return pick_unit(field, text, ret_unit, reterr);
}

/* What the field itself says of a value. */
static int check(const struct dpl_field *field, const char *value, struct dpl_place place,
                 struct dpl_diag *reterr)
{
    struct dpl_diag why;
    int error = field->check ? field->check(value, &why) : 0;
    return error == 0 ? 0 : dpl_fail(reterr, error, place, "%s: %s", field->name, why.text);
}

static int parse_double(struct target target, const struct dpl_field_text *text,
                        struct dpl_diag *reterr)
{
    const struct dpl_field *field = target.field;
    char trimmed[128];
    double value;
    const char *end = NULL;
    if (trim(text->text, trimmed, sizeof(trimmed))) {
        end = dpl__number_read(trimmed, &value);
    }
    const char *unit;
    int error = take_unit(field, text, end, &unit, reterr);
    error = error != 0 ? error : convert_unit(field, text, unit, &value, reterr);
    if (error != 0) {
        return error;
    }
    if (!isfinite(value)) {
        return fail_not_a_number(field, text, reterr);
    }
    if (!in_range(field, value)) {
        return fail_range(field, text, value, unit, reterr);
    }
    char number[DPL__WORD_MAX];
    dpl__number_write(value, number, sizeof number);
    error = check(field, number, text->place, reterr);
    if (error == 0) {
        *(double *)target.member = value;
    }
    return error;
}

/* An integer with a unit is converted through double; it must be an integer in the field's unit
 * too. */
static int convert_whole(const struct dpl_field *field, const struct dpl_field_text *text,
                         const char *unit, int64_t *inout_value, struct dpl_diag *reterr)
{
    double converted = (double)*inout_value;
    int error = convert_unit(field, text, unit, &converted, reterr);
    if (error != 0 || converted == (double)*inout_value) {
        return error;
    }
    if (converted != floor(converted) || fabs(converted) > 9e15) {
        return dpl_fail(reterr, -EINVAL, text->place, "%s: '%.80s' is not a whole number of %s",
                        field->name, text->text, field->unit);
    }
    *inout_value = (int64_t)converted;
    return 0;
}

static int parse_int(struct target target, const struct dpl_field_text *text,
                     struct dpl_diag *reterr)
{
    const struct dpl_field *field = target.field;
    char trimmed[128];
    int64_t value;
    const char *end = NULL;
    if (trim(text->text, trimmed, sizeof(trimmed))) {
        end = dpl__whole_read(trimmed, &value);
    }
    const char *unit;
    int error = take_unit(field, text, end, &unit, reterr);
    error = error != 0 ? error : convert_whole(field, text, unit, &value, reterr);
    if (error != 0) {
        return error;
    }
    if (!in_range(field, (double)value)) {
        return fail_range(field, text, (double)value, unit, reterr);
    }
    *(int64_t *)target.member = value;
    return 0;
}

static int parse_bool(struct target target, const struct dpl_field_text *text,
                      struct dpl_diag *reterr)
{
    static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "off", "on"};
    char trimmed[16];
    if (trim(text->text, trimmed, sizeof(trimmed))) {
        for (size_t i = 0; i < DPL_COUNT(words); i++) {
            if (dpl_name_equal(words[i], trimmed)) {
                *(bool *)target.member = i % 2 == 1;
                return 0;
            }
        }
    }
    return dpl_fail(reterr, -EINVAL, text->place, "%s: '%.80s' is neither true nor false",
                    target.field->name, text->text);
}

static int parse_choice(struct target target, const struct dpl_field_text *text,
                        struct dpl_diag *reterr)
{
    const char *choices = target.field->choices;
    char trimmed[DPL__WORD_MAX], word[DPL__WORD_MAX];
    const char *near = NULL;
    if (trim(text->text, trimmed, sizeof(trimmed))) {
        int index = dpl__word_index(choices, trimmed);
        if (index >= 0) {
            *(int *)target.member = index;
            return 0;
        }
        near = dpl__word_nearest(choices, trimmed, word);
    }
    return dpl_fail(reterr, -EINVAL, text->place, "%s: '%.80s' is not one of %s%s%s%s",
                    target.field->name, text->text, choices, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

static int parse_string(struct target target, const struct dpl_field_text *text,
                        struct dpl_diag *reterr)
{
    size_t n = strlen(text->text);
    if (n >= target.field->size) {
        return dpl_fail(reterr, -EINVAL, text->place,
                        "%s: the text has %zu bytes, at most %zu are allowed", target.field->name,
                        n, target.field->size - 1);
    }
    int error = check(target.field, text->text, text->place, reterr);
    if (error != 0) {
        return error;
    }
    memset(target.member, 0, target.field->size);
    memcpy(target.member, text->text, n);
    return 0;
}

int dpl_field_parse(const struct dpl_field *field, const struct dpl_field_text *text, void *base,
                    struct dpl_diag *reterr)
{
    struct target target = {field, (char *)base + field->offset};
    bool is_number = field->type == DPL_FIELD_INT || field->type == DPL_FIELD_DOUBLE;
    if (!is_number && text->unit && *text->unit != '\0') {
        return fail_unit(field, text, text->unit, reterr);
    }
    switch (field->type) {
    case DPL_FIELD_BOOL: return parse_bool(target, text, reterr);
    case DPL_FIELD_INT: return parse_int(target, text, reterr);
    case DPL_FIELD_DOUBLE: return parse_double(target, text, reterr);
    case DPL_FIELD_STRING: return parse_string(target, text, reterr);
    case DPL_FIELD_CHOICE: return parse_choice(target, text, reterr);
    }
    return -EINVAL;
}

void dpl_fields_set_defaults(const struct dpl_field *fields, size_t n, void *base)
{
    for (size_t i = 0; i < n; i++) {
        if (!fields[i].default_text) {
            continue;
        }
        struct dpl_field_text text = {.text = fields[i].default_text};
        struct dpl_diag diag;
        if (dpl_field_parse(&fields[i], &text, base, &diag) != 0) {
            fprintf(stderr, "default of a field table: %s\n", diag.text);
            assert(false && "the default of a field does not parse");
        }
    }
}
