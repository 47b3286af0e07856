/* SPDX-License-Identifier: Apache-2.0 */
/* What the elements of an expansion share: see xml_expander.h. */
#include "xml_expander.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "number.h"
#include "xml_value.h"

enum { ATTRIBUTE_COST = 16, NUMBER_COST = 64 };

/* ---- findings -------------------------------------------------------------------------------- */

static void append(struct dpl_diag *diag, const char *within)
{
    size_t length = strlen(diag->text), room = sizeof diag->text - 1, n = strlen(within) + 3;
    size_t at = length + n > room ? room - n : length;
    snprintf(diag->text + at, sizeof diag->text - at, " (%s)", within);
}

static void add(struct dpl__expander *expander, struct dpl_diag *diag)
{
    if (expander->within) {
        append(diag, expander->within);
    }
    dpl_diags_add_diag(expander->diags, diag);
}

void dpl__expander_say(struct dpl__expander *expander, enum dpl_severity severity,
                       struct dpl_place place, const char *format, ...)
{
    struct dpl_diag diag = {.severity = severity, .place = place};
    va_list args;
    va_start(args, format);
    vsnprintf(diag.text, sizeof diag.text, format, args);
    va_end(args);
    add(expander, &diag);
}

void dpl_xml_say_within(const struct dpl_xml_node *node, struct dpl_diags *diags, size_t first)
{
    for (size_t i = first; node->within && i < diags->n; i++) {
        append(&diags->items[i], node->within);
    }
}

void dpl__expander_stop(struct dpl__expander *expander, struct dpl_place place, const char *what,
                        unsigned max)
{
    if (!expander->is_stopped) {
        expander->is_stopped = true;
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, place,
                          "the file expands to more than %u %s", max, what);
    }
}

void dpl__expander_count_node(struct dpl__expander *expander, const struct dpl_xml_node *node)
{
    if (expander->work->n_nodes++ >= DPL_XML_NODES_MAX) {
        dpl__expander_stop(expander, node->place, "elements", DPL_XML_NODES_MAX);
    }
}

static size_t count_braces(const char *text)
{
    size_t n = 0;
    for (text = strchr(text, '{'); text; text = strchr(text + 1, '{')) {
        n++;
    }
    return n;
}

/* What an expression costs beyond its bytes: its number is written; a name is looked up among all
 * that are known. */
static void count_value(struct dpl__expander *expander, const struct dpl_xml_attribute *attribute)
{
    size_t factor = attribute->written ? 1 + expander->n_names / 16 : 1;
    size_t numbers = attribute->written ? count_braces(attribute->value) * NUMBER_COST : 0;
    expander->work->n_bytes += ATTRIBUTE_COST + strlen(attribute->value) * factor + numbers;
    if (expander->work->n_bytes > DPL_XML_EXPAND_BYTES_MAX) {
        dpl__expander_stop(expander, attribute->place, "bytes of values", DPL_XML_EXPAND_BYTES_MAX);
    }
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* The attribute with its value expanded; as it is after an error. */
static bool expand_attribute(struct dpl__expander *expander, struct dpl_xml_attribute *attribute)
{
    struct dpl_diag diag;
    if (!attribute->written) {
        return true;
    }
    if (dpl__xml_value_expand(expander->arena, attribute, expander->names, expander->n_names,
                              &attribute->value, &diag)) {
        add(expander, &diag);
        return false;
    }
    attribute->written = NULL;
    attribute->raw = "";
    return true;
}

void dpl__expander_attributes(struct dpl__expander *expander, const struct dpl_xml_node *node,
                              struct dpl_xml_node *copy)
{
    bool has_braces = false;
    for (size_t i = 0; i < node->n_attributes && !expander->is_stopped; i++) {
        count_value(expander, &node->attributes[i]);
        has_braces = has_braces || node->attributes[i].written;
    }
    if (!has_braces || expander->is_stopped) {
        return;
    }
    size_t size = node->n_attributes * sizeof *node->attributes;
    struct dpl_xml_attribute *attributes = dpl_arena_alloc(expander->arena, size);
    memcpy(attributes, node->attributes, size);
    for (size_t i = 0; i < node->n_attributes; i++) {
        expand_attribute(expander, &attributes[i]);
    }
    copy->attributes = attributes;
}

const struct dpl_xml_attribute *dpl__expander_find_required(struct dpl__expander *expander,
                                                            const struct dpl_xml_node *node,
                                                            const char *name, const char *summary)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute_like(node, name);
    if (!attribute) {
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, node->place,
                          "<%s> lacks the attribute '%s' (%s)", node->name, name, summary);
    }
    return attribute;
}

bool dpl__expander_read_number(const char *text, double *ret_value)
{
    while (dpl__is_blank(*text)) {
        text++;
    }
    double value;
    const char *end = dpl__number_read(text, &value);
    while (end && dpl__is_blank(*end)) {
        end++;
    }
    if (!end || *end != '\0') {
        return false;
    }
    *ret_value = value;
    return true;
}

/* The number that an attribute is. */
bool dpl__expander_number(struct dpl__expander *expander, const struct dpl_xml_attribute *attribute,
                          double *ret_value)
{
    struct dpl_xml_attribute expanded = *attribute;
    count_value(expander, attribute);
    if (!expand_attribute(expander, &expanded)) {
        return false;
    }
    if (dpl__expander_read_number(expanded.value, ret_value)) {
        return true;
    }
    dpl__expander_say(expander, DPL_SEVERITY_ERROR, attribute->value_place,
                      "%s: found '%.80s', expected a number or an {expression}", attribute->name,
                      expanded.value);
    return false;
}

bool dpl__expander_whole(struct dpl__expander *expander, const struct dpl_xml_attribute *attribute,
                         double min, double max, double *ret_value)
{
    double value;
    if (!dpl__expander_number(expander, attribute, &value)) {
        return false;
    }
    if (value < min || value > max || value != trunc(value)) {
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, attribute->value_place,
                          "%s: found %.15g, expected a whole number from %.0f to %.0f",
                          attribute->name, value, min, max);
        return false;
    }
    *ret_value = value;
    return true;
}

/* Warns of what Param, Repeat or If does not know. */
void dpl__expander_check_known(struct dpl__expander *expander, const struct dpl_xml_node *node,
                               const char *const *known, size_t n)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        bool is_known = false;
        for (size_t j = 0; j < n; j++) {
            is_known = is_known || dpl_name_equal(attribute->name, known[j]);
        }
        const char *near = is_known ? NULL : dpl_nearest(attribute->name, known, n);
        if (!is_known) {
            dpl__expander_say(expander, DPL_SEVERITY_WARNING, attribute->place,
                              "unknown attribute '%.80s'%s%s%s", attribute->name,
                              near ? ", did you mean '" : ", ignored", near ? near : "",
                              near ? "'?" : "");
        }
    }
    if (node->text[0] != '\0') {
        dpl__expander_say(expander, DPL_SEVERITY_WARNING, node->text_place,
                          "<%s> holds text, ignored: its values are attributes", node->name);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether this attribute may be a new name. */
bool dpl__expander_check_name(struct dpl__expander *expander,
                              const struct dpl_xml_attribute *attribute)
{
    const char *name = attribute->value;
    if (!dpl__expr_is_name(name)) {
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, attribute->value_place,
                          "found '%.80s', expected a name of 1 to %d letters, digits and _", name,
                          DPL_EXPR_NAME_MAX);
        return false;
    }
    if (dpl__expr_is_reserved(name)) {
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, attribute->value_place,
                          "'%s' has a meaning in expressions, choose another name", name);
        return false;
    }
    for (size_t i = 0; i < expander->n_names; i++) {
        if (strcmp(expander->names[i].name, name) == 0) {
            dpl__expander_say(expander, DPL_SEVERITY_ERROR, attribute->value_place,
                              "the name '%s' is given already, at line %d", name,
                              expander->places[i].line);
            return false;
        }
    }
    if (expander->n_names == DPL_XML_PARAMS_MAX) {
        dpl__expander_stop(expander, attribute->value_place, "names", DPL_XML_PARAMS_MAX);
        return false;
    }
    return true;
}

void dpl__expander_push_name(struct dpl__expander *expander, const struct dpl_xml_attribute *name,
                             double value)
{
    expander->places[expander->n_names] = name->value_place;
    expander->names[expander->n_names++] = (struct dpl__expr_name){name->value, value};
}
